package curate

import (
	"strings"
	"testing"
)

// What a tool fixes or hides inside of an argument, and what it leaves out of its
// answer, no profile sends or gives otherwise.
func TestProfilesDoNotWidenInside(t *testing.T) {
	const tools = `version: 1
tools:
  order:
    from: POST /shop/v1/orders
    confirm: { when: never }
    args:
      "*": hidden
      "line_items[].*": hidden
      "line_items[].product_id": {}
      "customer.address.country": { fix: PT }
    result: { pick: [id, total, _links.self], drop: [total], max_text: 100, html: markdown }
profiles:
  default: { tools: { order: `
	for profile, want := range map[string]string{
		`{ args: { "customer.address.country": { fix: ES } } }`:        `the profile does not send customer.address.country as "PT"`,
		`{ args: { "line_items[].quantity": {} } }`:                    `line_items`,
		`{ result: { drop: [] } }`:                                     `the profile gives total, which order drops`,
		`{ result: { max_text: 200 } }`:                                `max_text 200 is wider than the tool's own, 100`,
		`{ result: { raw: true } }`:                                    `raw gives more than order does`,
		`{ args: { "line_items[].product_id": { maximum: 5 } } }`:      ``,
		`{ result: { html: keep } }`:                                   `html: keep keeps more than the tool's own, markdown`,
		`{ result: { pick: [id._links] } }`:                            `the profile picks id._links, which order leaves out`,
		`{ result: { pick: [_links.self.href], html: text } }`:         ``,
		`{ result: { max_text: 50 } }`:                                 ``,
		`{ args: { "line_items[].product_id": { rename: product } } }`: `shows product`,
	} {
		c, err := Parse("c.yaml", []byte(tools+profile+" } }\n"), nil)
		if err != nil {
			t.Fatalf("%s: %v", profile, err)
		}
		_, findings := c.Apply(shop(t), nil)
		text := findings.Errors().Error()
		if want == "" && text != "" || want != "" && !strings.Contains(text, want) {
			t.Errorf("%s: %q, want %q", profile, text, want)
		}
	}
}
