package login

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"toolpress/test/running"
)

// chromium is a real browser, spoken to in the DevTools protocol over a pipe:
// messages in JSON, each ended by a zero byte.
type chromium struct {
	to      *os.File
	from    *bufio.Reader
	next    int
	session string
	profile string
	shots   string // prefix of screenshots; empty takes none
}

func newChromium(t *testing.T, path string) browser {
	t.Helper()
	theirIn, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := &chromium{to: to, from: bufio.NewReader(from), profile: t.TempDir()}
	if dir := os.Getenv("TOOLPRESS_TEST_SCREENSHOTS"); dir != "" {
		c.shots = filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "-"))
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--window-size=1000,1100", "--user-data-dir="+c.profile, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	t.Cleanup(func() {
		c.say(t, "Browser.close", nil)
		_ = cmd.Wait()
		to.Close()
		from.Close()
	})
	var target struct{ TargetID string }
	c.ask(t, "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	c.ask(t, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	c.session = attached.SessionID
	return c
}

func (c *chromium) say(t *testing.T, method string, params map[string]any) int {
	t.Helper()
	c.next++
	message := map[string]any{"id": c.next, "method": method, "params": params}
	if c.session != "" && !strings.HasPrefix(method, "Browser.") {
		message["sessionId"] = c.session
	}
	text, err := json.Marshal(message)
	if err == nil {
		_, err = c.to.Write(append(text, 0))
	}
	if err != nil {
		t.Errorf("speaking to chromium: %v", err)
	}
	return c.next
}

// ask waits for a method's result.
func (c *chromium) ask(t *testing.T, method string, params map[string]any, into any) {
	t.Helper()
	if refused := c.try(t, method, params, into); refused != "" {
		t.Fatalf("%s: %s", method, refused)
	}
}

// try is ask where chromium may refuse; events on the way are passed over.
func (c *chromium) try(t *testing.T, method string, params map[string]any, into any) (refused string) {
	t.Helper()
	id := c.say(t, method, params)
	for {
		text, err := c.from.ReadBytes(0)
		if err != nil {
			t.Fatalf("%s: chromium is gone: %v", method, err)
		}
		var m struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(text[:len(text)-1], &m); err != nil || m.ID != id {
			continue
		}
		if m.Error != nil {
			return m.Error.Message
		}
		if into != nil {
			if err := json.Unmarshal(m.Result, into); err != nil {
				t.Fatal(err)
			}
		}
		return ""
	}
}

// eval gives what an expression of the page says; empty while a page loads, and
// where the next one came in between.
func (c *chromium) eval(t *testing.T, expression string) string {
	t.Helper()
	var r struct{ Result struct{ Value any } }
	_ = c.try(t, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &r)
	s, _ := r.Result.Value.(string)
	return s
}

// await polls until the loaded page has what the selector names.
func (c *chromium) await(t *testing.T, selector string) {
	t.Helper()
	running.Await(t, patience, func() bool {
		return c.eval(t, `document.readyState === "complete" && document.querySelector("`+selector+`") ? "yes" : "no"`) == "yes"
	}, func() string { return "no " + selector + " in " + c.eval(t, "location.href + document.body.innerText") })
}

func (c *chromium) shoot(t *testing.T, name string) {
	t.Helper()
	if c.shots == "" {
		return
	}
	var shot struct{ Data string }
	c.ask(t, "Page.captureScreenshot", nil, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(c.shots+"-"+name+".png", png, 0o644)
	}
	if err != nil {
		t.Error(err)
	}
}

func (c *chromium) approve(t *testing.T, address, user string, yes bool) (at, page string) {
	t.Helper()
	c.ask(t, "Page.navigate", map[string]any{"url": address}, nil)
	c.await(t, "#user_login")
	c.eval(t, `user_login.value = user_pass.value = "`+user+`"; document.querySelector("#wp-submit").click()`)
	c.await(t, "#approve")
	c.shoot(t, "question")
	button := "#reject"
	if yes {
		button = "#approve"
	}
	c.eval(t, `document.querySelector("`+button+`").click()`)
	running.Await(t, patience, func() bool {
		return c.eval(t, `document.readyState === "complete" ? location.pathname : ""`) == "/done"
	}, func() string { return "the browser is at " + c.eval(t, "location.href + document.body.innerText") })
	c.shoot(t, "done")
	// The password must not be in what scripts of later pages, or a person, see.
	return c.eval(t, "location.href"), c.eval(t, `document.documentElement.outerHTML + "\n" + document.referrer + "\n" + JSON.stringify(performance.getEntries().map(e => e.name))`)
}
