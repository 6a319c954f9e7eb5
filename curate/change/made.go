package change

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// MadeOf is what a catalog was made of. Two of the same are the same to the byte.
type MadeOf struct {
	// Toolpress is the version.
	Toolpress string `json:"toolpress,omitempty"`
	// Site, Curation and Lock are digests of what was read; Lock is empty without one.
	Site     string `json:"site,omitempty"`
	Curation string `json:"curation,omitempty"`
	Lock     string `json:"lock,omitempty"`
	// Locale is the one of the site's texts, Roles those of who asked it.
	Locale string   `json:"locale,omitempty"`
	Roles  []string `json:"roles,omitempty"`
}

// Only returns which input alone differs between two catalogs: "the site", "the
// curation", "the lock" or "toolpress"; empty where several do, or that is not known.
func Only(before, after *Catalog) string {
	old, now := before.MadeOf, after.MadeOf
	if old == nil || now == nil {
		return ""
	}
	var differ []string
	if old.Lock != now.Lock {
		differ = append(differ, CauseLock)
	}
	for _, input := range []struct{ name, old, now string }{
		{CauseSite, old.Site, now.Site}, {CauseCuration, old.Curation, now.Curation}, {CauseToolpress, old.Toolpress, now.Toolpress},
	} {
		if input.old == "" || input.now == "" {
			return ""
		}
		if input.old != input.now {
			differ = append(differ, input.name)
		}
	}
	if len(differ) != 1 {
		return ""
	}
	return differ[0]
}

// What makes a tool differ.
const (
	CauseSite      = "the site"
	CauseCuration  = "the curation"
	CauseLock      = "the lock"
	CausePreset    = "the preset"
	CauseToolpress = "toolpress"
)

// Unlike says why two catalogs are of different views of a site, which differ
// without anything having changed: the language, or what the user may see. It is
// empty where they are not, or where that is not known.
func Unlike(before, after *Catalog) string {
	old, now := before.MadeOf, after.MadeOf
	switch {
	case old == nil || now == nil:
	case old.Locale != now.Locale:
		return fmt.Sprintf("one is in %s, the other in %s", cmp.Or(old.Locale, "no locale that is known"), cmp.Or(now.Locale, "no locale that is known"))
	case !slices.Equal(old.Roles, now.Roles):
		return fmt.Sprintf("one is what %s sees, the other what %s sees", role(old.Roles), role(now.Roles))
	}
	return ""
}

func role(roles []string) string {
	if len(roles) == 0 {
		return "nobody who is logged in"
	}
	return "a user who is " + strings.Join(roles, " and ")
}
