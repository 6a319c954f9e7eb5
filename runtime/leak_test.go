package runtime

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// orders picks, drops, renames, converts and cuts, and much of it is private.
func orders() *curate.Tool {
	return &curate.Tool{Name: "orders", Result: curate.ResultShape{
		Private: curate.Fields{{"billing", "**"}, {"**", "meta_data"}, {"*", "note"}, {"order_key"}},
		Pick:    []string{"id", "billing.email", "lines.product", "customer", "order_key"},
		Rename:  []curate.Renamed{{Path: "billing.email", Name: "mail"}},
		HTML:    curate.Markdown, MaxText: 1, MaxBytes: 256,
	}}
}

// Nothing private leaves a tool, whatever else its result does; and there was
// something to try.
func TestLeaks(t *testing.T) {
	for name, change := range map[string]func(*curate.ResultShape){
		"all at once": func(*curate.ResultShape) {},
		"raw":         func(s *curate.ResultShape) { s.Raw, s.Pick, s.Rename = true, nil, nil },
		"no pick":     func(s *curate.ResultShape) { s.Pick, s.MaxText, s.MaxBytes = nil, 0, 0 },
		"everything":  func(s *curate.ResultShape) { s.Private = curate.Fields{{"**"}} },
	} {
		tool := orders()
		change(&tool.Result)
		tried, leaks, err := Leaks(tool)
		if err != nil || len(leaks) > 0 || tried < 50 {
			t.Errorf("%s: %d tried, %v, %+v", name, tried, err, leaks)
		}
	}
	public := orders()
	public.Result.Private = nil
	if tried, leaks, err := Leaks(public); tried != 0 || leaks != nil || err != nil {
		t.Errorf("%d %v %v", tried, leaks, err)
	}
}

// A shaping that lets something through is found out, by each way it may: the
// proof is worth what it finds.
func TestLeaksAreFound(t *testing.T) {
	tool := orders()
	real := tool.Result
	through := func(how curate.ResultShape) func(json.RawMessage) (json.RawMessage, error) {
		return func(answer json.RawMessage) (json.RawMessage, error) {
			return shape(wp.Request{Method: http.MethodGet}, &wp.Response{JSON: answer}, how, wanted{})
		}
	}
	less := func(private ...[]string) curate.ResultShape {
		how := real
		how.Private = private
		return how
	}
	unpicked := less()
	unpicked.Pick, unpicked.Rename = nil, nil
	for name, c := range map[string]struct {
		through func(json.RawMessage) (json.RawMessage, error)
		path    string
	}{
		"nothing is taken out":            {through(unpicked), "billing"},
		"one pattern is forgotten":        {through(less([]string{"billing", "**"}, []string{"**", "meta_data"}, []string{"*", "note"})), "order_key"},
		"a pick brings it back, renamed":  {through(less([]string{"**", "meta_data"}, []string{"*", "note"}, []string{"order_key"})), "billing.email"},
		"what is below a picked object":   {through(less([]string{"billing", "**"}, []string{"meta_data"}, []string{"*", "note"}, []string{"order_key"})), "customer.meta_data"},
		"any name, among the picked ones": {through(less([]string{"billing", "**"}, []string{"**", "meta_data"}, []string{"x", "note"}, []string{"order_key"})), "customer.note"},
		"lists are not gone through": {func(answer json.RawMessage) (json.RawMessage, error) {
			if answer[0] == '[' {
				return answer, nil
			}
			return through(real)(answer)
		}, "billing"},
		"names are compared as they are written": {func(answer json.RawMessage) (json.RawMessage, error) {
			if bytes.Contains(answer, []byte(`\u00`)) {
				return answer, nil
			}
			return through(real)(answer)
		}, "order_key"},
	} {
		_, leaks, err := leaksOf(real.Private, real.Pick, c.through)
		if err != nil || !slices.ContainsFunc(leaks, func(l Leak) bool { return l.Path == c.path || strings.HasPrefix(l.Path, c.path+".") }) {
			t.Errorf("%s: %v, %d leaks, none of %s", name, err, len(leaks), c.path)
		}
	}
}

// A pattern that says any depth many times is tried, and ends.
func TestPlacesAreBounded(t *testing.T) {
	places := placesOf(strings.Split(strings.Repeat("**.", 30)+"key", "."), []string{"a.b", "c"})
	if len(places) < 100 || len(places) > mostPlaces {
		t.Errorf("%d places", len(places))
	}
	for _, p := range places {
		if p[len(p)-1] != "key" {
			t.Errorf("%v", p)
		}
	}
}
