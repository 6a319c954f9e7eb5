package wptest

// loops tells whether a page lies below itself
// (wp_check_post_hierarchy_for_loops).
func (s *Site) loops(p *post) bool {
	up := s.post(p.parent)
	for range s.posts {
		if up == nil {
			return false
		}
		if up.id == p.id {
			return true
		}
		up = s.post(up.parent)
	}
	return up != nil
}

// setDate reads date or date_gmt; publishing what never had a date gives it
// one, and what lies ahead waits (wp_insert_post).
func setDate(r *request, p *post) {
	for _, name := range []string{"date", "date_gmt"} {
		if value := r.str(name); value != "" {
			at, offset, _ := parseDate(value)
			if offset || name == "date_gmt" {
				at = toLocal(at)
			}
			p.date, p.undated = at, false
			break
		}
	}
	floating := p.status == "draft" || p.status == "pending"
	for _, name := range []string{"date", "date_gmt"} {
		if v, sent := r.sources[fromBody][name]; sent && v == nil {
			p.date, p.undated = now(), floating
		}
	}
	if p.undated && floating && p.id != 0 {
		p.date = now() // a draft's date follows its last change
	}
	if p.undated && !floating {
		p.date, p.undated = now(), false
	}
	switch {
	case p.status == "publish" && p.date.After(now()):
		p.status = "future"
	case p.status == "future" && !p.date.After(now()):
		p.status = "publish"
	}
}
