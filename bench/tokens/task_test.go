package tokens

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/discover/wptest"
	"toolpress/runtime"
)

// step is one call of the task, in both ways; %v is the draft's id.
type step struct {
	what          string
	rest, curated [2]string // the tool and its arguments
}

// task is "find the draft about gifts and publish it". The last step is none of it:
// what a longer list costs.
var task = []step{
	{"find the draft", [2]string{"get_posts", `{"search":"gift","status":["draft"]}`}, [2]string{"find_unpublished_posts", `{"query":"gift"}`}},
	{"publish it", [2]string{"update_post", `{"id":%v,"status":"publish"}`}, [2]string{"publish_post", `{"id":%v}`}},
	{"besides: the newest posts", [2]string{"get_posts", `{}`}, [2]string{"find_posts", `{}`}},
}

// exchange is a call as it is in a model's context: what it writes and what it reads.
type exchange struct{ asked, answered string }

// do makes the task's calls in a bookshop of their own and returns them. The draft
// is found by its words, and public afterwards.
func do(t *testing.T, file string, way func(step) [2]string) (catalog *curate.Catalog, done []exchange) {
	t.Helper()
	curation, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	shop := bookshop(t)
	catalog = shop.curated(t, curation)
	server := runtime.NewServer(catalog, runtime.Options{Site: shop.root.Client()})
	var draft any
	for _, s := range task {
		tool, arguments := way(s)[0], way(s)[1]
		if strings.Contains(arguments, "%v") {
			arguments = fmt.Sprintf(arguments, draft)
		}
		result, err := server.Call(runtime.Confirmed(t.Context()), curate.DefaultProfile, tool, json.RawMessage(arguments))
		if err != nil || result.IsError {
			t.Fatalf("%s %s: %+v, %v", tool, arguments, result, err)
		}
		// As long in every run, whatever port the bookshop has.
		text := strings.ReplaceAll(result.Content[0].(*mcp.TextContent).Text, strings.TrimSuffix(shop.root.URL, "/"), "https://shop.example")
		var answer struct {
			ID     any
			Status string
			Items  []struct {
				ID     any
				Status string
				Title  any
			}
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatal(err)
		}
		switch s.what {
		case "find the draft":
			if len(answer.Items) != 1 || answer.Items[0].Status != "draft" || !strings.Contains(fmt.Sprint(answer.Items[0].Title), "Holiday Gift Guide") {
				t.Fatalf("%s found %s", tool, text)
			}
			draft = answer.Items[0].ID
		case "publish it":
			if answer.ID != draft || answer.Status != "publish" {
				t.Errorf("%s answered %s", tool, text)
			}
		default:
			if len(answer.Items) != 10 {
				t.Errorf("%s found %s", tool, text)
			}
		}
		done = append(done, exchange{encode(t, map[string]any{"name": tool, "arguments": json.RawMessage(arguments)}), text})
	}
	return catalog, done
}

// taskTables are the tools of the task, and what its calls take of a context.
func taskTables(t *testing.T) string {
	catalog, few := do(t, "task.yaml", func(s step) [2]string { return s.curated })
	_, all := do(t, "rest.yaml", func(s step) [2]string { return s.rest })
	raw, curated := measure(t, bookshop(t).raw()), measure(t, catalog)
	var b strings.Builder
	b.WriteString(toolTable(curated, raw))
	b.WriteString("\nThe last line is the site without curation. What a model writes and reads, in bytes and in tokens of o200k_base:\n\n" +
		"| | REST: call | answer | tokens | curated: call | answer | tokens |\n|---|---|--:|--:|---|--:|--:|\n")
	rest, short := weigh(t, all), weigh(t, few)
	restSum, shortSum := raw.whole["o200k_base"], curated.whole["o200k_base"]
	fmt.Fprintf(&b, "| the tools | | %d | %d | | %d | %d |\n", len(encode(t, raw.tools)), restSum, len(encode(t, curated.tools)), shortSum)
	for i, s := range task {
		fmt.Fprintf(&b, "| %s | `%s` %d | %d | %d | `%s` %d | %d | %d |\n",
			s.what, s.rest[0], len(all[i].asked), len(all[i].answered), rest[i], s.curated[0], len(few[i].asked), len(few[i].answered), short[i])
		if i == len(task)-2 {
			restSum, shortSum = restSum+rest[0]+rest[1], shortSum+short[0]+short[1]
			fmt.Fprintf(&b, "| **the task** | | | **%d** | | | **%d** |\n", restSum, shortSum)
		}
	}
	return b.String()
}

// toolTable has the tools of a list, and how much it and others are together.
func toolTable(list measured, others ...measured) string {
	var b strings.Builder
	b.WriteString("| tools | estimate | " + strings.Join(tokenizers, " | ") + " |\n|---|--:|--:|--:|--:|\n")
	for i, tool := range list.tools {
		fmt.Fprintf(&b, "| `%s` | %d |", tool.Name, list.estimates[i])
		for _, name := range tokenizers {
			fmt.Fprintf(&b, " %d |", list.each[name][i])
		}
		b.WriteByte('\n')
	}
	for _, m := range append([]measured{list}, others...) {
		fmt.Fprintf(&b, "| **%d tools** | **%d** |", len(m.tools), m.estimate)
		for _, name := range tokenizers {
			fmt.Fprintf(&b, " **%d** |", m.whole[name])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// shopTable are the tools of preset:woocommerce@1, all groups, on the embedded shop.
func shopTable(t *testing.T) string {
	shop := wptest.New(wptest.WooCommerce())
	manager := shop.Users()[0]
	site := readSite(t, shop, wp.Credential{User: manager.Login, Password: wp.NewSecret(manager.Password)})
	return toolTable(measure(t, site.curated(t, []byte("version: 1\nextends: [preset:woocommerce@1]\nprofiles: { default: {} }\n"))))
}

// weigh counts the tokens of each call with its answer.
func weigh(t *testing.T, calls []exchange) []int {
	t.Helper()
	var texts []string
	for _, c := range calls {
		texts = append(texts, c.asked+c.answered)
	}
	return count(t, texts)["o200k_base"]
}
