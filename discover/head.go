package discover

import (
	"bytes"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// head is what the head of the site's front page says to machines. The page is
// read for that and for nothing else.
type head struct {
	root      *url.URL // of the link element to the REST API; nil when there is none
	lang      string   // of the html element: en-US
	generator string   // WordPress's version: 7.1.3
}

// readHead reads a page up to its body.
func readHead(page []byte) head {
	var h head
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return h
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			attrs := map[string]string{}
			for _, a := range token.Attr {
				attrs[a.Key] = strings.TrimSpace(a.Val)
			}
			switch token.Data {
			case "body":
				return h
			case "html":
				h.lang = attrs["lang"]
			case "link":
				h.link(attrs)
			case "meta":
				if version, is := strings.CutPrefix(attrs["content"], "WordPress "); is && attrs["name"] == "generator" {
					h.generator = version
				}
			}
		}
	}
}

func (h *head) link(attrs map[string]string) {
	if strings.TrimSuffix(attrs["rel"], "/") != "https://api.w.org" {
		return
	}
	if u, err := url.Parse(attrs["href"]); err == nil && u.Path != "" {
		h.root = u
	}
}
