package wptest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// keepers lets those who keep the shop, and asks nothing of what is not there:
// that is the callback's to say (WC_REST_CRUD_Controller).
func keepers(verb string, there func(*request) bool) func(*request) *fault {
	return func(r *request) *fault {
		if r.user.keepsStore() || there != nil && !there(r) {
			return nil
		}
		return r.denied("woocommerce_rest_cannot_"+verb, "You may not do this in the shop.")
	}
}

// noSuch is the answer about something that is not there: 404 to who reads it, 400
// to who changes it.
func noSuch(r *request, what string) *fault {
	status := http.StatusNotFound
	if r.method != http.MethodGet {
		status = http.StatusBadRequest
	}
	return failed(status, "woocommerce_rest_"+what+"_invalid_id", "There is no such thing in the shop.")
}

// unknown refuses what a write names and the shop does not act on. WordPress would
// lose it without a word.
func (r *request) unknown() *fault {
	var names []string
	for _, source := range []map[string]any{r.sources[fromBody], r.sources[fromForm]} {
		for name := range source {
			if !slices.ContainsFunc(r.args, func(f field) bool { return f.name == name }) {
				names = append(names, name)
			}
		}
	}
	if names == nil {
		return nil
	}
	slices.Sort(names)
	return failed(http.StatusNotImplemented, "wptest_not_imitated", "This shop knows no "+strings.Join(names, ", ")+".")
}

// moments are a time of the site as the plugin writes it, local and universal;
// null where there was none.
func moments(o map[string]any, name string, at time.Time) {
	o[name], o[name+"_gmt"] = nil, nil
	if !at.IsZero() {
		o[name], o[name+"_gmt"] = at.Format(wire), toGMT(at).Format(wire)
	}
}

// linked adds an object's links.
func (r *request) linked(o map[string]any, collection string) map[string]any {
	o["_links"] = map[string]any{"self": link(r.rest(collection + "/" + strconv.Itoa(o["id"].(int)))), "collection": link(r.rest(collection))}
	return o
}

// inList reports a number in a list that is empty where nothing is asked for.
func inList(list []int, id int) bool { return len(list) == 0 || slices.Contains(list, id) }

// numbered, dated and mentioned are the filters that every list of the shop has.
func (r *request) numbered(id int) bool {
	return inList(r.integers("include"), id) && !slices.Contains(r.integers("exclude"), id)
}

func (r *request) dated(at time.Time) bool {
	after, _, hasAfter := parseDate(r.str("after"))
	before, _, hasBefore := parseDate(r.str("before"))
	return (!hasAfter || at.After(after)) && (!hasBefore || at.Before(before))
}

func (r *request) mentioned(texts ...string) bool {
	where := strings.ToLower(strings.Join(texts, "\n"))
	for word := range strings.FieldsSeq(strings.ToLower(r.str("search"))) {
		if !strings.Contains(where, word) {
			return false
		}
	}
	return true
}

func notFoundOrder() *fault {
	return failed(http.StatusNotFound, "woocommerce_rest_order_invalid_id", "There is no such order.")
}
