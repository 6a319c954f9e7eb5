package parity

import (
	"bytes"
	"image"
	"image/png"
	"slices"
)

// table is what both sites are asked, in this order: later requests see what
// earlier ones wrote.
func table() []call {
	return slices.Concat(fronts(), options(), abilities(), runs(), inputs(), posts(), postLife(), postRights(), postFaults(), pages(), terms(), media(), users(), comments(), others(), shop())
}

func fronts() []call {
	routes := []string{"routes", "namespaces"}
	return []call{
		{"", "GET //", "", "", nil, nil, nil, nil},
		{"", "HEAD //", "", "", nil, nil, nil, nil},
		{"", "GET //nowhere/", "", "", nil, nil, nil, nil},
		{"", "GET //about-the-shop/", "", "", nil, nil, nil, nil},
		{"", "GET //2025/01/04/a-new-year-on-maple-street/", "", "", nil, nil, nil, nil},
		{"", "GET //?p=4", "", "", nil, nil, nil, nil},
		{do: "GET //wp-json/", skip: routes},
		{do: "GET //wp-json", skip: routes},
		{do: "HEAD /", skip: routes},
		{as: "admin", do: "GET /", skip: routes},
		{do: "GET /?context=help", skip: routes},
		{do: "GET //?rest_route=/", skip: routes},
		{do: "GET //index.php?rest_route=/", skip: routes},
		{do: "GET //?rest_route=/wp/v2/posts/4&_fields=id"},
		{do: "GET /?_fields=name,url"},
		{do: "GET /wp/v2", skip: []string{"routes"}},
		{do: "GET /wp/v2/", skip: []string{"routes"}},
		{do: "GET /bookshop/v1"},
		{do: "GET /wp-abilities/v1"},
		{do: "GET /wp/v2/nothing"},
		{do: "POST /wp/v2/nothing"},
		{do: "PUT /wp/v2/posts"},
		{do: "DELETE /wp/v2/posts"},
		{as: "stranger", do: "GET /wp/v2/users/me"},
		{as: "stranger", do: "GET /wp/v2/posts?per_page=1"},
		{as: "editor", do: "GET /wp/v2/users/me?_method=GET"},
		{as: "editor", do: "POST /wp/v2/posts/4?_method=GET"},
		{as: "editor", do: "POST /wp/v2/posts/999", header: []string{"X-HTTP-Method-Override: DELETE"}},
		{as: "editor", do: "POST //?rest_route=/wp/v2/posts/999", body: `{"title":"x"}`},
		{do: "GET //?rest_route=/wp/v2/posts&per_page=2&page=2"},
		{as: "editor", do: "POST /wp/v2/posts/999", body: `{"title":"x"}`, header: []string{"Content-Type: text/plain"}},
		{do: "GET /wp/v2/posts/4?id=5"},
		{do: "GET //wp-json/wp/v2//posts"},
		{do: "GET /wp/v2/posts/4.0"},
		{do: "GET /wp/v2/categories/4"},
	}
}

// options asks each route what each role may do.
func options() []call {
	var list []call
	for _, role := range []string{"", "admin", "editor", "author", "subscriber"} {
		for _, route := range []string{
			"/", "/wp/v2/posts", "/wp/v2/posts/4", "/wp/v2/posts/7", "/wp/v2/posts/15", "/wp/v2/posts/999", "/wp/v2/pages", "/wp/v2/pages/16",
			"/wp/v2/media", "/wp/v2/media/19", "/wp/v2/categories", "/wp/v2/categories/1", "/wp/v2/categories/2", "/wp/v2/tags", "/wp/v2/tags/4",
			"/wp/v2/users", "/wp/v2/users/3", "/wp/v2/users/me", "/wp/v2/comments", "/wp/v2/comments/2", "/wp/v2/search", "/wp/v2/settings",
			"/wp/v2/types", "/wp/v2/types/post", "/wp/v2/statuses", "/wp/v2/statuses/draft", "/wp/v2/taxonomies", "/wp/v2/taxonomies/category",
			"/wp-abilities/v1/abilities", "/wp-abilities/v1/categories", "/wp-abilities/v1/abilities/bookshop/restock",
			"/wp-abilities/v1/abilities/bookshop/shop-hours/run", "/bookshop/v1/echo", "/bookshop/v1/whole", "/bookshop/v1/strange",
		} {
			// The index test compares what the body describes.
			list = append(list, call{as: role, do: "OPTIONS " + route, skip: []string{"endpoints", "schema"}})
		}
	}
	return append(list, call{do: "OPTIONS /wp/v2/nothing"}, call{do: "OPTIONS /wp/v2/posts/x"})
}

func abilities() []call {
	list := []call{}
	for _, role := range []string{"", "subscriber", "author", "editor", "admin", "stranger"} {
		for _, path := range []string{"", "/core/get-site-info", "/bookshop/search-books", "/bookshop/hidden", "/bookshop/nothing"} {
			list = append(list, call{as: role, do: "GET /wp-abilities/v1/abilities" + path})
		}
		for _, path := range []string{"", "/bookshop", "/nothing"} {
			list = append(list, call{as: role, do: "GET /wp-abilities/v1/categories" + path})
		}
	}
	for _, query := range []string{
		"?per_page=2", "?per_page=2&page=2", "?per_page=5&page=4", "?page=9", "?per_page=101", "?per_page=0", "?per_page=x", "?category=bookshop",
		"?category=nothing", "?namespace=core", "?context=embed", "?context=edit", "?context=zzz", "?_fields=name,meta.annotations",
		"?meta[annotations][readonly]=false", "?meta[annotations][destructive]=1", "?meta[annotations][readonly]=x", "?meta[mcp][public]=true",
	} {
		list = append(list, call{as: "editor", do: "GET /wp-abilities/v1/abilities" + query})
	}
	return append(list,
		call{as: "editor", do: "GET /wp-abilities/v1/categories?per_page=2"},
		call{as: "editor", do: "HEAD /wp-abilities/v1/abilities"},
		call{as: "editor", do: "GET /wp-abilities/v1/abilities/bookshop%2Fecho"},
		call{as: "editor", do: "POST /wp-abilities/v1/abilities", body: `{}`},
		call{as: "admin", do: "POST /wp/v2/settings", body: `{"bookshop_extra":true}`},
		call{as: "editor", do: "GET /wp-abilities/v1/abilities?category=bookshop"},
		call{as: "editor", do: "GET /wp-abilities/v1/abilities/bookshop/new-arrivals"},
		call{as: "editor", do: "GET /wp-abilities/v1/abilities/bookshop/new-arrivals/run"},
		call{as: "admin", do: "POST /wp/v2/settings", body: `{"bookshop_extra":false}`},
		call{as: "editor", do: "GET /wp-abilities/v1/abilities/bookshop/new-arrivals/run"},
	)
}

// runs executes every ability, in every method, with every fault.
func runs() []call {
	var list []call
	add := func(as, method, name, query, body string) {
		list = append(list, call{as: as, do: method + " /wp-abilities/v1/abilities/" + name + "/run" + query, body: body})
	}
	names := []string{
		"core/get-site-info", "core/get-user-info", "core/get-environment-info", "bookshop/search-books", "bookshop/shop-hours", "bookshop/count-books",
		"bookshop/list-genres", "bookshop/book-price", "bookshop/set-price", "bookshop/add-note", "bookshop/restock", "bookshop/broken-printer",
		"bookshop/throws", "bookshop/owner-only", "bookshop/hidden", "bookshop/not-for-agents", "bookshop/noisy", "bookshop/strange-schema",
		"bookshop/echo", "bookshop/new-arrivals", "bookshop/nothing",
	}
	for _, name := range names {
		for _, method := range []string{"GET", "POST", "DELETE", "PUT"} {
			add("editor", method, name, "", "")
		}
		add("", "GET", name, "", "")
		add("editor", "POST", name, "", `{"input":{}}`)
		add("editor", "GET", name, "?input=", "")
	}
	return list
}

// inputs executes abilities with good and bad input.
func inputs() []call {
	var list []call
	add := func(as, method, name, query, body string) {
		list = append(list, call{as: as, do: method + " /wp-abilities/v1/abilities/" + name + "/run" + query, body: body})
	}
	for _, c := range [][4]string{
		{"admin", "GET", "core/get-site-info", ""},
		{"admin", "GET", "core/get-site-info", "?input[fields][]=name&input[fields][]=url"},
		{"admin", "GET", "core/get-site-info", "?input[fields][]=zzz"},
		{"admin", "GET", "core/get-site-info", "?input[fields]="},
		{"admin", "GET", "core/get-site-info", "?input[other]=1"},
		{"admin", "GET", "core/get-environment-info", ""},
		{"subscriber", "GET", "core/get-user-info", ""},
		{"subscriber", "GET", "core/get-user-info", "?input[fields][0]=roles"},
		{"subscriber", "GET", "bookshop/search-books", "?input[query]=the"},
		{"editor", "GET", "bookshop/search-books", "?input[query]=e&input[limit]=2"},
		{"editor", "GET", "bookshop/search-books", "?input[query]=&input[tags][0]=fiction&input[tags][1]=poetry"},
		{"editor", "GET", "bookshop/search-books", "?input[query]=&input[in_stock]=0"},
		{"editor", "GET", "bookshop/search-books", "?input[query]=&input[in_stock]=false"},
		{"editor", "GET", "bookshop/search-books", "?input[query]=&input[tags]="},
		{"editor", "GET", "bookshop/search-books", "?input[query]=&input[tags]=fiction,poetry"},
		{"editor", "GET", "bookshop/search-books", "?input[query]=zzzz"},
		{"editor", "GET", "bookshop/search-books", "?input[query]=a&input[limit]=99"},
		{"editor", "GET", "bookshop/search-books", "?input[query]=a&input[limit]=x"},
		{"editor", "GET", "bookshop/search-books", "?input[query]=a&input[colour]=red"},
		{"editor", "GET", "bookshop/search-books", "?input[limit]=2"},
		{"editor", "GET", "bookshop/search-books", "?input=%7B%22query%22%3A%22a%22%7D"},
		{"editor", "GET", "bookshop/count-books", "?input[in_stock]=1"},
		{"editor", "GET", "bookshop/count-books", "?input[in_stock]=maybe"},
		{"editor", "GET", "bookshop/list-genres", "?input[in_stock]=1"},
		{"editor", "GET", "bookshop/book-price", "?input=21"},
		{"editor", "GET", "bookshop/book-price", "?input=99"},
		{"editor", "GET", "bookshop/book-price", "?input=x"},
		{"editor", "GET", "bookshop/book-price", "?input=21.5"},
		{"editor", "DELETE", "bookshop/set-price", "?input[id]=21&input[price]=13.5"},
		{"editor", "GET", "bookshop/book-price", "?input=21"},
		{"editor", "GET", "bookshop/search-books", "?input[query]=march"},
		{"editor", "DELETE", "bookshop/set-price", "?input[id]=21&input[price]=12.5"},
		{"editor", "DELETE", "bookshop/set-price", "?input[id]=21&input[price]=-1"},
		{"editor", "DELETE", "bookshop/set-price", "?input[id]=21"},
		{"", "DELETE", "bookshop/set-price", "?input[id]=21&input[price]=1"},
		{"editor", "GET", "bookshop/strange-schema", "?input[name]=x&input[size]=small&input[when]=never&input[things][]=1"},
		{"editor", "GET", "bookshop/strange-schema", "?input[name]=x&input[size]=3"},
		{"editor", "GET", "bookshop/shop-hours", "?input[x]=1"},
		{"editor", "GET", "bookshop/owner-only", "?input=1"},
	} {
		add(c[0], c[1], c[2], c[3], "")
	}
	return append(list, bodies()...)
}

func bodies() []call {
	var list []call
	for _, c := range [][2]string{
		{"bookshop/add-note", `{"input":{"text":"call the printer"}}`},
		{"bookshop/add-note", `{"input":{"text":"again"}}`},
		{"bookshop/add-note", `{"input":{"text":""}}`},
		{"bookshop/add-note", `{"input":{}}`},
		{"bookshop/add-note", `{"input":`},
		{"bookshop/add-note", `{"input":null}`},
		{"bookshop/restock", `{"input":{"id":21,"amount":2}}`},
		{"bookshop/restock", `{"input":{"id":"21"}}`},
		{"bookshop/restock", `{"input":{"id":21.5}}`},
		{"bookshop/restock", `{"input":[1]}`},
		{"bookshop/echo", `{"input":{"a":{"b":[1,true,null,"c",1.5,{}]}}}`},
		{"bookshop/echo", `{"input":"text"}`},
		{"bookshop/echo", `{"input":[]}`},
		{"bookshop/echo", `{}`},
	} {
		list = append(list, call{as: "editor", do: "POST /wp-abilities/v1/abilities/" + c[0] + "/run", body: c[1]})
	}
	return list
}

func posts() []call {
	var list []call
	for _, query := range []string{
		"", "?per_page=3", "?per_page=3&page=2", "?per_page=3&page=4", "?per_page=3&page=5", "?page=99", "?per_page=100", "?per_page=101", "?per_page=0",
		"?per_page=x", "?page=0", "?page=x&per_page=500", "?search=book", "?search=Middlemarch", "?search=nothing-like-it", "?search=caf%C3%A9", "?offset=2&per_page=2",
		"?order=asc", "?order=zzz", "?orderby=title&order=asc", "?orderby=id&order=asc&per_page=4", "?orderby=author", "?orderby=modified", "?orderby=slug",
		"?orderby=relevance", "?orderby=relevance&search=book", "?orderby=include", "?orderby=include&include=6,4,5", "?orderby=zzz", "?orderby=menu_order",
		"?after=2025-06-01T00:00:00", "?before=2025-02-01T00:00:00Z", "?after=2025-02-14T18:00:00", "?before=2025-02-14T18:00:00", "?after=yesterday",
		"?modified_after=2025-09-01T00:00:00", "?author=3", "?author=3,2", "?author[]=1&author[]=3", "?author=x", "?author_exclude=2", "?categories=3",
		"?categories=2,3", "?categories[terms]=3&categories[operator]=AND", "?categories=x", "?categories_exclude=3", "?tags=4", "?tags=4,5", "?tags_exclude=4",
		"?categories=3&tags=4", "?categories=2&tags=5&tax_relation=OR", "?slug=haiku-workshop", "?slug=haiku-workshop,summer-hours", "?include=4,6,999",
		"?include[]=5&include[]=7", "?exclude=4,5,6", "?status=draft", "?status=publish", "?status=any", "?status=zzz", "?context=edit", "?context=embed", "?context=zzz",
		"?_fields=id,title.rendered", "?_fields=id&_fields=slug", "?_fields[]=id&_fields[]=slug", "?_fields=zzz", "?per_page=3&_embed", "?per_page=3&_embed=",
		"?include=6,15&_embed=author,wp:term&_fields=id,_links.author,_links.wp:term", "?include=6&_embed[]=author&_embed[]=replies&_fields=id,_embedded", "?include=6&_embed=author&_fields=_links", "?sticky=true", "?sticky=false&per_page=2",
		"?format=standard&per_page=2", "?format=zzz", "?unknown=1&per_page=1", "?search_columns=post_title&search=poets", "?status[]=draft&status[]=publish",
		"?per_page=2&page=2&search=book&orderby=date", "?search[]=x", "?offset=x", "?offset=20", "?after=2025-06-01",
	} {
		for _, as := range []string{"", "editor"} {
			list = append(list, call{as: as, do: "GET /wp/v2/posts" + query})
		}
	}
	for _, as := range []string{"", "subscriber", "author", "editor", "admin"} {
		for _, path := range []string{
			"/6?_embed", "/6?_embed=author,wp:term&_fields=id,_links.author,_links.wp:term", "/6?_embed=author&_fields=id", "/6?_embed=author&_fields=id,_embedded", "/6?_embed=replies,no-such",
			"/15?_embed=wp:featuredmedia,author", "/4", "/15", "/999", "/16", "/0", "/abc", "/4?context=edit", "/7?context=edit", "/15?context=edit", "/4?context=embed", "/4?password=x", "/4?_fields=id,_links", "/4?_fields=_links.self,title.rendered",
		} {
			list = append(list, call{as: as, do: "GET /wp/v2/posts" + path})
		}
		list = append(list, call{as: as, do: "GET /wp/v2/posts?status=draft"}, call{as: as, do: "GET /wp/v2/posts?context=edit&per_page=4"})
	}
	for _, path := range []string{"/comments?_embed", "/pages?_embed=author,up&_fields=id,_links.author,_links.up", "/search?search=book&_embed&_fields=id,_links", "/media/19?_embed"} {
		list = append(list, call{do: "GET /wp/v2" + path}, call{as: "editor", do: "GET /wp/v2" + path})
	}
	return append(list, call{do: "HEAD /wp/v2/posts"}, call{do: "HEAD /wp/v2/posts/4"}, call{as: "editor", do: "HEAD /wp/v2/posts/15"}, call{do: "GET /wp/v2/posts/4/"}, call{do: "GET /WP/v2/POSTS/4"})
}

// picture is a small PNG.
func picture() []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 6)))
	return b.Bytes()
}
