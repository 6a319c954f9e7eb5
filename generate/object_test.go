package generate

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover"
)

// What a route says of its object: core's posts and what is known of WooCommerce.
func TestObject(t *testing.T) {
	of := func(text string) Object {
		var r discover.Route
		if err := json.Unmarshal([]byte(`{"path":"/a/v1/x","pattern":"/a/v1/x","namespace":"a/v1","endpoints":[{"methods":["GET"]}],"schema":`+text+`}`), &r); err != nil {
			t.Fatal(err)
		}
		return FromSite(&discover.Site{Routes: []discover.Route{r}}).Operations[0].Object
	}
	for text, want := range map[string]Object{
		`null`: {Holds: map[string]bool{}},
		`[]`:   {Holds: map[string]bool{}},
		`{"properties":{"id":{"context":["view"]},"pass":{"context":[]},"gone":{"context":["edit"]},"open":{},"bad":"x","date":{"type":["date-time","null"]},"date_gmt":{"type":"date-time"},"date_modified_gmt":{"format":"date-time"}}}`: {
			Holds: map[string]bool{"id": true, "gone": false, "open": false, "date": false, "date_gmt": false, "date_modified_gmt": false}, Modified: "date_modified_gmt", LocalDates: []string{"date"},
		},
		`{"properties":{"modified_gmt":{},"date_modified_gmt":{},"content":{"properties":{"block_version":{}}}}}`: {
			Holds: map[string]bool{"modified_gmt": false, "date_modified_gmt": false, "content": false}, Modified: "modified_gmt", Blocks: true,
		},
		`{"properties":{"content":{"properties":{"raw":{}}}}}`: {Holds: map[string]bool{"content": false}},
	} {
		if diff := cmp.Diff(want, of(text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
