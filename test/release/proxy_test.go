package release

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	proxied = "tools.shop.example"
	// draft is a curation to edit while it is served.
	draft = "version: 1\nextends: [preset:wordpress@1]\ntools:\n  draft_post: { from: POST /wp/v2/posts, description: Create a draft., confirm: { when: never } }\n"
)

func TestNginx(t *testing.T) {
	text := read(t, filepath.Join(deploy, "nginx.conf"))
	lacks(t, text, "proxy_buffering off;", "proxy_read_timeout 1h;", "proxy_set_header Host $host;", "proxy_http_version 1.1;", "server_name "+proxied+";")
	program := "nginx"
	if _, err := exec.LookPath(program); err != nil {
		program = "/usr/sbin/nginx" // where Debian has it; not on every user's path
	}
	needs(t, program)
	front := newProxy(t)
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "listen [::]") { // one port is enough
			lines = append(lines, line)
		}
	}
	text = replaced(t, strings.Join(lines, ""), map[string]string{
		"listen 443 ssl http2;":                                  "listen " + front.address + " ssl http2;",
		"/etc/letsencrypt/live/tools.shop.example/fullchain.pem": front.certificate,
		"/etc/letsencrypt/live/tools.shop.example/privkey.pem":   front.key,
		"http://127.0.0.1:8080":                                  "http://" + front.behind,
	})
	conf := filepath.Join(front.dir, "nginx.conf")
	write(t, conf, "daemon off; worker_processes 1; pid "+front.dir+"/pid; error_log stderr;\nevents {}\nhttp { access_log off; client_body_temp_path "+
		front.dir+"/body; proxy_temp_path "+front.dir+"/proxy; fastcgi_temp_path "+front.dir+"/f; uwsgi_temp_path "+front.dir+"/u; scgi_temp_path "+front.dir+"/s;\n"+text+"}\n", 0o644)
	output(t, front.dir, environment(), program, "-t", "-p", front.dir, "-e", "stderr", "-c", conf)
	said, _ := start(t, front.dir, environment(), program, "-p", front.dir, "-e", "stderr", "-c", conf)
	front.try(t, said)
}

func TestCaddy(t *testing.T) {
	text := read(t, filepath.Join(deploy, "Caddyfile"))
	lacks(t, text, "\n"+proxied+" {\n", "reverse_proxy 127.0.0.1:8080 {", "flush_interval -1", "read_timeout 1h", "@mcp path /mcp /mcp/*")
	if strings.Count(text, "{") != strings.Count(text, "}") {
		t.Error("its braces do not match")
	}
	needs(t, "caddy")
	front := newProxy(t)
	text = replaced(t, text, map[string]string{
		"\n" + proxied + " {\n":        "\n{\n\tadmin off\n\tauto_https off\n\tgrace_period 1s\n}\nhttps://" + proxied + ":" + port(front.address) + " {\n\tbind 127.0.0.1\n\ttls " + front.certificate + " " + front.key + "\n",
		"reverse_proxy 127.0.0.1:8080": "reverse_proxy " + front.behind,
	})
	conf := filepath.Join(front.dir, "Caddyfile")
	write(t, conf, text, 0o644)
	said, _ := start(t, front.dir, environment("HOME="+front.dir, "XDG_DATA_HOME="+front.dir, "XDG_CONFIG_HOME="+front.dir), "caddy", "run", "--config", conf, "--adapter", "caddyfile")
	front.try(t, said)
}

// proxy is a web server in front of a toolpress: where both listen, and what
// the web server needs.
type proxy struct {
	dir, certificate, key string
	address, behind       string
	curation              string
	said                  *log // by toolpress
	roots                 *x509.CertPool
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	p := &proxy{dir: t.TempDir(), curation: curation(t, draft), roots: x509.NewCertPool()}
	p.certificate, p.key = filepath.Join(p.dir, "cert.pem"), filepath.Join(p.dir, "key.pem")
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{proxied}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	p.roots.AppendCertsFromPEM(certificate)
	write(t, p.certificate, string(certificate), 0o644)
	write(t, p.key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})), 0o600)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.address = free.Addr().String()
	_ = free.Close()
	p.behind, p.said, _ = serve(t, []string{"serve", "--curation", p.curation, "--allowed-host", proxied}, []string{"TOOLPRESS_SITE=" + wordpress(t), "TOOLPRESS_TOKEN=" + token})
	return p
}

// client calls the web server by its public name.
func (p *proxy) client(secret string) *http.Client {
	return &http.Client{Transport: bearer{secret, &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: p.roots},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, p.address)
		},
	}}}
}

type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}

// try is a client's visit in both eras: its token, the tools, a change that
// arrives through the stream at once, and nothing but /mcp.
func (p *proxy) try(t *testing.T, said *log) {
	t.Helper()
	code := func(client *http.Client, path string) int {
		resp, err := client.Get("https://" + proxied + path)
		if err != nil {
			return 0
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	await(t, said, "the web server", func() bool { return code(p.client(token), "/healthz") == http.StatusNotFound })
	if got := code(p.client(""), "/mcp"); got != http.StatusUnauthorized {
		t.Errorf("without the token: %d", got)
	}
	for era, name := range map[string]string{"2025-11-25": "write_post", "2026-07-28": "compose_post"} {
		t.Run(era, func(t *testing.T) {
			write(t, p.curation, draft, 0o644)
			changed := make(chan struct{}, 16)
			client := mcp.NewClient(&mcp.Implementation{Name: "release", Version: "1"}, &mcp.ClientOptions{
				ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
			})
			session := p.connect(t, client, era)
			defer func() { _ = session.Close() }()
			write(t, p.curation, strings.Replace(draft, "draft_post:", name+":", 1), 0o644)
			// The client listens aside: a change before that is told to nobody, and
			// another one has to come through. A stream that the web server has cut is
			// opened again.
			for again := 0; ; {
				select {
				case <-changed:
				case <-time.After(10 * time.Second):
					if again++; again == 3 {
						t.Fatalf("no notice came through; the logs:\n%s\n%s", said, p.said)
					}
					name += "_again"
					_ = session.Close()
					session = p.connect(t, client, era)
					write(t, p.curation, strings.Replace(draft, "draft_post:", name+":", 1), 0o644)
					continue
				}
				if listed(t, session, name) {
					break
				}
			}
		})
	}
	t.Run("listeners", func(t *testing.T) { p.listeners(t, said) })
}

// connect begins a session through the web server.
func (p *proxy) connect(t *testing.T, client *mcp.Client, era string) *mcp.ClientSession {
	t.Helper()
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "https://" + proxied + "/mcp", HTTPClient: p.client(token)},
		&mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func listed(t *testing.T, session *mcp.ClientSession, name string) bool {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Name == name {
			return true
		}
	}
	return false
}

// replaced exchanges texts that must each occur once.
func replaced(t *testing.T, text string, pairs map[string]string) string {
	t.Helper()
	for from, to := range pairs {
		if strings.Count(text, from) != 1 {
			t.Fatalf("%q occurs %d times in\n%s", from, strings.Count(text, from), text)
		}
		text = strings.Replace(text, from, to, 1)
	}
	return text
}

func port(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}
