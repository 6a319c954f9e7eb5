package runtime

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// webhookPath is where the site's webhooks are taken.
const webhookPath = "/webhook"

// Signatures of a webhook, both HMAC-SHA256 with the secret:
//
//	X-WC-Webhook-Signature: BASE64                 of the body (WC_Webhook::generate_signature)
//	Toolpress-Signature: t=SECONDS,v1=HEX          of "SECONDS." and the body
const (
	wooSignature   = "X-WC-Webhook-Signature"
	wooDelivery    = "X-WC-Webhook-Delivery-ID"
	signatureField = "Toolpress-Signature"
)

// Bounds of a webhook.
const (
	// maxWebhook bounds a body in bytes, smallWebhook where too many were wrong.
	maxWebhook, smallWebhook = 1 << 20, 64 << 10
	// webhookWindow is how far the site's clock may be from this one.
	webhookWindow = 5 * time.Minute
	// maxDeliveries bounds the deliveries that are remembered.
	maxDeliveries = 4096
)

// webhook takes what the site sends when it changes. It is a hint and never data:
// the body is hashed as it is read and kept nowhere. The signature lets it in, no
// bearer token does; a delivery is taken once. What is wrong is 401; of many wrong
// ones each is still checked, so that nobody keeps the site's own out, but no large
// body is read for them, and they are logged no more.
//
// WooCommerce signs no time: one that was recorded, and is sent with another
// delivery id, is taken. It can do no more than ask for a poll, and those are apart.
type webhook struct {
	s     *Server
	wrong *rate.Limiter

	mu    sync.Mutex // guards the rest
	seen  map[string]bool
	order []string // of seen, the oldest first
}

func newWebhook(s *Server) *webhook {
	return &webhook{s: s, wrong: rate.NewLimiter(rate.Every(6*time.Second), 10), seen: map[string]bool{}}
}

// ServeHTTP answers 202 to what is signed, 200 to the ping of WooCommerce, which is
// not, and else 401.
func (h *webhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !h.s.hostAllowed(r.Host):
		http.Error(w, "this Host is not served: the operator allows it with --allowed-host", http.StatusForbidden)
	case len(r.Header.Values("Origin")) > 0: // a page in a browser has no secret
		http.Error(w, "forbidden", http.StatusForbidden)
	case h.s.opts.Webhook.Empty():
		http.Error(w, "no webhook is taken here: the curation's site.webhook names what signs them", http.StatusNotFound)
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "a webhook is a POST", http.StatusMethodNotAllowed)
	case isPing(r):
		w.WriteHeader(http.StatusOK)
	default:
		h.take(w, r)
	}
}

func (h *webhook) take(w http.ResponseWriter, r *http.Request) {
	most := int64(maxWebhook)
	if h.wrong.Tokens() < 1 {
		most = smallWebhook
	}
	delivery, err := h.verify(r, most)
	if err == nil && !h.first(delivery) {
		err = errors.New("this delivery was here before")
	}
	h.s.metrics.webhook(err)
	if err == nil {
		h.s.Forget()
		h.s.opts.Hint()
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if !h.wrong.Allow() {
		w.Header().Set("Retry-After", "60")
		http.Error(w, "too many webhooks were wrong", http.StatusTooManyRequests)
		return
	}
	h.s.opts.Log.Warn("webhook refused", "cause", err)
	http.Error(w, err.Error(), http.StatusUnauthorized)
}

// isPing reports the request with which WooCommerce tries an address that somebody
// entered (WC_Webhook::deliver_ping): webhook_id=N as a form, without a signature.
// It says nothing, and WooCommerce wants 200.
func isPing(r *http.Request) bool {
	if r.Header.Get(wooSignature) != "" || r.Header.Get(signatureField) != "" || r.ContentLength > maxPing {
		return false
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxPing+1))
	return err == nil && ping.Match(body)
}

const maxPing = 40

var ping = regexp.MustCompile(`^webhook_id=\d{1,20}$`)

// verify checks a signature and returns what names the delivery. The error says
// what is wrong with it, and tells nothing that its sender does not know.
func (h *webhook) verify(r *http.Request, most int64) (delivery string, err error) {
	ours, woo := r.Header.Get(signatureField), r.Header.Get(wooSignature)
	var signature []byte
	mac := hmac.New(sha256.New, []byte(h.s.opts.Webhook.Reveal()))
	switch {
	case ours != "":
		var at string
		if at, signature, err = parseSignature(ours); err != nil {
			return "", err
		}
		_, _ = io.WriteString(mac, at+".") // a hash takes all
	case woo != "":
		if signature, err = base64.StdEncoding.Strict().DecodeString(woo); err != nil {
			return "", fmt.Errorf("%s is not base64", wooSignature)
		}
		delivery = r.Header.Get(wooDelivery)
	default:
		return "", fmt.Errorf("it is not signed: %s or %s is missing", signatureField, wooSignature)
	}
	if r.ContentLength > most {
		return "", fmt.Errorf("the body is larger than %d bytes", most)
	}
	n, err := io.Copy(mac, io.LimitReader(r.Body, most+1))
	switch {
	case err != nil:
		return "", errors.New("the body could not be read")
	case n > most:
		return "", fmt.Errorf("the body is larger than %d bytes", most)
	case !hmac.Equal(mac.Sum(nil), signature):
		return "", errors.New("the signature is another: the secret differs, or the body was changed on its way")
	}
	// A delivery id is 32 characters; whatever else is there is the sender's own.
	return string(signature) + delivery[:min(len(delivery), 64)], nil
}

// parseSignature reads t=SECONDS,v1=HEX and checks the time.
func parseSignature(field string) (at string, signature []byte, err error) {
	for part := range strings.SplitSeq(field, ",") {
		switch key, value, _ := strings.Cut(strings.TrimSpace(part), "="); key {
		case "t":
			at = value
		case "v1":
			signature, err = hex.DecodeString(value)
		}
	}
	seconds, errTime := strconv.ParseInt(at, 10, 64)
	if err != nil || errTime != nil || len(signature) == 0 {
		return "", nil, fmt.Errorf("%s is to be t=SECONDS,v1=HEX", signatureField)
	}
	if off := time.Since(time.Unix(seconds, 0)); off.Abs() > webhookWindow {
		return "", nil, fmt.Errorf("it was signed more than %v from now: is it old, or is a clock wrong?", webhookWindow)
	}
	return at, signature, nil
}

// first reports that a delivery was not here before, and remembers it. Only what
// is signed is remembered.
func (h *webhook) first(delivery string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seen[delivery] {
		return false
	}
	if len(h.order) == maxDeliveries {
		delete(h.seen, h.order[0])
		h.order = h.order[1:]
	}
	h.seen[delivery] = true
	h.order = append(h.order, delivery)
	return true
}
