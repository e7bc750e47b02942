package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// ContentKey returns a digest that two texts share if they say the same in the same words: white space, the case of
// ordinary words and a final full stop or exclamation mark aside. Identifiers keep their case, so that userID and userid stay two texts.
func ContentKey(content string) string {
	fields := strings.Fields(content)
	for i, w := range fields {
		if ordinary(w) {
			fields[i] = strings.ToLower(w)
		}
	}
	sum := sha256.Sum256([]byte(strings.TrimRight(strings.Join(fields, " "), ".! ")))
	return hex.EncodeToString(sum[:16])
}

// ordinary reports whether w is a word in prose: ASCII letters, at most the first in upper case, with punctuation at its
// end only. "Config.yml" is none.
func ordinary(w string) bool {
	w = strings.TrimRight(w, ".,;:!?'\"")
	for i := range len(w) {
		c := w[i]
		lower := c >= 'a' && c <= 'z' || c == '\''
		upper := c >= 'A' && c <= 'Z' && i == 0
		if !lower && !upper {
			return false
		}
	}
	return true
}
