package wptest

// settingsRoutes are WP_REST_Settings_Controller's: the administrator's.
func settingsRoutes() []*route {
	allowed := func(r *request) *fault { return may(r.user.can("manage_options")) }
	read := func(r *request) (*answer, *fault) { return &answer{data: r.showSettings()}, nil }
	return []*route{{pattern: "/settings", resource: settingsResource, endpoints: []*endpoint{
		{methods: reads, allowed: allowed, handle: read},
		{methods: edits, args: settingsResource.written(false), allowed: allowed, handle: updateSettings},
	}}}
}

func updateSettings(r *request) (*answer, *fault) {
	var off []string
	for _, f := range settingsResource.fields {
		if !r.given(f.name) {
			continue
		}
		if r.get(f.name) == false && r.settings[f.name] == true {
			off = append(off, f.name)
		}
		r.settings[f.name] = r.get(f.name)
	}
	a := &answer{data: r.showSettings()}
	for _, name := range off {
		r.settings[name] = nil // stored as "", which the next reading finds is no boolean
	}
	return a, nil
}

func (r *request) showSettings() map[string]any {
	o := map[string]any{}
	for _, f := range settingsResource.fields {
		o[f.name] = r.settings[f.name]
	}
	if o["url"] == nil {
		o["url"] = r.home
	}
	return o
}
