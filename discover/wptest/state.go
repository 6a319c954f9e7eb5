package wptest

import (
	"slices"
	"time"
)

// user is a row of the users' table.
type user struct {
	id                                     int
	login, password, email                 string
	name, first, last, nickname, slug, url string
	about, locale                          string
	roles                                  []string
	registered                             time.Time
}

// kind is a post type the site has routes for.
type kind struct {
	name     string
	base     string
	plural   string // of its capabilities
	resource *resource
	titled   bool // takes a slug into its address alone, without the date
}

var (
	postKind  = &kind{name: "post", base: "posts", plural: "posts", resource: postResource}
	pageKind  = &kind{name: "page", base: "pages", plural: "pages", resource: pageResource, titled: true}
	mediaKind = &kind{name: "attachment", base: "media", plural: "posts", resource: mediaResource, titled: true}
)

// post is a row of the posts' table: a post, a page or an attachment.
type post struct {
	id       int
	kind     *kind
	author   int
	title    string
	content  string
	excerpt  string
	slug     string
	guid     string
	status   string
	before   string // the status before the trash
	password string
	// date and modified are local; undated has no date in universal time yet.
	date, modified time.Time
	undated        bool
	parent, order  int
	comments       string
	pings          string
	featured       int
	format         string
	template       string
	footnotes      string
	sticky         bool
	categories     []int
	tags           []int
	// revisions counts what an update stored; revision is the last one's number.
	revisions, revision int
	file                *file
}

// file is what an attachment holds.
type file struct {
	name, folder, mime, alt string
	data                    []byte
	width, height           int
}

// term is a category or a tag.
type term struct {
	id                      int
	taxonomy                *taxonomy
	name, slug, description string
	parent                  int
}

// comment is a row of the comments' table.
type comment struct {
	id, post, parent, author    int
	name, email, url, ip, agent string
	content, status             string
	before                      string // the status before the trash
	date                        time.Time
}

func (s *Site) post(id int) *post {
	at := slices.IndexFunc(s.posts, func(p *post) bool { return p.id == id })
	if at < 0 {
		return nil
	}
	return s.posts[at]
}

func (s *Site) userBy(id int) *user {
	at := slices.IndexFunc(s.users, func(u *user) bool { return u.id == id })
	if at < 0 {
		return nil
	}
	return s.users[at]
}

func (s *Site) term(id int, of *taxonomy) *term {
	at := slices.IndexFunc(s.terms, func(t *term) bool { return t.id == id && (of == nil || t.taxonomy == of) })
	if at < 0 {
		return nil
	}
	return s.terms[at]
}

func (s *Site) comment(id int) *comment {
	at := slices.IndexFunc(s.comments, func(c *comment) bool { return c.id == id })
	if at < 0 {
		return nil
	}
	return s.comments[at]
}

// now is the site's local time, to the second.
func now() time.Time { return toLocal(time.Now().UTC()).Truncate(time.Second) }
