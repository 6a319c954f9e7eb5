package wptest

import (
	"slices"
	"strings"
)

// book is one of the shop's.
type book struct {
	id      int
	title   string
	price   float64
	inStock bool
	tags    string
}

var shelf = []book{
	{21, "Middlemarch", 12.5, true, "fiction classic"},
	{22, "The Summer Book", 9.95, true, "fiction"},
	{23, "Collected Haiku", 15, false, "poetry"},
	{24, "The Book of Bread", 28, true, "cooking"},
	{25, "Émile and the Detectives", 7.25, true, "children fiction"},
	{26, "Atlas of Quiet Places", 34, false, "travel"},
}

func (s *Site) price(id int) (float64, bool) {
	if price, ok := s.prices[id]; ok {
		return price, true
	}
	at := slices.IndexFunc(shelf, func(b book) bool { return b.id == id })
	if at < 0 {
		return 0, false
	}
	return shelf[at].price, true
}

// found are the books an input asks for.
func found(input any) []book {
	o := asMap(input)
	query, wanted := strings.ToLower(text(o["query"])), listOf(o["tags"])
	limit := 10
	if n, ok := o["limit"].(int); ok {
		limit = n
	}
	var list []book
	for _, b := range shelf {
		tagged := slices.ContainsFunc(strings.Fields(b.tags), func(t string) bool { return slices.Contains(wanted, any(t)) })
		if strings.Contains(strings.ToLower(b.title), query) && (len(wanted) == 0 || tagged) && (o["in_stock"] == nil || o["in_stock"] == b.inStock) {
			list = append(list, b)
		}
	}
	return list[:min(limit, len(list))]
}

func (s *Site) books(input any) []any {
	list := []any{}
	for _, b := range found(input) {
		price, _ := s.price(b.id)
		list = append(list, map[string]any{"id": b.id, "title": b.title, "price": price, "in_stock": b.inStock})
	}
	return list
}

func (s *Site) genres(input any) []any {
	var names []string
	for _, b := range found(input) {
		names = append(names, strings.Fields(b.tags)...)
	}
	slices.Sort(names)
	return strs(slices.Compact(names)...)
}
