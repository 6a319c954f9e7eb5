package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"toolpress/discover"
)

// lintSource is what lint looks at: a site, or a file that stands for one.
type lintSource struct {
	site *discover.Site
	// again reads it again.
	again func(ctx context.Context) (*discover.Site, error)
	close func()
}

// lintSource reads what is meant, for the first time.
func (a *app) lintSource(ctx context.Context, address string) (*lintSource, error) {
	if a.from == "" {
		s, err := a.load(ctx, address)
		if err != nil {
			return nil, err
		}
		return &lintSource{s.site, s.root.Read, s.close}, nil
	}
	again := func(context.Context) (*discover.Site, error) { return a.lintFile(a.from) }
	site, err := again(ctx)
	if err != nil {
		return nil, usage(err.Error(), "--from takes a recording (toolpress discover -o site.json), or what the site answers at /wp-json/wp-abilities/v1/abilities?per_page=100")
	}
	for _, note := range site.Notes {
		a.say("note: %s", note)
	}
	if n := len(site.Abilities); site.Root == "" && (n == 50 || n == 100) {
		a.say("%s has %d abilities, as many as a page of the list: is there another, &page=2?", a.from, n)
	}
	return &lintSource{site, again, func() {}}, nil
}

// lintFile reads a recording, or a list of abilities, told apart by what is in it.
func (a *app) lintFile(name string) (*discover.Site, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, cause(err))
	}
	decode := discover.DecodeAbilities
	var head struct {
		Format string `json:"format"`
	}
	if json.Unmarshal(data, &head) == nil && head.Format != "" {
		decode = discover.Decode
	}
	site, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return site, nil
}
