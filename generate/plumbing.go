package generate

import (
	"slices"
	"strings"
)

// Plumbing is what only other software calls: the block editor, the admin's
// screens, another site that embeds a page. It works, and a curation that names
// it has it; a model that is given it with everything else only loses its way.

// plumbed are the routes of WordPress core and WooCommerce that are plumbing:
// those below a path, and of these only those with a part, written out, after a
// placeholder where there is one.
var plumbed = []struct{ below, part, why string }{
	{"", "autosaves", "the editor keeps a copy there while somebody writes"},
	{"/wp/v2", "revisions", "the editor compares earlier versions with it"},
	{"/wp/v2/block-directory", "", "the block editor looks for plugins with it"},
	{"/wp/v2/block-patterns", "", "the block editor fills its inserter with it"},
	{"/wp/v2/block-renderer", "", "the block editor previews a block with it"},
	{"/wp/v2/block-types", "", "the block editor fills its inserter with it"},
	{"/wp/v2/pattern-directory", "", "the block editor fills its inserter with it"},
	{"/wp/v2/font-collections", "", "the editor offers fonts with it"},
	{"/wp/v2/global-styles/themes", "", "the editor reads what a theme brings with it"},
	{"/wp/v2/icon-collections", "", "the editor offers icons with it"},
	{"/wp/v2/icons", "", "the editor offers icons with it"},
	{"/wp/v2/media", "finalize", "the editor ends an upload with it"},
	{"/wp/v2/media", "post-process", "the editor ends an upload with it"},
	{"/wp/v2/media", "sideload", "the editor uploads an image's sizes with it"},
	{"/wp/v2/template-parts/lookup", "", "the editor asks which template applies"},
	{"/wp/v2/templates/lookup", "", "the editor asks which template applies"},
	{"/wp/v2/users", "application-passwords", "it hands out credentials"},
	{"/wp/v2/view-config", "", "the admin lays out its lists with it"},
	{"/wp/v2/widget-types", "encode", "the widget editor keeps a form's state with it"},
	{"/wp/v2/widget-types", "render", "the widget editor previews a widget with it"},
	{"/oembed", "", "other sites embed a page with it"},
	{"/wp-abilities", "", "it lists the abilities, which are operations of their own"},
	{"/wp-block-editor", "", "the block editor calls it"},
	{"/wp-site-health", "", "the admin's Site Health screen calls it"},
	{"/wc-admin", "", "WooCommerce's admin screens call it"},
	{"/wc-admin-email", "", "WooCommerce's admin screens call it"},
	{"/wc-telemetry", "", "WooCommerce's mobile app reports to it"},
	{"/wc/private", "", "WooCommerce's own code calls it"},
	{"/wc/v3/paypal-buttons", "", "the checkout page calls it"},
	{"/wc/v3/paypal-standard", "", "PayPal calls it"},
	{"/wc/v3/paypal-webhooks", "", "PayPal calls it"},
	{"/wccom-site", "", "WooCommerce.com calls it"},
}

// plumbing says why a route is plumbing; empty when it is not.
func plumbing(namespace, path string) string {
	if path == "/" || path == "/"+namespace {
		return "it lists the site's routes"
	}
	var parts []string
	for _, p := range plumbed {
		rest, below := strings.CutPrefix(path, p.below)
		if !below || rest != "" && rest[0] != '/' {
			continue
		}
		if p.part == "" {
			return p.why
		}
		if parts == nil {
			parts = strings.Split(path, "/")
		}
		if at := slices.Index(parts, p.part); at > 0 && strings.HasPrefix(parts[at-1], "{") {
			return p.why
		}
	}
	return ""
}
