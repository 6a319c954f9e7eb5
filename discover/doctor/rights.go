package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"toolpress/discover/wp"
)

// rights says whether the user may more than an agent should.
func (e *examination) rights(context.Context) bool {
	if e.me == nil {
		return true
	}
	capabilities, known := e.me.Capabilities.(map[string]any)
	administrator, _ := capabilities["manage_options"].(bool)
	if !known {
		for _, r := range wp.List(e.me.Roles) {
			administrator = administrator || r == "administrator"
		}
	}
	if administrator {
		e.warn("rights", "Rights", e.me.roles()+": may change settings, plugins and users (manage_options), which is more than an agent should",
			"make a user of its own with the role Editor or Author (Users → Add New) and an application password for that one")
		return true
	}
	e.fine("rights", "Rights", e.me.roles())
	return true
}

// abilities says whether the Abilities API is there and what it lists for us.
func (e *examination) abilities(ctx context.Context) bool {
	const name = "Abilities"
	if !e.site.has("wp-abilities/") {
		e.warn("abilities", name, "this WordPress has no Abilities API: it came with 6.9", "the REST routes work without; update WordPress for abilities")
		return true
	}
	said, err := e.probe.get(ctx, e.below(url.Values{"per_page": {"1"}}, "wp-abilities", "v1", "abilities"), e.opts.WP.Credential)
	if err != nil {
		e.warn("abilities", name, "their list does not come: "+plain(err.Error(), 120), "try again; the site's PHP error log says more")
		return true
	}
	var list []json.RawMessage
	code, _ := said.envelope()
	switch {
	case said.ok() && json.Unmarshal(said.json(), &list) == nil && len(list) == 0:
		e.warn("abilities", name, "the Abilities API is there and lists none to this user", "plugins register abilities; the REST routes work without")
	case said.ok():
		if total := plain(said.header.Get("X-Wp-Total"), 10); total != "" && total != "1" {
			e.fine("abilities", name, total+" are listed")
		} else {
			e.fine("abilities", name, "listed")
		}
	case said.status == http.StatusUnauthorized && e.anonymous():
		e.warn("abilities", name, "not listed to visitors", "they need a user: run toolpress login, or set TOOLPRESS_USER and TOOLPRESS_PASSWORD")
	case said.status == http.StatusUnauthorized || said.status == http.StatusForbidden:
		e.warn("abilities", name, fmt.Sprintf("not listed to this user (%d %s)", said.status, code), "the list needs a user who may \"read\": every role may, a user without a role on this site may not")
	default:
		e.warn("abilities", name, fmt.Sprintf("their list answers %d %s", said.status, code), "the REST routes work without")
	}
	return true
}

// shop says whether WooCommerce is there, and whether its own keys are taken.
func (e *examination) shop(ctx context.Context) bool {
	keys := e.opts.WP.Store
	switch {
	case !e.site.has("wc/v") && !keys.Anonymous():
		e.warn("woocommerce", "WooCommerce", "there are consumer keys, and no WooCommerce on this site", "take the keys away, or switch WooCommerce on")
	case !e.site.has("wc/v"):
		e.fine("woocommerce", "WooCommerce", "not on this site")
	case e.address.Scheme == "http":
		e.warn("woocommerce", "WooCommerce", "on this site, which is asked over http",
			"its consumer keys work over https only (over http it wants OAuth 1.0a, which toolpress does not sign); an application password works")
	case keys.Anonymous():
		e.fine("woocommerce", "WooCommerce", "on this site")
	default:
		e.keys(ctx, keys)
	}
	return true
}

// keys asks for one product with the consumer keys. WooCommerce answers 401 to whom
// it does not know, 403 to whom it does, and has a code of its own for a key whose
// secret or permission is wrong (WC_REST_Authentication).
func (e *examination) keys(ctx context.Context, keys wp.Credential) {
	said, err := e.probe.get(ctx, e.below(url.Values{"per_page": {"1"}, "_fields": {"id"}}, "wc", "v3", "products"), keys)
	if err != nil {
		e.warn("woocommerce", "WooCommerce", "asked with the consumer keys, it does not answer: "+plain(err.Error(), 120), "try again; the site's PHP error log says more")
		return
	}
	code, message := said.envelope()
	told := fmt.Sprintf("%d %s", said.status, code)
	switch {
	case said.ok():
		e.fine("woocommerce", "WooCommerce", "on this site, and takes the consumer keys")
	case code == "woocommerce_rest_cannot_view" && said.status == http.StatusUnauthorized:
		e.warn("woocommerce", "WooCommerce", "does not see who asks with the consumer keys: "+told,
			"the key is not one of this shop's, or was revoked; or WordPress does not know that it is asked over https (a proxy in front: set $_SERVER['HTTPS'] = 'on' in wp-config.php where HTTP_X_FORWARDED_PROTO is https); or the web server drops the Authorization header, as told under Sign-in")
	case code == "woocommerce_rest_cannot_view":
		e.warn("woocommerce", "WooCommerce", "knows the consumer keys, and does not let their user read products: "+told,
			"give the keys to a user with the role Shop manager: WooCommerce → Settings → Advanced → REST API")
	case code == "woocommerce_rest_authentication_error":
		e.warn("woocommerce", "WooCommerce", "knows the consumer key, and does not take it: "+told+" "+message,
			"either the secret is another key's, or the key may only write: give it Read or Read/Write under WooCommerce → Settings → Advanced → REST API, or make a new one there")
	default:
		e.warn("woocommerce", "WooCommerce", "does not take the consumer keys: "+told+" "+message,
			"make new ones under WooCommerce → Settings → Advanced → REST API, with the permission Read or Read/Write")
	}
}
