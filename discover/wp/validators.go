package wp

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Validators name the version of an answer (RFC 9110, section 8.8). WordPress
// itself sends none; plugins and what stands before a site do.
type Validators struct {
	// ETag and LastModified are the headers of that name, as the site sent them;
	// empty where it sent none.
	ETag, LastModified string
}

// Validators are those of the answer.
func (r *Response) Validators() Validators {
	short := func(name string) string {
		if v := r.Header.Get(name); len(v) <= maxValidator {
			return v
		}
		return ""
	}
	return Validators{ETag: short("ETag"), LastModified: short("Last-Modified")}
}

// Or fills what is not there from others: an answer that says that nothing has
// changed need not repeat them.
func (v Validators) Or(others Validators) Validators {
	return Validators{cmp.Or(v.ETag, others.ETag), cmp.Or(v.LastModified, others.LastModified)}
}

// conditions are the headers that ask for an answer only where it is another than
// the one that is known (RFC 9110, section 13.1).
func (v Validators) conditions() map[string]string {
	h := map[string]string{}
	if v.ETag != "" {
		h["If-None-Match"] = v.ETag
	}
	if v.LastModified != "" {
		h["If-Modified-Since"] = v.LastModified
	}
	return h
}

// retryAfter is how long a site asks to be left alone (RFC 9110, section 10.2.3):
// seconds, or a date, which is compared with the site's own clock where it says
// what time it is there. Zero: it does not say, or until now.
func retryAfter(h http.Header) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseUint(text, 10, 64); err == nil || text != "" && strings.Trim(text, "0123456789") == "" {
		return time.Duration(min(n, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return min(max(until.Sub(now), 0), maxRetryAfter)
}
