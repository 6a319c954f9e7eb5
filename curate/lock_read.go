package curate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"toolpress/generate/schema"
)

// maxLock bounds a lock, in bytes: that of a shop with every preset has some
// 200,000.
const maxLock = 16 << 20

// ParseLock reads a lock. It is made by a program and read as strictly: whatever
// is not as it was written, a digest included, is an error. The error is
// [Findings].
func ParseLock(name string, data []byte) (*Approvals, error) {
	r := &lockReader{name: name, data: data, approvals: (*Approvals)(nil).clone()}
	r.read()
	if len(r.findings) > 0 {
		return nil, r.findings
	}
	return r.approvals, nil
}

// lockReader reads one lock; it ends at the first fault.
type lockReader struct {
	name      string
	data      []byte
	dec       *json.Decoder
	approvals *Approvals
	findings  Findings
}

// renew is what to do about a lock that cannot be used.
const renew = "take the lock of an earlier commit, or remove it and look at everything again with toolpress approve"

// fail reports a fault at a place, in bytes.
func (r *lockReader) fail(at int64, hint, format string, args ...any) {
	if len(r.findings) > 0 {
		return
	}
	before := r.data[:min(int(at), len(r.data))]
	line := bytes.Count(before, []byte("\n"))
	col := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	r.findings = append(r.findings, Finding{ID: "syntax", Severity: SeverityError, Pos: Pos{r.name, line + 1, col}, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (r *lockReader) failed() bool { return len(r.findings) > 0 }

// conflict is a line that git leaves where two branches approved something.
var conflict = regexp.MustCompile(`(?m)^(<{7}|={7}|>{7})( |$)`)

func (r *lockReader) read() {
	if len(r.data) > maxLock {
		r.fail(0, renew, "the lock is larger than %d bytes", maxLock)
		return
	}
	if at := conflict.FindIndex(r.data); at != nil {
		r.fail(int64(at[0]), "take one side whole, and run toolpress approve for what the other had approved", "there is a merge conflict in the lock")
		return
	}
	var whole json.RawMessage
	var bad *json.SyntaxError
	if err := json.Unmarshal(r.data, &whole); errors.As(err, &bad) {
		r.fail(max(bad.Offset-1, 0), renew, "the lock is no JSON: %v", err)
		return
	}
	r.dec = json.NewDecoder(bytes.NewReader(r.data))
	r.dec.UseNumber()
	r.dec.DisallowUnknownFields()
	format := false
	r.object("the lock", func(key string, at int64) {
		if key == "format" {
			format = true
			r.format(at)
			return
		}
		if !format {
			r.fail(at, renew, "a lock begins with its format, %s", LockFormat)
			return
		}
		switch key {
		case "operations":
			r.object(key, r.operation)
		case "presets":
			r.object(key, r.words)
		case "tools":
			r.object(key, func(key string, at int64) {
				var of map[string][]string
				if r.value(&of, at, key) {
					r.approvals.tools[key] = of
				}
			})
		default:
			r.fail(at, renew, "a lock has no key %q", short(key))
		}
	})
	if !format && !r.failed() {
		r.fail(0, renew, "a lock begins with its format, %s", LockFormat)
	}
}

// format reads which format it is.
func (r *lockReader) format(at int64) {
	var said string
	if !r.value(&said, at, "format") || said == LockFormat {
		return
	}
	if family, _ := strings.CutSuffix(LockFormat, "1"); strings.HasPrefix(said, family) {
		r.fail(at, "update toolpress", "the lock has the format %s, and this toolpress reads %s", short(said), LockFormat)
		return
	}
	r.fail(at, renew, "%q is not the format of a lock, which is %s", short(said), LockFormat)
}

// object reads the members of an object, each with where its name stands.
func (r *lockReader) object(what string, member func(key string, at int64)) {
	start := r.next()
	if t, err := r.dec.Token(); err != nil || t != json.Delim('{') {
		r.fail(start, renew, "%s is no object", short(what))
		return
	}
	seen := map[string]bool{}
	for !r.failed() && r.dec.More() {
		at := r.next()
		t, _ := r.dec.Token() // valid JSON: it is a name
		key, _ := t.(string)
		if seen[key] {
			r.fail(at, renew, "%q is there twice", short(key))
			return
		}
		seen[key] = true
		member(key, at)
	}
	if !r.failed() {
		_, _ = r.dec.Token() // the end of a valid object
	}
}

// next is where the next token stands.
func (r *lockReader) next() int64 {
	at := r.dec.InputOffset()
	for int(at) < len(r.data) && strings.IndexByte(" \t\r\n:,", r.data[at]) >= 0 {
		at++
	}
	return at
}

// value reads a value of a fixed shape; false where it has another.
func (r *lockReader) value(into any, at int64, what string) bool {
	if err := r.dec.Decode(into); err != nil {
		r.fail(at, renew, "%s cannot be read: %s", short(what), strings.TrimPrefix(err.Error(), "json: "))
	}
	return !r.failed()
}

// operation reads what was approved of one.
func (r *lockReader) operation(id string, at int64) {
	var o approvedOperation
	if !r.value(&o, at, id) {
		return
	}
	if len(o.Approved) == 0 {
		r.fail(at, renew, "%s has no approved form", short(id))
		return
	}
	for _, f := range o.Approved {
		if _, err := schema.Restore(f.Input); err != nil {
			r.fail(at, renew, "the input of %s cannot be read: %v", short(id), err)
		}
		r.sealed(id, at, f.Date, f.Digest, f.sum())
	}
	r.approvals.operations[id] = o
}

// words reads the approved words of an entry of a preset.
func (r *lockReader) words(key string, at int64) {
	var list []approvedWords
	if r.value(&list, at, key) {
		for _, w := range list {
			r.sealed(key, at, w.Date, w.Digest, digest(w.Texts))
		}
		r.approvals.words[key] = list
	}
}

// sealed checks that what was approved is what is written.
func (r *lockReader) sealed(what string, at int64, day, said, is string) {
	switch {
	case !isDay.MatchString(day):
		r.fail(at, renew, "%s has no day that it was approved on", short(what))
	case said != is:
		r.fail(at, "nobody approves by hand: "+renew, "%s is not what was approved: its digest is another", short(what))
	}
}

var isDay = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
