package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// minToken is the shortest bearer token that is taken.
const minToken = 16

// makeToken is how a token is made.
const makeToken = "make one with: openssl rand -hex 32"

// tokens are the bearer tokens by which clients are let in.
type tokens struct {
	// server opens what has no token of its own; serverFile names a file of more
	// of them, or is empty.
	server     wp.Secret
	serverFile string
	// exposed is the address where others reach the server and somebody has to be
	// asked for a token; empty where nobody has.
	exposed string
	files   map[string]*tokenFile
}

// tokenFile is a file of tokens: its contents as they were last read, nil where
// they could not be, and the tokens it had when they last could be used. The
// contents lie in a function, which nothing prints.
type tokenFile struct {
	read   func() []byte
	tokens []wp.Secret
}

// serverVariable and serverFileVariable name the server's own tokens.
const (
	serverVariable     = "TOOLPRESS_TOKEN"
	serverFileVariable = "TOOLPRESS_TOKEN_FILE"
)

// serverTokens reads the server's own.
func (s *source) serverTokens() error {
	token := strings.TrimSpace(s.app.getenv(serverVariable))
	if n := len(token); n > 0 && n < minToken {
		return usage(fmt.Sprintf("%s has %d characters, and a token of fewer than %d is guessed", serverVariable, n, minToken), makeToken)
	}
	s.tokens.server = wp.NewSecret(token)
	s.tokens.serverFile = s.app.getenv(serverFileVariable)
	return nil
}

// keys reads what opens the profiles, and says what is missing.
func (s *source) keys(profiles []*curate.Profile) error {
	if err := s.closed(profiles); err != nil {
		return err
	}
	if err := s.readTokens(profiles); err != nil {
		return err
	}
	for _, p := range profiles {
		if _, err := s.tokensOf(p); err != nil {
			return err
		}
	}
	return nil
}

// asked reports that the server has tokens of its own.
func (t *tokens) asked() bool { return !t.server.Empty() || t.serverFile != "" }

// own are the server's own tokens.
func (t *tokens) own() []wp.Secret {
	var list []wp.Secret
	if !t.server.Empty() {
		list = append(list, t.server)
	}
	if f := t.files[t.serverFile]; f != nil {
		list = append(list, f.tokens...)
	}
	return list
}

// namedFile is a file of tokens and who named it.
type namedFile struct {
	name string
	at   curate.Pos
	of   string // "the profile editor", or the server
}

// namedFiles are the server's and the profiles' files of tokens.
func (t *tokens) namedFiles(profiles []*curate.Profile) []namedFile {
	var list []namedFile
	if t.serverFile != "" {
		list = append(list, namedFile{t.serverFile, curate.Pos{File: serverFileVariable}, "the server"})
	}
	for _, p := range profiles {
		if p.TokenFile.Value != "" {
			list = append(list, namedFile{p.TokenFile.Value, p.TokenFile.Pos, "the profile " + p.Name})
		}
	}
	return list
}

// readTokens reads the files of tokens again: those of the profiles, and the
// server's. What cannot be used leaves the tokens in force that were; the error is
// the first, and has nothing of a file in it.
func (s *source) readTokens(profiles []*curate.Profile) (first error) {
	if s.tokens.files == nil {
		s.tokens.files = map[string]*tokenFile{}
	}
	for _, named := range s.tokens.namedFiles(profiles) {
		f := s.tokens.files[named.name]
		if f == nil {
			f = &tokenFile{}
			s.tokens.files[named.name] = f
		}
		data, err := s.readFile(named.name)
		if err == nil && data == nil {
			data = []byte{}
		}
		f.read = func() []byte { return data }
		var list []wp.Secret
		if err == nil {
			list, err = parseTokens(string(data))
		}
		if err != nil && first == nil {
			first = usage(fmt.Sprintf("%s: the token file of %s: %v", named.at, named.of, cause(err)), "each line is a token, or begins with #; "+makeToken)
		}
		if err == nil {
			f.tokens = list
		}
	}
	return first
}

// parseTokens reads a file of tokens, one a line. Errors have the line's number
// and nothing of what is on it.
func parseTokens(text string) ([]wp.Secret, error) {
	var list []wp.Secret
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
			continue
		case strings.ContainsFunc(line, func(r rune) bool { return r <= ' ' || r > '~' }):
			return nil, fmt.Errorf("line %d has a space or a letter beyond ASCII, and a token has neither", n)
		case len(line) < minToken:
			return nil, fmt.Errorf("the token on line %d has %d characters, and one of fewer than %d is guessed", n, len(line), minToken)
		}
		list = append(list, wp.NewSecret(line))
	}
	if len(list) == 0 {
		return nil, errors.New("it holds no token")
	}
	return list, nil
}

// tokensOf are what opens a profile that names tokens of its own.
func (s *source) tokensOf(p *curate.Profile) ([]wp.Secret, error) {
	var list []wp.Secret
	for _, variable := range p.TokenEnv {
		token := strings.TrimSpace(s.app.getenv(variable.Value))
		switch {
		case token == "":
			return nil, unset(fmt.Sprintf("%s: the profile %s names a variable that is not set: %s", variable.Pos, p.Name, variable.Value), "set it to the token that clients of the profile send; openssl rand -hex 32 makes one")
		case len(token) < minToken:
			return nil, usage(fmt.Sprintf("%s: the token of the profile %s in %s has %d characters, and one of fewer than %d is guessed", variable.Pos, p.Name, variable.Value, len(token), minToken), makeToken)
		}
		list = append(list, wp.NewSecret(token))
	}
	if f := s.tokens.files[p.TokenFile.Value]; f != nil {
		list = append(list, f.tokens...)
	}
	return list, nil
}

// closed refuses profiles that nobody is asked a token for where others reach
// them, and several that the server's token would open alike.
func (s *source) closed(profiles []*curate.Profile) error {
	var open []string
	for _, p := range profiles {
		if !p.OwnTokens() {
			open = append(open, p.Name)
		}
	}
	slices.Sort(open)
	switch {
	case s.tokens.exposed == "" || len(open) == 0 || s.tokens.asked() && len(open) == 1:
		return nil
	case s.tokens.asked():
		return usage(fmt.Sprintf("--listen %s is open to other machines, and one token would open the profiles %s: whoever has it has all of them", s.tokens.exposed, strings.Join(open, ", ")),
			fmt.Sprintf("write profiles: { %s: { token_env: %s } } into %s and set the variable; --no-auth lets everybody in", open[1], ownVariable(open[1]), s.name()))
	}
	at := fmt.Sprintf("--listen %s is open to other machines, and no token is asked for", s.tokens.exposed)
	if len(profiles) == 1 {
		return usage(at, "set TOOLPRESS_TOKEN to a secret that clients send as a bearer token, or say --no-auth")
	}
	return usage(fmt.Sprintf("%s by the %s %s", at, map[bool]string{true: "profile", false: "profiles"}[len(open) == 1], strings.Join(open, ", ")),
		fmt.Sprintf("write profiles: { %s: { token_env: %s } } into %s and set the variable, or set TOOLPRESS_TOKEN for the one that has none; --no-auth asks nobody", open[0], ownVariable(open[0]), s.name()))
}

// ownVariable is a name for the variable with a profile's token.
func ownVariable(profile string) string {
	return "TOOLPRESS_" + strings.ToUpper(strings.ReplaceAll(profile, "-", "_")) + "_TOKEN"
}

// opening are all tokens that open a profile.
func (s *source) opening(p *curate.Profile) []wp.Secret {
	if !p.OwnTokens() {
		return s.tokens.own()
	}
	list, _ := s.tokensOf(p) // what is missing was told before
	return list
}

// profilesOf are a catalog's profiles in the order of their names.
func profilesOf(catalog *curate.Catalog) []*curate.Profile {
	var list []*curate.Profile
	for _, name := range catalog.ProfileNames() {
		list = append(list, catalog.Profiles[name])
	}
	return list
}
