package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// said is the text of a result.
func said(t *testing.T, res *mcp.CallToolResult, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return res.Content[0].(*mcp.TextContent).Text
}

// A principal calls a tool as often as its rate says, and reads when to come back:
// a moment earlier is too early. Other tools and other principals have their own.
func TestCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &counted{}
		c := catalog("one", "a", "b")
		c.Profiles[curate.DefaultProfile].Tools[0].Calls = curate.Rate{Calls: 3, Per: time.Minute}
		c.Profiles["other"] = &curate.Profile{Name: "other", Tools: catalog("one", "a").Profiles[curate.DefaultProfile].Tools}
		s := NewServer(c, Options{Site: site})
		p := s.current.Load().profiles[curate.DefaultProfile]
		call := func(principal, tool string) string {
			t.Helper()
			a := p.admission(p.byName[tool])
			a.principal = principal
			res, err := s.call(t.Context(), a, nil)
			text := said(t, res, err)
			if sent := site.took() != ""; sent == res.IsError {
				t.Errorf("%s: sent %t", text, sent)
			}
			return text
		}
		const ok = `{"deleted":true}`
		for range 3 {
			if text := call("ana", "a"); text != ok {
				t.Error(text)
			}
		}
		want := "Nothing was sent: a may be called 3/m by one client, and was.\nNext: come back in 20 seconds and call again. Sooner it is refused again."
		if text := call("ana", "a"); text != want {
			t.Errorf("%q", text)
		}
		if a, b := call("bob", "a"), call("ana", "b"); a != ok || b != ok {
			t.Errorf("another principal: %s; another tool: %s", a, b)
		}
		// The tool of another profile has a rate of its own, and changes none here.
		other := s.current.Load().profiles["other"]
		elsewhere := other.admission(other.byName["a"])
		elsewhere.principal = "ana"
		if res, err := s.call(t.Context(), elsewhere, nil); said(t, res, err) != ok || site.took() == "" {
			t.Errorf("another profile: %v", res)
		}
		if text := call("ana", "a"); text != want {
			t.Errorf("after a call of another profile: %q", text)
		}
		time.Sleep(20*time.Second - time.Millisecond)
		if text := call("ana", "a"); !strings.Contains(text, "come back in 1 seconds") {
			t.Errorf("a moment too early: %s", text)
		}
		time.Sleep(time.Millisecond)
		if first, second := call("ana", "a"), call("ana", "a"); first != ok || !strings.Contains(second, "in 20 seconds") {
			t.Errorf("in time: %s; once more: %s", first, second)
		}
		// An edit of the curation counts from now on.
		c.Profiles[curate.DefaultProfile].Tools[0].Calls = curate.Rate{Calls: 1, Per: 24 * time.Hour}
		if text := call("ana", "a"); !strings.Contains(text, "1/d") || !strings.Contains(text, "tell the user that it can be called again in 86400 seconds (24h0m0s)") {
			t.Error(text)
		}
		// Where nothing is said there is a rate too.
		for range usualRate.Calls {
			call("ana", "b")
		}
		if text := call("ana", "b"); !strings.Contains(text, "b may be called 300/m") {
			t.Error(text)
		}
	})
}

// What a model has to mend counts nothing.
func TestBadArgumentsCountNothing(t *testing.T) {
	c := catalog("one", "a")
	c.Profiles[curate.DefaultProfile].Tools[0].Calls = curate.Rate{Calls: 1, Per: time.Hour}
	s := NewServer(c, Options{Site: answers(`{}`)})
	for range 3 {
		if res, err := s.Call(t.Context(), curate.DefaultProfile, "a", json.RawMessage(`{"id":"x"}`)); !strings.Contains(said(t, res, err), "the arguments are not right") {
			t.Error(said(t, res, err))
		}
	}
	if res, err := s.Call(t.Context(), curate.DefaultProfile, "a", nil); res.IsError {
		t.Error(said(t, res, err))
	}
}

// A call that asks first is counted when it asks: a person's yes is not refused,
// and nobody is asked without end.
func TestAskingIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, confirm := range []string{`{ when: always }`, `{ when: always, without_elicitation: two_step }`} {
			site := &counted{}
			c := asksFirst(t, confirm)
			tool := c.Profiles[curate.DefaultProfile].Tools[0]
			tool.Calls = curate.Rate{Calls: 1, Per: time.Hour}
			s := NewServer(c, Options{Site: site})
			a := s.current.Load().profiles[curate.DefaultProfile].admission(tool)
			arguments := `{"id":7`
			var first *mcp.CallToolResult
			if twoStep := tool.Confirm.WithoutElicitation == curate.TwoStep; twoStep {
				first, _ = s.call(t.Context(), a, json.RawMessage(arguments+"}"))
				_, rest, _ := strings.Cut(said(t, first, nil), `confirmation "`)
				code, _, _ := strings.Cut(rest, `"`)
				arguments += fmt.Sprintf(`,"confirmation":%q`, code)
			} else {
				a.asking.able, a.asking.modern = true, true
				first, _ = s.call(t.Context(), a, json.RawMessage(arguments+"}"))
				a.asking.state, a.asking.answer = first.RequestState, &mcp.ElicitResult{Action: "accept"}
			}
			if calls := site.took(); calls != "" {
				t.Errorf("%s: %s", confirm, calls)
			}
			if res, err := s.call(t.Context(), a, json.RawMessage(arguments+"}")); res == nil || res.IsError || site.took() == "" {
				t.Errorf("%s: after the yes: %+v %v", confirm, res, err)
			}
			a.asking.state, a.asking.answer = "", nil
			res, err := s.call(t.Context(), a, json.RawMessage(`{"id":7}`))
			if text := said(t, res, err); !strings.Contains(text, "1/h") || res.InputRequests != nil {
				t.Errorf("%s: asked again: %s", confirm, text)
			}
		}
	})
}

// T38: what is remembered has a bound. Buckets that are full again make room;
// while none is, whoever is new waits, and nobody's limit is forgotten.
func TestRatesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRates(1000)
		minute := curate.Rate{Calls: 2, Per: time.Minute}
		for i := range 200_000 {
			r.take(pair{"default", fmt.Sprint(i), "a"}, minute)
		}
		if n := len(r.buckets); n != 1000 {
			t.Errorf("%d buckets", n)
		}
		if wait := r.take(pair{"default", "new", "a"}, minute); wait != sweepEvery {
			t.Errorf("a new principal waits %v", wait)
		}
		r.take(pair{"default", "0", "a"}, minute)
		if wait := r.take(pair{"default", "0", "a"}, minute); wait != 30*time.Second {
			t.Errorf("an old principal waits %v", wait)
		}
		time.Sleep(30 * time.Second)
		if wait := r.take(pair{"default", "new", "a"}, minute); wait != 0 || len(r.buckets) != 2 {
			t.Errorf("half a minute later: %v, %d buckets", wait, len(r.buckets))
		}
	})
}

// Each of several principals has its share of the calls at the same time. What is
// over it waits, and is refused in time with nothing sent; what was waited for
// is given on.
func TestCallsAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		site := siteFunc(func(ctx context.Context, r wp.Request) (*wp.Response, error) {
			<-release
			return answers(`{}`)(ctx, r)
		})
		s := NewServer(catalog("one", "a"), Options{Site: site, MaxCalls: 3, MaxCallsEach: 2})
		p := s.current.Load().profiles[curate.DefaultProfile]
		results := make(chan string, 10)
		start := func(principal string) {
			a := p.admission(p.byName["a"])
			a.principal = principal
			go func() {
				res, err := s.call(t.Context(), a, nil)
				results <- principal + ": " + said(t, res, err)
			}()
		}
		start("ana")
		start("ana")
		synctest.Wait()
		start("ana") // over her own share
		start("bob")
		synctest.Wait()
		start("eve") // over what there is in all
		before := time.Now()
		for range 2 {
			if text := <-results; !strings.HasSuffix(text, "Nothing was sent: too many calls run at the same time.\nNext: come back in 5 seconds and call again. Sooner it is refused again. Make fewer calls at once.") || strings.HasPrefix(text, "bob") {
				t.Error(text)
			}
		}
		if took := time.Since(before); took != slotPatience {
			t.Errorf("refused after %v", took)
		}
		start("eve")
		synctest.Wait()
		for range 4 {
			release <- struct{}{}
		}
		got := map[string]int{}
		for range 4 {
			got[<-results]++
		}
		if got["ana: {}"] != 2 || got["bob: {}"] != 1 || got["eve: {}"] != 1 {
			t.Errorf("%v", got)
		}
		if len(s.slots.of) != 0 || len(s.slots.all) != 0 {
			t.Errorf("left behind: %v, %d", s.slots.of, len(s.slots.all))
		}
	})
}

// Where no token is asked for, one that is sent makes nobody another principal; where
// one is, each has its own.
func TestWhoIsCounted(t *testing.T) {
	c := catalog("one", "a")
	c.Profiles[curate.DefaultProfile].Tools[0].Calls = curate.Rate{Calls: 1, Per: time.Hour}
	own := profiles(&curate.Profile{Name: curate.DefaultProfile, TokenEnv: []curate.Text{{Value: "A"}}})
	own.Profiles[curate.DefaultProfile].Tools = c.Profiles[curate.DefaultProfile].Tools
	access := func(*curate.Profile) Access {
		return Access{Tokens: []wp.Secret{wp.NewSecret("one"), wp.NewSecret("two")}}
	}
	for want, s := range map[string]*Server{
		"[one:true two:false one:false]": NewServer(c, Options{Site: answers(`{}`)}),
		"[one:true two:true one:false]":  NewServer(own, Options{Site: answers(`{}`), Access: access}),
	} {
		web := httptest.NewServer(s.Handler())
		var got []string
		for _, token := range []string{"one", "two", "one"} {
			r := send(t, nil, web.URL+"/mcp", modernCall("tools/call", `"name":"a"`), "Mcp-Name: a", "Authorization: Bearer "+token)
			got = append(got, fmt.Sprintf("%s:%t", token, !strings.Contains(r.message, "may be called")))
		}
		web.Close()
		if fmt.Sprint(got) != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
}
