package generate

import (
	"regexp/syntax"
	"slices"
	"strings"

	"toolpress/generate/schema"
)

// ordinary are values that no route has written out: numbers and names.
var ordinary = []string{"9", "70418", "qlmbrt", "qlmbrt-kwz", "qlmbrt/kwz"}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// ordinaryPaths are paths of the route with [valuesOf] its placeholders. With
// like, only with ordinary ones: numbers where like has a number, else names.
func (r *siteRoute) ordinaryPaths(like map[string]string) []string {
	if r.unreadable {
		paths := words("^"+withoutLooking(r.pattern)+"$", "q9-")
		return slices.DeleteFunc(paths, func(path string) bool { return strings.HasSuffix(path, "/") }) // core trims it
	}
	paths := []string{r.path}
	for _, p := range r.params {
		values := valuesOf(p.Pattern)
		if like != nil {
			values = slices.DeleteFunc(ordinaryValues(p.Pattern), func(v string) bool { return isNumber(v) != isNumber(like[p.Name]) })
		}
		var filled []string
		for _, v := range values {
			for _, path := range paths {
				if len(filled) < maxSamples {
					filled = append(filled, strings.Replace(path, "{"+p.Name+"}", v, 1))
				}
			}
		}
		paths = filled
	}
	return paths
}

// valuesOf are the ordinary values that a placeholder takes, or a few others
// where it takes none.
func valuesOf(pattern string) []string {
	if taken := ordinaryValues(pattern); len(taken) > 0 {
		return taken
	}
	return words(pattern, "q9")
}

func ordinaryValues(pattern string) []string {
	re := newParam(pattern).re()
	return slices.DeleteFunc(slices.Clone(ordinary), func(v string) bool { return re != nil && !re.MatchString(v) })
}

// words are a few texts that a pattern of the site matches, with these
// characters where it lets choose; none where RE2 cannot tell.
func words(pattern, characters string) []string {
	tree, re := schema.ParsePattern(pattern), schema.CompilePattern("^(?:"+pattern+")$")
	if tree == nil || re == nil {
		return nil
	}
	return slices.DeleteFunc(wordsOf(tree, characters), func(w string) bool { return !re.MatchString(w) })
}

func wordsOf(re *syntax.Regexp, characters string) []string {
	switch re.Op {
	case syntax.OpNoMatch:
		return nil
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return strings.Split(characters, "")
	case syntax.OpCharClass:
		return wordsOfClass(re.Rune, characters)
	case syntax.OpCapture, syntax.OpPlus:
		return wordsOf(re.Sub[0], characters)
	case syntax.OpStar, syntax.OpQuest:
		return append(wordsOf(re.Sub[0], characters), "")
	case syntax.OpRepeat:
		repeated := wordsOf(re.Sub[0], characters)
		for i, w := range repeated {
			repeated[i] = strings.Repeat(w, max(re.Min, 1))
		}
		return repeated
	case syntax.OpAlternate:
		var either []string
		for _, sub := range re.Sub {
			either = append(either, wordsOf(sub, characters)...)
		}
		return either[:min(len(either), maxWords)]
	case syntax.OpConcat:
		whole := []string{""}
		for _, sub := range re.Sub {
			var longer []string
			for _, w := range wordsOf(sub, characters) {
				for _, before := range whole {
					longer = append(longer, before+w)
				}
			}
			whole = longer[:min(len(longer), maxWords)]
		}
		return whole
	}
	return []string{""} // ^, $, \b
}

// wordsOfClass are those of the characters that a class has, else its first.
func wordsOfClass(pairs []rune, characters string) []string {
	var of []string
	for _, r := range characters {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] <= r && r <= pairs[i+1] {
				of = append(of, string(r))
			}
		}
	}
	if len(of) == 0 && len(pairs) > 0 {
		of = []string{string(pairs[0])}
	}
	return of
}
