#!/usr/bin/env node
// Runs the toolpress binary of this machine. npm has installed it: of the
// optional dependencies it takes the one whose os and cpu are this machine's.
// Nothing is downloaded here or at installation.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`toolpress-${platform}/bin/toolpress${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`toolpress: the package toolpress-${platform} is not installed
  hint: was npm told to leave out optional dependencies (--omit=optional)? If there is no such
  package for your system: go install, or the container image`);
  process.exit(1);
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
// A client ends what it started, which is this process: pass it on and wait.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (err) => {
  console.error(`toolpress: ${err.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
