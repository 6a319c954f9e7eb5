package runtime

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
)

// decodedMembers reads an object by encoding/json.
func decodedMembers(raw []byte) (list []member) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	_, _ = dec.Token()
	for dec.More() {
		key, _ := dec.Token()
		m := member{name: key.(string)}
		_ = dec.Decode(&m.value)
		list = append(list, m)
	}
	return list
}

// Of valid JSON the scan finds what encoding/json does, byte by byte; of anything
// else it ends.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, ` { "a" : 1 , "b":[ {"c":"}"} , "]" ] , "a" : null } `, `{"\u0061\"":"\\","\ud83d":"\\\""}`, `[1,-2.5e+3, true ,null,"x,y",[[]],{"a":{}}]`, `null`, `{"a":"é⚑"}`,
		`{`, `{"`, `{"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":"\`, `[`, `[1`, `[1,`, `[[`, `["`, `{,}`, `[,]`, `{"a" 1}`, "{\"\xff\":1}", `{"a":}`, `n`, `"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		object, notObject := members(raw)
		list, notList := elements(raw)
		if !json.Valid(raw) {
			return
		}
		switch kind(raw) {
		case '{':
			same := func(a, b member) bool { return a.name == b.name && bytes.Equal(a.value, b.value) }
			if want := decodedMembers(raw); notObject != nil || notList == nil || !slices.EqualFunc(object, want, same) {
				t.Errorf("%q: %q %v, want %q", raw, object, notObject, want)
			}
		case '[':
			var want []json.RawMessage
			_ = json.Unmarshal(raw, &want)
			if notList != nil || notObject == nil || !slices.EqualFunc(list, want, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
				t.Errorf("%q: %q %v, want %q", raw, list, notList, want)
			}
		default:
			if notObject == nil || (notList == nil) != (kind(raw) == 'n') || list != nil {
				t.Errorf("%q: %v %v", raw, notObject, notList)
			}
		}
	})
}
