package runtime

import (
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
