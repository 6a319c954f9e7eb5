package curate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"toolpress/generate/schema"
)

// Bounds of what a model is shown. Clients add a server's name to a tool's, and
// models choose worse among many arguments and long lists.
const (
	longestName      = 40
	shortDescription = 40
	longDescription  = 600
	mostArguments    = 12
	longestEnum      = 30
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
		{"long-name", "name it below tools", fmt.Sprintf("a name has at most %d characters: clients put the server's before it", longestName), ofTool, func(w *wording) []string {
			return whole(len(w.tool.Name) > longestName)
		}},
		{"no-description", write, "nobody says what this does: its description is made of its name", ofTool, func(w *wording) []string {
			return whole(w.unwritten)
		}},
		{"description-length", "say what it does, what it returns and when to use it", fmt.Sprintf("a description has %d to %d characters", shortDescription, longDescription), ofDescription, func(w *wording) []string {
			n := utf8.RuneCountInString(strings.TrimSpace(w.tool.Description))
			if w.unwritten || n >= shortDescription && n <= longDescription {
				return nil
			}
			return []string{fmt.Sprint(n)}
		}},
		{"markup", "write plain sentences", "markup costs tokens and says nothing to a model", ofDescription, func(w *wording) []string {
			return w.holds(markup)
		}},
		{"route-text", "say what it does, not how the site is asked", "a model has no use for routes and methods", ofDescription, func(w *wording) []string {
			return w.holds(routeText)
		}},
		{"verb-first", "begin with what it does, such as Find or Change; of texts in another language say server: { lang: … }", "a description begins with a verb", ofDescription, func(w *wording) []string {
			first := strings.ToLower(strings.TrimFunc(strings.SplitN(strings.TrimSpace(w.tool.Description), " ", 2)[0], notLetter))
			if w.written == nil || !w.english || !noVerb(first) {
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
		{"undescribed-argument", "describe them in its entry below tools: args: { NAME: { describe: … } }, or hide them", "arguments without a description", ofTool, (*wording).undescribed},
		{"many-arguments", `hide what a model does not need, with "*": hidden`, fmt.Sprintf("a tool shows at most %d arguments", mostArguments), ofTool, func(w *wording) []string {
			if n := len(w.tool.schema.Properties); n > mostArguments {
				return []string{fmt.Sprint(n)}
			}
			return nil
		}},
		{"long-enum", "leave fewer with enum, or hide the argument", fmt.Sprintf("a choice has at most %d values", longestEnum), ofTool, func(w *wording) (long []string) {
			w.arguments(func(path string, s *schema.Schema) {
				if len(s.Enum) > longestEnum {
					long = append(long, path)
				}
			})
			return long
		}},
		{"unbounded-list", "give it a maximum", "a model may ask for any number of items", ofTool, (*wording).unbounded},
		{"unannotated-write", "say annotations: { destructive: … } in its entry below tools", "it writes, and its author does not say whether it may destroy something", ofTool, func(w *wording) []string {
			return whole(w.tool.op.Unsaid && !w.claimed)
		}},
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

var (
	markup = regexp.MustCompile("</?[a-zA-Z!][^>]*>|&(?:[a-zA-Z]+|#\\d+);|\\[[^\\]]+\\]\\([^)]+\\)|\\*\\*|```|(?m:^#{1,6} )")
	// routeText is a method before something, or a path below a version.
	routeText = regexp.MustCompile(`\b(?:GET|POST|PUT|PATCH|DELETE) |wp-json|/[a-zA-Z0-9_-]+/v\d+\b`)
)

// holds finds a pattern in the description and in what layers say of arguments.
// The site's own words for arguments were cleaned when they were read.
func (w *wording) holds(re *regexp.Regexp) (found []string) {
	if m := re.FindString(w.tool.Description); m != "" && !w.unwritten {
		found = append(found, strings.TrimSpace(m))
	}
	w.arguments(func(path string, s *schema.Schema) {
		if m := re.FindString(s.Description); m != "" && !w.upstream[s.Description] {
			found = append(found, path+": "+strings.TrimSpace(m))
		}
	})
	return found
}

// undescribed are the arguments without a word, and what is in them. Of several
// forms of one, it is enough that one is described.
func (w *wording) undescribed() []string {
	var paths []string
	described := map[string]bool{}
	w.arguments(func(path string, s *schema.Schema) {
		if !strings.HasSuffix(path, itemsPart) && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
		described[path] = described[path] || s.Description != "" || s.Title != ""
	})
	return slices.DeleteFunc(paths, func(path string) bool { return described[path] })
}

// counts are the names by which routes and abilities take a number of items.
var counts = []string{"per_page", "posts_per_page", "numberposts", "page_size", "limit"}

// unbounded are the arguments of a tool that reads by which a model says how many
// items it wants, without a maximum.
func (w *wording) unbounded() (open []string) {
	for _, p := range w.tool.schema.Properties {
		number := p.Schema.Is("integer") || p.Schema.Is("number")
		bounded := p.Schema.Maximum != "" || p.Schema.ExclusiveMaximum != "" || p.Schema.Enum != nil
		if w.tool.Annotations.ReadOnly && number && !bounded && slices.Contains(counts, w.tool.siteName(p.Name)) {
			open = append(open, p.Name)
		}
	}
	return open
}

// speaks are the orders in what the site itself says of the tool and of its
// arguments.
func (w *wording) speaks() (orders []string) {
	look := func(before, text string) {
		if order := orderIn(text); order != "" && w.upstream[text] {
			orders = append(orders, fmt.Sprintf("%s%q", before, order))
		}
	}
	look("", w.tool.Title)
	look("", w.tool.Description)
	w.arguments(func(path string, s *schema.Schema) {
		for _, text := range proseOf(s) {
			look(path+": ", text)
		}
	})
	return orders
}
