package wptest

import (
	"net/url"
	"strconv"
	"strings"
)

// node is PHP's array: keys in the order they came.
type node struct {
	keys   []string
	values map[string]any // string or *node
	next   int            // the key of the next []
}

func (n *node) at(key string) (string, any) {
	if key == "" {
		key = strconv.Itoa(n.next)
	}
	if i, err := strconv.Atoi(key); err == nil && i >= n.next {
		n.next = i + 1
	}
	if n.values == nil {
		n.values = map[string]any{}
	}
	if _, ok := n.values[key]; !ok {
		n.keys = append(n.keys, key)
	}
	return key, n.values[key]
}

// value is a list where the keys count from 0, else a map.
func (n *node) value() any {
	list := make([]any, 0, len(n.keys))
	object := map[string]any{}
	isList := true
	for i, key := range n.keys {
		isList = isList && key == strconv.Itoa(i)
		v := n.values[key]
		if below, ok := v.(*node); ok {
			v = below.value()
		}
		object[key] = v
		list = append(list, v)
	}
	if isList {
		return list
	}
	return object
}

// parseQuery reads a query string or a form as PHP does: a[]=, a[b][c]=, the
// last of two wins, and a dot or a space in a name is an underscore.
func parseQuery(raw string) map[string]any {
	root := &node{}
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil || name == "" {
			continue
		}
		if v, err := url.QueryUnescape(value); err == nil {
			value = v
		}
		first, rest, nested := strings.Cut(name, "[")
		path := []string{strings.NewReplacer(".", "_", " ", "_").Replace(first)}
		for nested {
			key, after, closed := strings.Cut(rest, "]")
			if !closed {
				break
			}
			path = append(path, key)
			if !strings.HasPrefix(after, "[") {
				break
			}
			rest = after[1:]
		}
		into := root
		for i, key := range path {
			key, there := into.at(key)
			if i == len(path)-1 {
				into.values[key] = value
				break
			}
			below, ok := there.(*node)
			if !ok {
				below = &node{}
				into.values[key] = below
			}
			into = below
		}
	}
	params := map[string]any{}
	for _, key := range root.keys {
		v := root.values[key]
		if below, ok := v.(*node); ok {
			v = below.value()
		}
		params[key] = v
	}
	return params
}
