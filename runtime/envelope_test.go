package runtime

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// What is let through means the same to the SDK's decoder as to us: the same
// method, and an id that comes back as it was sent.
func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x","arguments":{}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":1,"method":"a","METHOD":"b"}`,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"a"}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"error":7}`,
		`{"id":1,"method":"ping"}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
		modernCall("tools/list", `"cursor":"x"`),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		env, bad := openEnvelope(body)
		if bad != nil || env.batch {
			return
		}
		message, err := jsonrpc.DecodeMessage(body)
		if err != nil {
			t.Fatalf("let through, and the SDK ends at it: %v", err)
		}
		request, ok := message.(*jsonrpc.Request)
		if !ok {
			return
		}
		if request.Method != env.method {
			t.Errorf("we read %q, the SDK %q", env.method, request.Method)
		}
		if !request.ID.IsValid() {
			return
		}
		raw, err := json.Marshal(request.ID.Raw())
		var ours, theirs any
		if err != nil || json.Unmarshal(raw, &theirs) != nil || json.Unmarshal(env.id, &ours) != nil || ours != theirs {
			t.Errorf("we read the id %s, the SDK %s", env.id, raw)
		}
	})
}
