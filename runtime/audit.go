package runtime

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/generate/schema"
)

// auditor writes one line for each call: JSON, in one Write. A nil one writes
// nothing.
type auditor struct {
	key    []byte
	values bool
	log    *slog.Logger

	mu      sync.Mutex // guards the rest
	out     io.Writer
	failing bool
	torn    bool // the last line is not whole
}

// newAuditor writes to out; nil where that is. Digests are made with a key, so
// that nobody who has the lines finds a value by trying them all. It is made of
// the state key, and digests are then the same in all servers that share it; else
// it dies with the process.
func newAuditor(o Options) *auditor {
	if o.Audit == nil {
		return nil
	}
	sum := sha256.Sum256([]byte("toolpress audit " + o.StateKey.Reveal()))
	if o.StateKey.Empty() {
		_, _ = rand.Read(sum[:]) // never fails (crypto/rand)
	}
	return &auditor{key: sum[:], values: o.AuditValues, log: o.Log, out: o.Audit}
}

// toolNames are names that may be a tool's; anything else a client calls is not
// written down.
var toolNames = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// begin starts an entry: of a fault of ours, until something else is known.
func begin(a admission) *entry {
	return &entry{start: time.Now(), Outcome: outcomeInternal, Profile: a.profile, Principal: a.principal, Tool: a.tool.Name, Operation: a.tool.Operation}
}

// unlisted writes the line of a call of what is no tool.
func (l *auditor) unlisted(profile, principal, name string) {
	e := &entry{start: time.Now(), Profile: profile, Principal: principal, Outcome: outcomeUnlisted}
	if toolNames.MatchString(name) {
		e.Tool = name
	}
	l.write(e)
}

// ended writes the line of a call; res may be nil.
func (l *auditor) ended(a admission, arguments json.RawMessage, res *mcp.CallToolResult) {
	if l == nil {
		return
	}
	e := a.entry
	if res != nil {
		e.Bytes, e.Tokens = size(res)
	}
	l.arguments(a.tool, e, arguments)
	l.form(a.tool, e)
	l.write(e)
}

// size is how much of a model's context a result takes: its bytes, and the tokens
// of its text.
func size(res *mcp.CallToolResult) (all, tokens int) {
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			all, tokens = all+len(t.Text), tokens+curate.Tokens([]byte(t.Text))
		} else if b, err := c.MarshalJSON(); err == nil {
			all += len(b)
		}
	}
	return all, tokens
}

// withheld stands where a value, or its digest, is not written.
const withheld = "[redacted]"

// arguments notes the names of the tool's own arguments, and what they hold.
// Other names are a client's, and counted.
func (l *auditor) arguments(t *curate.Tool, e *entry, arguments json.RawMessage) {
	var given map[string]any
	dec := json.NewDecoder(bytes.NewReader(arguments))
	dec.UseNumber()
	_ = dec.Decode(&given) // what is no object has no arguments
	named, _ := t.Arguments()
	hidden := privateNames(t)
	for _, p := range named {
		v, there := given[p.Name]
		if !there {
			continue
		}
		secret := curate.LooksSecret(p.Name) || t.Asks() && p.Name == curate.ConfirmationArgument
		l.note(&e.Arguments, &e.Values, p.Name, v, t.Noted(p.Name, v), secret, hidden)
		delete(given, p.Name)
	}
	e.OtherArguments = len(given)
}

// form notes what a person filled in.
func (l *auditor) form(t *curate.Tool, e *entry) {
	for _, f := range t.Confirm.Fields {
		if v, there := e.form[f.Name]; there {
			l.note(&e.Form, &e.FormValues, f.Name, v, v, false, privateNames(t))
		}
	}
}

// note writes down a value: its digest, and where that is wanted what of it may be
// seen.
func (l *auditor) note(digests *map[string]string, values *map[string]any, name string, v, seen any, secret bool, hidden []string) {
	if *digests == nil {
		*digests = map[string]string{}
	}
	(*digests)[name] = withheld
	if !secret {
		(*digests)[name] = l.digest(v)
	}
	if !l.values {
		return
	}
	if *values == nil {
		*values = map[string]any{}
	}
	(*values)[name] = withheld
	if !secret && !isHidden(hidden, name) {
		(*values)[name] = bounded(redact(seen, hidden))
	}
}

// digest names a value: the first 12 digits of the HMAC-SHA-256 of its JSON,
// with sorted names and numbers as they were written.
func (l *auditor) digest(v any) string {
	text, _ := schema.Encode(v) // it was JSON: it cannot fail
	mac := hmac.New(sha256.New, l.key)
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil))[:12]
}

// anyName stands for every name.
const anyName = "*"

// privateNames are names of private fields, of the site and as the model has
// them: what never leaves in an answer is not written down either when a model
// sends it.
func privateNames(t *curate.Tool) []string {
	var names []string
	for _, pattern := range t.Result.Private {
		name := anyName
		for _, part := range pattern {
			if part != anyName && part != "**" {
				name = part
			}
		}
		names = append(names, name, t.ArgumentName(name))
	}
	return names
}

func isHidden(hidden []string, name string) bool {
	return slices.Contains(hidden, name) || slices.Contains(hidden, anyName)
}

// redact is a value without what has a private name, or a secret's.
func redact(v any, hidden []string) any {
	switch v := v.(type) {
	case map[string]any:
		clean := make(map[string]any, len(v))
		for name, inner := range v {
			clean[name] = withheld
			if !curate.LooksSecret(name) && !isHidden(hidden, name) {
				clean[name] = redact(inner, hidden)
			}
		}
		return clean
	case []any:
		clean := make([]any, len(v))
		for i := range v {
			clean[i] = redact(v[i], hidden)
		}
		return clean
	}
	return v
}

// maxNoted bounds one value in a line, in bytes of JSON.
const maxNoted = 4 << 10

// bounded is a value, or how large it is.
func bounded(v any) any {
	text, _ := schema.Encode(v) // it was JSON: it cannot fail
	if len(text) > maxNoted {
		return fmt.Sprintf("[%d bytes]", len(text))
	}
	return json.RawMessage(text)
}

// write ends an entry and writes its line. When that fails the call goes on, and
// the log says so once.
func (l *auditor) write(e *entry) {
	if l == nil {
		return
	}
	e.Time = e.start.UTC().Format("2006-01-02T15:04:05.000Z")
	e.DurationSeconds = time.Since(e.start).Round(time.Millisecond).Seconds()
	line, err := schema.Encode(e)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.torn {
		line = append([]byte{'\n'}, line...)
	}
	line = append(line, '\n')
	n := 0
	if err == nil {
		n, err = l.out.Write(line)
	}
	switch {
	case err == nil && l.failing:
		l.log.Warn("the audit is written again; lines are missing before " + e.Time)
	case err != nil && !l.failing:
		l.log.Error("writing the audit: calls go on, and lines may be missing", "error", err)
	}
	l.torn = err != nil && (n > 0 && n < len(line) || n == 0 && l.torn)
	l.failing = err != nil
}
