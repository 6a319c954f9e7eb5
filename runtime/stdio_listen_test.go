package runtime

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/curate"
)

// Several listens on one pair of streams: each hears of each change, cancelling
// one leaves the others, the cancelled one hears nothing more, and every other
// ends with its result (R17).
func TestCase_R17(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{})
		c := overStdio(t, s)
		// said expects these lines, in any order.
		said := func(what string, want ...string) {
			t.Helper()
			synctest.Wait()
			got := map[string]int{}
			for len(c.lines) > 0 {
				got[<-c.lines]++
			}
			for _, line := range want {
				if got[line]--; got[line] == 0 {
					delete(got, line)
				}
			}
			if len(got) != 0 {
				t.Errorf("%s: too much or, below zero, too little: %v", what, got)
			}
		}
		for _, id := range []string{"1", "2", `"1"`} {
			c.say(listening(id))
			said("listening", acknowledged(id))
		}
		s.Swap(catalog("two", "a"))
		said("a change", changed("1"), changed("2"), changed(`"1"`))
		c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		said("cancelling")
		time.Sleep(2 * time.Second)
		s.Swap(catalog("three", "a"))
		said("a change after", changed("2"), changed(`"1"`))
		// The id is free again; one that is in use is not.
		c.say(listening("1"))
		said("again", acknowledged("1"))
		c.say(listening("1"))
		c.hear(`"id":1`, "-32600", "not answered yet")
		c.say(strings.Replace(modernCall("tools/list", ""), `"id":1`, `"id":2`, 1))
		c.hear(`"id":2`, "-32600")
		c.stop()
		if err := <-c.ended; err != nil {
			t.Error(err)
		}
		said("the end", closing("1"), closing("2"), closing(`"1"`))
	})
}

// A listen over streams is checked and bounded like one over HTTP.
func TestStdioListenRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{MaxStreamsEach: 1})
		c := overStdio(t, s)
		c.say(modernCall("subscriptions/listen", ""))
		c.hear(`"id":1`, "-32602", "notifications is missing")
		c.say(strings.Replace(listening("1"), "clientCapabilities", "x", 1))
		c.hear(`"id":1`, "-32602", "clientCapabilities")
		c.say(strings.Replace(listening("1"), `"jsonrpc":"2.0",`, "", 1))
		c.hear(`"id":1`, "-32600")
		c.say(modernCall("subscriptions/listen", `"notifications":{"promptsListChanged":true}`))
		c.hear(`"notifications":{}`)
		c.hear(closing("1"))
		c.say(listening("2"))
		c.hear(acknowledged("2"))
		c.say(listening("3"))
		c.hear(`"id":3`, "-32603", "too many streams of yours")
		_ = c.in.Close()
		if err := <-c.ended; err != nil {
			t.Error(err)
		}
		c.hear(closing("2"))
		c.quiet()
	})
}

// A session over streams is told of changes from its initialized on, without an
// id, also beside a listen.
func TestStdioSessionIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{})
		c := overStdio(t, s)
		c.say(initialized)
		s.Swap(catalog("two", "a"))
		time.Sleep(settle)
		c.quiet()
		c.say(hello)
		c.hear(`"id":0`)
		c.say(initialized)
		c.say(initialized)
		synctest.Wait()
		s.Swap(catalog("three", "a"))
		if line := c.hear(); line != told {
			t.Errorf("told %s", line)
		}
		time.Sleep(settle)
		c.quiet()
		c.stop()
		if err := <-c.ended; err != nil {
			t.Error(err)
		}
		c.quiet()
	})
}

// An output that takes nothing does not keep the process beyond the grace and a
// second (R26).
func TestStdioEndsWithoutAReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{Grace: 5 * time.Second})
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.ServeStdio(ctx, curate.DefaultProfile, inR, outW) }()
		_, _ = io.WriteString(inW, listening("1")+"\n")
		synctest.Wait()
		start := time.Now()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took != 6*time.Second {
			t.Errorf("it took %v", took)
		}
		_ = outR.Close()
		_ = inW.Close()
	})
}
