package wptest

import "strings"

const termFields = `
id integer @vme ro | Its number.
count integer @ve ro | How many published posts have it.
description string @ve | What it is for.
link string @vme ro format=uri | The address of its archive.
name string @vme req | What it is called.
slug string @vme | The last part of its address.
`

const avatarSizes = `
	24 string @mve format=uri | 24 pixels wide.
	48 string @mve format=uri | 48 pixels wide.
	96 string @mve format=uri | 96 pixels wide.
`

var categoryResource = &resource{title: "category", whole: "*", base: "categories", fields: fields(termFields + `
taxonomy string @vme ro enum=category | The kind of term.
parent integer @ve | The number of the category above it.
meta object @ve properties=[] | Registered meta fields.
`)}

var tagResource = &resource{title: "tag", whole: "*", base: "tags", fields: fields(termFields + `
taxonomy string @vme ro enum=post_tag | The kind of term.
meta object @ve properties=[] | Registered meta fields.
`)}

var userResource = (&resource{title: "user", whole: "*", base: "users", fields: fields(strings.ReplaceAll(`
id integer @mve ro | Their number.
username string @e req own=username | What they log in with.
name string @mve | The name visitors see.
first_name string @e | Their first name.
last_name string @e | Their last name.
email string @e req format=email | Their e-mail address.
url string @mve format=uri | Their own site.
description string @mve | What they say about themselves.
link string @mve ro format=uri | The address of what they wrote.
locale string @e | Their language.
nickname string @e | Their nickname.
slug string @mve | The last part of their address.
registered_date string @e ro format=date-time | When they joined.
roles array @e of=string | Their roles.
password string @ req | Their password; never shown.
capabilities object @e ro | All they may do.
extra_capabilities object @e ro | Roles and rights given to them alone.
avatar_urls object @mve ro | Their picture.AVATARS
meta object @ve | Registered meta fields.
	persisted_preferences object @e title="" default=[] additionalProperties=true | Settings of the editor.
		_modified string format=date-time readonly=false | When they changed.
`, "AVATARS", strings.TrimRight(avatarSizes, "\n")))}).with("locale", "enum", strs("", "en_US"))

var commentResource = &resource{title: "comment", whole: "*", base: "comments", fields: fields(strings.ReplaceAll(`
id integer @vem ro | Its number.
author integer @vem | The number of the user who wrote it; 0 for a visitor.
author_email string @e format=email | The writer's e-mail address.
author_ip string @e format=ip | The writer's IP address.
author_name string @vem | The writer's name.
author_url string @vem format=uri | The writer's site.
author_user_agent string @e | The writer's browser.
content object @vem | What it says.
	raw string @e | As stored.
	rendered string @vem ro | As HTML.
date string @vem format=date-time | When it was written, in the site's own time.
date_gmt string @ve format=date-time | When it was written, in universal time.
link string @vem ro format=uri | Its address.
parent integer @vem default=0 | The number of the comment it answers.
post integer @ve default=0 | The number of the post it is on.
status string @ve | Its state, for instance approved or hold.
type string @vem ro default=comment | Its kind.
author_avatar_urls object @vem ro | The writer's picture.AVATARS
meta object @ve | Registered meta fields.
	_wp_note_status string title="" default="" enum=resolved,reopen | The state of an editor's note.
`, "AVATARS", strings.TrimRight(avatarSizes, "\n")))}

var searchResource = &resource{title: "search-result", base: "search", fields: fields(`
id integer,string @vm ro | The number of what was found.
title string @vm ro | Its title.
url string @vm ro format=uri | Its address.
type string @vm ro enum=post,term,post-format | Its kind.
subtype string @vm ro enum=post,page,category,post_tag | Its post type or taxonomy.
`)}

var settingsResource = &resource{title: "settings", base: "settings", fields: fields(`
bookshop_extra boolean title="" default=false | Whether the ability bookshop/new-arrivals exists.
title string title=Title default=null | The site's name.
description string title=Tagline default=null | A line below the name.
url string title="" default=null format=uri | The site's address.
email string title="" default=null format=email | Where the site writes to its owner.
timezone string title="" default=null | A city in the site's time zone.
date_format string title="" default=null | How dates are written.
time_format string title="" default=null | How times are written.
start_of_week integer title="" default=null | The first day of a week, 0 for Sunday.
language string title="" default=en_US | The site's language.
use_smilies boolean title="" default=true | Whether :-) becomes a picture.
default_category integer title="" default=null | The category of a post without one.
default_post_format string title="" default=null | The format of a post without one.
posts_per_page integer title=Maximum_posts_per_page default=10 | How many posts a page of the blog shows.
show_on_front string title=Show_on_front default=null | What the front page is: posts or page.
page_on_front integer title=Page_on_front default=null | The front page, when it is one.
page_for_posts integer title="" default=null | The page that lists posts.
default_ping_status string title="" default=null enum=open,closed | Whether new posts take pings.
default_comment_status string title=Allow_comments_on_new_posts default=null enum=open,closed | Whether new posts take comments.
site_logo integer title=Logo default=null | The number of the logo.
site_icon integer title=Icon default=null | The number of the icon.
`)}

const kindNames = `
name string @vem ro | What it is called.
slug string @vem ro | Its identifier.
`

const kindBase = `
rest_base string @vem ro | The name of its routes.
rest_namespace string @vem ro | The namespace of its routes.
`

var typeResource = (&resource{title: "type", base: "types", fields: fields(`
capabilities object @e ro | The rights it needs.
description string @ve ro | What it is for.
hierarchical boolean @ve ro | Whether one may lie below another.
viewable boolean @e ro | Whether visitors see it.
labels object @e ro | Its words on the admin's screens.
` + kindNames + `
supports object @e ro | What it has.
has_archive string,boolean @ve ro | Whether there is a list for visitors.
taxonomies array @ve ro of=string | Its kinds of terms.
` + kindBase + `
visibility object @e ro | Where it shows.
	show_ui boolean | Whether it has a screen.
	show_in_nav_menus boolean | Whether menus may hold it.
icon string,null @vem ro | Its icon.
template array @vem ro | The blocks a new one starts with.
template_lock string,boolean @vem ro | Whether those blocks may change.
`)}).with("template", "type", strs("array")).
	with("template_lock", "enum", []any{"all", "insert", "contentOnly", false})

var statusResource = &resource{title: "status", base: "statuses", fields: fields(`
name string @mve ro | What it is called.
private boolean @e ro | Whether only those with the right see such posts.
protected boolean @e ro | Whether editors only see such posts.
public boolean @ve ro | Whether everybody sees such posts.
queryable boolean @ve ro | Whether visitors may ask for such posts.
show_in_list boolean @e ro | Whether the admin's list shows such posts.
slug string @mve ro | Its identifier.
date_floating boolean @ve ro | Whether such posts have no date yet.
`)}

var taxonomyResource = &resource{title: "taxonomy", base: "taxonomies", fields: fields(`
capabilities object @e ro | The rights it needs.
description string @ve ro | What it is for.
hierarchical boolean @ve ro | Whether one may lie below another.
labels object @e ro | Its words on the admin's screens.
` + kindNames + `
show_cloud boolean @e ro | Whether a cloud of it may be shown.
types array @ve ro of=string | The post types that have it.
` + kindBase + `
visibility object @e ro | Where it shows.
	public boolean | For everybody.
	publicly_queryable boolean | In addresses.
	show_ui boolean | On a screen of its own.
	show_admin_column boolean | In the admin's list of posts.
	show_in_nav_menus boolean | In menus.
	show_in_quick_edit boolean | In quick edit.
`)}

// with sets a keyword of a field to what the table cannot say: an empty string
// or a boolean as a value, a type in a list of its own.
func (r *resource) with(name, key string, value any) *resource {
	for _, f := range r.fields {
		if f.name == name {
			f.schema[key] = value
		}
	}
	return r
}
