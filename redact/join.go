package redact

// A value that was broken over lines goes on behind a join. A sure join says so by a sign: a backslash or an equals
// sign before the line break, two strings that a program adds. A likely one does not: a folded header, a wrapped
// cell, a wrapped line; it counts only if a value would otherwise be too short.

const (
	maxJoin  = 96 // bytes of the spaces, signs and quotes that part two pieces
	maxJoins = 64 // pieces of one value
	minPiece = 4  // bytes of a piece
)

var (
	adders  = classOf(`+.&\`)
	margins = classOf(" \t|#>*/")
)

// joinedRun returns where the bytes of c that begin at from end, sure joins included, at most limit.
func joinedRun(s string, c *class, from, limit int) int {
	end := c.run(s, from, limit)
	for range maxJoins {
		next := sureJoin(s, end)
		stop := c.run(s, next, limit)
		if next == 0 || stop-next < minPiece {
			break
		}
		end = stop
	}
	return end
}

// sureJoin returns where the value goes on that breaks off at i, and 0 if no sign says that it does.
func sureJoin(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	switch n := slashes.run(s, i, i+maxSlashes) - i; {
	case n == 1 && breakLen(s, i+1) > 0 && s[i+1] != '\\':
		return blanks.run(s, i+1+breakLen(s, i+1), i+maxJoin)
	case n >= 3 && n%2 == 1 && brokenAt(s, i) > 0: // the same in JSON
		return blanks.run(s, i+brokenAt(s, i), i+maxJoin)
	case s[i] == '=' && breakLen(s, i+1) > 0:
		return i + 1 + breakLen(s, i+1)
	case i > 0 && s[i-1] == '=' && breakLen(s, i) > 0 && (i < 2 || s[i-2] != '='):
		return i + breakLen(s, i)
	case i+n < len(s) && quotes[s[i+n]]:
		return stringJoin(s, i, i+n+1)
	}
	return 0
}

// stringJoin returns where the next string begins that a program adds to the one whose closing quote stands at i..after.
func stringJoin(s string, i, after int) int {
	at := skipGaps(s, after)
	added := at < len(s) && adders[s[at]]
	if added {
		at = skipGaps(s, at+1)
	}
	mark := s[i:after]
	if at-i > maxJoin || len(s)-at < len(mark) || s[at:at+len(mark)] != mark {
		return 0
	}
	if !added && breakLen(s, blanks.run(s, after, after+maxJoin)) == 0 {
		return 0
	}
	return at + len(mark)
}

// likelyJoin returns where the value may go on that breaks off at i for want of room, and 0 if it does not.
func likelyJoin(s string, i int) int {
	at := margins.run(s, i, i+maxJoin)
	n := breakLen(s, at)
	if n == 0 {
		return 0
	}
	return margins.run(s, at+n, at+n+maxJoin)
}

// breakLen returns the length of the line break at i, escaped or not, and 0 if there is none.
func breakLen(s string, i int) int {
	switch {
	case i >= len(s):
		return 0
	case s[i] == '\n':
		return 1
	case s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n':
		return 2
	}
	return brokenAt(s, i)
}

// piece reports whether the piece from i to end can be the rest of a token that was wrapped: it ends its line or cell,
// and is no word.
func piece(s string, i, end int) bool {
	at := blanks.run(s, end, end+maxBlanks)
	return end-i >= minPiece && (endsLine(s, at) || s[at] == '|') && (hasDigit(s[i:end]) || humps(s[i:end]) > 1)
}
