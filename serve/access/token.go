package access

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Token is the right to act as a caller, until it expires or is revoked. It does not hold its secret.
type Token struct {
	ID      string // 10 characters of lower-case base32; public: names the token in lists and to revoke it
	Name    string // for people; may be empty
	Caller  ctxmcp.Caller
	Created time.Time
	Expires time.Time // the first instant at which it no longer counts; zero: never
	Revoked time.Time // zero: it is not
	Digest  [sha256.Size]byte
}

// State says whether a token counts.
type State string

// The states.
const (
	Active  State = "active"
	Expired State = "expired"
	Revoked State = "revoked" // wins over expired
)

// State returns the state of the token at the instant.
func (t Token) State(at time.Time) State {
	switch {
	case !t.Revoked.IsZero():
		return Revoked
	case !t.Expires.IsZero() && !at.Before(t.Expires):
		return Expired
	default:
		return Active
	}
}

// holds reports whether the token was made with the secret, in a time that does not depend on how much of it is right.
func (t Token) holds(secret string) bool {
	d := digest(secret)
	return subtle.ConstantTimeCompare(d[:], t.Digest[:]) == 1
}

// digest returns the digest of a secret, which alone is stored. A slow hash with salt, as for passwords, would add
// nothing: the secret has 256 bits of entropy, so it can be neither guessed nor looked up.
func digest(secret string) [sha256.Size]byte { return sha256.Sum256([]byte(secret)) }

const (
	prefix       = "ctx_" // people and scanners for leaked secrets tell a token by it
	idLength     = 10
	secretBytes  = 32
	secretLength = 43 // digits of the largest secret in base 62
)

var (
	idForm   = regexp.MustCompile(`^[a-z2-7]{10}$`)
	textForm = regexp.MustCompile(`^ctx_([a-z2-7]{10})_([0-9A-Za-z]{43})$`)
	idDigits = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)
)

// generate returns a fresh id and secret, both as text.
func generate(random io.Reader) (id, secret string, err error) {
	var raw [idLength + secretBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", "", fmt.Errorf("read random bytes: %w", err)
	}
	digits := new(big.Int).SetBytes(raw[idLength:]).Text(62)
	secret = strings.Repeat("0", secretLength-len(digits)) + digits
	return idDigits.EncodeToString(raw[:idLength])[:idLength], secret, nil
}

// write returns the text of a token, as a client presents it.
func write(id, secret string) string { return prefix + id + "_" + secret }

// Is reports whether a text has the beginning of a token of this package. Access tokens of others never have it.
func Is(text string) bool { return strings.HasPrefix(text, prefix) }

// parse takes apart a text that write returned. ok is false for any other text.
func parse(text string) (id, secret string, ok bool) {
	m := textForm.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}
