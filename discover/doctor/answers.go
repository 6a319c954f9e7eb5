package doctor

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// When a clock is wrong and a site slow.
const (
	skewed = 2 * time.Minute
	slow   = 2 * time.Second
)

// answers looks at what the index's answer says besides its JSON: whether a
// cache gave it, what time it is there, how long it took.
func (e *examination) answers(context.Context) bool {
	if hit := cached(e.index.header); hit == "" {
		e.fine("cache", "Cache", "answers come from WordPress")
	} else {
		e.warn("cache", "Cache", "the REST API's answer comes from a cache ("+hit+")",
			"let the cache leave /wp-json/ and requests with an Authorization header alone: an agent sees old content, and perhaps what is meant for another user")
	}
	e.clock()
	if e.index.took > slow {
		e.warn("speed", "Speed", fmt.Sprintf("the index took %s", e.index.took.Round(100*time.Millisecond)),
			"calls will be slow too: an object cache and fewer plugins help; toolpress reads the index once at the start and when it polls")
	} else {
		e.fine("speed", "Speed", "quick enough")
	}
	return true
}

func (e *examination) clock() {
	date, err := http.ParseTime(e.index.header.Get("Date"))
	if err != nil {
		e.fine("clock", "Clock", "the site does not say what time it is")
		return
	}
	if age, err := strconv.Atoi(e.index.header.Get("Age")); err == nil {
		date = date.Add(time.Duration(age) * time.Second)
	}
	switch apart := date.Sub(e.opts.Now()).Round(time.Minute); {
	case apart > skewed:
		e.warn("clock", "Clock", fmt.Sprintf("the site's clock is %s ahead of this machine's", spoken(apart)), "set the clock that is wrong: tokens and certificates depend on both")
	case apart < -skewed:
		e.warn("clock", "Clock", fmt.Sprintf("the site's clock is %s behind this machine's", spoken(-apart)), "set the clock that is wrong: tokens and certificates depend on both")
	default:
		e.fine("clock", "Clock", "the same here and there")
	}
}

// spoken is a duration in the largest unit that is not coarse.
func spoken(d time.Duration) string {
	switch {
	case d > 48*time.Hour:
		return fmt.Sprintf("%d days", int(d.Hours()/24))
	case d > 2*time.Hour:
		return fmt.Sprintf("%d hours", int(d.Hours()))
	}
	return fmt.Sprintf("%d minutes", int(d.Minutes()))
}

// cached names the header by which a cache says that it gave the answer.
func cached(h http.Header) string {
	for _, name := range []string{
		"X-LiteSpeed-Cache", "Cf-Cache-Status", "X-Cache", "X-Cache-Status", "X-Proxy-Cache", "X-Kinsta-Cache", "X-FastCGI-Cache",
		"X-Nginx-Cache", "X-SG-CDN", "Ki-Cache-Type", "X-WP-Super-Cache", "X-Rocket-Cache",
	} {
		if value := h.Get(name); strings.Contains(strings.ToLower(value), "hit") {
			return strings.ToLower(name) + ": " + plain(value, 40)
		}
	}
	if age, err := strconv.Atoi(h.Get("Age")); err == nil && age > 0 {
		return fmt.Sprintf("age: %d", age)
	}
	return ""
}
