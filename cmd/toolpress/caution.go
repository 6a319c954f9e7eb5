package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"maps"
	"os"
	goruntime "runtime"
	"slices"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// cautions are what is doubtful about what is served on this machine: who else can
// write its curation and its lock, and read its tokens, whether one opens more than one profile, and directories that
// files cannot be taken from.
func (s *source) cautions(catalog *curate.Catalog) curate.Findings {
	var found curate.Findings
	warn := func(id string, at curate.Pos, hint, format string, args ...any) {
		found = append(found, curate.Finding{ID: id, Severity: curate.SeverityWarning, Pos: at, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	for _, root := range s.curation.Site().Media.Roots {
		if info, err := os.Stat(root.Value); err != nil {
			warn("media-root", root.Pos, "make it, or mount it where toolpress runs", "no file can be taken from %s: %v", root.Value, cause(err))
		} else if !info.IsDir() {
			warn("media-root", root.Pos, "name the directory it is in", "no file can be taken from %s: it is no directory", root.Value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		info, err := os.Stat(name)
		if err == nil && info.Mode().Perm()&0o002 != 0 && goruntime.GOOS != "windows" {
			warn("open-file", curate.Pos{File: name}, "let only its owner write it: chmod go-w", "everybody on this machine can change what is served (mode %04o)", info.Mode().Perm())
		}
	}
	profiles := profilesOf(catalog)
	for _, named := range s.tokens.namedFiles(profiles) {
		info, err := os.Stat(named.name)
		if err == nil && info.Mode().Perm()&0o077 != 0 && goruntime.GOOS != "windows" {
			warn("open-token-file", named.at, "let only its owner: chmod 600", "others on this machine can read the token file of %s (mode %04o)", named.of, info.Mode().Perm())
		}
	}
	for i, p := range profiles {
		for _, other := range profiles[:i] {
			if !shared(s.opening(p), s.opening(other)) {
				continue
			}
			at := curate.Pos{File: serverVariable}
			switch {
			case s.tokens.server.Empty() && !p.OwnTokens():
				at.File = serverFileVariable
			case len(p.TokenEnv) > 0:
				at = p.TokenEnv[0].Pos
			case p.TokenFile.Value != "":
				at = p.TokenFile.Pos
			}
			warn("shared-token", at, "give each a token of its own, with token_env or token_file", "the profiles %s and %s are opened by the same token: whoever has it has both", other.Name, p.Name)
			break
		}
	}
	return found
}

// shared reports that two lists have a token in common, in a time that tells
// nothing of them.
func shared(a, b []wp.Secret) bool {
	same := 0
	for _, x := range a {
		for _, y := range b {
			one, two := sha256.Sum256([]byte(x.Reveal())), sha256.Sum256([]byte(y.Reveal()))
			same |= subtle.ConstantTimeCompare(one[:], two[:])
		}
	}
	return same == 1
}
