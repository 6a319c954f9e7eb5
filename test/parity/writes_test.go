package parity

import "toolpress/discover/wp"

// postLife is a post from its first draft to its end.
func postLife() []call {
	return []call{
		{as: "editor", do: "POST /wp/v2/posts", body: `{"title":"Rare maps","content":"<!-- wp:paragraph -->\n<p>Ten maps.</p>\n<!-- /wp:paragraph -->","status":"draft","tags":[4]}`, save: "draft"},
		{as: "editor", do: "GET /wp/v2/posts/{draft}?context=edit"},
		{do: "GET /wp/v2/posts/{draft}"},
		{do: "GET /wp/v2/posts?search=Rare+maps"},
		{as: "editor", do: "GET /wp/v2/posts?search=Rare+maps&status=draft"},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{"title":{"raw":"Rare maps & globes"}}`},
		{as: "editor", do: "PATCH /wp/v2/posts/{draft}", body: `{"content":"Eleven maps.\n\nAnd a globe.","categories":[3],"excerpt":"Maps"}`},
		{as: "editor", do: "POST /wp/v2/posts/{draft}", body: `{"status":"publish"}`},
		{do: "GET /wp/v2/posts/{draft}"},
		{do: "GET /wp/v2/posts?search=Rare+maps"},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{"slug":"haiku-workshop"}`},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{"password":"quarto"}`},
		{do: "GET /wp/v2/posts/{draft}"},
		{do: "GET /wp/v2/posts/{draft}?password=quarto"},
		{do: "GET /wp/v2/posts/{draft}?password=wrong"},
		{as: "editor", do: "GET /wp/v2/posts/{draft}?context=edit"},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{"sticky":true}`},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{"password":"","sticky":true,"format":"aside","comment_status":"closed"}`},
		{do: "GET /wp/v2/posts?sticky=true"},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{"featured_media":19,"meta":{"footnotes":"[]","unknown":"x"}}`},
		{do: "GET /wp/v2/posts/{draft}?_embed=wp:featuredmedia,author&_fields=id,_links.wp:featuredmedia"},
		{do: "GET /wp/v2/posts?include={draft}&_embed=wp:featuredmedia&_fields=id,_links.wp:featuredmedia"},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{"featured_media":999}`},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{"date":"2031-05-06T07:08:09"}`},
		{do: "GET /wp/v2/posts/{draft}"},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{"date_gmt":"2025-05-06T07:08:09","status":"publish"}`},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{"status":"private","sticky":false}`},
		{do: "GET /wp/v2/posts/{draft}"},
		{as: "author", do: "GET /wp/v2/posts/{draft}"},
		{as: "editor", do: "GET /wp/v2/posts?status=private"},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{}`},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{"status":"publish"}`},
		{as: "editor", do: "DELETE /wp/v2/posts/{draft}"},
		{as: "editor", do: "DELETE /wp/v2/posts/{draft}"},
		{do: "GET /wp/v2/posts/{draft}"},
		{as: "editor", do: "GET /wp/v2/posts/{draft}"},
		{as: "editor", do: "GET /wp/v2/posts?status=trash"},
		{as: "editor", do: "PUT /wp/v2/posts/{draft}", body: `{"status":"draft"}`},
		{as: "editor", do: "DELETE /wp/v2/posts/{draft}?force=true"},
		{as: "editor", do: "GET /wp/v2/posts/{draft}"},
		{as: "editor", do: "DELETE /wp/v2/posts/{draft}?force=true"},
	}
}

// postRights is who may do what.
func postRights() []call {
	list := []call{}
	for _, as := range []string{"", "subscriber", "author", "editor", "stranger"} {
		if as != "author" { // he would be told to slow down, now or later
			list = append(list, call{as: as, do: "POST /wp/v2/comments", body: `{"post":6,"content":"Said by ` + as + `"}`, save: "comment" + as})
		}
		list = append(
			list,
			call{as: as, do: "POST /wp/v2/posts", body: `{"title":"Rights","status":"publish","slug":"rights"}`, save: "rights" + as},
			call{as: as, do: "PUT /wp/v2/posts/4", body: `{"title":"A New Year on Maple Street"}`},
			call{as: as, do: "PUT /wp/v2/posts/15", body: `{"title":"Holiday Gift Guide"}`},
			call{as: as, do: "DELETE /wp/v2/posts/5?force=zzz"},
			call{as: as, do: "DELETE /wp/v2/posts/999"},
			call{as: as, do: "POST /wp/v2/posts", body: `{"title":"x","author":1}`, save: "others" + as},
			call{as: as, do: "POST /wp/v2/posts", body: `{"title":"x","sticky":true}`, save: "sticky" + as},
			call{as: as, do: "POST /wp/v2/pages", body: `{"title":"x"}`, save: "page" + as},
			call{as: as, do: "PUT /wp/v2/pages/17", body: `{"title":"Visit Us"}`},
			call{as: as, do: "POST /wp/v2/categories", body: `{"name":"Shelf of ` + as + `"}`, save: "category" + as},
			call{as: as, do: "POST /wp/v2/tags", body: `{"name":"by ` + as + `"}`, save: "tag" + as},
			call{as: as, do: "PUT /wp/v2/tags/4", body: `{"description":""}`},
			call{as: as, do: "PUT /wp/v2/comments/2", body: `{"author_url":""}`},
			call{as: as, do: "POST /wp/v2/users", body: `{"username":"new","email":"new@example.com","password":"x"}`},
			call{as: as, do: "PUT /wp/v2/users/4", body: `{"name":"Sue Reader"}`},
			call{as: as, do: "POST /wp/v2/settings", body: `{"title":"Maple Street Books"}`},
		)
	}
	return list
}

// postFaults is what is wrong with a request.
func postFaults() []call {
	var list []call
	for _, name := range []string{"rightseditor", "rightsauthor", "otherseditor", "stickyeditor"} {
		list = append(list, call{as: "admin", do: "DELETE /wp/v2/posts/{" + name + "}?force=1"})
	}
	for _, c := range [][2]string{
		{"", ""},
		{"", `{}`},
		{"", `{"title":""}`},
		{"", `{"title":"x","status":"zzz"}`},
		{"", `{"title":"x","status":"trash"}`},
		{"", `{"title":`},
		{"", `[1]`},
		{"", `{"title":5}`},
		{"", `{"title":["x"]}`},
		{"", `{"title":"x","categories":"zzz"}`},
		{"", `{"title":"x","tags":[4,"x"]}`},
		{"", `{"title":"x","author":999}`},
		{"", `{"title":"x","date":"tomorrow"}`},
		{"", `{"title":"x","comment_status":"maybe","ping_status":"no","sticky":"perhaps"}`},
		{"", `{"title":"x","featured_media":"no"}`},
		{"", `{"id":4,"title":"x"}`},
		{"", `{"title":"x","format":"zzz"}`},
		{"", `{"title":"x","password":"p","sticky":true}`},
		{"/4", `{"author":999}`},
		{"/4", `{"status":"zzz"}`},
		{"/999", `{"title":"x"}`},
		{"/4", `{"date":null}`},
		{"/4", `{"categories":[999]}`},
		{"/4", `{"categories":[2]}`},
		{"/16", `{"title":"x"}`},
		{"/4", `{"template":"zzz"}`},
		{"/4", `{"meta":"x"}`},
		{"/4", `{"title":null}`},
	} {
		list = append(list, call{as: "editor", do: "POST /wp/v2/posts" + c[0], body: c[1], save: "any"})
	}
	return append(
		list,
		call{as: "editor", do: "POST /wp/v2/posts", body: "title=From+a+form&status=draft&tags[]=4&tags[]=5", header: []string{"Content-Type: application/x-www-form-urlencoded"}, save: "form"},
		call{as: "editor", do: "DELETE /wp/v2/posts/{form}?force=true"},
		call{as: "editor", do: "POST /wp/v2/posts/{form}?title=x"},
		call{as: "author", do: "DELETE /wp/v2/posts/6"},
		call{as: "author", do: "POST /wp/v2/posts", body: `{"title":"Mine","content":"x","status":"pending"}`, save: "mine"},
		call{as: "author", do: "PUT /wp/v2/posts/{mine}", body: `{"status":"publish"}`},
		call{as: "author", do: "PUT /wp/v2/posts/{mine}", body: `{"author":2}`},
		call{as: "author", do: "OPTIONS /wp/v2/posts/{mine}", skip: []string{"endpoints", "schema"}},
		call{as: "author", do: "DELETE /wp/v2/posts/{mine}"},
		call{as: "editor", do: "DELETE /wp/v2/posts/{mine}?force=true"})
}

func pages() []call {
	return []call{
		{do: "GET /wp/v2/pages"},
		{as: "editor", do: "GET /wp/v2/pages?context=edit&orderby=menu_order&order=asc"},
		{do: "GET /wp/v2/pages?parent=0&orderby=title&order=asc"},
		{do: "GET /wp/v2/pages?parent=16"},
		{do: "GET /wp/v2/pages?parent=x"},
		{do: "GET /wp/v2/pages?search=cat"},
		{do: "GET /wp/v2/pages?slug=visit-us&_fields=id,link"},
		{do: "GET /wp/v2/pages/16"},
		{do: "GET /wp/v2/pages/4"},
		{as: "author", do: "GET /wp/v2/pages/16?context=edit"},
		{as: "editor", do: "GET /wp/v2/pages/16?context=edit"},
		{as: "editor", do: "POST /wp/v2/pages", body: `{"title":"Map","content":"<p>Here.</p>","parent":17,"menu_order":3}`, save: "map"},
		{as: "editor", do: "PUT /wp/v2/pages/{map}", body: `{"status":"publish"}`},
		{do: "GET /wp/v2/pages?parent=17"},
		{as: "editor", do: "PUT /wp/v2/pages/{map}", body: `{"parent":999}`},
		{as: "editor", do: "PUT /wp/v2/pages/{map}", body: `{"categories":[2]}`},
		{as: "editor", do: "PUT /wp/v2/pages/17", body: `{"parent":{map}}`},
		{as: "editor", do: "PUT /wp/v2/pages/{map}", body: `{"parent":{map}}`},
		{as: "editor", do: "PUT /wp/v2/pages/17", body: `{"parent":0}`},
		{as: "editor", do: "PUT /wp/v2/pages/{map}", body: `{"parent":17,"slug":"the-map"}`},
		{do: "GET //visit-us/the-map/"},
		{as: "editor", do: "DELETE /wp/v2/pages/{map}"},
		{as: "editor", do: "DELETE /wp/v2/pages/{map}?force=true"},
	}
}

func terms() []call {
	var list []call
	for _, base := range []string{"categories", "tags"} {
		for _, query := range []string{
			"", "?per_page=1", "?per_page=1&page=2", "?page=9", "?per_page=101", "?search=e", "?orderby=count&order=desc", "?orderby=id", "?orderby=zzz", "?hide_empty=true",
			"?hide_empty=x", "?post=6", "?post=15", "?post=999", "?slug=news,fiction", "?include=2,4", "?exclude=2,4", "?context=edit", "?context=embed", "?_fields=id,name", "?_fields=id,_links.self", "?parent=0", "?per_page=2&offset=3", "?offset=1",
		} {
			list = append(list, call{do: "GET /wp/v2/" + base + query})
		}
		list = append(
			list,
			call{as: "editor", do: "GET /wp/v2/" + base + "?context=edit"},
			call{as: "author", do: "GET /wp/v2/" + base + "?post=15"},
			call{as: "author", do: "GET /wp/v2/" + base + "?context=edit"},
			call{do: "GET /wp/v2/" + base + "/999"},
			call{do: "GET /wp/v2/" + base + "/2"},
			call{do: "GET /wp/v2/" + base + "/4"},
			call{as: "editor", do: "GET /wp/v2/" + base + "/2?context=edit"},
			call{as: "subscriber", do: "GET /wp/v2/" + base + "/2?context=edit"},
			call{as: "editor", do: "POST /wp/v2/" + base, body: `{"name":"Rare Books","description":"Old ones"}`, save: "term"},
			call{as: "editor", do: "POST /wp/v2/" + base, body: `{"name":"Rare Books"}`},
			call{as: "editor", do: "POST /wp/v2/" + base, body: `{"name":"Other Books","slug":"rare-books"}`, save: "second"},
			call{as: "editor", do: "DELETE /wp/v2/" + base + "/{second}?force=true"},
			call{as: "editor", do: "POST /wp/v2/" + base, body: `{}`},
			call{as: "editor", do: "POST /wp/v2/" + base, body: `{"name":""}`},
			call{as: "editor", do: "POST /wp/v2/" + base, body: `{"name":"Child","parent":2}`, save: "child"},
			call{as: "editor", do: "POST /wp/v2/" + base, body: `{"name":"Orphan","parent":999}`, save: "orphan"},
			call{as: "editor", do: "PUT /wp/v2/" + base + "/{term}", body: `{"name":"Rarer Books","slug":"rarer"}`},
			call{do: "GET /wp/v2/" + base + "?slug=rarer"},
			call{as: "author", do: "PUT /wp/v2/" + base + "/{term}", body: `{"name":"Mine"}`},
			call{as: "editor", do: "PUT /wp/v2/" + base + "/{term}", body: `{"parent":{term}}`},
			call{as: "editor", do: "PUT /wp/v2/" + base + "/{term}", body: `{"name":"News"}`},
			call{as: "editor", do: "PUT /wp/v2/" + base + "/{term}", body: `{"slug":"news"}`},
			call{as: "editor", do: "PUT /wp/v2/" + base + "/{term}", body: `{"name":""}`},
			call{as: "author", do: "DELETE /wp/v2/" + base + "/{term}?force=true"},
			call{as: "editor", do: "DELETE /wp/v2/" + base + "/{term}"},
			call{as: "editor", do: "DELETE /wp/v2/" + base + "/{term}?force=true"},
			call{as: "editor", do: "DELETE /wp/v2/" + base + "/{child}?force=true"},
			call{as: "editor", do: "DELETE /wp/v2/" + base + "/{orphan}?force=true"},
			call{as: "editor", do: "DELETE /wp/v2/" + base + "/1?force=true"},
			call{as: "editor", do: "DELETE /wp/v2/" + base + "/{term}?force=true"},
		)
	}
	return list
}

func media() []call {
	upload := func(as string, header ...string) call {
		return call{as: as, do: "POST /wp/v2/media", file: picture(), header: header, save: "picture"}
	}
	query := func(query, name string, data []byte) call {
		c := upload("editor", "Content-Type: application/octet-stream", "Content-Disposition: "+wp.File{Name: name}.Disposition())
		c.do, c.file = c.do+query, data
		return c
	}
	return []call{
		{do: "GET /wp/v2/media"},
		{do: "GET /wp/v2/media/19"},
		{do: "GET /wp/v2/media/4"},
		{as: "editor", do: "GET /wp/v2/media/19?context=edit"},
		{as: "subscriber", do: "GET /wp/v2/media/19?context=edit"},
		{do: "GET /wp/v2/media?media_type=image"},
		{do: "GET /wp/v2/media?media_type=video"},
		{do: "GET /wp/v2/media?mime_type=image/png"},
		{do: "GET /wp/v2/media?media_type=zzz"},
		{do: "GET /wp/v2/media?_fields=id,caption.rendered,title.rendered,media_details.width"},
		{as: "editor", do: "GET /wp/v2/media?status=publish"},
		{as: "editor", do: "GET /wp/v2/media?status=private"},
		{do: "GET /wp/v2/media?context=edit"},
		{do: "GET /wp/v2/media?status=publish"},
		upload("editor", "Content-Type: image/png", `Content-Disposition: attachment; filename="window.png"`),
		{as: "editor", do: "GET /wp/v2/media/{picture}?context=edit"},
		{do: "GET /wp/v2/media?search=window"},
		{as: "editor", do: "POST /wp/v2/media/{picture}", body: `{"alt_text":"A window","caption":"Seen from inside","title":"The window","description":"x","post":4}`},
		{as: "editor", do: "GET /wp/v2/media?parent=4"},
		{as: "editor", do: "POST /wp/v2/media/{picture}", body: `{"post":19}`},
		{as: "editor", do: "POST /wp/v2/media/{picture}", body: `{"post":999}`},
		{as: "editor", do: "POST /wp/v2/media/{picture}", body: `{"post":4}`},
		{as: "author", do: "POST /wp/v2/media/{picture}", body: `{"alt_text":"No"}`},
		{as: "editor", do: "DELETE /wp/v2/media/{picture}"},
		{as: "editor", do: "DELETE /wp/v2/media/{picture}?force=true"},
		upload("author", "Content-Type: image/png", `Content-Disposition: attachment; filename=window.png`),
		{as: "author", do: "DELETE /wp/v2/media/{picture}?force=true"},
		upload("subscriber", "Content-Type: image/png", `Content-Disposition: attachment; filename="window.png"`),
		upload("", "Content-Type: image/png", `Content-Disposition: attachment; filename="window.png"`),
		upload("editor", "Content-Type: image/png"),
		upload("editor", "Content-Type: image/png", `Content-Disposition: inline`),
		upload("editor", "Content-Type: image/png", `Content-Disposition: attachment; filename="window.exe"`),
		// An upload as toolpress sends it: the arguments in the query.
		query("?title[raw]=The+window&alt_text=Seen+from+inside&caption[raw]=A+caption&post=4", "window.png", picture()),
		{as: "editor", do: "GET /wp/v2/media/{picture}?context=edit"},
		query("?post=17&status=private&slug=a-window&comment_status=closed&generate_sub_sizes=0&meta[x]=y", "window.png", picture()),
		query("", "café (1) — Über.png", picture()),
		query("?title=Photograph", "写真.PNG", picture()),
		query("", "a window.jpg", picture()), // it is renamed: the content tells
		query("", "window.png", []byte("no picture")),
		query("", "window.php", []byte("<?php echo 1;")),
		query("", "notes.txt", []byte("Some notes.")),
		query("?post=19", "window.png", picture()),
		query("?post=999", "window.png", picture()),
		query("?alt_text[]=x&comment_status=perhaps", "window.png", picture()),
		{as: "author", do: "POST /wp/v2/media?post=4", file: picture(), header: query("", "window.png", nil).header, save: "picture"},
		{as: "editor", do: "GET /wp/v2/media?per_page=10&_fields=slug,title,source_url,mime_type,alt_text,post"},
		{as: "editor", do: "POST /wp/v2/media"},
		{as: "editor", do: "POST /wp/v2/media", file: []byte("Some notes."), header: []string{"Content-Type: text/plain", "Content-Disposition: attachment; filename*=UTF-8''notes.txt"}, save: "notes"},
		{as: "editor", do: "DELETE /wp/v2/media/{notes}?force=true"},
	}
}
