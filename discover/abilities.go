package discover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"toolpress/discover/wp"
)

// readAbilities reads all pages of the abilities and the categories. A site
// without the API, or one that does not let us read it, is a state, not an
// error: its routes are still there.
func (r *Root) readAbilities(ctx context.Context, into *Site) error {
	if !slices.ContainsFunc(into.Routes, func(route Route) bool { return route.Path == "/wp-abilities/v1/abilities" }) {
		into.AbilitiesAPI = AbilitiesAbsent
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, allPagesTimeout)
	defer cancel()
	into.AbilitiesAPI = AbilitiesListed
	seen := map[string]bool{}
	for page := 1; page <= maxPages; page++ {
		items, more, err := r.page(ctx, "abilities", page, into)
		var refused *wp.Error
		if page == 1 && errors.As(err, &refused) && refused.Kind == wp.Refused {
			switch refused.Status {
			case http.StatusUnauthorized, http.StatusForbidden:
				into.AbilitiesAPI = AbilitiesNotPermitted
				return nil
			case http.StatusNotFound:
				into.AbilitiesAPI = AbilitiesAbsent
				return nil
			}
		}
		if err != nil {
			return fmt.Errorf("reading the abilities, page %d: %w", page, err)
		}
		for _, item := range items {
			a := readAbility(item)
			switch {
			case a.Name == "":
				into.Notes = append(into.Notes, "an ability without a name; left out")
			case seen[a.Name]:
				into.Notes = append(into.Notes, fmt.Sprintf("ability %s is listed twice", a.Name))
			default:
				seen[a.Name] = true
				into.Abilities = append(into.Abilities, a)
			}
		}
		if !more {
			break
		}
	}
	slices.SortFunc(into.Abilities, func(a, b Ability) int { return cmp.Compare(a.Name, b.Name) })
	return r.readCategories(ctx, into)
}

// DecodeAbilities reads what GET /wp-abilities/v1/abilities answered, one page of it,
// as a site that has nothing else. Text around it is survived and noted (wp-cli in a
// container prints some). An answer that is not that list is an error that says what
// it is.
func DecodeAbilities(data []byte) (*Site, error) {
	found, noise, err := wp.ReadJSON(data)
	if err != nil {
		return nil, fmt.Errorf("no list of abilities: %w", err)
	}
	var answer any
	if err := decodeAny(found, &answer); err != nil {
		return nil, fmt.Errorf("no list of abilities: %w", err)
	}
	list, isList := answer.([]any)
	if !isList {
		said, _ := answer.(map[string]any)
		switch code := text(said["code"]); {
		case code != "":
			return nil, fmt.Errorf("no list of abilities, but the site's refusal %q: %q", code, text(said["message"]))
		case text(said["name"]) != "" && said["meta"] != nil:
			return nil, errors.New("one ability, and no list of them: put [ ] around it")
		}
		return nil, errors.New("neither a recording nor a list of abilities")
	}
	site := &Site{Format: Format, AbilitiesAPI: AbilitiesListed}
	site.noise("the abilities", noise)
	for i, item := range list {
		fields, _ := item.(map[string]any)
		a := readAbility(fields)
		if a.Name == "" {
			return nil, fmt.Errorf("no list of abilities: item %d has no name", i+1)
		}
		if !slices.ContainsFunc(site.Abilities, func(known Ability) bool { return known.Name == a.Name }) {
			site.Abilities = append(site.Abilities, a)
		}
	}
	slices.SortFunc(site.Abilities, func(a, b Ability) int { return cmp.Compare(a.Name, b.Name) })
	return site, nil
}

// readCategories reads what groups the abilities; they are described without it.
func (r *Root) readCategories(ctx context.Context, into *Site) error {
	items, _, err := r.page(ctx, "categories", 1, into)
	var refused *wp.Error
	if errors.As(err, &refused) && refused.Kind == wp.Refused {
		into.Notes = append(into.Notes, fmt.Sprintf("the ability categories cannot be read: %d %s", refused.Status, refused.Code))
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the ability categories: %w", err)
	}
	for _, item := range items {
		if slug := text(item["slug"]); slug != "" {
			into.Categories = append(into.Categories, Category{Slug: slug, Label: text(item["label"]), Description: text(item["description"])})
		}
	}
	slices.SortFunc(into.Categories, func(a, b Category) int { return cmp.Compare(a.Slug, b.Slug) })
	return nil
}

// page reads one page of a wp-abilities/v1 collection and tells whether there
// is another: by the header, by the next link, and never after a short page
// where neither is there.
func (r *Root) page(ctx context.Context, collection string, page int, into *Site) ([]map[string]any, bool, error) {
	resp, err := r.client.Do(ctx, wp.Request{
		Method:   http.MethodGet,
		Segments: []string{"wp-abilities", "v1", collection},
		Query:    wp.Query{{Name: "per_page", Value: perPage}, {Name: "page", Value: page}},
	})
	if err != nil {
		return nil, false, err
	}
	into.noise("the "+collection, resp.Noise)
	var items []map[string]any
	if err := decodeAny(resp.JSON, &items); err != nil {
		return nil, false, fmt.Errorf("the answer is not a list of objects: %w", err)
	}
	if total, err := strconv.Atoi(resp.Header.Get("X-WP-TotalPages")); err == nil {
		return items, page < total, nil
	}
	for _, link := range resp.Header.Values("Link") {
		if strings.Contains(link, `rel="next"`) {
			return items, true, nil
		}
	}
	return items, len(items) >= perPage, nil
}

func readAbility(item map[string]any) Ability {
	meta, _ := item["meta"].(map[string]any)
	return Ability{
		Name:         text(item["name"]),
		Label:        text(item["label"]),
		Description:  text(item["description"]),
		Category:     text(item["category"]),
		InputSchema:  schemaOrNil(item["input_schema"]),
		OutputSchema: schemaOrNil(item["output_schema"]),
		Meta:         meta,
	}
}

// schemaOrNil takes PHP's empty list for what it is: no schema at all.
func schemaOrNil(v any) any {
	if l, ok := v.([]any); ok && len(l) == 0 {
		return nil
	}
	if m, ok := v.(map[string]any); ok && len(m) == 0 {
		return nil
	}
	return v
}

// noise notes what a site printed around an answer.
func (s *Site) noise(what string, n wp.Noise) {
	if n.Before != "" {
		s.Notes = append(s.Notes, fmt.Sprintf("%s: the site printed text before its JSON: %q", what, n.Before))
	}
	if n.After != "" {
		s.Notes = append(s.Notes, fmt.Sprintf("%s: the site printed text after its JSON: %q", what, n.After))
	}
}
