package wptest

import "strings"

const collectionArgs = `
page integer default=1 minimum=1 | Which page of the results.
per_page integer default=10 minimum=1 maximum=100 | How many results a page has.
search string | Only what holds these words.
`

const withoutArgs = `
exclude array of=integer default=[] late | Not these numbers.
include array of=integer default=[] late | Only these numbers.
`

const orderArgs = `
offset integer late | Leave out that many results.
order string default=desc enum=asc,desc late | Ascending or descending.
`

const postListArgs = collectionArgs + `
after string format=date-time late | Only what is dated after this.
modified_after string format=date-time late | Only what changed after this.
author array of=integer default=[] late | Only by these users.
author_exclude array of=integer default=[] late | Not by these users.
before string format=date-time late | Only what is dated before this.
modified_before string format=date-time late | Only what changed before this.
` + withoutArgs

const searchArgs = `
search_semantics string enum=exact late | How to read the words to search for.
` + orderArgs

const columnArgs = `
search_columns array default=[] itemenum=post_title,post_content,post_excerpt late | Where to search.
slug array of=string late | Only with these slugs.
`

const orderbys = "orderby string default=date late enum=author,date,id,include,modified,parent,relevance,slug,include_slugs,title"

const parentArgs = `
parent array of=integer default=[] late | Only what lies below these numbers.
parent_exclude array of=integer default=[] late | Not what lies below these numbers.
`

const statusItems = "publish,future,draft,pending,private,trash,auto-draft,inherit,request-pending,request-confirmed,request-failed,request-completed,any"

const statusArgs = `
status array default=publish own=statuses itemenum=` + statusItems + ` | Only in these states; any for all but the trash.
`

// contextOf is the argument "context" of a resource's reading endpoints
// (WP_REST_Controller::get_context_param).
func contextOf(r *resource, initial string) field {
	var seen strings.Builder
	for _, name := range []string{"view", "embed", "edit"} {
		for _, f := range r.fields {
			if shown(f.schema, name) && f.schema["context"] != nil {
				seen.WriteString("," + name)
				break
			}
		}
	}
	return fields("context string enum=" + seen.String()[1:] + " default=" + initial + " | What the answer holds: edit adds the raw values, for those who may edit.")[0]
}

func listArgs(k *kind) []field {
	context := []field{contextOf(k.resource, "view")}
	switch k {
	case pageKind:
		return append(context, fields(postListArgs+"menu_order integer late | Only at this place among siblings.\n"+searchArgs+
			orderbys+",menu_order | By what to order.\n"+parentArgs+columnArgs+statusArgs)...)
	case mediaKind:
		return append(context, fields(postListArgs+searchArgs+orderbys+" | By what to order.\n"+parentArgs+columnArgs+`
status array default=inherit own=statuses itemenum=inherit,private,trash | Only in these states.
media_type array default=null late itemenum=image,video,text,application,audio | Only files of these kinds.
mime_type array default=null late of=string | Only files of these MIME types.
`)...)
	}
	list := append(context, fields(postListArgs+searchArgs+orderbys+" | By what to order.\n"+columnArgs+statusArgs+`
tax_relation string enum=AND,OR late | Whether all the taxonomies must fit, or one.
`)...)
	for _, t := range []*taxonomy{categories, tags} {
		list = append(list, termFilter(t, t.base, true), termFilter(t, t.base+"_exclude", false))
	}
	return append(list, fields(`
sticky boolean late | Only, or not, what is sticky.
ignore_sticky boolean default=true late | Do not put sticky posts first.
format array late uniqueItems=true itemenum=standard,aside,chat,gallery,link,image,quote,status,video,audio | Only of these formats.
`)...)
}

// termFilter is a list of terms, or an object that says more.
func termFilter(t *taxonomy, name string, operator bool) field {
	below := "terms array of=integer default=[] | Their numbers."
	if t.hierarchical {
		below += "\ninclude_children boolean default=false | Also what lies below them."
	}
	if operator {
		below += "\noperator string enum=AND,OR default=OR | All of them, or one."
	}
	describe := "Only with these " + t.base + "."
	if !operator {
		describe = "Not with these " + t.base + "."
	}
	return field{name: name, late: true, schema: map[string]any{
		"description": describe, "type": strs("object", "array"),
		"oneOf": []any{
			map[string]any{"title": "Term ID List", "description": "Numbers.", "type": "array", "items": map[string]any{"type": "integer"}},
			map[string]any{
				"title": "Term ID Taxonomy Query", "description": "Numbers and how to read them.", "type": "object",
				"properties": properties(fields(below)), "additionalProperties": false,
			},
		},
	}}
}

const idArg = "id integer late | Its number.\n"

const forceArg = "force boolean default=false late | Delete for good instead of moving to the trash.\n"

// writeArgs are the arguments of a creating or updating endpoint. Texts may be
// strings or objects: core takes them unchecked.
func writeArgs(r *resource, create bool) []field {
	args := r.written(create)
	for i := range args {
		switch args[i].name {
		case "title", "content", "excerpt", "caption", "description":
			if args[i].schema["type"] == "object" {
				args[i].own = "open"
			}
		case "template", "meta":
			args[i].own = args[i].name
		case "status":
			if args[i].schema["enum"] != nil {
				args[i].own = "status"
			}
		}
	}
	return args
}
