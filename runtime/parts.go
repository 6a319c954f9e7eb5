package runtime

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"

	"toolpress/curate"
)

// noPart says that a part was asked for that is not there.
type noPart struct{ parts int }

func (e *noPart) Error() string { return fmt.Sprintf("there are %d parts", e.parts) }

const (
	// longText is from where a text may be given in parts; shorter ones are in each.
	longText = 1 << 10
	// leastRoom is what a part has for long texts at least.
	leastRoom = 256
	// partFrame is what is said around them.
	partFrame = 400
)

// inPart is what a part has in the place of a text that is in another one.
var inPart = regexp.MustCompile(`^\[in part \d+\]$`)

// piece is what a part has of one text.
type piece struct {
	text int // which
	span
}

// partOf is one part of an object that does not fit into how.MaxBytes. Its long
// texts are divided between blocks or paragraphs, always at the same places: put
// together, the parts have every character of them once. All else is in each part.
// Where that leaves no room, texts are shortened as everywhere.
func partOf(raw json.RawMessage, how curate.ResultShape, cut bool, want wanted) (json.RawMessage, error) {
	long, parts := divide(raw, how.MaxBytes)
	n := max(want.part, 1)
	if n > max(len(parts), 1) {
		return nil, &noPart{max(len(parts), 1)}
	}
	if len(parts) == 0 {
		return fitObject(raw, how.MaxBytes, cut, want.told...)
	}
	var b bytes.Buffer
	at := 0
	for i, s := range long {
		b.Write(raw[at:s.from])
		at = s.to
		if p := pieceOf(parts[n-1], i); p != nil {
			b.Write(raw[p.from:p.to])
			continue
		}
		for number, pieces := range parts {
			if pieceOf(pieces, i) != nil {
				fmt.Fprintf(&b, "[in part %d]", number+1)
				break
			}
		}
	}
	b.Write(raw[at:])
	list, err := members(b.Bytes())
	if err != nil {
		return nil, err
	}
	told := fmt.Sprintf("Part %d of %d", n, len(parts))
	if n < len(parts) {
		told += fmt.Sprintf(", next: %s: %d", how.Parts, n+1)
	}
	told += ". Join the long texts of all parts, in order and as they are, each of version " + versionOf(raw, long) + "; write back nothing less."
	if cut {
		told += " " + notWhole
	}
	note, err := remark(list, "parts", told)
	if err != nil {
		return nil, err
	}
	part, err := object(append([]member{note}, list...)) // first: it is about what follows
	if err != nil {
		return nil, err
	}
	return warned(part, want.told)
}

// versionOf tells the long texts of one answer from those of another: between two parts
// somebody may change them, or one of the parts may have been kept.
func versionOf(raw json.RawMessage, long []span) string {
	h := sha256.New()
	for _, s := range long {
		fmt.Fprintf(h, "%d %s", s.len(), raw[s.from:s.to])
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}

// pieceOf is what a part has of a text; nil for nothing.
func pieceOf(pieces []piece, text int) *piece {
	for i := range pieces {
		if pieces[i].text == text {
			return &pieces[i]
		}
	}
	return nil
}

// divide finds the long texts of an object and what of them goes into each part;
// no parts where it fits, or where what is not long leaves no room.
func divide(raw json.RawMessage, most int) (long []span, parts [][]piece) {
	if most <= 0 || len(raw) <= most {
		return nil, nil
	}
	room := most - len(raw) - partFrame
	for _, s := range texts(raw) {
		if s.len() > longText {
			long = append(long, s)
			room += s.len() - len("[in part 99999]")
		}
	}
	if room < leastRoom {
		return nil, nil
	}
	parts, left := [][]piece{nil}, room
	for i, s := range long {
		for s.len() > 0 {
			if s.len() > left && (s.len() <= room || left < room/2) && left < room {
				parts, left = append(parts, nil), room
			}
			end := s.to
			if s.len() > left {
				end = s.from + border(raw[s.from:s.to], left)
			}
			parts[len(parts)-1] = append(parts[len(parts)-1], piece{i, span{s.from, end}})
			left -= end - s.from
			s.from = end
		}
	}
	return long, parts
}

// border is where a string's inside is divided under limit: before a block, behind
// a paragraph, behind a line, behind a word, the first of these that leaves no part
// half empty; else between two characters.
func border(inside []byte, limit int) int {
	const (
		block = iota
		paragraph
		line
		word
		kinds
	)
	var last [kinds]int
	ends, whole := 0, 0 // ends of lines just before
	for at := 0; at < len(inside); {
		if bytes.HasPrefix(inside[at:], []byte("<!-- wp:")) {
			last[block] = at
		}
		next := at + unit(inside[at:])
		if next > limit {
			break
		}
		switch string(inside[at:next]) {
		case `\n`:
			ends++
		case `\r`:
		default:
			ends = 0
		}
		switch {
		case ends > 1 || bytes.HasSuffix(inside[:next], []byte("</p>")):
			last[paragraph] = next
		case ends == 1:
			last[line] = next
		case inside[at] == ' ':
			last[word] = next
		}
		at, whole = next, next
	}
	for _, found := range last {
		if found >= limit/2 && found > 0 {
			return found
		}
	}
	return whole
}
