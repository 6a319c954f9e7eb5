package wptest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

var notInSlug = regexp.MustCompile(`[^a-z0-9_]+`)

// slugOf is sanitize_title for the letters the shop uses.
func slugOf(title string) string {
	title = strings.ToLower(tag.ReplaceAllString(title, ""))
	title = strings.NewReplacer("'", "", "’", "").Replace(strings.Map(unaccent, title))
	return strings.Trim(notInSlug.ReplaceAllString(title, "-"), "-")
}

func unaccent(r rune) rune {
	const from, to = "àáâãäåçèéêëìíîïñòóôõöùúûüýÿ", "aaaaaaceeeeiiiinooooouuuuyy"
	if i := slices.Index([]rune(from), r); i >= 0 {
		return rune(to[i])
	}
	if lower := unicode.ToLower(r); lower != r {
		return unicode.ToUpper(unaccent(lower))
	}
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}

// uniqueSlug adds a number where another post has the slug (wp_unique_post_slug).
func (s *Site) uniqueSlug(p *post, title string) string {
	base := slugOf(title)
	if base == "" && p.id != 0 {
		return strconv.Itoa(p.id)
	}
	slug := base
	for n := 2; slices.ContainsFunc(s.posts, func(o *post) bool { return o != p && o.id != p.id && o.slug == slug }); n++ {
		slug = base + "-" + strconv.Itoa(n)
	}
	return slug
}
