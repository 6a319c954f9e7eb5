package curate

import (
	"maps"
	"slices"
	"strings"
)

// Profile is the list of tools one endpoint serves.
type Profile struct {
	Name string
	// Tools in the bytewise order of their names.
	Tools []*Tool
	// Instructions are the server's, for the model; may be empty.
	Instructions string
	// RequireScopes are what a client's token has to be good for (RFC 6749,
	// section 3.3), where tokens have scopes.
	RequireScopes []string
	// TokenEnv name the environment variables that hold the bearer tokens of
	// this endpoint: one of them opens it, and no other token does. Empty, without
	// a TokenFile: the server's own.
	TokenEnv []Text
	// TokenFile names a file of such tokens, a line each; empty: none.
	TokenFile Text
	// Auth is as whom the profile's calls are made; zero: as the server's.
	Auth Auth
	// NotPermitted are the operations of tools that would be the profile's, if
	// its account could call them.
	NotPermitted []string
	// NotApproved are tools that would be the profile's, if a person had approved
	// what the site, or a preset, says of them now: each under all of its names.
	NotApproved []Withheld
	// MaxTools and MaxTokens are the profile's budget; 0 is no bound.
	MaxTools, MaxTokens int
}

// OwnTokens reports that tokens of the profile's own open it, and not the
// server's.
func (p *Profile) OwnTokens() bool { return len(p.TokenEnv) > 0 || p.TokenFile.Value != "" }

// ProfileNames are the names of the profiles, the default first and then in
// bytewise order.
func (c *Catalog) ProfileNames() []string {
	return slices.SortedFunc(maps.Keys(c.Profiles), func(a, b string) int {
		if (a == DefaultProfile) != (b == DefaultProfile) {
			return map[bool]int{true: -1, false: 1}[a == DefaultProfile]
		}
		return strings.Compare(a, b)
	})
}

// serves reports that a profile has a tool after all.
func (c *Catalog) serves(w Withheld) bool {
	for _, p := range c.Profiles {
		if t := p.Tool(w.Tool); t != nil && t.Operation == w.Operation {
			return true
		}
	}
	return false
}

// Tool returns the named tool, or nil.
func (p *Profile) Tool(name string) *Tool {
	for _, t := range p.Tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Called returns the tool that a call by this name reaches: by its name, else by
// an alias; or nil.
func (p *Profile) Called(name string) *Tool {
	if t := p.Tool(name); t != nil {
		return t
	}
	for _, t := range p.Tools {
		if slices.Contains(t.Aliases, name) {
			return t
		}
	}
	return nil
}

// Tokens estimates what all tools of the profile take.
func (p *Profile) Tokens() int {
	sum := 0
	for _, t := range p.Tools {
		sum += t.Tokens()
	}
	return sum
}

// RawTokens estimates what the tools' operations would take as the site offers
// them.
func (p *Profile) RawTokens() int {
	sum := 0
	for _, t := range p.Tools {
		sum += t.RawTokens()
	}
	return sum
}
