package curate

import (
	"strings"
	"testing"

	"toolpress/discover"
)

// W71: a site in another language than the one that is pinned is a warning, at its
// place, that can be allowed; it says whether texts of before are used. A locale that
// says less, or that is not known, is none.
func TestOtherLocale(t *testing.T) {
	for _, c := range []struct{ pinned, texts, spoken, want string }{
		{"en_US", "en_US", "", ""},
		{"en_US", "", "", ""},
		{"de_DE_formal", "de_DE", "", ""},
		{"en_US", "de_DE", "", "the site answers in de_DE, and is to be in en_US"},
		{"en_US", "en_GB", "", "the site answers in en_GB, and is to be in en_US"},
		{"en_US", "en_US", "de_DE", "the site answers in de_DE, and is to be in en_US: its texts stay as they were before, and what is new keeps its own"},
	} {
		for _, allow := range []string{"", "allow: [{ id: other-locale, match: answers, why: it is meant }]\n"} {
			curation, err := Parse("c.yaml", []byte("version: 1\nsite: { locale: "+c.pinned+" }\n"+allow+"expose: [{ ability: \"shop/*\" }]\n"), nil)
			if err != nil {
				t.Fatal(err)
			}
			s := shop(t)
			s.Locale, s.Spoken = c.texts, c.spoken
			_, findings := curation.Apply(s, nil)
			got := ""
			for _, f := range findings {
				if f.ID == "other-locale" {
					got = f.Message
					if f.Severity != SeverityWarning || f.Pos != (Pos{"c.yaml", 2, 17}) || !strings.Contains(f.Hint, "toolpress-locale.php") || (f.Allowed != "") != (allow != "") {
						t.Errorf("%+v", f)
					}
				}
			}
			if got != c.want {
				t.Errorf("%+v: %q", c, got)
			}
		}
	}
	if !discover.SameLocale("pt_PT", "pt") || discover.SameLocale("pt_PT", "pt_BR") {
		t.Error("pt_PT may be pt, and is not pt_BR")
	}
}
