package redact

import "strings"

var backupCodes = detector{
	Doc:     "Codes that stand in for a second factor, in a list under a heading that says so.",
	Anchors: []string{"codes"},
	at:      codesAt,
	Kinds: []kind{{
		Label:    "BACKUP_CODE",
		Doc:      "a code that stands in for a second factor",
		Unmarked: true,
		Yes: []string{
			"Backup codes:\n1. «k3f9a-82jd7»\n2. «p0d7s-91hf2»\n3. «x8c2v-40gm6»\n",
			"# Your recovery codes\n\n- «83619254»\n- «10593827»\n- «47261908»\n",
			"2FA scratch codes\n«1839 4410»\n«5520 9917»\n«0284 7736»\n",
		},
		No: []string{
			"Backup codes: print them.\nKeep them safe.\nEach works once.\n",
			"Promo codes\nSAVE-2024\nWINTER-2024\nSUMMER-2024\n",
			"Recovery codes\n- one\n- two\n- three\n",
			"error codes:\n40401\n50001\n50302\n",
		},
	}},
}

const (
	minCodes   = 3  // of one shape, below each other
	maxCodes   = 32 // of one list
	maxCaption = 48 // bytes between the word and the list
)

// codeWords are the words before "codes" that name their purpose.
var codeWords = []string{"backup", "back-up", "recovery", "scratch", "2fa", "mfa", "two-factor", "emergency", "rescue"}

var codeBytes = classOf("A-Za-z0-9-")

// codesAt looks for a list below the heading, each line of which holds a code of the same shape.
func codesAt(t *scan, i, k int) int {
	s, after := t.s, i+len("codes")
	before := strings.ToLower(s[max(0, i-maxCaption/2):i])
	if !containsAny(before, codeWords...) {
		return after
	}
	line := after
	for line < len(s) && line < after+maxCaption && breakLen(s, line) == 0 {
		line++
	}
	var list []stretch
	for len(list) < maxCodes && line < len(s) && breakLen(s, line) > 0 {
		for breakLen(s, line) > 0 {
			line += breakLen(s, line)
		}
		code, end, ok := codeOn(s, line)
		if !ok || len(list) > 0 && !alike(s, list[0], code) {
			break
		}
		list, line = append(list, code), end
	}
	if len(list) < minCodes {
		return after
	}
	for _, c := range list {
		t.hit("BACKUP_CODE", c.start, c.end)
	}
	return line
}

// codeOn returns the code on the line that begins at i, behind the sign or the number of a list, and where the line ends.
func codeOn(s string, i int) (code stretch, end int, ok bool) {
	i = blanks.run(s, i, i+maxBlanks)
	if n := digits.run(s, i, i+2); n > i && n < len(s) && (s[n] == '.' || s[n] == ')') {
		i = n + 1
	} else if i < len(s) && (s[i] == '-' || s[i] == '*') {
		i++
	}
	i = blanks.run(s, i, i+maxBlanks)
	i = quotes.run(s, i, i+1)
	end = codeBytes.run(s, i, i+maxKey)
	if end < len(s) && s[end] == ' ' && codeBytes.run(s, end+1, end+maxBlanks)-end-1 == end-i {
		end += 1 + end - i
	}
	code = stretch{i, end}
	end = blanks.run(s, quotes.run(s, end, end+1), end+maxBlanks)
	text := s[code.start:code.end]
	return code, end, len(text) >= 8 && len(text) <= 24 && hasDigit(text) && (end >= len(s) || breakLen(s, end) > 0 || endsLine(s, end))
}

// alike reports whether two codes have their signs at the same places.
func alike(s string, a, b stretch) bool {
	if a.end-a.start != b.end-b.start {
		return false
	}
	for i := range a.end - a.start {
		if alnum[s[a.start+i]] != alnum[s[b.start+i]] {
			return false
		}
	}
	return true
}
