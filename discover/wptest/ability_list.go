package wptest

import (
	"maps"
	"net/http"
	"reflect"
	"strings"
)

func listAbilities(r *request) (*answer, *fault) {
	var found []*ability
	for _, a := range abilities {
		meta, _ := r.get("meta").(map[string]any)
		if a.hidden || a.there != nil && !a.there(r.Site) || !holds(a.shownMeta(), meta) {
			continue
		}
		if c := r.str("category"); c != "" && c != a.category {
			continue
		}
		if n := r.str("namespace"); n != "" && !strings.HasPrefix(a.name, n+"/") {
			continue
		}
		found = append(found, a)
	}
	part, p := cut(r, found)
	items := []any{}
	for _, a := range part {
		items = append(items, r.showAbility(a, r.str("context")))
	}
	return r.paged(items, p), nil
}

// holds tells whether all that is wanted is in the map, at any depth.
func holds(has, wanted map[string]any) bool {
	for name, value := range wanted {
		below, nested := has[name].(map[string]any)
		want, deeper := value.(map[string]any)
		switch {
		case nested && deeper:
			if !holds(below, want) {
				return false
			}
		case !reflect.DeepEqual(has[name], value):
			return false
		}
	}
	return true
}

func (a *ability) shownMeta() map[string]any {
	meta := map[string]any{"annotations": a.annotations, "show_in_rest": true, "public": false}
	maps.Copy(meta, a.meta)
	return meta
}

func (r *request) showAbility(a *ability, context string) map[string]any {
	shown := func(schema map[string]any) any {
		if len(schema) == 0 {
			return []any{} // PHP's empty array
		}
		return schema
	}
	at := "/wp-abilities/v1/abilities/" + a.name
	o := abilityResource.inContext(map[string]any{
		"name": a.name, "label": a.label, "description": a.about, "category": a.category,
		"input_schema": shown(a.inputSchema), "output_schema": shown(a.outputSchema), "meta": a.shownMeta(),
	}, context)
	o["_links"] = map[string]any{"self": r.self(at, nil), "collection": link(r.rest("/wp-abilities/v1/abilities")), "wp:action-run": link(r.rest(at + "/run"))}
	return o
}

func (r *request) showCategory(c category, context string) map[string]any {
	o := abilityCategoryResource.inContext(map[string]any{"slug": c.slug, "label": c.label, "description": c.about, "meta": []any{}}, context)
	base := "/wp-abilities/v1/categories"
	o["_links"] = map[string]any{
		"self": r.self(base+"/"+c.slug, nil), "collection": link(r.rest(base)), "abilities": link(r.rest("/wp-abilities/v1/abilities?category=" + c.slug)),
	}
	return o
}

func listCategories(r *request) (*answer, *fault) {
	part, p := cut(r, abilityCategories)
	items := []any{}
	for _, c := range part {
		items = append(items, r.showCategory(c, r.str("context")))
	}
	return r.paged(items, p), nil
}

func readCategory(r *request) (*answer, *fault) {
	for _, c := range abilityCategories {
		if c.slug == r.str("slug") {
			return &answer{data: r.showCategory(c, "view")}, nil
		}
	}
	return nil, failed(http.StatusNotFound, "rest_ability_category_not_found", "There is no such group.")
}
