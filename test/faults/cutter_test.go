package faults

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A cut is where a request's connection ends.
type cut int

const (
	nowhere    cut = iota // it is kept
	idle                  // it is closed behind the answer, as if it were kept
	before                // with the request's first byte
	within                // within the request: the site gets a part of it
	delivered             // with its last: the site does what it is asked
	answered              // with the answer's first byte
	withinBack            // within the answer
	cuts
)

func (c cut) String() string {
	return [...]string{"nowhere", "idle", "before", "within", "delivered", "answered", "within the answer"}[c]
}

// cutter hands on requests, on connections that it keeps, and cuts them where
// chance has it: the same for a seed and the number of the request.
type cutter struct {
	url, behind string
	seed        uint64
	on          atomic.Bool // before, nothing is cut
	n           atomic.Uint64
	cut         [cuts]atomic.Int64
	asks        sync.WaitGroup // of the site
}

// newCutter is a cutter before a site, which listens until the test ends.
func newCutter(t *testing.T, site string, seed uint64) *cutter {
	t.Helper()
	c := &cutter{behind: strings.TrimPrefix(site, "http://"), seed: seed}
	c.url = listen(t, c.serve)
	return c
}

// where is what becomes of the next request, and the dice for the rest of it.
func (c *cutter) where() (where cut, dice *rand.Rand) {
	if !c.on.Load() {
		return nowhere, nil
	}
	dice = rand.New(rand.NewPCG(c.seed, c.n.Add(1)))
	if dice.IntN(100) < 45 {
		where = 1 + cut(dice.IntN(int(cuts)-1))
	}
	c.cut[where].Add(1)
	return where, dice
}

// arrived is how many requests the site got whole, when it has answered them all.
func (c *cutter) arrived() (n int64) {
	c.asks.Wait()
	for _, where := range []cut{nowhere, idle, delivered, answered, withinBack} {
		n += c.cut[where].Load()
	}
	return n
}

// serve hands on the requests of one connection.
func (c *cutter) serve(client net.Conn) {
	var raw bytes.Buffer
	in := bufio.NewReader(io.TeeReader(client, &raw))
	for {
		if _, err := in.Peek(1); err != nil {
			return
		}
		where, dice := c.where()
		if where == before {
			reset(client)
			return
		}
		request, err := read(in, &raw)
		if err != nil {
			return
		}
		if where == within {
			request = request[:1+dice.IntN(len(request)-1)]
		}
		answer := make(chan []byte, 1)
		c.asks.Go(func() { answer <- c.ask(request, where == within) })
		switch where {
		case within, delivered:
			reset(client)
			return
		case answered:
			<-answer
			reset(client)
			return
		case withinBack:
			whole := <-answer
			_, _ = client.Write(whole[:dice.IntN(max(len(whole), 1))])
			if dice.IntN(2) == 0 {
				reset(client)
			}
			return
		}
		if _, err := client.Write(<-answer); err != nil || where == idle {
			return
		}
	}
}

// read takes one whole request off a connection, as it was sent.
func read(in *bufio.Reader, raw *bytes.Buffer) ([]byte, error) {
	r, err := http.ReadRequest(in)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil, err
	}
	request := bytes.Clone(raw.Bytes()) // nobody sends two at a time
	raw.Reset()
	return request, nil
}

// ask sends the site a request and returns its answer for a connection that is
// kept; of a part of one there is none.
func (c *cutter) ask(request []byte, part bool) []byte {
	site, err := net.Dial("tcp", c.behind)
	if err != nil {
		return nil
	}
	defer site.Close()
	if _, err := site.Write(request); err != nil || part {
		return nil
	}
	resp, err := http.ReadResponse(bufio.NewReader(site), nil)
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil
	}
	resp.Close, resp.ContentLength, resp.Body = false, int64(len(body)), io.NopCloser(bytes.NewReader(body))
	resp.Header.Del("Connection")
	whole, err := httputil.DumpResponse(resp, true)
	if err != nil {
		return nil
	}
	return whole
}
