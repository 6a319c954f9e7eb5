package main

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/discover/login"
	"toolpress/runtime/once"
)

// addStateDir adds --state-dir to a command that calls tools.
func addStateDir(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "state-dir", "", "where the last good reading of the site is kept, and calls of tools with idempotency are remembered (default $XDG_STATE_HOME/toolpress, else ~/.local/state/toolpress)")
}

// stateDir is where this user's programs keep what outlives them (XDG Base
// Directory Specification).
func (a *app) stateDir() (string, error) {
	if dir := a.getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "toolpress"), nil
	}
	if dir := a.getenv("LocalAppData"); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "toolpress"), nil
	}
	if home := a.getenv("HOME"); home != "" {
		return filepath.Join(home, ".local", "state", "toolpress"), nil
	}
	return "", errors.New("remembering calls: there is no place for it")
}

// remembered is what became of earlier calls of a site. Its file is made with the
// first call that needs it.
func (a *app) remembered(dir, site string) *once.Store {
	var err error
	if dir == "" {
		dir, err = a.stateDir()
	}
	name, errName := login.FileName(site)
	if err := errors.Join(err, errName); err != nil {
		return once.Unavailable(err)
	}
	return once.New(filepath.Join(dir, "calls", name+".jsonl"))
}

// warnForgotten says which tools are refused, where their calls cannot be
// remembered. The others are served.
func (a *app) warnForgotten(ctx context.Context, catalog *curate.Catalog, calls *once.Store) {
	var names []string
	for _, p := range catalog.Profiles {
		for _, t := range p.Tools {
			if t.Idempotency != nil {
				names = append(names, t.Name)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	if err := calls.Check(ctx); err != nil {
		slices.Sort(names)
		a.report(forgotten(err))
		a.say("until that works, calls of %s are refused", strings.Join(slices.Compact(names), ", "))
	}
}

// forgotten is a call that could not be remembered.
func forgotten(err error) error {
	hint := "--state-dir DIR names another directory, which this user can write"
	if errors.Is(err, once.ErrBusy) {
		hint = "try again in a moment"
	}
	return &failure{err: err, code: exitFailed, hint: hint}
}
