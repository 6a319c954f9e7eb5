package doctor_test

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"flag"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolpress/discover/doctor"
	"toolpress/discover/wp"
	"toolpress/discover/wptest"
)

var update = flag.Bool("update", false, "rewrite docs/troubleshooting.md")

// authority signs the certificates of the test sites; this process trusts it
// and nothing else.
var authority = newAuthority("Example Trust")

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "doctor-")
	if err == nil {
		// Read by crypto/x509 at the first verification.
		file := filepath.Join(dir, "ca.pem")
		err = os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority.cert.Raw}), 0o600)
		_ = os.Setenv("SSL_CERT_FILE", file)
		_ = os.Setenv("SSL_CERT_DIR", dir)
	}
	if err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// today is the date in all these tests, here and on the sites.
var today = time.Date(2026, 6, 1, 23, 0, 0, 0, time.UTC)

// trouble is one site with something in its way.
type trouble struct {
	// name begins with the case of cases.md.
	name string
	// title and story are for docs/troubleshooting.md; without, it is not there.
	title, story string
	// front stands before the bookshop; nil lets everything through.
	front func(shop http.Handler) http.Handler
	// cert is the site's; zero is one that is in order.
	cert func() tls.Certificate
	// plain serves over http.
	plain bool
	// path of the address that is given.
	path string
	// opts change who asks and how; nil asks as the editor.
	opts func(*doctor.Options)
	// want are the checks that are not fine: ID, status and parts of the text.
	want []want
}

type want struct {
	id     string
	status doctor.Status
	texts  []string
}

func failed(id string, texts ...string) want { return want{id, doctor.Failed, texts} }
func warned(id string, texts ...string) want { return want{id, doctor.Warned, texts} }

// examine runs doctor on the site; what it prints has https://shop.example in
// the place of the test's address.
func (tr trouble) examine(t *testing.T) doctor.Report {
	t.Helper()
	shop := wptest.New()
	editor := shop.Users()[1]
	handler := http.Handler(shop)
	if tr.front != nil {
		handler = tr.front(shop)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", today.Format(http.TimeFormat))
		handler.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	if tr.plain {
		server.Start()
	} else {
		cert := tr.cert
		if cert == nil {
			cert = func() tls.Certificate { return authority.leaf(date(2090)) }
		}
		server.TLS = &tls.Config{Certificates: []tls.Certificate{cert()}}
		server.StartTLS()
	}
	t.Cleanup(server.Close)
	opts := doctor.Options{
		WP:  wp.Options{Credential: wp.Credential{User: editor.Login, Password: wp.NewSecret(editor.Password)}},
		Now: func() time.Time { return today },
	}
	if tr.opts != nil {
		tr.opts(&opts)
	}
	address, err := url.Parse(server.URL + tr.path)
	if err != nil {
		t.Fatal(err)
	}
	return renamed(doctor.Run(t.Context(), address, opts), address.Host)
}

// renamed puts the name of an example in the place of the test's address.
func renamed(r doctor.Report, host string) doctor.Report {
	name, _, _ := net.SplitHostPort(host)
	as := strings.NewReplacer(host, "shop.example", name, "shop.example")
	for i := range r.Checks {
		r.Checks[i].Evidence, r.Checks[i].Remedy = as.Replace(r.Checks[i].Evidence), as.Replace(r.Checks[i].Remedy)
	}
	return r
}

// check compares what is not fine with what the case expects.
func (tr trouble) check(t *testing.T) {
	t.Helper()
	report := tr.examine(t)
	var text strings.Builder
	if err := doctor.WriteText(&text, report.Checks); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", text.String())
	expected := map[string]want{}
	usable := true
	for _, w := range tr.want {
		expected[w.id] = w
		usable = usable && w.status != doctor.Failed
	}
	if report.OK != usable {
		t.Errorf("ok is %v", report.OK)
	}
	for _, c := range report.Checks {
		w, is := expected[c.ID]
		delete(expected, c.ID)
		if !is {
			w.status = doctor.Fine
		}
		if c.Status != w.status {
			t.Errorf("%s is %s, want %s: %s", c.ID, c.Status, w.status, c.Evidence)
		}
		if c.Status != doctor.Fine && c.Remedy == "" {
			t.Errorf("%s has no remedy", c.ID)
		}
		for _, part := range w.texts {
			if !strings.Contains(c.Evidence+"\n"+c.Remedy, part) {
				t.Errorf("%s does not say %q: %s → %s", c.ID, part, c.Evidence, c.Remedy)
			}
		}
	}
	for id := range expected {
		t.Errorf("no check %s", id)
	}
	tr.secretless(t, text.String())
}

// secretless fails when a password, its encoding or a query shows.
func (tr trouble) secretless(t *testing.T, text string) {
	t.Helper()
	for _, u := range wptest.New().Users() {
		if strings.Contains(text, u.Password) || strings.Contains(text, strings.ReplaceAll(u.Password, " ", "")) {
			t.Error("the password shows")
		}
	}
	for _, mark := range []string{"hunter2", "context=edit", "per_page", "<html", "<br", "\x1b", "token=s3cret"} {
		if strings.Contains(text, mark) {
			t.Errorf("%q shows", mark)
		}
	}
}

// sites runs the cases whose name begins with this one.
func sites(t *testing.T, name string) {
	t.Helper()
	ran := 0
	for _, tr := range troubles {
		if rest, is := strings.CutPrefix(tr.name, name+" "); is {
			ran++
			t.Run(strings.ReplaceAll(rest, " ", "_"), tr.check)
		}
	}
	if ran == 0 {
		t.Fatalf("no case begins with %s", name)
	}
}

// as asks with another password.
func as(user, password string) func(*doctor.Options) {
	return func(o *doctor.Options) {
		o.WP.Credential = wp.Credential{User: user, Password: wp.NewSecret(password)}
	}
}

func visitor(o *doctor.Options) { o.WP.Credential = wp.Credential{} }

// unresolved is the machine's resolver for a name that is not there.
func unresolved(_ context.Context, host string) ([]string, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}
