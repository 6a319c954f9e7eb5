package runtime

import (
	"regexp"
	"strings"

	"toolpress/generate/schema"
)

var (
	// scripts are whole, or what is left of one that a text was cut out of.
	scripts = regexp.MustCompile(`(?is)<script\b(?:[^>]*>.*?</script\s*>|[^>]*>?)|</script\b[^>]*>?`)
	// dataAddresses hold what they lead to (RFC 2397). A comma has to be there:
	// "data: all of it" is none.
	dataAddresses = regexp.MustCompile(`(?i)\bdata:(?:[a-z]+/[a-z0-9.+-]+)?(?:;[a-z0-9-]+(?:=[^;,\s"'<>]*)?)*,[^\s"'<>)\]]*`)
)

// What stands in the place of what is taken out, for a model not to write it back
// unknowingly.
const (
	noScript = "[script left out]"
	noData   = "[data left out]"
)

// cleaned takes out of a text what is not for reading: scripts, addresses that hold
// their data, and characters that nobody sees. What an editor writes back, under
// the name raw, stays.
func cleaned(name, text string) string {
	if name == "raw" {
		return text
	}
	if strings.Contains(text, "<") {
		text = scripts.ReplaceAllString(text, noScript)
	}
	if strings.Contains(text, ":") {
		text = dataAddresses.ReplaceAllString(text, noData)
	}
	return schema.Visible(text)
}
