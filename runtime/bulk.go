package runtime

import (
	"bytes"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Bounds of one message, whatever its size: decoded, small values take some forty
// times their bytes, and a long text about one (T11). What an argument may hold is
// less (package schema), and is told to the model.
const (
	maxValues = 20_000
	maxLevels = 512
)

// bulky refuses a message that would cost too much to decode. It reads the bytes
// once, up to the first bound that is passed, and makes nothing of them; what is
// no JSON is left to whoever decodes it.
func bulky(text []byte) *refusal {
	over := func(format string, most int) *refusal {
		return &refusal{status: http.StatusRequestEntityTooLarge, code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf(format, most)}
	}
	values, level := 1, 0
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			at = endOfText(text, at)
		case '{', '[':
			level++
			values++
		case '}', ']':
			level--
		case ',':
			values++
		}
		if level > maxLevels {
			return over("the message is nested deeper than %d levels", maxLevels)
		}
		if values > maxValues {
			return over("the message holds more than %d values", maxValues)
		}
	}
	return nil
}

// endOfText is where the text ends that begins at a quote: at its other quote, or
// with everything.
func endOfText(text []byte, at int) int {
	quote := at
	for at++; at < len(text); {
		if quote < at {
			next := bytes.IndexByte(text[at:], '"')
			if next < 0 {
				break
			}
			quote = at + next
		}
		escape := bytes.IndexByte(text[at:quote], '\\')
		if escape < 0 {
			return quote
		}
		at += escape + 2 // what is escaped may be the quote
	}
	return len(text)
}
