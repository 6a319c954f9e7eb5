package wptest

import (
	"encoding/json"
	"slices"
	"strings"
)

// coreAbilities are the three WordPress brings (wp-includes/abilities.php).
func coreAbilities() []*ability {
	public := map[string]any{"public": true}
	return []*ability{
		{
			name: "core/get-site-info", label: "Get Site Information", category: "site", meta: public,
			about:   "Says how the site is called, where it is and how it is set up: all of it, or only the fields asked for.",
			input:   fieldsInput("name description url wpurl admin_email charset language version"),
			output:  fieldsOutput("name description url wpurl admin_email charset language version"),
			allowed: func(r *request) bool { return r.user.can("manage_options") },
			run: func(r *request, input any) (any, *fault) {
				return chosen(input, map[string]any{
					"name": r.settings["title"], "description": r.settings["description"], "url": r.home, "wpurl": r.home,
					"admin_email": r.settings["email"], "charset": "UTF-8", "language": "en-US", "version": Version,
				}), nil
			},
		},
		{
			name: "core/get-user-info", label: "Get User Information", category: "user", meta: public,
			about:   "Says who the credential is: all of it, or only the fields asked for.",
			input:   fieldsInput("id display_name user_nicename user_login roles locale first_name last_name nickname description user_url"),
			output:  fieldsOutput("id display_name user_nicename user_login roles locale first_name last_name nickname description user_url"),
			allowed: func(r *request) bool { return r.user != nil },
			run: func(r *request, input any) (any, *fault) {
				u := r.user
				return chosen(input, map[string]any{
					"id": u.id, "display_name": u.name, "user_nicename": u.slug, "user_login": u.login, "roles": strs(u.roles...), "locale": u.locale,
					"first_name": u.first, "last_name": u.last, "nickname": u.nickname, "description": u.about, "user_url": u.url,
				}), nil
			},
		},
		{
			name: "core/get-environment-info", label: "Get Environment Info", category: "site", meta: public,
			about:   "Says what the site runs on: all of it, or only the fields asked for.",
			input:   fieldsInput("environment php_version db_server_info wp_version"),
			output:  fieldsOutput("environment php_version db_server_info wp_version"),
			allowed: func(r *request) bool { return r.user.can("manage_options") },
			run: func(r *request, input any) (any, *fault) {
				return chosen(input, map[string]any{"environment": "local", "php_version": "none", "db_server_info": "none", "wp_version": Version}), nil
			},
		},
	}
}

// fieldsInput is the schema of an input that picks fields.
func fieldsInput(names string) string {
	list, _ := json.Marshal(strings.Fields(names))
	return `{"type":"object","properties":{"fields":{"type":"array","items":{"type":"string","enum":` + string(list) +
		`},"description":"Only these; leave out for all."}},"additionalProperties":false,"default":{}}`
}

// fieldsOutput describes the fields one could pick.
func fieldsOutput(names string) string {
	below := map[string]any{}
	for name := range strings.FieldsSeq(names) {
		title := strings.ReplaceAll(name, "_", " ")
		schema := map[string]any{"type": "string", "title": title, "description": "The " + title + "."}
		switch name {
		case "id":
			schema["type"] = "integer"
		case "roles":
			schema["type"], schema["items"] = "array", map[string]any{"type": "string"}
		case "environment":
			schema["enum"] = []string{"production", "staging", "development", "local"}
		}
		below[name] = schema
	}
	out, _ := json.Marshal(map[string]any{"type": "object", "properties": below, "additionalProperties": false})
	return string(out)
}

// chosen keeps the fields an input asks for, or all.
func chosen(input any, all map[string]any) map[string]any {
	object, _ := input.(map[string]any)
	names := listOf(object["fields"])
	if len(names) == 0 {
		return all
	}
	for name := range all {
		if !slices.Contains(names, any(name)) {
			delete(all, name)
		}
	}
	return all
}
