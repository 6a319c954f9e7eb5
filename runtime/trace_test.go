package runtime

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/discover/wp"
)

const (
	traceID  = "4bf92f3577b34da6a3ce929d0e0e4736"
	spanID   = "00f067aa0ba902b7"
	aTrace   = "00-" + traceID + "-" + spanID + "-01"
	aState   = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"
	aBaggage = "userId=alice, serverNode=DF%2028;prop=1;flag"
)

// What W3C Trace Context and W3C Baggage allow is sent, and nothing else.
func TestTraceContext(t *testing.T) {
	long := func(n int, part string) string { return strings.TrimSuffix(strings.Repeat(part+",", n), ",") }
	numbered := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("k%d=v", i))
		}
		return strings.Join(list, ",")
	}
	for _, c := range []struct {
		what                   string
		parent, state, baggage any
		want                   wp.Trace
	}{
		{"all", aTrace, aState, aBaggage, wp.Trace{Parent: aTrace, State: aState, Baggage: "userId=alice,serverNode=DF%2028;prop=1;flag"}},
		{"nothing", nil, nil, nil, wp.Trace{}},
		{"baggage alone", nil, nil, "a=b", wp.Trace{Baggage: "a=b"}},
		{"state without parent", nil, aState, nil, wp.Trace{}},
		{"state with a bad parent", strings.ToUpper(aTrace), aState, "a=b", wp.Trace{Baggage: "a=b"}},
		{"no text", 7.0, []any{aState}, map[string]any{"a": "b"}, wp.Trace{}},
		{"trace of zeros", "00-" + strings.Repeat("0", 32) + "-" + spanID + "-01", nil, nil, wp.Trace{}},
		{"span of zeros", "00-" + traceID + "-" + strings.Repeat("0", 16) + "-01", nil, nil, wp.Trace{}},
		{"not sampled", "00-" + traceID + "-" + spanID + "-00", nil, nil, wp.Trace{Parent: "00-" + traceID + "-" + spanID + "-00"}},
		{"version ff", "ff" + aTrace[2:], nil, nil, wp.Trace{}},
		{"a later version", "01" + aTrace[2:] + "-more", nil, nil, wp.Trace{}},
		{"more", aTrace + "-00", nil, nil, wp.Trace{}},
		{"a line", aTrace + "\r\nX-Evil: 1", aState, "a=b\r\nX-Evil: 1", wp.Trace{}},
		{"a newline at the end", aTrace + "\n", nil, "a=b\n", wp.Trace{}},
		{"state: a tenant, empty entries", aTrace, " fw529a3039@dt=FfAg , ,a=b ", nil, wp.Trace{Parent: aTrace, State: "fw529a3039@dt=FfAg,a=b"}},
		{"state: twice", aTrace, "a=1,a=2", nil, wp.Trace{Parent: aTrace}},
		{"state: upper case", aTrace, "A=1", nil, wp.Trace{Parent: aTrace}},
		{"state: = in a value", aTrace, "a=1=2", nil, wp.Trace{Parent: aTrace}},
		{"state: a line", aTrace, "a=1\r\nX: 2", nil, wp.Trace{Parent: aTrace}},
		{"state: 32 entries", aTrace, numbered(32), nil, wp.Trace{Parent: aTrace, State: numbered(32)}},
		{"state: 33 entries", aTrace, numbered(33), nil, wp.Trace{Parent: aTrace}},
		{"state: too long", aTrace, "a=" + strings.Repeat("x", 252) + ",b=" + strings.Repeat("x", 256), nil, wp.Trace{Parent: aTrace}},
		{"baggage: quotes", nil, nil, `a="b"`, wp.Trace{}},
		{"baggage: a space in a value", nil, nil, "a=b c", wp.Trace{}},
		{"baggage: no value", nil, nil, "a", wp.Trace{}},
		{"baggage: too long", nil, nil, long(30, "a="+strings.Repeat("x", 200)), wp.Trace{}},
	} {
		meta := mcp.Meta{"traceParent": aTrace, "Baggage": "x=y"} // other names
		for name, v := range map[string]any{"traceparent": c.parent, "tracestate": c.state, "baggage": c.baggage} {
			if v != nil {
				meta[name] = v
			}
		}
		if got := traceOf(meta); got != c.want {
			t.Errorf("%s: %+v\nwant %+v", c.what, got, c.want)
		}
	}
}

// T06, T23: of a client's request nothing reaches the site but the trace context
// in _meta: no header, whatever it is called, and nothing else of _meta.
func TestOnlyTheTraceGoesOn(t *testing.T) {
	var got http.Header
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		_, _ = w.Write([]byte(`{}`))
	}))
	defer site.Close()
	u, _ := url.Parse(site.URL + "/wp-json/")
	client, err := wp.NewClient(u, wp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, web := serve(t, catalog("one", "a"), Options{Site: client.At(u)})
	call := func(meta string, headers ...string) http.Header {
		t.Helper()
		body := strings.Replace(modernCall("tools/call", `"name":"a"`), `"_meta":{`, `"_meta":{`+meta, 1)
		if r := send(t, nil, web.URL+"/mcp", body, append(headers, "Mcp-Name: a")...); r.status != 200 || strings.Contains(r.message, "isError") {
			t.Fatalf("%d %s", r.status, r.message)
		}
		return got
	}
	plain := call("")
	sent := call(`"x-extra":"1","authorization":"Bearer CANARY",`,
		"Traceparent: "+aTrace, "Tracestate: "+aState, "Baggage: "+aBaggage, "Cookie: a=CANARY", "Authorization: Bearer CANARY", "X-Forwarded-For: 1.2.3.4",
		"X_Forwarded_For: 1.2.3.4", "Forwarded: for=1.2.3.4", "X-Http-Method-Override: DELETE", "X-Wp-Nonce: CANARY", "Mcp-Extra: CANARY", "Via: 1.1 x", "Accept-Language: pt")
	if fmt.Sprint(plain) != fmt.Sprint(sent) {
		t.Errorf("with a client's headers:\n%v\nwithout:\n%v", sent, plain)
	}
	traced := call(fmt.Sprintf(`"traceparent":%q,"tracestate":%q,"baggage":%q,`, aTrace, aState, "a=b"))
	if traced.Get("Traceparent") != aTrace || traced.Get("Tracestate") != aState || traced.Get("Baggage") != "a=b" || len(traced) != len(plain)+3 {
		t.Errorf("%v", traced)
	}
	for _, era := range eras {
		if era >= modernVersion {
			continue
		}
		cs := connect(t, web.URL+"/mcp", era, nil, nil)
		if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Meta: mcp.Meta{"traceparent": aTrace}, Name: "a"}); err != nil || got.Get("Traceparent") != aTrace {
			t.Errorf("%s: %v %v", era, err, got)
		}
	}
}

// A trace is no part of what a person confirms.
func TestTraceIsNotBound(t *testing.T) {
	a := admission{tool: thing()}
	one, _ := bind(a, wp.Request{Method: "GET"})
	two, _ := bind(a, wp.Request{Method: "GET", Trace: wp.Trace{Parent: aTrace}})
	if !slices.Equal(one, two) {
		t.Error("it is")
	}
}
