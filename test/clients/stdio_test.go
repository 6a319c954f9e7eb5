package clients

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// message is a line of the protocol.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code int `json:"code"`
	} `json:"error"`
}

// line is a toolpress on standard input and output, a line at a time.
type line struct {
	*process
	in  io.WriteCloser
	out chan string // closed at its end
}

func openLine(t *testing.T, curation string) *line {
	t.Helper()
	args := overStdio(curation)
	cmd := exec.Command(args[0], args[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	cmd.Stdout = w
	l := &line{process: start(t, cmd), in: in, out: make(chan string, 100)}
	go func() { <-l.ended; _ = w.Close() }()
	go func() {
		defer close(l.out)
		for lines := bufio.NewReader(r); ; {
			text, err := lines.ReadString('\n')
			if text != "" {
				l.out <- text
			}
			if err != nil {
				return
			}
		}
	}()
	return l
}

func (l *line) say(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(l.in, text+"\n"); err != nil {
		t.Fatal(err)
	}
}

// hear waits for the next line: whole, and nothing but a message.
func (l *line) hear(t *testing.T) message {
	t.Helper()
	select {
	case text, more := <-l.out:
		if !more {
			t.Fatalf("it has ended:\n%s", l.stderr)
		}
		var m message
		if err := json.Unmarshal([]byte(text), &m); err != nil || m.Version != "2.0" || !strings.HasSuffix(text, "\n") {
			t.Fatalf("no message: %q, %v", text, err)
		}
		return m
	case <-time.After(patience):
		t.Fatalf("nothing is answered:\n%s", l.stderr)
	}
	return message{}
}

// answer waits for the answer to an id and passes over notices.
func (l *line) answer(t *testing.T, id string) message {
	t.Helper()
	for {
		if m := l.hear(t); m.Method == "" {
			if string(m.ID) != id {
				t.Fatalf("an answer to %s, not to %s", m.ID, id)
			}
			return m
		}
	}
}

// Nothing but the protocol is on standard output, whatever comes in and happens
// meanwhile; and the end of standard input is the end, with exit code 0.
func TestLines(t *testing.T) {
	client := `"clientInfo":{"name":"lines","version":"1"},"capabilities":{}`
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientCapabilities":{}}`
	for era, c := range map[string]struct{ open, listen, params string }{
		legacy: {
			open: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + legacy + `",` + client + `}}` + "\n" +
				`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		},
		modern: {
			open:   `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`,
			listen: `{"jsonrpc":"2.0","id":"listen","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + meta + `}}`,
			params: meta,
		},
	} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			file := curation(t)
			l := openLine(t, file)
			bad := func() {
				t.Helper()
				l.say(t, "this is no message")
				if m := l.answer(t, "null"); m.Error == nil || m.Error.Code != -32700 {
					t.Errorf("a bad line is answered with %+v", m)
				}
			}
			list := func(id, name string) {
				t.Helper()
				l.say(t, `{"jsonrpc":"2.0","id":`+id+`,"method":"tools/list","params":{`+c.params+`}}`)
				if m := l.answer(t, id); m.Error != nil || !strings.Contains(string(m.Result), `"name":"`+name+`"`) {
					t.Errorf("no %s: %+v", name, m)
				}
			}
			bad()
			l.say(t, c.open)
			if m := l.answer(t, "1"); m.Error != nil || !strings.Contains(string(m.Result), `"listChanged":true`) {
				t.Errorf("%+v", m)
			}
			list("2", "leave_note")
			bad()
			if c.listen != "" {
				l.say(t, c.listen)
				if m := l.hear(t); m.Method != "notifications/subscriptions/acknowledged" {
					t.Errorf("a listen is answered with %+v", m)
				}
			}
			edit(t, file)
			if m := l.hear(t); m.Method != "notifications/tools/list_changed" {
				t.Errorf("an edit is told with %+v", m)
			}
			list("3", "drop_note")
			if err := l.in.Close(); err != nil {
				t.Fatal(err)
			}
			l.end(t, 0)
			for text := range l.out { // a listen ends with a result
				if !json.Valid([]byte(text)) {
					t.Errorf("no message: %q", text)
				}
			}
		})
	}
}
