package packets

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// oursForm says what isOurs finds, of texts of 19 to 71 bytes.
var oursForm = regexp.MustCompile(`^(sha256:)?[0-9a-f]{64}$|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|^\d{4}-\d\d-\d\dT[0-9:.]+Z$`)

func TestIsOurs(t *testing.T) {
	hex := strings.Repeat("0123456789abcdef", 4)
	texts := []string{
		"", "Z", hex, "sha256:" + hex, "sha256:sha256:" + hex[14:], hex[1:], hex + "0", strings.ToUpper(hex), "123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-42661417400",
		"123e4567-e89b-12d3-a456-4266141740000", "2026-03-01T10:00:00Z", "2026-03-01T10:00:00.123456789Z", "2026-03-01T10:00:00", "2026-03-01T10:00:0Z", "2026-03-01T10:00Z", "2026-03-01T" + strings.Repeat("1", 24) + "Z",
		"2026-03-01T" + strings.Repeat("1", 59) + "Z", "2026-03-01T" + strings.Repeat("1", 60) + "Z", "x026-03-01T10:00:00Z", "2026-03-01T10:00:00+Z", hex[:63] + "é",
	}
	letters := []byte("0123456789abcdef-:.TZshg")
	r := rand.New(rand.NewPCG(1, 2))
	for _, text := range texts {
		for range 200 {
			changed := []byte(text)
			if len(changed) > 0 {
				changed[r.IntN(len(changed))] = letters[r.IntN(len(letters))]
			}
			for _, s := range []string{text, string(changed)} {
				if got, want := isOurs(s), len(s) >= 19 && len(s) <= 71 && oursForm.MatchString(s); got != want {
					t.Errorf("isOurs(%q) = %v, want %v", s, got, want)
				}
			}
		}
	}
}
