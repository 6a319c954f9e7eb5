package curate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"toolpress/generate/schema"
	"toolpress/generate/words"
)

// speaksToModel is the rule about what the site says.
const speaksToModel = "speaks-to-model"

// reviewRules are all rules, in the order of the reference (docs/curation.md).
func reviewRules() []reviewRule {
	return slices.Concat(descriptionRules(), argumentRules())
}

func descriptionRules() []reviewRule {
	const write = "write a description into its entry below tools"
	return []reviewRule{
		{"long-name", "name it below tools", fmt.Sprintf("a name has at most %d characters: clients put the server's before it", words.LongestName), ofTool, func(w *wording) []string {
			return whole(len(w.tool.Name) > words.LongestName)
		}},
		{"no-description", write, "nobody says what this does: its description is made of its name", ofTool, func(w *wording) []string {
			return whole(w.unwritten)
		}},
		{"description-length", "say what it does, what it returns and when to use it", fmt.Sprintf("a description has %d to %d characters", words.ShortDescription, words.LongDescription), ofDescription, func(w *wording) []string {
			n := utf8.RuneCountInString(strings.TrimSpace(w.tool.Description))
			if w.unwritten || n >= words.ShortDescription && n <= words.LongDescription {
				return nil
			}
			return []string{fmt.Sprint(n)}
		}},
		{"markup", "write plain sentences", "markup costs tokens and says nothing to a model", ofDescription, func(w *wording) []string {
			return w.holds(words.Markup)
		}},
		{"route-text", "say what it does, not how the site is asked", "a model has no use for routes and methods", ofDescription, func(w *wording) []string {
			return w.holds(words.RouteText)
		}},
		{"verb-first", "begin with what it does, such as Find or Change; of texts in another language say server: { lang: … }", "a description begins with a verb", ofDescription, func(w *wording) []string {
			first := words.NoVerb(w.tool.Description)
			if w.written == nil || !w.english || first == "" {
				return nil
			}
			return []string{first}
		}},
		{"same-description", "say in each when to use which", "another tool has the same description", ofDescription, func(w *wording) []string {
			if w.unwritten || w.alike == "" {
				return nil
			}
			return []string{w.alike}
		}},
	}
}

func argumentRules() []reviewRule {
	return []reviewRule{
		{"undescribed-argument", "describe them in its entry below tools: args: { NAME: { describe: … } }, or hide them", "arguments without a description", ofTool, func(w *wording) []string {
			return words.Undescribed(w.tool.schema)
		}},
		{"many-arguments", `hide what a model does not need, with "*": hidden`, fmt.Sprintf("a tool shows at most %d arguments", words.MostArguments), ofTool, func(w *wording) []string {
			if n := len(w.tool.schema.Properties); n > words.MostArguments {
				return []string{fmt.Sprint(n)}
			}
			return nil
		}},
		{"long-enum", "leave fewer with enum, or hide the argument", fmt.Sprintf("a choice has at most %d values", words.LongestEnum), ofTool, func(w *wording) []string {
			return words.LongEnums(w.tool.schema)
		}},
		{"unbounded-list", "give it a maximum", "a model may ask for any number of items", ofTool, (*wording).unbounded},
		{"unannotated-write", "say annotations: { destructive: … } in its entry below tools", "it writes, and its author does not say whether it may destroy something", ofTool, func(w *wording) []string {
			return whole(w.tool.op.Unsaid && !w.claimed)
		}},
		{"unread-time", "pick it where that is read: result: { pick: { add: [modified_gmt] } }", "no tool of the profile gives the time that if_unmodified asks for", ofTool, (*wording).unreadTime},
		{speaksToModel, "write your own words over it, or leave the tool out and ask the plugin's author", "the site's own text gives orders to the model", ofTool, (*wording).speaks},
	}
}

// whole is what broken says of the tool as such.
func whole(broken bool) []string {
	if broken {
		return []string{""}
	}
	return nil
}

// holds finds something in the description and in what layers say of arguments.
// The site's own words for arguments were cleaned when they were read.
func (w *wording) holds(find func(text string) string) (found []string) {
	if m := find(w.tool.Description); m != "" && !w.unwritten {
		found = append(found, m)
	}
	words.Arguments(w.tool.schema, func(path string, s *schema.Schema) {
		if m := find(s.Description); m != "" && !w.upstream[s.Description] {
			found = append(found, path+": "+m)
		}
	})
	return found
}

// unbounded are the arguments of a tool that reads by which a model says how many
// items it wants, without a maximum.
func (w *wording) unbounded() (open []string) {
	for _, p := range w.tool.schema.Properties {
		if w.tool.Annotations.ReadOnly && words.Unbounded(w.tool.siteName(p.Name), p.Schema) {
			open = append(open, p.Name)
		}
	}
	return open
}

// unreadTime is the time that a model has to have read before it calls the tool, where
// nothing beside it gives that.
func (w *wording) unreadTime() []string {
	u := w.tool.Unmodified
	if u == nil || slices.ContainsFunc(w.beside, func(m made) bool {
		return m.tool.Annotations.ReadOnly && m.tool.Resource() == w.tool.Resource() && m.tool.Gives(u.Field)
	}) {
		return nil
	}
	return []string{u.Field}
}

// speaks are the orders in what the site itself says of the tool and of its
// arguments.
func (w *wording) speaks() (orders []string) {
	look := func(before, text string) {
		if order := words.Order(text); order != "" && w.upstream[text] {
			orders = append(orders, fmt.Sprintf("%s%q", before, order))
		}
	}
	look("", w.tool.Title)
	look("", w.tool.Description)
	words.Arguments(w.tool.schema, func(path string, s *schema.Schema) {
		for _, text := range words.Prose(s) {
			look(path+": ", text)
		}
	})
	return orders
}
