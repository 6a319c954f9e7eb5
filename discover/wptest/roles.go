package wptest

import (
	"maps"
	"strings"
)

const (
	authorCaps = "upload_files edit_posts edit_published_posts publish_posts read level_2 level_1 level_0 delete_posts delete_published_posts"
	editorCaps = authorCaps + " moderate_comments manage_categories manage_links unfiltered_html edit_others_posts edit_pages" +
		" level_7 level_6 level_5 level_4 level_3 edit_others_pages edit_published_pages publish_pages delete_pages" +
		" delete_others_pages delete_published_pages delete_others_posts delete_private_posts edit_private_posts read_private_posts" +
		" delete_private_pages edit_private_pages read_private_pages"
	adminCaps = editorCaps + " switch_themes edit_themes activate_plugins edit_plugins edit_users edit_files manage_options import" +
		" level_10 level_9 level_8 delete_users create_users unfiltered_upload edit_dashboard update_plugins delete_plugins" +
		" install_plugins update_themes install_themes update_core list_users remove_users promote_users edit_theme_options" +
		" delete_themes export"
)

// roles are core's, and what each may do (wp-admin/includes/schema.php,
// populate_roles).
var roles = map[string]map[string]bool{
	"administrator": capSet(adminCaps),
	"editor":        capSet(editorCaps),
	"author":        capSet(authorCaps),
	"contributor":   capSet("edit_posts read level_1 level_0 delete_posts"),
	"subscriber":    capSet("read level_0"),
}

func capSet(list string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		set[name] = true
	}
	return set
}

// caps are everything a user may do; nobody may nothing.
func (u *user) caps() map[string]bool {
	all := map[string]bool{}
	if u != nil {
		for _, role := range u.roles {
			maps.Copy(all, roles[role])
			maps.Copy(all, storeRoles[role])
			all[role] = true
		}
	}
	return all
}

// can reports a primitive capability.
func (u *user) can(capability string) bool { return u.caps()[capability] }

// canEdit, canDelete and canRead are core's meta capabilities edit_post,
// delete_post and read_post (wp-includes/capabilities.php, map_meta_cap).
func (u *user) canEdit(p *post) bool   { return u.canDo("edit", p) }
func (u *user) canDelete(p *post) bool { return u.canDo("delete", p) }

func (u *user) canDo(verb string, p *post) bool {
	if u == nil {
		return false
	}
	plural := p.kind.plural
	state := p.status
	if state == "trash" {
		state = p.before
	}
	published := state == "publish" || state == "future"
	if p.author == u.id {
		if published {
			return u.can(verb + "_published_" + plural)
		}
		return u.can(verb + "_" + plural)
	}
	ok := u.can(verb + "_others_" + plural)
	switch {
	case published:
		ok = ok && u.can(verb+"_published_"+plural)
	case state == "private":
		ok = ok && u.can(verb+"_private_"+plural)
	}
	return ok
}

func (s *Site) canRead(u *user, p *post) bool {
	switch status := p.status; {
	case status == "publish":
		return true
	case status == "inherit": // an attachment is read like what it belongs to
		parent := s.post(p.parent)
		return parent == nil || s.canRead(u, parent)
	case status == "private":
		return u != nil && (p.author == u.id && u.can("read") || u.can("read_private_"+p.kind.plural))
	}
	return u.canEdit(p)
}

// canEditUser is core's edit_user: oneself, or with the right.
func (u *user) canEditUser(other *user) bool {
	return u != nil && (u.id == other.id || u.can("edit_users"))
}
