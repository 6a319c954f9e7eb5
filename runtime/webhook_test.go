package runtime

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/discover/wp"
)

const webhookSecret = "0123456789abcdef0123456789abcdef"

func signed(secret, text string) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// woo signs a body as WooCommerce does.
func woo(secret, body string) string {
	return wooSignature + ": " + base64.StdEncoding.EncodeToString(signed(secret, body))
}

// ours signs a body as our plugin does.
func ours(secret, body string, at time.Time) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	return signatureField + ": t=" + seconds + ",v1=" + hex.EncodeToString(signed(secret, seconds+"."+body))
}

// webhooks are a server that takes them, and how often it was told to ask the site.
type webhooks struct {
	s     *Server
	h     http.Handler
	said  *logs
	hints atomic.Int64
}

func newWebhooks(secret string) *webhooks {
	w := &webhooks{said: &logs{}}
	s := NewServer(catalog("one", "a"), Options{
		Webhook: wp.NewSecret(secret), Hint: func() { w.hints.Add(1) }, Log: w.said.logger(),
		Token: wp.NewSecret("canary-token"), AllowedHosts: []string{"tools.example"},
	})
	w.s, w.h = s, s.Handler()
	return w
}

// post sends one and returns the status; a header without a value is none.
func (w *webhooks) post(method, body string, headers ...string) int {
	r := httptest.NewRequest(method, "http://tools.example"+webhookPath, strings.NewReader(body))
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if r.Header.Set(name, value); name == "Host" {
			r.Host = value
		}
	}
	got := httptest.NewRecorder()
	w.h.ServeHTTP(got, r)
	return got.Code
}

// T39, R50: what is signed with the secret asks for a poll, and nothing else does.
// No bearer token is needed, nor one good for anything.
func TestCase_T39(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const order, ping = `{"id":727,"status":"pending"}`, "webhook_id=12"
		now, form := time.Now(), "Content-Type: application/x-www-form-urlencoded"
		large := `"` + strings.Repeat("x", maxWebhook) + `"`
		for i, c := range []struct {
			method, body string
			headers      []string
			status       int
		}{
			{"POST", order, []string{woo(webhookSecret, order)}, 202},
			{"POST", "", []string{woo(webhookSecret, "")}, 202},
			{"POST", order, []string{ours(webhookSecret, order, now)}, 202},
			{"POST", order, []string{ours(webhookSecret, order, now.Add(-4*time.Minute))}, 202},
			{"POST", order, []string{ours(webhookSecret, order, now.Add(4*time.Minute))}, 202},
			{"POST", ping, []string{form}, 200},

			{"POST", order, nil, 401},
			{"POST", "", nil, 401},
			{"POST", order, []string{wooSignature + ": "}, 401},
			{"POST", order, []string{wooSignature + ": !"}, 401},
			{"POST", order, []string{"Authorization: Bearer canary-token"}, 401},
			{"POST", order, []string{woo("", order)}, 401},
			{"POST", order, []string{woo(webhookSecret+" ", order)}, 401},
			{"POST", order, []string{woo(webhookSecret, order+"\n")}, 401},
			{"POST", order, []string{wooSignature + ": " + hex.EncodeToString(signed(webhookSecret, order))}, 401},
			{"POST", ping, []string{form, wooSignature + ": "}, 200}, // none is none
			{"POST", ping, []string{form, woo("", ping)}, 401},
			{"POST", "webhook_id=12&x=" + order, []string{form}, 401},
			{"POST", large, []string{woo(webhookSecret, large)}, 401},
			{"POST", order, []string{ours(webhookSecret, order, now.Add(-6*time.Minute))}, 401},
			{"POST", order, []string{ours(webhookSecret, order, now.Add(6*time.Minute))}, 401},
			{"POST", order, []string{ours("", order, now)}, 401},
			{"POST", order, []string{signatureField + ": v1=" + hex.EncodeToString(signed(webhookSecret, "."+order))}, 401},
			{"POST", order, []string{signatureField + ": t=" + strconv.FormatInt(now.Unix(), 10)}, 401},
			// One that is ours and wrong is not saved by the other.
			{"POST", order, []string{ours("", order, now), woo(webhookSecret, order)}, 401},

			{"GET", "", []string{woo(webhookSecret, "")}, 405},
			{"POST", order, []string{woo(webhookSecret, order), "Origin: https://evil.example"}, 403},
			{"POST", order, []string{woo(webhookSecret, order), "Host: evil.example"}, 403},
		} {
			w := newWebhooks(webhookSecret)
			want := int64(0)
			if c.status == 202 {
				want = 1
			}
			if got := w.post(c.method, c.body, c.headers...); got != c.status || w.hints.Load() != want {
				t.Errorf("%d: %s %.40q %v: %d, %d hints", i, c.method, c.body, c.headers, got, w.hints.Load())
			}
			if strings.Contains(w.said.String(), webhookSecret) || strings.Contains(w.said.String(), "pending") {
				t.Errorf("%d: the log has %s", i, w.said)
			}
		}
		// Without a secret there is no such place, whoever asks and however it is signed.
		off := newWebhooks("")
		if got := off.post("POST", "", woo("", "")); got != 404 || off.post("POST", ping, form) != 404 || off.hints.Load() != 0 {
			t.Errorf("without a secret: %d", got)
		}
	})
}

// T39: a delivery is taken once. WooCommerce's is another one with another id, as
// when the same happens again.
func TestReplayedWebhooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(webhookSecret)
		const body = `{"action":"switch_theme"}`
		for i, c := range []struct {
			header, delivery string
			status           int
		}{
			{woo(webhookSecret, body), "a", 202},
			{woo(webhookSecret, body), "a", 401},
			{woo(webhookSecret, body), "b", 202},
			{ours(webhookSecret, body, time.Now()), "c", 202},
			{ours(webhookSecret, body, time.Now()), "d", 401},
			{ours(webhookSecret, body, time.Now().Add(time.Second)), "c", 202},
		} {
			if got := w.post("POST", body, c.header, wooDelivery+": "+c.delivery); got != c.status {
				t.Errorf("%d: %d", i, got)
			}
		}
		for i := range 3 * maxDeliveries {
			body := strconv.Itoa(i)
			if got := w.post("POST", body, woo(webhookSecret, body)); got != 202 {
				t.Fatalf("%d: %d", i, got)
			}
		}
		if got, kept := w.hints.Load(), len(w.s.webhook.seen); got != 4+3*maxDeliveries || kept != maxDeliveries || len(w.s.webhook.order) != kept {
			t.Errorf("%d hints, %d deliveries are remembered", got, kept)
		}
	})
}

// A flood of wrong ones is told to come back and fills no log; it keeps the site's
// own out only where that is large.
func TestWrongWebhooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(webhookSecret)
		count := map[int]int{}
		for i := range 1000 {
			count[w.post("POST", fmt.Sprint(i), woo("another secret", fmt.Sprint(i)))]++
		}
		if logged := strings.Count(w.said.String(), "webhook refused"); count[401] != 10 || count[429] != 990 || logged != 10 {
			t.Errorf("%v, and %d lines", count, logged)
		}
		large := strings.Repeat("x", smallWebhook+1)
		if got := w.post("POST", "right", woo(webhookSecret, "right")); got != 202 {
			t.Errorf("a right one meanwhile: %d", got)
		}
		if got := w.post("POST", large, woo(webhookSecret, large)); got != 429 {
			t.Errorf("a large one meanwhile: %d", got)
		}
		time.Sleep(time.Minute)
		if got := w.post("POST", large, woo(webhookSecret, large)); got != 202 {
			t.Errorf("a large one later: %d", got)
		}
	})
}

// What is kept is dropped for a webhook, and for no wrong one.
func TestWebhookDropsAnswers(t *testing.T) {
	w := newWebhooks(webhookSecret)
	s := w.s
	s.cache.put(&kept{key: cacheKey{1}, gone: time.Now().Add(time.Hour)})
	if got := w.post("POST", "x", woo("", "x")); got != 401 || len(s.cache.entries) != 1 {
		t.Errorf("a wrong one: %d, %d are kept", got, len(s.cache.entries))
	}
	if got := w.post("POST", "x", woo(webhookSecret, "x")); got != 202 || len(s.cache.entries) != 0 {
		t.Errorf("a right one: %d, %d are kept", got, len(s.cache.entries))
	}
}
