package runtime

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/generate/schema"
)

// snapshot is one published catalog. Nothing in it changes but the endpoints'
// connections.
type snapshot struct {
	profiles map[string]*profile
	// tokens are digests of the server's own, for what is no profile's; nil asks
	// for none, an empty list lets nobody in.
	tokens [][sha256.Size]byte
	// digest names what is served, and since tells when that began.
	digest string
	since  time.Time
	// withheld are operations that were asked for and are not served.
	withheld []curate.Withheld
}

// profile is the list of one endpoint, encoded once, and its tools by name.
type profile struct {
	endpoint     *endpoint
	instructions string
	// tokens are digests of what opens the endpoint; nil asks for none, an empty
	// list lets nobody in.
	tokens [][sha256.Size]byte
	site   Site
	about  string // the site's address
	byName map[string]*curate.Tool
	// tools is the JSON array, digest its name, pages the results that carry it.
	tools  json.RawMessage
	digest string
	pages  []listPage
	// count is how many tools there are, size how many tokens they take, about.
	count int
	size  func() int
	// gone are names that were served here before, and the operation of each.
	gone map[string]string
	// held are names of tools that wait for an approval.
	held map[string]bool
}

// profile is one by its name; nil without one, or without a snapshot.
func (s *snapshot) profile(name string) *profile {
	if s == nil {
		return nil
	}
	return s.profiles[name]
}

// snapshot encodes c, which comes after old; nil is none. The caller holds
// s.swap, or is alone.
func (s *Server) snapshot(c *curate.Catalog, old *snapshot) *snapshot {
	next, open := &snapshot{profiles: map[string]*profile{}, tokens: s.tokens, withheld: c.Withheld}, false
	for name, p := range c.Profiles {
		tokens, site, ok := s.access(p)
		if !ok {
			// As somebody else it would do what it was not meant to.
			s.opts.Log.Error("profile left out: its account is not there", "profile", name)
			continue
		}
		if !p.OwnTokens() {
			next.tokens, open = tokens, tokens == nil
		}
		at := s.endpoints[name]
		if at == nil {
			at = s.newEndpoint(name)
			s.endpoints[name] = at
		}
		encoded := s.encode(p, at)
		encoded.tokens, encoded.site, encoded.about = tokens, site, c.Site
		encoded.remember(old.profile(name))
		next.profiles[name] = encoded
	}
	if next.tokens == nil && !open && len(c.Profiles) > 0 {
		next.tokens = [][sha256.Size]byte{}
	}
	next.sum(old)
	return next
}

// sum names what is served. The same as before is served since then.
func (s *snapshot) sum(old *snapshot) {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s.profiles)) {
		fmt.Fprintf(h, "%s %s %q\n", name, s.profiles[name].digest, s.profiles[name].instructions)
	}
	s.digest, s.since = hex.EncodeToString(h.Sum(nil)[:8]), time.Now().UTC()
	if old != nil && old.digest == s.digest {
		s.since = old.since
	}
}

// access is what opens a profile and who takes its calls; ok is false where its
// own account is not there.
func (s *Server) access(p *curate.Profile) (tokens [][sha256.Size]byte, site Site, ok bool) {
	var own Access
	if s.opts.Access != nil {
		own = s.opts.Access(p)
	}
	tokens, site = s.tokens, s.opts.Site
	if p.OwnTokens() || len(own.Tokens) > 0 {
		tokens = [][sha256.Size]byte{}
		for _, token := range own.Tokens {
			if !token.Empty() {
				tokens = append(tokens, sha256.Sum256([]byte(token.Reveal())))
			}
		}
	}
	if own.Site != nil {
		site = own.Site
	}
	return tokens, site, own.Site != nil || p.Auth == (curate.Auth{})
}

func (s *Server) encode(p *curate.Profile, at *endpoint) *profile {
	enc := &profile{endpoint: at, instructions: p.Instructions, byName: map[string]*curate.Tool{}, held: map[string]bool{}, size: sync.OnceValue(p.Tokens)}
	for _, w := range p.NotApproved {
		enc.held[w.Tool] = true
	}
	tools := slices.Clone(p.Tools)
	slices.SortFunc(tools, func(a, b *curate.Tool) int { return strings.Compare(a.Name, b.Name) })
	list := []json.RawMessage{}
	for _, t := range tools {
		text, err := t.MarshalJSON()
		if err == nil && enc.byName[t.Name] != nil {
			err = fmt.Errorf("the name is taken by %s", enc.byName[t.Name].Operation)
		}
		if err != nil {
			// A tool that would spoil the whole list is not worth the list.
			s.opts.Log.Error("tool left out", "profile", at.name, "tool", t.Name, "operation", t.Operation, "error", err)
			continue
		}
		enc.byName[t.Name] = t
		list = append(list, text)
	}
	for _, t := range tools {
		for _, alias := range t.Aliases {
			if enc.byName[t.Name] == t && enc.byName[alias] == nil {
				enc.byName[alias] = t
			}
		}
	}
	enc.count = len(list)
	enc.tools, _ = schema.Encode(list) // valid JSON: it cannot fail
	enc.digest = digestOf(enc.tools)
	enc.pages = s.paginate(list, enc.digest)
	return enc
}

// cacheScope: what a profile serves may depend on who asks, so no shared cache
// may keep it.
const cacheScope = "private"

// listResult is a whole tools/list result. The SDK writes into the embedded
// meta; what goes out are the bytes.
type listResult struct {
	mcp.ResultBase
	encoded json.RawMessage
}

// MarshalJSON gives the encoded bytes.
func (r *listResult) MarshalJSON() ([]byte, error) { return r.encoded, nil }
