package redact

import "strings"

// continued returns where the value begins that a backslash and a line break part from its sign; at, if nothing does.
func continued(s string, at int) int {
	n := slashes.run(s, at, at+maxSlashes) - at
	size := 0
	switch {
	case n == 1:
		size = 1 + breakLen(s, at+1)
	case n%3 == 0: // in a string of JSON, or in one in another
		size = brokenAt(s, at)
	}
	if size < 2 {
		return at
	}
	return blanks.run(s, at+size, at+maxJoin)
}

// maxBelow is the number of line breaks that may stand between a name and the value below it.
const maxBelow = 2

// valueBelow returns the value that stands below the key, by itself in its line: after the sign of a pair, or under a
// heading that is nothing but the name. Such a value has to look like a secret.
func valueBelow(s string, k key) (span, bool) {
	at := belowKey(s, k)
	line := skipBreaks(s, at)
	if at == 0 || line == at {
		return span{}, false
	}
	start, end, quoted := quotedAt(s, line)
	if !quoted {
		start = blanks.run(s, line, line+maxBlanks)
		end = bareEnd(s, start, start+looked+1)
	}
	text := s[start:end]
	if after := closeKey(s, end); !quoted && (end-start > looked || start == line && s[at-1] == '=' || !endsLine(s, blanks.run(s, after, after+maxBlanks))) {
		return span{}, false
	}
	if n, ok := k.judge(s); ok && !reference(text) && !standInWord(text) && (n.label != "TOKEN" && strong(text) || n.drawn(text)) {
		return span{start: start, end: end, label: n.label}, true
	}
	return span{}, false
}

// belowKey returns where the line of the key ends, 0 if more stands in it than a sign, or if it is the end of a sentence.
func belowKey(s string, k key) int {
	at := closeKey(s, k.end)
	at = blanks.run(s, at, at+maxBlanks)
	if at >= len(s) {
		return 0
	}
	sign := assignLen(s[at:])
	if s[at] == ':' && sign == 0 {
		sign = 1
	}
	if sign == 0 && !titled(s, k) {
		return 0
	}
	at = closeKey(s, at+sign)
	return blanks.run(s, at, at+maxBlanks)
}

// titled reports whether the key, with the words before it, begins its line, after the signs of a heading.
func titled(s string, k key) bool {
	start := k.phrase
	for start > 0 && k.phrase-start < maxBlanks && strings.IndexByte(" \t#*_-", s[start-1]) >= 0 {
		start--
	}
	return lineStart(s, start) || quotes[s[start-1]]
}

// skipBreaks returns where the line begins after the line breaks at i, i if there are none or too many.
func skipBreaks(s string, i int) int {
	at := i
	for n := 0; ; n++ {
		size := breakLen(s, at)
		if size == 0 {
			break
		}
		if n == maxBelow {
			return i
		}
		at += size
		if next := blanks.run(s, at, at+maxBlanks); breakLen(s, next) > 0 {
			at = next
		}
	}
	return blanks.run(s, at, at+maxBlanks)
}
