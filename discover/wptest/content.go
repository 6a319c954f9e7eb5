package wptest

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"time"
)

// staff are the site's users; the passwords are made up and open no door but
// this one's.
var staff = []User{
	{"admin", "demo admi demo admi demo admi", "administrator", "admin"},
	{"editor", "demo edit demo edit demo edit", "editor", "Edith Moore"},
	{"author", "demo auth demo auth demo auth", "author", "Arthur Penn"},
	{"subscriber", "demo subs demo subs demo subs", "subscriber", "Sue Reader"},
}

// articles are the blog: title, local time, author, category, tags and text.
var articles = []struct {
	title, date, author, category, tags, text string
}{
	{"A New Year on Maple Street", "2025-01-04T09:30:00", "admin", "News", "", "We are back from the holidays, with longer hours on Thursdays."},
	{"Winter Reading List", "2025-01-18T10:00:00", "editor", "News", "fiction", "Twelve novels for long evenings, from Tove Jansson to Kazuo Ishiguro."},
	{"Poetry Night with Local Voices", "2025-02-14T18:00:00", "editor", "Events", "poetry", "Seven poets, one microphone, and hot cider by the door."},
	{"Shelf Talk: Why We Love Used Books", "2025-03-01T11:15:00", "author", "News", "", "A used book has two stories. The second one is in the margins."},
	{"Children's Story Hour Returns", "2025-03-22T10:00:00", "author", "Events", "children", "Saturday mornings at ten, on the blue carpet."},
	{"Signing: The Lighthouse Keeper's Ledger", "2025-04-12T14:00:00", "editor", "Events", "fiction", "Meet the author and have your copy signed."},
	{"Independent Bookshop Day", "2025-04-26T09:00:00", "admin", "Events", "", "Ten percent off all day, and cake & coffee until it is gone."},
	{"Summer Hours", "2025-06-01T08:00:00", "admin", "News", "", "From June we open at nine."},
	{"The Café Corner: Émile Recommends", "2025-07-05T12:00:00", "author", "News", "fiction", "Naïve, tender, funny: three books “for the train” – 日本語も."},
	{"Book Club Reads Middlemarch", "2025-09-10T19:00:00", "editor", "Events", "fiction", "Eight parts, eight Wednesdays. Newcomers are welcome."},
	{"Haiku Workshop", "2025-10-11T15:30:00", "editor", "Events", "poetry children", "Five, seven, five: bring a pencil."},
	{"Holiday Gift Guide", "2025-11-20T09:00:00", "author", "News", "", "Not finished: still waiting for the cookbooks."},
}

var leaflets = []struct{ title, text string }{
	{"About the Shop", "Three rooms, nine thousand books and a cat called Quarto."},
	{"Visit Us", "12 Maple Street. Open Tuesday to Sunday."},
	{"Order a Book", "Tell us the title, and we have it in three days."},
}

var remarks = []struct{ name, date, text string }{
	{"Nora", "2025-02-15T09:12:00", "The cider was excellent, and so was the sonnet about the tram."},
	{"Ibrahim", "2025-02-16T20:40:00", "When is the next one?"},
}

func at(local string) time.Time {
	t, _ := time.Parse(wire, local)
	return t
}

func inBlocks(text string) string {
	return "<!-- wp:paragraph -->\n<p>" + text + "</p>\n<!-- /wp:paragraph -->"
}

// fill puts in what test/wordpress/setup.php puts into a real site, under the
// same numbers.
func (s *Site) fill() {
	s.nextUser, s.nextTerm, s.nextPost, s.nextNote = 1, 1, 4, 2
	s.prices = map[int]float64{}
	s.fillSettings()
	for _, u := range staff {
		s.users = append(s.users, &user{
			id: s.nextUser, login: u.Login, password: u.Password, email: u.Login + "@example.com", name: u.Name, nickname: u.Login, slug: u.Login,
			locale: "en_US", roles: []string{u.Role}, registered: at("2025-01-02T09:00:00"),
		})
		s.nextUser++
	}
	s.users[0].url = "/" // the site itself
	s.addTerm(categories, "Uncategorized", "")
	s.addTerm(categories, "News", "What happens at the shop")
	s.addTerm(categories, "Events", "Readings, signings and clubs")
	for _, name := range []string{"fiction", "poetry", "children"} {
		s.addTerm(tags, name, "")
	}
	s.fillPosts()
	for _, c := range remarks {
		s.comments = append(s.comments, &comment{
			id: s.nextNote, post: 6, name: c.name, email: strings.ToLower(c.name) + "@example.com", content: c.text, status: "approved", date: at(c.date),
		})
		s.nextNote++
	}
}

func (s *Site) fillSettings() {
	s.settings = map[string]any{
		"bookshop_extra": false, "title": "Maple Street Books", "description": "New and used books since 1987", "email": "admin@example.com",
		"timezone": "America/Toronto", "date_format": "F j, Y", "time_format": "g:i a", "start_of_week": 1, "language": "en_US", "use_smilies": true,
		"default_category": 1, "default_post_format": "0", "posts_per_page": 10, "show_on_front": "posts", "page_on_front": 0, "page_for_posts": 0,
		"default_ping_status": "open", "default_comment_status": "open", "site_icon": 0,
	}
}

func (s *Site) addTerm(of *taxonomy, name, about string) {
	s.terms = append(s.terms, &term{id: s.nextTerm, taxonomy: of, name: name, slug: slugOf(name), description: about})
	s.nextTerm++
}

func (s *Site) fillPosts() {
	ids := map[string]int{}
	for _, t := range s.terms {
		ids[t.name] = t.id
	}
	for _, a := range articles {
		p := &post{
			kind: postKind, title: a.title, content: inBlocks(a.text), excerpt: a.text, status: "publish", slug: slugOf(a.title), date: at(a.date), modified: at(a.date),
			comments: "open", pings: "open", format: "standard", categories: []int{ids[a.category]},
		}
		for i, u := range staff {
			if u.Login == a.author {
				p.author = i + 1
			}
		}
		for name := range strings.FieldsSeq(a.tags) {
			p.tags = append(p.tags, ids[name])
		}
		p.guid = p.date.Format("/2006/01/02/") + p.slug
		if a.title == "Holiday Gift Guide" {
			p.status, p.slug, p.guid, p.undated = "draft", "", "", true
		}
		s.insert(p)
	}
	for _, l := range leaflets {
		s.insert(&post{
			kind: pageKind, author: 1, title: l.title, content: inBlocks(l.text), status: "publish", slug: slugOf(l.title),
			date: at("2025-01-03T12:00:00"), modified: at("2025-01-03T12:00:00"), comments: "closed", pings: "closed", format: "standard",
		})
	}
	s.insert(&post{
		kind: mediaKind, author: 1, title: "The shelf by the window", status: "inherit", slug: "the-shelf-by-the-window", comments: "open", pings: "closed",
		date: at("2025-01-03T12:30:00"), modified: at("2025-01-03T12:30:00"),
		file: &file{name: "shelf.png", folder: "2025/01", mime: "image/png", alt: "Five books on a shelf", data: picture(), width: 320, height: 200},
	})
}

// picture draws five books on a shelf.
func picture() []byte {
	canvas := image.NewPaletted(image.Rect(0, 0, 320, 200), color.Palette{color.RGBA{0xf4, 0xec, 0xd8, 0xff}})
	for n, spine := range []color.RGBA{{0x8b, 0x2f, 0x2f, 255}, {0x2f, 0x5d, 0x8b, 255}, {0x3d, 0x7a, 0x4a, 255}, {0xb8, 0x86, 0x2b, 255}, {0x5b, 0x3d, 0x7a, 255}} {
		canvas.Palette = append(canvas.Palette, spine)
		draw.Draw(canvas, image.Rect(40+48*n, 50, 81+48*n, 171), image.NewUniform(spine), image.Point{}, draw.Src)
	}
	var b bytes.Buffer
	_ = png.Encode(&b, canvas) // into memory: it cannot fail
	return b.Bytes()
}
