package curate

import "testing"

// G51: letters, digits and signs are counted apart, and languages that tokenizers cut
// finer weigh more. Least and most are what the tokenizers of bench/tokens, which
// counts whole lists, make of the text: no estimate is more than 15 % outside.
func TestTokens(t *testing.T) {
	for text, n := range map[string]struct{ want, least, most int }{
		"":                          {0, 0, 0},
		"categories":                {2, 1, 1},
		"find12345posts":            {4, 3, 4},
		`{"type":"object"}`:         {5, 5, 5},
		"Words to look for, newest": {6, 6, 6},
		"Palavras a procurar. Sem elas, vêm os artigos mais recentes.": {13, 14, 20},
		"Devolve o título, a data e a ligação de cada publicação.":     {16, 14, 17},
		"タイトルや本文に含まれる言葉で公開済みの投稿を探し、新しい順に返します。":                         {27, 25, 40},
		"Возвращает заголовок, дату и ссылку.":                         {18, 12, 22},
	} {
		got := Tokens([]byte(text))
		if got != n.want {
			t.Errorf("%q: %d, want %d", text, got, n.want)
		}
		if got > 2 && (100*got < 85*n.least || 100*got > 115*n.most) {
			t.Errorf("%q: %d, and tokenizers say %d to %d", text, got, n.least, n.most)
		}
	}
}
