package runtime

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// principalHeader carries the principal from the HTTP front to a call. It is
// always set here, whatever a client sends.
const principalHeader = "Toolpress-Principal"

// principal is a label of who sends a request: the start of the bearer token's
// digest, which gives nothing away, or "anonymous" where no token is asked for.
func principal(authorization string) string {
	_, token, _ := strings.Cut(authorization, " ")
	if token = strings.TrimSpace(token); token == "" {
		return "anonymous"
	}
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:6])
}

// principalOf is the principal of a request. Whoever has the standard streams is
// one.
func principalOf(extra *mcp.RequestExtra) string {
	if extra == nil || extra.Header.Get(principalHeader) == "" {
		return "stdio"
	}
	return extra.Header.Get(principalHeader)
}
