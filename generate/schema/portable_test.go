package schema

import "testing"

// What ECMAScript's unicode mode refuses is no portable pattern: what the verdicts
// say was read off new RegExp(pattern, "u") of Node 20, by hand. And neither is one
// that it can take seconds over (T13).
func TestPortable(t *testing.T) {
	for pattern, want := range map[string]bool{
		// refused
		`^*`: false, `$*`: false, `^+a`: false, `^?a`: false, `^{2}`: false, `(^*)`: false, `a|^*`: false, `a{2}{3}`: false,
		`a]`: false, `[a]b]`: false, `[^a]]`: false, `[(]]`: false, `[a]\.]`: false, `\S]`: false, `\w]]`: false, `(?:a)(?:b]c)`: false, `[a-\d]`: false,
		// refused, or read otherwise, by PCRE or RE2
		`[]a]`: false, `[^]`: false, `[[:alpha:]]`: false, `(?i)a`: false, `(?!x)a`: false, `\b`: false, `\_`: false, `{2}`: false, `a{,2}`: false, `a**`: false, `(a`: false, `a)`: false,
		// taken, and not seen through here
		`[\w-]`: false, `[a\.-z]`: false,
		// slow
		`^(x+x+)+y$`: false, `(a*)*`: false, `(?:a?){30}`: false, `((a+)b)+`: false, `(?:a|a)*$`: false, `(a{1,3})+`: false,
		// taken
		`(?:^)*`: true, `x{2}?`: true, `[+-\.]`: true, `\/`: true, `[-a\w]`: true, `()`: true, `[a-]`: true, `[\s\S]`: true, `a{0}`: true, `[$*+?({]`: false, `[$*+?(]`: true,
		`^-?\d+(\.\d+)?$`: true, `^[a-f\d]{8}(?:-[a-f\d]{4}){3}$`: true, `^(?:draft|publish)$`: true, `a??`: true, `(|a)`: true, `^(a+)?(b|c)?d{2,}$`: true, `[a-z-9]`: true, `[{2}]`: true,
	} {
		if Portable(pattern) != want {
			t.Errorf("%s: %t", pattern, !want)
		}
	}
}
