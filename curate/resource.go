package curate

import "strings"

// Resource is what of the site the tool reads or changes, as far as its
// operation's name tells: the namespace and the collection in it, wp/v2/posts for
// all of /wp/v2/posts/**; of an ability the namespace, ability:acme for acme/search
// and acme/orders/add.
func (t *Tool) Resource() string {
	if name, is := strings.CutPrefix(t.Operation, "ability:"); is {
		namespace, _, _ := strings.Cut(name, "/")
		return "ability:" + namespace
	}
	_, route, _ := strings.Cut(t.Operation, " ")
	route = strings.Trim(route, "/")
	namespace := t.op.Namespace
	rest, below := strings.CutPrefix(route, namespace+"/")
	if !below {
		return namespace
	}
	collection, _, _ := strings.Cut(rest, "/")
	if strings.HasPrefix(collection, "{") { // any collection
		return namespace
	}
	return namespace + "/" + collection
}

// Touches reports whether what one resource is may be a part of another: they are
// the same, or one is a namespace that the other is in.
func Touches(resource, other string) bool {
	return resource == other || strings.HasPrefix(resource, other+"/") || strings.HasPrefix(other, resource+"/")
}
