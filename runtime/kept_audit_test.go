package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// A tool whose answers are kept has its line in the audit like any other: a fault
// of ours is one, and no value that PHP or a panic holds is in the log.
func TestKeptCallsAreAudited(t *testing.T) {
	var failing error
	panics := false
	site := &upstream{who: "a", do: func(context.Context, wp.Request, int) (*wp.Response, error) {
		if panics {
			panic("CANARY")
		}
		if failing != nil {
			return nil, failing
		}
		return &wp.Response{Status: 200, Header: http.Header{}, JSON: json.RawMessage(`[{"id":1}]`)}, nil
	}}
	var audit bytes.Buffer
	log := &logs{}
	s := NewServer(shelf(t, ""), Options{Site: site, Audit: &audit, Log: log.logger()})
	line := func() (l struct {
		Outcome, Error string
		Status         int
	},
	) {
		t.Helper()
		if err := json.Unmarshal(audit.Bytes(), &l); err != nil {
			t.Fatalf("%v: %s", err, audit.Bytes())
		}
		audit.Reset()
		return l
	}
	panics = true
	if _, err := s.Call(t.Context(), curate.DefaultProfile, "list", json.RawMessage(`{"page":1}`)); err == nil {
		t.Error("a panic gave a result")
	}
	if l := line(); l.Outcome != outcomeInternal || strings.Contains(log.String(), "CANARY") {
		t.Errorf("a panic: %+v\n%s", l, log)
	}
	panics, failing = false, &wp.Error{Kind: wp.Refused, Status: 403, Code: "rest_forbidden", Sent: true, Method: "GET"}
	called(t, s, "list", `{"page":2}`)
	if l := line(); l.Outcome != outcomeFailed || l.Error != "rest_forbidden" || l.Status != 403 {
		t.Errorf("a refusal: %+v", l)
	}
	failing = nil
	called(t, s, "list", `{"page":3}`)
	if l := line(); l.Outcome != outcomeOK || l.Status != 200 {
		t.Errorf("an answer: %+v", l)
	}
	called(t, s, "list", `{"page":3}`)
	if l := line(); l.Outcome != outcomeOK || l.Status != 0 {
		t.Errorf("a kept answer: %+v", l)
	}
}

// Nobody is asked about a call that is being made already, and its line says that
// nothing was sent.
func TestNobodyIsAskedTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &till{takes: 5 * time.Second}
		audit := &logs{} // both calls write it
		s := NewServer(keyedOrders(t, byArgument, `, confirm: { when: always }`), Options{Site: site, Audit: audit})
		first := make(chan struct{})
		go func() {
			defer close(first)
			_, _ = s.Call(Confirmed(t.Context()), curate.DefaultProfile, "order", json.RawMessage(`{"item":1,"key":"k"}`))
		}()
		synctest.Wait()
		res, err := s.Call(t.Context(), curate.DefaultProfile, "order", json.RawMessage(`{"item":1,"key":"k"}`))
		if err != nil || !strings.Contains(whole(res), "is still being made") {
			t.Errorf("%v %v", res, err)
		}
		if !strings.Contains(audit.String(), `"outcome":"repeated"`) {
			t.Errorf("audit: %s", audit.String())
		}
		<-first
		if site.n.Load() != 1 {
			t.Errorf("the site was asked %d times", site.n.Load())
		}
	})
}
