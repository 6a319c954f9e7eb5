package curate

import (
	"fmt"
	"slices"
	"strings"
)

// sight is what the given sites show of a curation, as a lock keeps it.
type sight struct {
	words map[string][]approvedWords
	tools map[string]map[string][]string
}

func newSight() sight {
	return sight{map[string][]approvedWords{}, map[string]map[string][]string{}}
}

// add takes what one site shows.
func (n *sight) add(catalog *Catalog, waits []*waiting) {
	for _, w := range waits {
		if w.Words != "" {
			n.words[w.Words] = append(n.words[w.Words], wordsOf(strings.Join(w.Presets, " "), w.texts))
		}
	}
	for profile, p := range catalog.Profiles {
		for _, t := range p.Tools {
			publish(n.tools, profile+"/"+t.Name, t.Operation, t.published())
		}
	}
}

// forms are those of an operation on the sites that have it, each once.
func (a *Approval) forms(id string) []approvedForm {
	var list []approvedForm
	for _, site := range a.sites {
		if o := site.Surface.Operation(id); o != nil && o.ID == id {
			f, ok := formOf(o)
			if ok && !slices.ContainsFunc(list, func(other approvedForm) bool { return other.Digest == f.Digest }) {
				list = append(list, f)
			}
		}
	}
	return list
}

func publish(tools map[string]map[string][]string, key, operation string, digests ...string) {
	if tools[key] == nil {
		tools[key] = map[string][]string{}
	}
	list := append(slices.Clone(tools[key][operation]), digests...)
	slices.Sort(list)
	tools[key][operation] = slices.Compact(list)
}

// remembered finds what the lock has and no site shows.
func (a *Approval) remembered(subjects map[string]*Subject) {
	of := func(key, operation string) *Subject {
		if subjects[key] == nil {
			subjects[key] = &Subject{Name: key, Operation: operation}
		}
		return subjects[key]
	}
	for id, o := range a.before.operations {
		now := a.forms(id)
		if now == nil {
			s := of(id, id)
			s.Drops = append(s.Drops, "the operation, which no site has any more")
			continue
		}
		if n := len(o.Approved) - len(kept(o.Approved, now)); n > 0 {
			s := of(id, id)
			s.Drops = append(s.Drops, fmt.Sprintf("%d of %d approved forms of the operation", n, len(o.Approved)))
		}
	}
	for key, byOperation := range a.before.tools {
		for id, list := range byOperation {
			if n := len(list) - len(intersect(list, a.seen.tools[key][id])); n > 0 && (a.forms(id) != nil || a.before.operations[id].Approved == nil) {
				s := of(id, id)
				s.Drops = append(s.Drops, fmt.Sprintf("%d of %d published forms of %s", n, len(list), key))
			}
		}
	}
	for key, list := range a.before.words {
		if n := len(list) - len(keptWords(list, a.seen.words[key])); n > 0 {
			s := a.subjectOfWords(subjects, key)
			s.words = append(s.words, key)
			s.Drops = append(s.Drops, fmt.Sprintf("%d of %d approved words of %s", n, len(list), key))
		}
	}
}

// subjectOfWords is the subject that has an entry of words; one of its own where
// none has.
func (a *Approval) subjectOfWords(subjects map[string]*Subject, key string) *Subject {
	for _, s := range subjects {
		if slices.Contains(s.words, key) {
			return s
		}
	}
	subjects[key] = &Subject{Name: key}
	return subjects[key]
}

// kept are the forms that are shown.
func kept(list, now []approvedForm) []approvedForm {
	return slices.DeleteFunc(slices.Clone(list), func(f approvedForm) bool {
		return !slices.ContainsFunc(now, func(other approvedForm) bool { return other.Digest == f.Digest })
	})
}

func keptWords(list, now []approvedWords) []approvedWords {
	return slices.DeleteFunc(slices.Clone(list), func(w approvedWords) bool {
		return !slices.ContainsFunc(now, func(other approvedWords) bool { return w.says(other.Texts) })
	})
}

func intersect(list, with []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(x string) bool { return !slices.Contains(with, x) })
}

// Next is the lock with these subjects accepted on a day, as 2006-01-02; with
// prune, without what no site shows of them. What else is in the lock stays.
func (a *Approval) Next(accepted []*Subject, prune bool, day string) *Approvals {
	next := a.before.clone()
	for _, s := range accepted {
		a.accept(next, s, day)
		if prune {
			a.prune(next, s)
		}
	}
	next.sort()
	return next
}

func (a *Approval) accept(next *Approvals, s *Subject, day string) {
	if now := a.forms(s.Operation); len(s.Tools) > 0 && len(now) > 0 {
		o := next.operations[s.Operation]
		for _, f := range now {
			if !o.matches(f) {
				f.Date = day
				o.Approved = append(o.Approved, f)
			}
		}
		next.operations[s.Operation] = o
	}
	for _, key := range s.words {
		for _, w := range a.seen.words[key] {
			if !slices.ContainsFunc(next.words[key], func(other approvedWords) bool { return other.says(w.Texts) }) {
				w.Date = day
				next.words[key] = append(next.words[key], w)
			}
		}
	}
	for key, of := range a.seen.tools {
		if list := of[s.Operation]; list != nil {
			publish(next.tools, key, s.Operation, list...)
		}
	}
}

func (a *Approval) prune(next *Approvals, s *Subject) {
	id := s.Operation
	if o, known := next.operations[id]; known {
		o.Approved = kept(o.Approved, a.forms(id))
		if next.operations[id] = o; len(o.Approved) == 0 {
			delete(next.operations, id)
		}
	}
	for key, of := range next.tools {
		if list, known := of[id]; known {
			if of[id] = intersect(list, a.seen.tools[key][id]); len(of[id]) == 0 {
				delete(of, id)
			}
			if len(of) == 0 {
				delete(next.tools, key)
			}
		}
	}
	for _, key := range s.words {
		if next.words[key] = keptWords(next.words[key], a.seen.words[key]); len(next.words[key]) == 0 {
			delete(next.words, key)
		}
	}
}
