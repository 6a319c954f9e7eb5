package wptest

import (
	"net/http"
)

const stockFilter = `"type":"object","properties":{"in_stock":{"type":"boolean","description":"Only books that are, or are not, in stock."}},"additionalProperties":false`

// strangeProperties is a schema as many plugins write theirs, after core's own
// repairs.
const strangeInput = `{"type":"object","properties":{"when":{"type":"date-time","description":"No type of JSON Schema."},"name":{"type":"string"},
	"size":{"type":"string","enum":{"3":"small","7":"large"}},"things":{"type":"array"},"options":{"type":"object","properties":[],"default":{}}},"required":["name"]}`

// shopAbilities are those of test/wordpress/mu-plugin.php: one for each thing a
// client can get wrong.
func shopAbilities() []*ability {
	list := append(shopReads(), shopWrites()...)
	list = append(list, shopFaults()...)
	for _, a := range list {
		a.name, a.category = "bookshop/"+a.name, "bookshop"
	}
	return list
}

func shopReads() []*ability {
	return []*ability{
		{
			name: "search-books", label: "Search books", about: "Finds books whose title contains the query.",
			input: `{"type":"object","properties":{"query":{"type":"string","description":"Part of the title."},
				"limit":{"type":"integer","description":"How many at most.","minimum":1,"maximum":50,"default":10},
				"tags":{"type":"array","description":"Only books with one of these tags.","items":{"type":"string"}},
				"in_stock":{"type":"boolean","description":"Only books that are, or are not, in stock."}},"required":["query"],"additionalProperties":false}`,
			output: `{"type":"object","properties":{"books":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},
				"title":{"type":"string"},"price":{"type":"number"},"in_stock":{"type":"boolean"}}}},
				"echo":{"type":"object","description":"The input as PHP received it."}}}`,
			meta: map[string]any{"public": true, "mcp": map[string]any{"public": true}},
			run: func(r *request, input any) (any, *fault) {
				return map[string]any{"books": r.books(input), "echo": map[string]any{"input": asMap(input), "types": phpTypes(input)}}, nil
			},
		},
		{
			name: "shop-hours", label: "Shop hours", about: "Says when the shop is open.", output: `{"type":"string"}`,
			run: func(*request, any) (any, *fault) { return "Tuesday to Sunday, 9:00 to 18:00", nil },
		},
		{
			name: "count-books", label: "Count books", about: "Counts the books of the shop.",
			input: "{" + stockFilter + `,"default":{}}`, output: `{"type":"integer"}`,
			run: func(r *request, input any) (any, *fault) { return len(r.books(input)), nil },
		},
		{
			name: "list-genres", label: "List genres", about: "Lists the genres on the shelves.",
			input: "{" + stockFilter + "}", output: `{"type":"array","items":{"type":"string"}}`,
			run: func(r *request, input any) (any, *fault) { return r.genres(input), nil },
		},
		{
			name: "book-price", label: "Book price", about: "Says what a book costs.",
			input: `{"type":"integer","description":"The number of the book."}`, output: `{"type":"number"}`,
			run: func(r *request, input any) (any, *fault) {
				if price, ok := r.price(input.(int)); ok {
					return price, nil
				}
				return nil, failed(http.StatusNotFound, "bookshop_no_such_book", "There is no such book.")
			},
		},
	}
}

func shopWrites() []*ability {
	return []*ability{
		{
			name: "set-price", label: "Set a price", about: "Overwrites the price of a book.", annotations: overwrite,
			input: `{"type":"object","properties":{"id":{"type":"integer","description":"The number of the book."},
				"price":{"type":"number","description":"The new price.","minimum":0}},"required":["id","price"]}`,
			run: func(r *request, input any) (any, *fault) {
				o := asMap(input)
				r.prices[o["id"].(int)] = o["price"].(float64)
				return map[string]any{"id": o["id"], "price": o["price"]}, nil
			},
		},
		{
			name: "add-note", label: "Add a note", about: "Appends a note to the shop's notebook.", annotations: justAdds,
			input: `{"type":"object","properties":{"text":{"type":"string","description":"What to remember.","minLength":1,"maxLength":500}},"required":["text"]}`,
			run: func(r *request, input any) (any, *fault) {
				r.notes = append(r.notes, asMap(input)["text"])
				return map[string]any{"id": len(r.notes), "text": asMap(input)["text"]}, nil
			},
		},
		{
			name: "restock", label: "Restock a book", about: "Orders more copies of a book.", annotations: unsaid,
			input: `{"type":"object","properties":{"id":{"type":"integer"},"amount":{"type":"integer","default":1}},"required":["id"]}`,
			run: func(_ *request, input any) (any, *fault) {
				o := asMap(input)
				if o["amount"] == nil {
					return map[string]any{"id": o["id"], "amount": 1}, nil
				}
				return map[string]any{"id": o["id"], "amount": o["amount"]}, nil
			},
		},
	}
}

func shopFaults() []*ability {
	never := func(*request, any) (any, *fault) { return "never", nil }
	return []*ability{
		{
			name: "broken-printer", label: "Broken printer", about: "Prints a label, if the printer ever works.",
			run: func(*request, any) (any, *fault) {
				return nil, failed(http.StatusServiceUnavailable, "bookshop_printer_offline", "The printer is offline.")
			},
		},
		{
			name: "throws", label: "Throws", about: "Fails with an exception.",
			run: func(*request, any) (any, *fault) {
				return nil, failed(0, "ability_callback_exception", `Ability "bookshop/throws" threw an exception: db password hunter2`)
			},
		},
		{name: "owner-only", label: "Owner only", about: "Nobody is the owner.", allowed: func(*request) bool { return false }, run: never},
		{name: "hidden", label: "Hidden", about: "Not to be seen over REST.", hidden: true, run: never},
		{
			name: "not-for-agents", label: "Not for agents", about: "Visible over REST, but its author does not want agents to use it.",
			meta: map[string]any{"mcp": map[string]any{"public": false}},
			run:  func(*request, any) (any, *fault) { return "for people", nil },
		},
		{
			name: "noisy", label: "Noisy", about: "Prints a PHP notice before its answer.",
			prints: "<br />\n<b>Notice</b>: bookshop is noisy in <b>/x/noisy.php</b> on line <b>5</b><br />\n",
			run:    func(*request, any) (any, *fault) { return map[string]any{"ok": true}, nil },
		},
		{
			name: "strange-schema", label: "Strange schema", about: "Its schema is written the way many plugins write theirs.", input: strangeInput,
			run: func(_ *request, input any) (any, *fault) {
				return map[string]any{"input": asMap(input), "types": phpTypes(input)}, nil
			},
		},
		{
			name: "echo", label: "Echo", about: "Returns what it was given.", annotations: justAdds, input: `{"type":"object","additionalProperties":true}`,
			run: func(r *request, input any) (any, *fault) {
				return map[string]any{"method": r.method, "input": asMap(input), "types": phpTypes(input)}, nil
			},
		},
		{
			name: "new-arrivals", label: "New arrivals", about: "Lists the books that came in this week.",
			there: func(s *Site) bool { return s.settings["bookshop_extra"] == true },
			run:   func(*request, any) (any, *fault) { return strs("The Summer Book"), nil },
		},
	}
}

// asMap is an object, also one that PHP holds as an empty array.
func asMap(input any) map[string]any {
	if object, ok := input.(map[string]any); ok && object != nil {
		return object
	}
	return map[string]any{}
}

// phpTypes puts PHP's name of its type in place of every scalar.
func phpTypes(v any) any {
	switch v := v.(type) {
	case map[string]any:
		types := map[string]any{}
		for k := range v {
			types[k] = phpTypes(v[k])
		}
		return types
	case []any:
		if len(v) == 0 {
			return "array"
		}
		types := make([]any, len(v))
		for i := range v {
			types[i] = phpTypes(v[i])
		}
		return types
	case nil:
		return "NULL"
	case bool:
		return "boolean"
	case int:
		return "integer"
	case float64:
		return "double"
	}
	return "string"
}
