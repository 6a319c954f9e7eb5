package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"toolpress/curate"
)

// approveFlags are what one run of approve is asked for.
type approveFlags struct {
	all, prune bool
	from       []string
}

func (a *app) approveCommand() *cobra.Command {
	var f approveFlags
	c := &cobra.Command{
		Use: "approve [TOOL …]", Short: "Accept what the site and presets changed of the tools, into the lock",
		Long: `Show what a model would read that nobody has approved: new tools, and what the site
or a preset changed since, as a diff. What is accepted goes into the lock that the
curation names (lock: { file: curation.lock.json }); serve holds clients to it. On a
terminal you are asked about each; elsewhere name tools, or say --all.

With --from recordings instead of a site, several of them: staging and production
may share one lock. --prune also drops what none of the given sites shows any more.`,
		Example: "  toolpress approve\n  toolpress approve find_posts read_post\n  toolpress approve --from staging.json --from production.json --all --prune",
		RunE:    func(c *cobra.Command, args []string) error { return a.approve(c.Context(), args, f) },
	}
	c.Flags().BoolVar(&f.all, "all", false, "accept everything")
	c.Flags().BoolVar(&f.prune, "prune", false, "drop what none of the given sites shows")
	c.Flags().StringArrayVar(&f.from, "from", nil, "a recording made by discover, instead of a site; may be said again")
	c.Flags().BoolVar(&a.asJSON, "json", false, "print what waits, and what was accepted, as JSON")
	return c
}

func (a *app) approve(ctx context.Context, names []string, f approveFlags) error {
	if f.all && len(names) > 0 {
		return usage("--all and names of tools", "say one of them")
	}
	s, sites, err := a.showings(ctx, f.from)
	if err != nil {
		return err
	}
	defer s.close()
	l, said := s.curation.Lock()
	if !said {
		return usage(s.name()+" has no lock", "write lock: { file: curation.lock.json } into it")
	}
	approval := s.curation.Approve(sites, f.prune)
	for _, tool := range slices.Sorted(maps.Keys(approval.Unfit)) {
		a.say("%s is not asked about: %s", tool, strings.Join(approval.Unfit[tool], "; "))
		a.hint("mend the curation first, and then: toolpress approve " + tool)
	}
	chosen := approval.Subjects
	if !f.all {
		if chosen, err = a.choose(ctx, s, approval, names, f.prune); err != nil {
			return err
		}
	} else if !a.asJSON {
		a.printSubjects(approval.Subjects, f.prune)
	}
	written := false
	if len(chosen) > 0 {
		text, err := approval.Next(chosen, f.prune, time.Now().UTC().Format(time.DateOnly)).Encode()
		if err != nil {
			return err
		}
		if err := writeLock(l.File.Value, s.files[l.File.Value], text); err != nil {
			return err
		}
		written = true
	}
	if a.asJSON {
		return a.printApproval(l.File.Value, approval, chosen, written, f.prune)
	}
	switch waiting := len(approval.Subjects); {
	case waiting == 0:
		a.say("nothing to approve: %s has all that models read of these tools", l.File.Value)
	case !written:
		a.say("nothing was approved: %s is as it was", l.File.Value)
	default:
		a.say("%s is written: %d of %d approved", l.File.Value, len(chosen), waiting)
		if s.lockName == "" && l.Drift == "hold" {
			a.sayWithheld(approval.Subjects, chosen)
		}
	}
	return nil
}

// showings are the sites that are compared with the lock: the recordings, or the
// one site there is.
func (a *app) showings(ctx context.Context, from []string) (*source, []curate.Showing, error) {
	if len(from) == 0 {
		from = []string{""}
	}
	var first *source
	var sites []curate.Showing
	for _, name := range from {
		one := *a
		one.from = name
		s, err := one.load(ctx, "")
		if err != nil {
			return nil, nil, err
		}
		surface, _, findings, err := s.permitted(ctx)
		if err != nil {
			s.close()
			return nil, nil, err
		}
		// Who approves another language than is served would approve every word.
		printFindings(a.stderr, slices.DeleteFunc(findings, func(f curate.Finding) bool { return f.ID != "other-locale" }))
		sites = append(sites, curate.Showing{Surface: surface, Rights: s.rights()})
		if first == nil {
			first = s
		}
	}
	return first, sites, nil
}

// choose are the subjects that are named, or that a person says yes to.
func (a *app) choose(ctx context.Context, s *source, approval *curate.Approval, names []string, prune bool) ([]*curate.Subject, error) {
	if len(names) > 0 {
		chosen, err := s.named(approval, names)
		if err == nil && !a.asJSON {
			a.printSubjects(chosen, prune)
		}
		return chosen, err
	}
	if len(approval.Subjects) == 0 {
		return nil, nil
	}
	in, isFile := a.stdin.(*os.File)
	if a.asJSON || !isFile || !term.IsTerminal(int(in.Fd())) {
		if !a.asJSON {
			a.printSubjects(approval.Subjects, prune)
		} else if err := a.printApproval("", approval, nil, false, prune); err != nil {
			return nil, err
		}
		return nil, usage("nobody is asked here, and nothing is approved", "name the tools that are right, or accept everything with --all")
	}
	if l, _ := s.curation.Lock(); s.lockName == "" && l.Drift == "hold" {
		a.say("%s is not there yet, and all tools are served: once it is, those that are not approved are withheld", l.File.Value)
	}
	return a.ask(ctx, approval.Subjects, prune)
}

// named finds what is meant. A tool of which nothing waits is no fault.
func (s *source) named(approval *curate.Approval, names []string) ([]*curate.Subject, error) {
	var chosen []*curate.Subject
	surface, catalog, _ := s.apply()
	for _, name := range names {
		if subject := approval.Called(name); subject != nil {
			if !slices.Contains(chosen, subject) {
				chosen = append(chosen, subject)
			}
			continue
		}
		switch e := catalog.Explain(surface, name); {
		case e.Unknown != "":
			return nil, usage(e.Unknown, e.Hint)
		case len(e.Served) == 0 && len(e.Withheld) > 0:
			return nil, usage(fmt.Sprintf("nothing of %s waits to be approved: %s", name, e.Withheld[0].Reason), "toolpress check says what to do")
		}
	}
	return chosen, nil
}

// ask asks a person about each. Whoever ends it keeps what was accepted before.
func (a *app) ask(ctx context.Context, subjects []*curate.Subject, prune bool) ([]*curate.Subject, error) {
	answers := make(chan string)
	go func() { // a read of a terminal is ended by nothing but the end of the process
		defer close(answers)
		for lines := bufio.NewScanner(a.stdin); lines.Scan(); {
			select {
			case answers <- strings.ToLower(strings.TrimSpace(lines.Text())):
			case <-ctx.Done():
				return
			}
		}
	}()
	var chosen []*curate.Subject
	for i, s := range subjects {
		a.printSubjects([]*curate.Subject{s}, prune)
		answer, err := a.answer(ctx, answers, fmt.Sprintf("approve %s (%d of %d)?", s.Name, i+1, len(subjects)))
		switch {
		case err != nil:
			return nil, err
		case answer == "y":
			chosen = append(chosen, s)
		case answer == "a":
			a.printSubjects(subjects[i+1:], prune)
			return append(chosen, subjects[i:]...), nil
		case answer == "q":
			return chosen, nil
		}
	}
	return chosen, nil
}

// answer asks until it has one of y, n, a and q; the end of the input is q.
func (a *app) answer(ctx context.Context, answers <-chan string, question string) (string, error) {
	for {
		fmt.Fprintf(a.stderr, "%s [y]es, [n]o, [a]ll that is left, [q]uit: ", question)
		select {
		case <-ctx.Done():
			fmt.Fprintln(a.stderr)
			return "", errors.New("stopped: nothing was approved")
		case text, more := <-answers:
			if !more {
				fmt.Fprintln(a.stderr)
				return "q", nil
			}
			if first := text[:min(len(text), 1)]; slices.Contains([]string{"y", "n", "a", "q", "yes", "no", "all", "quit"}, text) {
				return first, nil
			}
		}
	}
}
