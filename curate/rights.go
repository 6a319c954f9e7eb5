package curate

import (
	"cmp"
	"slices"
	"strings"

	"toolpress/discover"
)

// Rights are what may be called in each profile, by its name: what the account
// of its own may, where that was asked. A profile that is not there may do what
// the site's own account may, under [SiteAccount]; nil knows nothing and
// withholds nothing.
type Rights map[string]discover.Permissions

// SiteAccount is where [Rights] have the site's own account: no profile has an
// empty name.
const SiteAccount = ""

// denies reports that what a profile calls as may not call an operation.
func (r Rights) denies(profile, operation string) bool {
	own := r[profile]
	if own == nil {
		own = r[SiteAccount]
	}
	return own[operation] == discover.Denied
}

// Accounts are the accounts of profiles' own, by the profile's name. A profile
// that calls as the site's account is not there.
func (c *Curation) Accounts() map[string]Auth {
	own := map[string]Auth{}
	if f := writesProfiles(c.layers); f != nil {
		for _, p := range f.profiles.list {
			if p.auth != (Auth{}) {
				own[p.name.Value] = p.auth
			}
		}
	}
	return own
}

// KeptIn is the variable or the file that says whose the credential is: the
// user's name, else the token.
func (a Auth) KeptIn() Text {
	return cmp.Or(a.UserEnv, a.TokenEnv, a.TokenFile)
}

// permitted are those of a candidate's endpoints whose account may call it, and
// why none may. One account may do what another may not: that widens nothing.
func (a *application) permitted(c *candidate, in, endpoints []*endpoint) (may []*endpoint, reason string) {
	var denied []*endpoint
	for _, e := range in {
		if !a.may.denies(e.name.Value, c.op.ID) {
			may = append(may, e)
			continue
		}
		e.denied = append(e.denied, c.op.ID)
		denied = append(denied, e)
	}
	if len(denied) == 0 {
		return may, ""
	}
	reason, hint := NotPermitted, "give toolpress a user who may, or leave the tool out"
	if slices.ContainsFunc(endpoints, func(e *endpoint) bool { return a.may[e.name.Value] != nil }) {
		reason, hint = a.notPermittedIn(denied...), "give the profile a user who may, or leave the tool out there: tools: { "+c.name.Value+": false }"
	}
	if f, at := a.placeOf(c); !c.preset {
		a.share(f, at, c.name.Value, "not-permitted", hint, reason)
	}
	if len(may) == 0 {
		return nil, reason
	}
	for _, e := range denied {
		a.pass(e.name.Value, c.op.ID, c.name.Value, "%s", a.notPermittedIn(e))
	}
	return may, ""
}

// notPermittedIn is [NotPermitted] with the profiles it is so in, and whose
// account was asked for them.
func (a *application) notPermittedIn(denied ...*endpoint) string {
	var names []string
	for _, e := range denied {
		account := "the site's own"
		if a.may[e.name.Value] != nil {
			account = e.auth.KeptIn().Value
		}
		names = append(names, e.name.Value+" ("+account+")")
	}
	if len(names) == 1 {
		return "the site does not let the account of the profile " + names[0] + " call it"
	}
	return "the site does not let the accounts of the profiles " + strings.Join(names, ", ") + " call it"
}
