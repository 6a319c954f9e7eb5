package parity

import "strings"

func users() []call {
	var list []call
	for _, as := range []string{"", "subscriber", "author", "editor", "admin"} {
		for _, path := range []string{
			"", "?context=edit", "?context=embed", "/1", "/2", "/3", "/4", "/999", "/3?context=edit", "/4?context=edit", "/me", "/me?context=edit", "?who=authors", "?roles=author",
			"?orderby=email", "?search=moore", "?search=example", "?_fields=id,avatar_urls.24", "/1?_fields=_links.self,avatar_urls", "?offset=1&per_page=1", "?has_published_posts=true", "?capabilities=edit_posts", "?per_page=1&page=2", "?slug=editor", "?include=1,3", "?exclude=1", "?orderby=id&order=desc",
		} {
			list = append(list, call{as: as, do: "GET /wp/v2/users" + path})
		}
	}
	return append(
		list,
		call{do: "GET /wp/v2/users?per_page=101"},
		call{do: "GET /wp/v2/users?orderby=zzz"},
		call{do: "GET /wp/v2/users?who=everybody"},
		call{do: "POST /wp/v2/users/me", body: `{"description":"x"}`},
		call{as: "author", do: "POST /wp/v2/users/me", body: `{"description":"Writes about maps."}`},
		call{as: "author", do: "GET /wp/v2/users/me"},
		call{as: "author", do: "POST /wp/v2/users/me", body: `{"description":""}`},
		call{as: "author", do: "POST /wp/v2/users/me", body: `{"roles":["administrator"]}`},
		call{as: "author", do: "POST /wp/v2/users/me", body: `{"email":"nonsense"}`},
		call{as: "author", do: "POST /wp/v2/users/me", body: `{"email":"editor@example.com"}`},
		call{as: "author", do: "POST /wp/v2/users/me", body: `{"locale":"zz"}`},
		call{as: "admin", do: "POST /wp/v2/users", body: `{}`},
		call{as: "admin", do: "POST /wp/v2/users", body: `{"username":"guest","email":"nonsense","password":"Maple-Street-12"}`},
		call{as: "admin", do: "POST /wp/v2/users", body: `{"username":"bad name!","email":"guest@example.com","password":"Maple-Street-12"}`},
		call{as: "admin", do: "POST /wp/v2/users", body: `{"username":"guest","email":"guest@example.com","password":"Maple-Street-12","roles":["zzz"]}`},
		call{as: "admin", do: "POST /wp/v2/users", body: `{"username":"guest","email":"guest@example.com","password":"Maple-Street-12","roles":["contributor"],"name":"Gus Guest"}`, save: "guest"},
		call{as: "admin", do: "POST /wp/v2/users", body: `{"username":"guest","email":"other@example.com","password":"Maple-Street-12"}`},
		call{as: "admin", do: "POST /wp/v2/users", body: `{"username":"guest2","email":"guest@example.com","password":"Maple-Street-12"}`},
		call{as: "admin", do: "GET /wp/v2/users/{guest}?context=edit"},
		call{as: "admin", do: "PUT /wp/v2/users/{guest}", body: `{"username":"other"}`},
		call{as: "admin", do: "PUT /wp/v2/users/{guest}", body: `{"name":"Gustav Guest","url":"https://guest.example"}`},
		call{as: "admin", do: "DELETE /wp/v2/users/{guest}"},
		call{as: "admin", do: "DELETE /wp/v2/users/{guest}?reassign=1"},
		call{as: "admin", do: "DELETE /wp/v2/users/{guest}?reassign=zzz&force=true"},
		call{as: "admin", do: "DELETE /wp/v2/users/{guest}?reassign=999&force=true"},
		call{as: "admin", do: "DELETE /wp/v2/users/{guest}?reassign=1&force=true"},
		call{as: "admin", do: "GET /wp/v2/users/{guest}"},
		call{as: "editor", do: "DELETE /wp/v2/users/4?reassign=1&force=true"},
		call{as: "admin", do: "DELETE /wp/v2/users/999?reassign=1&force=true"},
	)
}

func comments() []call {
	var list []call
	for _, as := range []string{"", "author", "editor"} {
		for _, path := range []string{
			"", "?context=edit", "?context=embed", "?post=6", "?post=15", "?post=0", "?post=999", "?status=hold", "?status=all", "?author_email=nora@example.com", "?search=cider", "?order=asc", "?orderby=id",
			"?orderby=zzz", "?per_page=1&page=2", "?page=9", "?parent=0", "?type=pingback", "?after=2025-02-16T00:00:00", "?include=2", "?exclude=2", "/2", "/2?context=edit", "/999", "?_fields=id,content.rendered", "?_fields=_links.self,author_avatar_urls.24", "/2?_fields=_links.self,content",
		} {
			list = append(list, call{as: as, do: "GET /wp/v2/comments" + path})
		}
	}
	return append(
		list,
		call{as: "editor", do: "POST /wp/v2/comments", body: `{"post":6,"content":"See you there."}`, save: "comment"},
		call{as: "editor", do: "POST /wp/v2/comments", body: `{"post":6,"content":"See you there."}`},
		call{as: "editor", do: "POST /wp/v2/comments", body: `{"post":6,"parent":{comment},"content":{"raw":"And you."}}`, save: "reply"},
		call{do: "GET /wp/v2/comments/{reply}"},
		call{do: "GET /wp/v2/comments/{comment}"},
		call{as: "editor", do: "POST /wp/v2/comments", body: `{"post":6,"content":""}`},
		call{as: "editor", do: "POST /wp/v2/comments", body: `{"content":"x"}`},
		call{as: "editor", do: "POST /wp/v2/comments", body: `{"post":999,"content":"x"}`},
		call{as: "editor", do: "POST /wp/v2/comments", body: `{"post":15,"content":"x"}`},
		call{as: "editor", do: "POST /wp/v2/comments", body: `{"post":16,"content":"x"}`},
		call{as: "editor", do: "POST /wp/v2/comments", body: `{"post":"x","content":"x","author_email":"x","author_ip":"x","date":"x"}`},
		call{as: "author", do: "POST /wp/v2/comments", body: `{"post":6,"content":"x","author":1}`},
		call{as: "author", do: "POST /wp/v2/comments", body: `{"post":6,"content":"x","status":"approved"}`},
		call{as: "author", do: "POST /wp/v2/comments", body: `{"post":6,"content":"x","author_ip":"10.0.0.1"}`},
		call{as: "author", do: "POST /wp/v2/comments", body: `{"post":7,"content":"On my own post."}`, save: "own"},
		call{as: "author", do: "POST /wp/v2/comments", body: `{"post":7,"content":"At once again."}`},
		call{as: "editor", do: "PUT /wp/v2/comments/{comment}", body: `{"content":"See you all there.","status":"hold"}`},
		call{do: "GET /wp/v2/comments/{comment}"},
		call{as: "editor", do: "GET /wp/v2/comments?status=hold"},
		call{as: "editor", do: "PUT /wp/v2/comments/{comment}", body: `{"status":"approved"}`},
		call{as: "editor", do: "PUT /wp/v2/comments/{comment}", body: `{"content":""}`},
		call{as: "editor", do: "PUT /wp/v2/comments/{comment}", body: `{"post":999}`},
		call{as: "editor", do: "PUT /wp/v2/comments/999", body: `{"content":"x"}`},
		call{as: "author", do: "PUT /wp/v2/comments/{own}", body: `{"content":"On my own post!"}`},
		call{as: "author", do: "DELETE /wp/v2/comments/{comment}"},
		call{as: "editor", do: "DELETE /wp/v2/comments/{reply}"},
		call{as: "editor", do: "DELETE /wp/v2/comments/{reply}"},
		call{as: "editor", do: "GET /wp/v2/comments?status=trash"},
		call{as: "editor", do: "DELETE /wp/v2/comments/{reply}?force=true"},
		call{as: "editor", do: "DELETE /wp/v2/comments/{comment}?force=true"},
		call{as: "editor", do: "DELETE /wp/v2/comments/{own}?force=true"},
		call{as: "editor", do: "GET /wp/v2/comments/{own}"},
		// What the trash does to a post's comments, restoring the post does not undo.
		call{as: "editor", do: "POST /wp/v2/posts", body: `{"title":"Said","content":"x","status":"publish"}`, save: "said"},
		call{as: "editor", do: "POST /wp/v2/comments", body: `{"post":{said},"content":"Well said."}`, save: "well"},
		call{as: "editor", do: "DELETE /wp/v2/posts/{said}"},
		call{as: "editor", do: "GET /wp/v2/comments/{well}"},
		call{as: "editor", do: "GET /wp/v2/comments?post={said}&status=all"},
		call{as: "editor", do: "PUT /wp/v2/posts/{said}", body: `{"status":"publish"}`},
		call{do: "GET /wp/v2/comments?post={said}"},
		call{do: "GET /wp/v2/comments/{well}"},
		call{as: "editor", do: "GET /wp/v2/comments?post={said}&status=post-trashed"},
		call{as: "editor", do: "PUT /wp/v2/comments/{well}", body: `{"status":"approved"}`},
		call{do: "GET /wp/v2/comments?post={said}"},
		call{as: "editor", do: "DELETE /wp/v2/posts/{said}?force=true"},
	)
}

// others are search, settings and what the site has of everything.
func others() []call {
	var list []call
	for _, query := range []string{
		"", "?search=book", "?search=book&per_page=1", "?search=book&per_page=1&page=2", "?search=book&page=99", "?search=zzzz", "?type=term", "?type=term&search=fic", "?type=post-format",
		"?type=zzz", "?subtype=page", "?subtype=post&search=haiku", "?subtype=zzz", "?type=term&subtype=category", "?type=term&subtype=post", "?context=embed", "?context=edit", "?include=4,16", "?per_page=x", "?search=the", "?search=story+hour", "?per_page=20", "?_fields=_links.self", "?_fields=id,url",
	} {
		list = append(list, call{do: "GET /wp/v2/search" + query})
	}
	for _, as := range []string{"", "subscriber", "author", "editor", "admin"} {
		for path := range strings.FieldsSeq("settings types types?context=edit types?context=embed types/post types/post?context=edit types/page?context=edit types/attachment types/zzz" +
			" types/wp_block?context=edit types/wp_template?context=edit statuses statuses?context=edit statuses?context=embed statuses/publish statuses/draft statuses/draft?context=edit statuses/trash statuses/zzz types?_fields=post.name types?_fields=name types/post?_fields=name,_links taxonomies taxonomies?context=edit taxonomies?type=post" +
			" taxonomies?type=page taxonomies/category taxonomies/post_tag?context=edit taxonomies/nav_menu taxonomies/nav_menu?context=edit taxonomies/zzz") {
			list = append(list, call{as: as, do: "GET /wp/v2/" + path})
		}
	}
	return append(
		list,
		call{as: "admin", do: "POST /wp/v2/settings", body: `{"title":"Maple Street Book Shop","start_of_week":0}`},
		call{do: "GET /?_fields=name"},
		call{as: "admin", do: "PUT /wp/v2/settings", body: `{"title":"Maple Street Books","start_of_week":1}`},
		call{as: "admin", do: "POST /wp/v2/settings", body: `{"start_of_week":"monday","email":"x","default_ping_status":"x"}`},
		call{as: "admin", do: "POST /wp/v2/settings", body: `{"nothing":1}`},
		call{as: "admin", do: "POST /wp/v2/settings", body: `{"bookshop_extra":"maybe"}`},
	)
}

// shop is the plugin's own namespace.
func shop() []call {
	var list []call
	for _, c := range [][3]string{
		{"", "GET /bookshop/v1/echo?s=a&n=1&list[]=1&list[]=2&obj[name]=x&obj[inner][tags][]=y", ""},
		{"", "GET /bookshop/v1/echo/some-id?x=1.5", ""},
		{"", "POST /bookshop/v1/echo", `{"s":"a"}`},
		{"editor", "POST /bookshop/v1/echo", `{"s":"a","n":1,"x":1.5,"b":true,"list":[1],"obj":{"inner":{}}}`},
		{"editor", "POST /bookshop/v1/echo", `{"s":`},
		{"editor", "DELETE /bookshop/v1/echo/7?s=x", ""},
		{"subscriber", "DELETE /bookshop/v1/echo", ""},
		{"", "GET /bookshop/v1/typed?s=a&n=1&x=1.5&b=false&list=1,2&words=a,b&obj[count]=3&obj[inner][flag]=1", ""},
		{"", "GET /bookshop/v1/typed?n=x&x=y&b=maybe&list=a,b", ""},
		{"", "GET /bookshop/v1/typed?n=1.5", ""},
		{"", "GET /bookshop/v1/typed?obj[count]=x", ""},
		{"", "GET /bookshop/v1/typed?obj=x&s[]=1", ""},
		{"", "GET /bookshop/v1/typed?list=&obj=", ""},
		{"editor", "POST /bookshop/v1/typed", `{"s":1,"n":"1","b":"1","list":["1",2],"words":"a b"}`},
		{"editor", "POST /bookshop/v1/typed", `{"s":1}`},
		{"editor", "POST /bookshop/v1/typed", `{"obj":{"inner":{"flag":"x"}}}`},
		{"editor", "POST /bookshop/v1/strange", `{}`},
		{"editor", "POST /bookshop/v1/strange", `{"name":"x"}`},
		{"editor", "POST /bookshop/v1/strange", `{"name":"x","size":"small","things":["a"]}`},
		{"editor", "POST /bookshop/v1/strange", `{"name":"x","size":"tiny"}`},
		{"editor", "POST /bookshop/v1/strange", `{"name":"x","nested":{"size":"small"}}`},
		{"", "GET /bookshop/v1/whole", ""},
		{"subscriber", "GET /bookshop/v1/whole", ""},
		{"subscriber", "GET /bookshop/v1/slow?ms=1", ""},
		{"subscriber", "GET /bookshop/v1/slow?ms=x", ""},
		{"subscriber", "GET /bookshop/v1/fail", ""},
		{"subscriber", "GET /bookshop/v1/fail?status=418&code=teapot&message=Short", ""},
		{"subscriber", "GET /bookshop/v1/fail?status=200", ""},
		{"", "GET /bookshop/v1/fail", ""},
		{"", "GET /bookshop/v1/cover/21", ""},
		{"", "HEAD /bookshop/v1/cover/21", ""},
		{"editor", "GET /bookshop/v1/sample/21", ""},
		{"", "GET /bookshop/v1/price-list", ""},
		{"", "GET /bookshop/v1/leaflet", ""},
		{"", "GET /bookshop/v1/logo", ""},
		{"", "GET /bookshop/v1/receipt/21", ""},
		{"", "HEAD /bookshop/v1/receipt/21", ""},
		{"subscriber", "GET /bookshop/v1/receipt/21", ""},
		{"subscriber", "POST /bookshop/v1/receipt/21", "{}"},
	} {
		list = append(list, call{as: c[0], do: c[1], body: c[2]})
	}
	return list
}
