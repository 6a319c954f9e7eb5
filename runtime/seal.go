package runtime

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"toolpress/discover/wp"
)

// seals make and open the states that a confirmation passes through a client.
// A state is the client's to keep and nobody's to change: encrypted and
// authenticated (AES-256-GCM), good for one thing, until a time, once (MCP
// 2026-07-28, multi round-trip requests: a server must not trust requestState).
type seals struct {
	aead cipher.AEAD

	mu    sync.Mutex           // guards spent
	spent map[string]time.Time // nonces of states that were used, until they expire
}

// maxSpent bounds the used states that are remembered.
const maxSpent = 10_000

// errors of a state. All but the first a model can mend by calling again.
var (
	errForged  = errors.New("the confirmation does not belong to this call")
	errExpired = errors.New("the confirmation came too late")
	errSpent   = errors.New("the confirmation was used already")
	errCrowded = errors.New("too many confirmations are open")
)

// newSeals makes seals of a key, or of one that dies with the process.
func newSeals(key wp.Secret) *seals {
	sum := sha256.Sum256([]byte("toolpress confirmation " + key.Reveal()))
	if key.Empty() {
		_, _ = rand.Read(sum[:]) // never fails (crypto/rand)
	}
	// Neither fails with a key of 32 bytes.
	block, _ := aes.NewCipher(sum[:])
	aead, _ := cipher.NewGCMWithRandomNonce(block)
	return &seals{aead: aead, spent: map[string]time.Time{}}
}

// state is what a seal holds.
type state struct {
	Nonce   string    `json:"n"`
	Expires time.Time `json:"e"`
}

// seal makes a state for what binding describes.
func (s *seals) seal(binding []byte, window time.Duration) string {
	text, _ := json.Marshal(state{Nonce: rand.Text(), Expires: time.Now().Add(window)})
	return base64.RawURLEncoding.EncodeToString(s.aead.Seal(nil, nil, text, binding))
}

// open checks a state against what is to be done now, and uses it up.
func (s *seals) open(sealed string, binding []byte) error {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(sealed)
	if err != nil {
		return errForged
	}
	text, err := s.aead.Open(nil, nil, raw, binding)
	if err != nil {
		return errForged
	}
	var held state
	if json.Unmarshal(text, &held) != nil {
		return errForged
	}
	now := time.Now()
	if !now.Before(held.Expires) {
		return errExpired
	}
	return s.spend(held, now)
}

// spend takes a state once.
func (s *seals) spend(held state, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, used := s.spent[held.Nonce]; used {
		return errSpent
	}
	if len(s.spent) >= maxSpent {
		for nonce, until := range s.spent {
			if !now.Before(until) {
				delete(s.spent, nonce)
			}
		}
	}
	if len(s.spent) >= maxSpent {
		return errCrowded
	}
	s.spent[held.Nonce] = held.Expires
	return nil
}
