package wptest

import (
	"html"
	"regexp"
	"strings"
)

var (
	blockComment = regexp.MustCompile(`<!-- /?wp:[^>]*-->\n?`)
	paragraph    = regexp.MustCompile(`<p>`)
	tag          = regexp.MustCompile(`<[^>]*>`)
)

// contentHTML is the filter the_content, as far as paragraphs go.
func contentHTML(raw string) string {
	if strings.Contains(raw, "<!-- wp:") {
		raw = paragraph.ReplaceAllString(blockComment.ReplaceAllString(raw, ""), `<p class="wp-block-paragraph">`)
		return "\n" + between(strings.TrimLeft(raw, "\n"))
	}
	var b strings.Builder
	for part := range strings.SplitSeq(strings.TrimSpace(raw), "\n\n") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if !strings.HasPrefix(part, "<") {
			part = "<p>" + part + "</p>"
		}
		b.WriteString(between(part) + "\n")
	}
	return b.String()
}

// excerptHTML is the stored summary, or the first 55 words of the text.
func excerptHTML(p *post) string {
	words := p.excerpt
	if words == "" {
		list := strings.Fields(tag.ReplaceAllString(blockComment.ReplaceAllString(p.content, ""), " "))
		words = strings.Join(list[:min(55, len(list))], " ")
		if len(list) > 55 {
			words += " [&hellip;]"
		}
	}
	if words == "" {
		return ""
	}
	return "<p>" + texturize(words) + "</p>\n"
}

func titleHTML(p *post) string {
	return texturize(p.title)
}

// texturize is wptexturize for what the shop's texts hold.
func texturize(s string) string {
	s = html.UnescapeString(s)
	return strings.NewReplacer("&", "&#038;", "'", "&#8217;", " - ", " &#8211; ", "...", "&#8230;").Replace(s)
}

// between texturizes what stands between tags.
func between(s string) string {
	var b strings.Builder
	done := 0
	for _, at := range append(tag.FindAllStringIndex(s, -1), []int{len(s), len(s)}) {
		b.WriteString(texturize(s[done:at[0]]) + s[at[0]:at[1]])
		done = at[1]
	}
	return b.String()
}
