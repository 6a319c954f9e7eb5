package runtime

import (
	"encoding/json"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"toolpress/generate/schema"

	"golang.org/x/net/html"
)

// isEmpty reports a value that says nothing: no text, no items, null.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// isFalse reports what PHP takes for false.
func isFalse(v any) bool { return isEmpty(v) || v == false || v == "0" || v == json.Number("0") }

func allScalars(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool {
		switch v.(type) {
		case []any, map[string]any:
			return true
		}
		return false
	})
}

// maxSet bounds lists that are held against each other as sets.
const maxSet = 1000

// sameSet reports lists that hold the same, in any order and any number. What is
// too long to be held against each other is taken to be the same.
func sameSet(a, b []any) bool {
	if len(a) > maxSet || len(b) > maxSet {
		return true
	}
	within := func(list, in []any) bool {
		return !slices.ContainsFunc(list, func(v any) bool {
			return !slices.ContainsFunc(in, func(w any) bool { return same(v, w) })
		})
	}
	return within(a, b) && within(b, a)
}

// plainNumber is a text that PHP and a person read as the same number.
var plainNumber = regexp.MustCompile(`^-?(0|[1-9]\d{0,30})(\.\d{1,30})?$`)

// same reports scalars that mean the same: "5" and 5, true and 1, a text whose
// markup is written in another way.
func same(sent, stored any) bool {
	if truth, ok := sent.(bool); ok {
		return truth == isTrue(stored)
	}
	if truth, ok := stored.(bool); ok {
		return truth == isTrue(sent)
	}
	a, b := schema.ScalarText(sent), schema.ScalarText(stored)
	if plainNumber.MatchString(a) && plainNumber.MatchString(b) {
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		return x.Cmp(y) == 0
	}
	return sameText(a, b)
}

func isTrue(v any) bool {
	return v == true || slices.Contains([]string{"1", "true", "yes", "on"}, strings.ToLower(schema.ScalarText(v)))
}

// sameText reports texts that read the same: sanitizing trims them and folds spaces
// (sanitize_text_field), and kses writes markup in its own way. A slug may be stored
// as a URL has it (sanitize_title), an address with its scheme (esc_url_raw).
func sameText(a, b string) bool {
	a, b = folded(a), folded(b)
	if a == b || "http://"+a == b {
		return true
	}
	if unescaped, err := url.PathUnescape(b); err == nil && unescaped == a {
		return true
	}
	if !strings.ContainsAny(a, "<&") && !strings.ContainsAny(b, "<&") {
		return false
	}
	return sameMarkup(a, b)
}

var spaces = regexp.MustCompile(`[ \t]+`)

func folded(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return spaces.ReplaceAllString(strings.TrimSpace(text), " ")
}

// sameMarkup reports texts that are the same to who reads HTML: quotes, slashes of
// empty elements and entities may differ, comments, in which blocks are, may not.
func sameMarkup(a, b string) bool {
	x, y := markupOf(a), markupOf(b)
	return slices.EqualFunc(x, y, func(p, q html.Token) bool {
		return p.Type == q.Type && p.Data == q.Data && slices.Equal(p.Attr, q.Attr)
	})
}

func markupOf(text string) []html.Token {
	var list []html.Token
	for z := html.NewTokenizer(strings.NewReader(text)); z.Next() != html.ErrorToken; {
		t := z.Token()
		last := len(list) - 1
		switch {
		case t.Type == html.SelfClosingTagToken:
			t.Type = html.StartTagToken
		case t.Type == html.TextToken && last >= 0 && list[last].Type == html.TextToken:
			list[last].Data += t.Data
			continue
		}
		list = append(list, t)
	}
	return list
}

// date is a time as the REST API takes one (rest_parse_date) or gives one, or a day
// alone, as WooCommerce takes one.
var date = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$`)

// sameDate reports a time that is stored as it was meant: one with an offset as the
// moment that it is, which the property's _gmt says in UTC.
func sameDate(name string, sent, stored any, holder map[string]any) bool {
	a, b := date.FindStringSubmatch(schema.ScalarText(sent)), date.FindStringSubmatch(schema.ScalarText(stored))
	switch {
	case a == nil || b == nil || b[3] != "":
		return false
	case a[2] == "" || b[2] == "":
		return a[1] == b[1]
	case a[3] == "":
		return a[1] == b[1] && a[2] == b[2]
	}
	layout := "2006-01-02 15:04:05Z0700"
	at, err := time.Parse(layout, a[1]+" "+a[2]+strings.Replace(a[3], ":", "", 1))
	if err != nil {
		return false
	}
	if !strings.HasSuffix(name, "_gmt") {
		utc, known := holder[name+"_gmt"]
		if b = date.FindStringSubmatch(schema.ScalarText(utc)); !known || b == nil {
			return true // nothing says which moment it is
		}
	}
	return at.UTC().Format("2006-01-02 15:04:05") == b[1]+" "+b[2]
}

// statuses are words for a comment's status and what is stored for each; none where
// it is the one that was before (WP_REST_Comments_Controller::handle_status_param).
var statuses = map[string]string{"approve": "approved", "1": "approved", "0": "hold", "unspam": "", "untrash": ""}

func sameStatus(name string, sent, stored any) bool {
	means, known := statuses[schema.ScalarText(sent)]
	return name == "status" && known && (means == "" || means == schema.ScalarText(stored))
}
