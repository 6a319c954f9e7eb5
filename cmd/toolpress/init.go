package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/generate"
)

func (a *app) initCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "init [URL]", Short: "Write a first curation.yaml for a site", Args: atMostOne,
		Long: `Write a curation.yaml to begin with: the presets that fit the site, its abilities
that only read, and as comments what changes the site and what plugins offer, each
with what it would bring. Nothing that writes is enabled. A file that is there is
never overwritten.`,
		Example: "  toolpress init https://shop.example\n  toolpress init --from site.json -o shop.yaml",
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := os.Lstat(out); out != "-" && err == nil {
				return alreadyThere(out)
			}
			s, err := a.load(c.Context(), first(args))
			if err != nil {
				return err
			}
			defer s.close()
			text, err := curate.Starter(generate.FromSite(s.site), s.site.Permissions, schemaFile)
			if err != nil {
				return err
			}
			if out == "-" {
				return a.write("", text)
			}
			if err := create(out, text); err != nil {
				return err
			}
			a.introduce(s)
			a.say("%s is written. Next:", out)
			a.say("  toolpress schema >%s   # for your editor", filepath.Join(filepath.Dir(out), schemaFile))
			a.say("  toolpress check %s   # what is served, and what it takes of a model's context", out)
			a.say("  toolpress serve --curation %s", out)
			return nil
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "curation.yaml", "the file to write, which must not be there; - for standard output")
	return c
}

func alreadyThere(name string) error {
	return usage(name+" is there already, and stays as it is", "toolpress check "+name+" says what is wrong with it; -o FILE writes another beside it")
}

// create writes a new file; what is there already is left alone, whoever made it
// meanwhile.
func create(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return alreadyThere(name)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, cause(err))
	}
	_, err = f.Write(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(name) // half a file would stand in the way of the next try
		return fmt.Errorf("writing %s: %w", name, cause(err))
	}
	return nil
}
