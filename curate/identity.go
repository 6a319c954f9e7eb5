package curate

import (
	"fmt"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

var (
	toolName  = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	routeID   = regexp.MustCompile(`^(GET|POST|PUT|PATCH|DELETE) /[^\s()\\]*$`)
	abilityID = regexp.MustCompile(`^ability:[^\s/]+(/[^\s/]+)+$`)
)

// identity reads what a tool comes from.
func (r *reader) identity(n *yaml.Node) (Text, bool) {
	if n.Kind == yaml.MappingNode {
		r.fail(n, "", "from: {…} is not supported yet")
		return Text{}, false
	}
	t, ok := r.text(n, "from")
	if !ok {
		return t, false
	}
	if !routeID.MatchString(t.Value) && !abilityID.MatchString(t.Value) {
		r.fail(n, spelling(t.Value), "%q names no operation", short(t.Value))
		return t, false
	}
	return t, true
}

var methodAndPath = regexp.MustCompile(`(?i)^\s*(?:(get|post|put|patch|delete)\s+)?(?:https?://[^/]+)?(?:/?wp-json)?/?(\S+/\S+)$`)

// spelling is the hint for an identity that is not spelt as one.
func spelling(written string) string {
	m := methodAndPath.FindStringSubmatch(written)
	if strings.Contains(written, "(?P<") {
		return "write a placeholder as {name}: /wp/v2/posts/{id}"
	}
	if m == nil || strings.Contains(written, ":") && !strings.Contains(written, "://") {
		return `it looks like "GET /wp/v2/posts/{id}" or "ability:acme/search"`
	}
	method := strings.ToUpper(m[1])
	if method == "" {
		method = "GET"
	}
	return fmt.Sprintf("write %q", method+" /"+m[2])
}
