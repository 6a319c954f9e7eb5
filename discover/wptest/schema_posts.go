package wptest

import "strings"

const postTop = `
date string,null @vem format=date-time | When it is published, in the site's own time.
date_gmt string,null @ve format=date-time | When it is published, in universal time.
guid object @ve ro | The identifier feeds use.
	raw string @e ro | As stored.
	rendered string @ve ro | As shown.
id integer @vem ro | Its number.
link string @vem ro format=uri | Its address for visitors.
modified string @ve ro format=date-time | When it last changed, in the site's own time.
modified_gmt string @ve ro format=date-time | When it last changed, in universal time.
slug string @vem | The last part of its address.
status string @ve enum=publish,future,draft,pending,private | Its state: publish shows it to everybody, draft to editors only.
type string @vem ro | Its post type.
`

const postIdentity = `
permalink_template string @e ro | Its address with a place for the slug.
generated_slug string @e ro | The slug it would get from its title.
class_list array @ve ro of=string | Names of CSS classes for it.
`

const postTitle = `
title object @vem | The headline.
	raw string @e | As stored.
	rendered string @vem ro | As HTML.
`

const postText = `
content object @ve | The text.
	raw string @e | As stored, with its block comments.
	rendered string @ve ro | As HTML.
	block_version integer @e ro | The version of the block format, 0 without blocks.
	protected boolean @vem ro | Whether a password hides it.
author integer @vem | The number of the user who wrote it.
excerpt object @vem | A summary.
	raw string @e | As stored.
	rendered string @vem ro | As HTML, made from the text when none is stored.
	protected boolean @vem ro | Whether a password hides it.
`

const postCommon = `
featured_media integer @vem | The number of the picture that stands for it; 0 for none.
comment_status string @ve enum=open,closed | Whether comments are taken.
ping_status string @ve enum=open,closed | Whether pings are taken.
`

const postMeta = `
meta object @ve | Registered meta fields.
	footnotes string title="" default="" | Footnotes, as JSON.
`

const postTemplate = `
template string @ve | The theme's template for it.
`

const postFormat = `
format string @ve enum=standard,aside,chat,gallery,link,image,quote,status,video,audio | Its format.
`

const passwordField = `
password string @e | A password visitors have to give.
`

var actionTargets = map[string]map[string]any{
	"publish":           {"status": map[string]any{"type": "string", "enum": strs("publish", "future")}},
	"unfiltered-html":   {"content": map[string]any{"raw": map[string]any{"type": "string"}}},
	"sticky":            {"sticky": map[string]any{"type": "boolean"}},
	"assign-author":     {"author": map[string]any{"type": "integer"}},
	"assign-categories": {"categories": listOfIDs},
	"create-categories": {"categories": listOfIDs},
	"assign-tags":       {"tags": listOfIDs},
	"create-tags":       {"tags": listOfIDs},
}

var listOfIDs = map[string]any{"type": "array", "items": map[string]any{"type": "integer"}}

var postResource = &resource{
	title: "post", base: "posts",
	actions: strings.Fields("publish unfiltered-html sticky assign-author assign-categories create-categories assign-tags create-tags"),
	fields: fields(postTop + passwordField + postIdentity + postTitle + postText + postCommon + postFormat + postMeta + `
sticky boolean @ve | Whether it stays on top of the front page.
` + postTemplate + `
categories array @ve of=integer | The numbers of its categories.
tags array @ve of=integer | The numbers of its tags.
`),
}

var pageResource = &resource{
	title: "page", base: "pages", actions: strings.Fields("publish unfiltered-html assign-author"),
	fields: fields(postTop + passwordField + postIdentity + `
parent integer @ve | The number of the page above it.
` + postTitle + postText + postCommon + `
menu_order integer @ve | Its place among its siblings.
` + postMeta + postTemplate),
}

var mediaResource = &resource{
	title: "attachment", base: "media", whole: "caption description media_details image_quality", actions: strings.Fields("unfiltered-html assign-author"),
	fields: fields(postTop + postIdentity + postTitle + `
author integer @vem | The number of the user who uploaded it.
` + postCommon + `
meta object @ve properties=[] | Registered meta fields.
` + postTemplate + `
alt_text string @vem | What a reader who cannot see it is told.
caption object @vem | What stands below it.
	raw string @e | As stored.
	rendered string @vem ro | As HTML.
description object @ve | What its own page says.
	raw string @e | As stored.
	rendered string @ve ro | As HTML.
media_type string @vem ro enum=image,file | Whether it is a picture.
mime_type string @vem ro | Its MIME type.
media_details object @vem ro | Sizes and metadata of the file.
post integer @ve | The number of the post it belongs to.
source_url string @vem ro format=uri | The file's address.
missing_image_sizes array @e ro of=string | Sizes that were not made.
filename string @ve ro | The file's name.
filesize integer,null @ve ro | The file's size in bytes.
exif_orientation integer @e ro | How the camera was held, 1 to 8.
image_quality object @e ro | The quality sizes are made with.
	default integer minimum=1 maximum=100 | For all sizes.
	sizes object | For one size.
		thumbnail integer minimum=1 maximum=100 | For thumbnail.
		medium integer minimum=1 maximum=100 | For medium.
		medium_large integer minimum=1 maximum=100 | For medium_large.
		large integer minimum=1 maximum=100 | For large.
		1536x1536 integer minimum=1 maximum=100 | For 1536x1536.
		2048x2048 integer minimum=1 maximum=100 | For 2048x2048.
image_output_format string,null @e ro | The MIME type sizes are made in.
image_save_progressive boolean @e ro | Whether sizes are progressive.
`),
}
