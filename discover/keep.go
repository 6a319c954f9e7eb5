package discover

import "slices"

// Keep returns the site with nothing but what the named operations need: small
// enough for git, and enough to make their catalog from.
func (s *Site) Keep(ids []string) *Site {
	kept := *s
	kept.Routes, kept.Abilities = nil, nil
	for _, r := range s.Routes {
		if slices.ContainsFunc(ids, func(id string) bool { return r.has(id) }) {
			kept.Routes = append(kept.Routes, r)
		}
	}
	categories := map[string]bool{}
	for _, a := range s.Abilities {
		if slices.Contains(ids, "ability:"+a.Name) {
			kept.Abilities = append(kept.Abilities, a)
			categories[a.Category] = true
		}
	}
	kept.Categories = slices.DeleteFunc(slices.Clone(s.Categories), func(c Category) bool { return !categories[c.Slug] })
	return &kept
}

// has reports that an identity names an endpoint of the route.
func (r Route) has(id string) bool {
	return slices.ContainsFunc(r.Endpoints, func(e Endpoint) bool {
		return slices.ContainsFunc(e.Methods, func(m string) bool { return m+" "+r.Path == id })
	})
}
