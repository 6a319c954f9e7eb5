package doctor_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"toolpress/discover/doctor"
	"toolpress/discover/wptest"
)

var (
	adminPassword  = wptest.New().Users()[0].Password
	editorPassword = wptest.New().Users()[1].Password
)

func TestNothingWrong(t *testing.T) { sites(t, "W00") }
func TestAbilities(t *testing.T)    { sites(t, "W20") }
func TestOtherLogins(t *testing.T)  { sites(t, "W10") }
func TestNoSite(t *testing.T)       { sites(t, "W90") }

func TestCase_W50(t *testing.T) { sites(t, "W50") }
func TestCase_W51(t *testing.T) { sites(t, "W51") }
func TestCase_W52(t *testing.T) { sites(t, "W52") }
func TestCase_W53(t *testing.T) { sites(t, "W53") }
func TestCase_W54(t *testing.T) { sites(t, "W54") }
func TestCase_W55(t *testing.T) { sites(t, "W55") }
func TestCase_W56(t *testing.T) { sites(t, "W56") }
func TestCase_W58(t *testing.T) { sites(t, "W58") }
func TestCase_W59(t *testing.T) { sites(t, "W59") }
func TestCase_W60(t *testing.T) { sites(t, "W60") }
func TestCase_W61(t *testing.T) { sites(t, "W61") }
func TestCase_W62(t *testing.T) { sites(t, "W62") }
func TestCase_W65(t *testing.T) { sites(t, "W65") }
func TestCase_W66(t *testing.T) { sites(t, "W66") }
func TestCase_W69(t *testing.T) { sites(t, "W69") }
func TestCase_W72(t *testing.T) { sites(t, "W72") }
func TestCase_W73(t *testing.T) { sites(t, "W73") }

// A name that is not there, and a port where nothing listens.
func TestAddress(t *testing.T) {
	report := doctor.Run(t.Context(), &url.URL{Scheme: "https", Host: "shpo.example"}, doctor.Options{LookupHost: unresolved})
	if len(report.Checks) != 1 || report.OK || report.Checks[0].Evidence != "there is no such name as shpo.example" {
		t.Errorf("%+v", report)
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := closed.Addr().String()
	_ = closed.Close()
	report = doctor.Run(t.Context(), &url.URL{Scheme: "https", Host: at}, doctor.Options{})
	if failing := report.Failing(); len(failing) != 1 || failing[0].ID != "address" || !strings.Contains(failing[0].Evidence, "nothing listens on port") {
		t.Errorf("%+v", report)
	}
}

// A password never goes over plain http to another machine, not even to find
// out what is wrong.
func TestPlainHTTP(t *testing.T) {
	opts := doctor.Options{LookupHost: func(context.Context, string) ([]string, error) {
		t.Error("the name was looked up")
		return nil, nil
	}}
	as("editor", right)(&opts)
	report := doctor.Run(t.Context(), &url.URL{Scheme: "http", Host: "shop.example"}, opts)
	if failing := report.Failing(); len(failing) != 1 || failing[0].ID != "tls" {
		t.Errorf("%+v", report)
	}
}

// https where http is spoken, a server that does not answer, one that hangs up.
func TestBrokenServers(t *testing.T) {
	silent := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	}
	rude := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	}
	for _, tr := range []trouble{
		{name: "silent", front: silent, opts: func(o *doctor.Options) { o.WP.Timeout = 300 * time.Millisecond }, plain: true, want: []want{failed("answer", "does not answer within 300ms")}},
		{name: "rude", front: rude, want: []want{failed("answer", "ends the connection")}},
	} {
		t.Run(tr.name, tr.check)
	}
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = http.Serve(server, wptest.New()) }()
	defer server.Close()
	report := doctor.Run(t.Context(), &url.URL{Scheme: "https", Host: server.Addr().String()}, doctor.Options{})
	if failing := report.Failing(); len(failing) != 1 || failing[0].Evidence != "the server does not speak https on this port" {
		t.Errorf("%+v", report)
	}
}

// A server that is too old, and one that does not know the name.
func TestCase_W69_Handshake(t *testing.T) {
	stranger := func(*tls.ClientHelloInfo) (*tls.Config, error) { return nil, errors.New("no such name") }
	for _, c := range []struct {
		config *tls.Config
		want   string
	}{
		{&tls.Config{MaxVersion: tls.VersionTLS11}, "too old to be safe"},
		{&tls.Config{GetConfigForClient: stranger}, "the handshake breaks off"},
	} {
		server := httptest.NewUnstartedServer(wptest.New())
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		c.config.Certificates = []tls.Certificate{authority.leaf(date(2090))}
		server.TLS = c.config
		server.StartTLS()
		address, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		report := doctor.Run(t.Context(), address, doctor.Options{})
		if failing := report.Failing(); len(failing) != 1 || failing[0].ID != "tls" || !strings.Contains(failing[0].Evidence, c.want) {
			t.Errorf("%s: %+v", c.want, report)
		}
		server.Close()
	}
}

// The clock is the test's: it runs while the index is asked.
func TestSlowAndSkewed(t *testing.T) {
	now := today
	tr := trouble{
		front: func(shop http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/wp-json/" {
					now = now.Add(3 * time.Second)
				}
				w.Header().Set("Date", today.Add(11*time.Minute).Format(http.TimeFormat))
				shop.ServeHTTP(w, r)
			})
		},
		opts: func(o *doctor.Options) { o.Now = func() time.Time { return now } },
		want: []want{warned("speed", "the index took 3s"), warned("clock", "11 minutes ahead")},
	}
	tr.check(t)
}

// The order is fixed, and the JSON is what the documentation says.
func TestReport(t *testing.T) {
	report := trouble{}.examine(t)
	var ids []string
	for _, c := range report.Checks {
		ids = append(ids, c.ID)
	}
	const order = "address tls redirect firewall root json cache clock speed passwords credential rights abilities woocommerce"
	if got := strings.Join(ids, " "); got != order {
		t.Errorf("the order is %s", got)
	}
	text, err := json.Marshal(doctor.Report{Checks: report.Checks[:1], OK: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"checks":[{"id":"address","status":"ok","title":"Address","evidence":"shop.example"}],"ok":true}`; string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}
