package main

import (
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far something long has come, on a terminal; elsewhere it
// is nil and shows nothing.
func (a *app) progress(what string) func(done, all int) {
	file, isFile := a.stderr.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	var bar *progressbar.ProgressBar
	return func(done, all int) {
		if bar == nil {
			bar = progressbar.NewOptions(all, progressbar.OptionSetDescription(what), progressbar.OptionSetWriter(file), progressbar.OptionClearOnFinish())
		}
		_ = bar.Set(done) // a bar that cannot be drawn is no failure
	}
}
