package redact

import (
	"strconv"
	"strings"
	"testing"
)

// TestEcho: of a secret that a message quotes nothing is left, whole, cut short or quoted as Go does, and all other text
// stays.
func TestEcho(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	hide := func(text string) string { text, _ = New(nil).Text(text); return text }
	for _, c := range []struct{ message, of, want string }{
		{`there is no task ` + strconv.Quote(token), token, `there is no task "[GITHUB_TOKEN:REDACTED]"`},
		{`there is no task ` + strconv.Quote(token[:20]+"…"), token, `there is no task "[REDACTED]…"`},
		{`"the é ` + token[:15] + `…" and "` + token[12:30] + `"`, "the é " + token, `"[REDACTED]…" and "[REDACTED]"`},
		{`there is no task "search-2026"`, "search-2026 " + token, `there is no task "search-2026"`},
		{`the object "550e8400-e29b-41d4-a716-446655440000" ended`, "550e8400-e29b-41d4-a716-446655440000", `the object "550e8400-e29b-41d4-a716-446655440000" ended`},
		{`short`, token, `short`},
		{``, token, ``},
	} {
		got := Echo(c.message, c.of, hide)
		if got != c.want {
			t.Errorf("Echo(%q) = %q, want %q", c.message, got, c.want)
		}
		for i := 0; i+quotable <= len(token); i++ {
			if strings.Contains(got, token[i:i+quotable]) {
				t.Errorf("Echo(%q) = %q, which holds %q of the token", c.message, got, token[i:i+quotable])
			}
		}
	}
}
