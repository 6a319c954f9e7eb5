package schema

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// references are the keywords that stand for another schema. WordPress reads
// none of them; plugins write them all the same.
var references = []string{"$ref", "$dynamicRef", "$recursiveRef"}

// follow compiles what a reference stands for in its place: no client gets a
// reference.
func (c *Compiler) follow(node map[string]any, path string, depth int) (*Schema, error) {
	whole, done, err := c.inline(node, path)
	if err != nil {
		return nil, err
	}
	defer done()
	return c.compile(whole, path, depth+1)
}

// inline is a schema with what its reference stands for, under what is written
// beside the reference. Where a schema comes round to itself, the inner one keeps
// its type and its description alone; done ends what is within. A reference to
// another document is an error: it is never fetched.
func (c *Compiler) inline(node map[string]any, path string) (whole map[string]any, done func(), err error) {
	keyword := slices.IndexFunc(references, func(k string) bool { _, there := node[k]; return there })
	if keyword < 0 {
		return node, func() {}, nil
	}
	ref := str(node[references[keyword]])
	if !strings.HasPrefix(ref, "#") {
		return nil, nil, fmt.Errorf("%s: %s %q leads out of the schema and is not followed", path, references[keyword], CleanText(ref, MaxText))
	}
	whole = map[string]any{}
	target, there := c.target(ref)
	switch again := slices.Contains(c.within, ref); {
	case !there:
		c.Record(path, "reference-dropped", ref, Nothing)
	case again:
		c.Record(path, "recursion-cut", ref, target["type"])
		for _, k := range []string{"type", "description"} {
			if v, said := target[k]; said {
				whole[k] = v
			}
		}
	default:
		c.Record(path, "reference-inlined", ref, Nothing)
		maps.Copy(whole, target)
	}
	maps.Copy(whole, node)
	delete(whole, references[keyword])
	if v, chained := target[references[keyword]]; chained && there && !slices.Contains(c.within, ref) {
		whole[references[keyword]] = v
	}
	c.within = append(c.within, ref)
	return whole, func() { c.within = c.within[:len(c.within)-1] }, nil
}

// target finds what a reference names: a JSON pointer (RFC 6901, URI fragment
// form) or an anchor.
func (c *Compiler) target(ref string) (map[string]any, bool) {
	fragment, err := url.PathUnescape(ref[1:])
	if err != nil {
		return nil, false
	}
	at := c.document
	switch {
	case fragment == "":
	case strings.HasPrefix(fragment, "/"):
		for part := range strings.SplitSeq(fragment[1:], "/") {
			part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
			switch v := at.(type) {
			case map[string]any:
				at = v[part]
			case []any:
				i, err := strconv.Atoi(part)
				if err != nil || i < 0 || i >= len(v) {
					return nil, false
				}
				at = v[i]
			default:
				return nil, false
			}
		}
	default:
		at = c.anchored(fragment)
	}
	node, isSchema := at.(map[string]any)
	return node, isSchema
}

// anchored finds the schema with an anchor, once for a document; of two of one
// name the first.
func (c *Compiler) anchored(name string) any {
	if c.anchors == nil {
		c.anchors = map[string]any{}
		c.findAnchors(c.document, maxDepth)
	}
	return c.anchors[name]
}

func (c *Compiler) findAnchors(v any, depth int) {
	if depth == 0 {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range []string{str(v["$anchor"]), str(v["$dynamicAnchor"]), strings.TrimPrefix(str(v["id"]), "#")} {
			if _, there := c.anchors[name]; !there && name != "" {
				c.anchors[name] = v
			}
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			c.findAnchors(v[k], depth-1)
		}
	case []any:
		for _, item := range v {
			c.findAnchors(item, depth-1)
		}
	}
}
