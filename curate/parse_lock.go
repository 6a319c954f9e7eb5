package curate

import (
	"path"
	"regexp"

	"gopkg.in/yaml.v3"
)

// Lock says where what was approved of the site is kept, and what becomes of
// what changed since.
type Lock struct {
	// File is a name like that given to [Parse].
	File Text
	// Drift is hold or warn.
	Drift string
}

// Lock is what the outermost file says of its lock; false where it says nothing.
func (c *Curation) Lock() (Lock, bool) {
	l := c.layers[len(c.layers)-1].lock
	if l == nil {
		return Lock{}, false
	}
	return *l, true
}

// With is the curation held to what its lock has approved; nil is a lock that is
// not there yet. A curation without a lock takes no notice.
func (c *Curation) With(approved *Approvals) *Curation {
	held := *c
	held.approved = approved
	return &held
}

// lockName is a file that is no curation.
var lockName = regexp.MustCompile(`^\S(.*\S)?\.json$`)

// lock reads where what was approved is kept. The name is relative to the file
// that is read, like those below extends.
func (r *reader) lock(n *yaml.Node) *Lock {
	const hint = "write lock: { file: curation.lock.json }"
	l, named := &Lock{Drift: "hold"}, false
	r.mapping(n, "lock", keys{
		"file": func(_, v *yaml.Node) {
			named = true
			t, ok := r.text(v, "lock.file")
			if ok && !lockName.MatchString(t.Value) {
				r.fail(v, hint, "%q is no name of a lock, which ends in .json", short(t.Value))
			}
			if !path.IsAbs(t.Value) {
				t.Value = path.Join(path.Dir(r.name), t.Value)
			}
			l.File = t
		},
		"drift": func(_, v *yaml.Node) {
			if t, ok := r.choice(v, "drift", "hold", "warn"); ok {
				l.Drift = t.Value
			}
		},
	})
	if !named && r.resolve(n).Kind == yaml.MappingNode {
		r.fail(n, hint, "lock has no file")
	}
	return l
}
