package discover

import "time"

// What reading a site can cost. Every bound of this package is here; one
// exchange's are in package wp, those of schemas in package generate.
const (
	// The index of a shop with 652 routes is 3.2 MB.
	indexTimeout  = 60 * time.Second
	indexMaxBytes = 32 << 20
	// perPage is the most that core gives (WP_REST_Abilities_V1_List_Controller);
	// the others bound a site that always promises another page.
	perPage         = 100
	maxPages        = 50
	allPagesTimeout = 60 * time.Second
	// maxParams bounds the placeholders of a path; no known route has more than 4.
	maxParams = 32
	// maxRedirects is how often a site's page may lead to another of the site.
	maxRedirects = 3
	// probes is how many requests are under way at once.
	probes = 4
)
