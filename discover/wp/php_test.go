package wp

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An array with gaps has one order, whatever order Go's maps have: numbers as
// numbers, then names.
func TestListHasOneOrder(t *testing.T) {
	want := []any{"-1", "+1", "01", "1", "2", "10", "1a", "99999999999999999999", "a"}
	for range 200 {
		shuffled := map[string]any{}
		for _, i := range rand.Perm(len(want)) {
			shuffled[want[i].(string)] = want[i]
		}
		if diff := cmp.Diff(want, List(shuffled)); diff != "" {
			t.Fatal(diff)
		}
		keys := []string{}
		for _, i := range rand.Perm(len(want)) {
			keys = append(keys, want[i].(string))
		}
		slices.SortFunc(keys, arrayKeys)
		if got, _ := json.Marshal(keys); string(got) != `["-1","+1","01","1","2","10","1a","99999999999999999999","a"]` {
			t.Fatalf("%s", got)
		}
	}
}
