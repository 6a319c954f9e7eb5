package main

import (
	"bytes"
	"strings"
	"testing"

	"toolpress/generate"
	"toolpress/generate/clients"
)

// A contested rule is printed as one, and does not make lint fail (W86).
func TestContestedFaults(t *testing.T) {
	of := func(text string) generate.Fault {
		return generate.Fault{Operation: "ability:acme/x", Refusals: clients.Check(clients.Tool{Server: "s", Name: "t", Input: map[string]any{
			"type": "object", "properties": map[string]any{"a": map[string]any{"type": "string", text: 3}},
		}})}
	}
	contested, plain := of("maxLength"), of("const")
	if n := atFault([]generate.Fault{contested, contested, plain}); n != 1 {
		t.Errorf("%d operations at fault", n)
	}
	var b bytes.Buffer
	printFaults(&b, []generate.Fault{contested, plain})
	if text := b.String(); strings.Count(text, ") (contested)\n") != 1 || !strings.Contains(text, "  inputSchema.a: maxLength: 3\n    OpenAI strict refuses counts") || !strings.Contains(text, "inputSchema.a: const: 3\n    Gemini refuses keywords that its Schema has no field for: the request fails (pizza-bot-app/pizza-bot#62)\n") {
		t.Errorf("%s", text)
	}
}
