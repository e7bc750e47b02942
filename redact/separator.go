package redact

import "strings"

// separator returns how the value is tied to the key that ends at i, and where the value or its quote begins.
func separator(s string, i int) (form, int) {
	closed := closeKey(s, i)
	at := blanks.run(s, closed, closed+maxBlanks)
	if n := aside(s, at); n > at && at > closed {
		closed, at = n, blanks.run(s, n, n+maxBlanks)
	}
	if at >= len(s) {
		return none, 0
	}
	rest := s[at:]
	switch {
	case assignLen(rest) > 0:
		at += assignLen(rest)
		return assigned, blanks.run(s, at, at+maxBlanks)
	case strings.HasPrefix(rest, "::") || strings.HasPrefix(rest, "://"):
		return none, 0
	case strings.HasPrefix(rest, "<- "): // R
		return assigned, blanks.run(s, at+2, at+2+maxBlanks)
	case rest[0] == '(' && at == i && setter(s, i):
		return argument, at + 1
	case rest[0] == ',' && closed > i && quotes[s[closed-1]]:
		return argument, blanks.run(s, at+1, at+1+maxBlanks)
	case rest[0] == ':':
		return afterColon(s, at+1)
	case rest[0] == '>' && at == i:
		return element, at + 1
	case at == i && escapedSign(rest, "u003e") > 0: // JSON of HTML
		return element, at + escapedSign(rest, "u003e")
	case rest[0] == '|' && at > i:
		return phrase, blanks.run(s, at+1, at+maxBlanks)
	case at > closed:
		if n := verbLen(rest); n > 0 {
			return phrase, blanks.run(s, at+n, at+n+maxBlanks)
		}
		if n := typedLen(rest); n > 0 { // var token string = "x"
			return assigned, blanks.run(s, at+n, at+n+maxBlanks)
		}
		if closed == i {
			return phrase, at
		}
	}
	return none, 0
}

// aside returns where the words in brackets end that stand at i, as in "secret key (hex):"; i, if no sign follows them.
func aside(s string, i int) int {
	if i >= len(s) || s[i] != '(' {
		return i
	}
	end := asideBytes.run(s, i+1, i+maxBlanks)
	if end+1 >= len(s) || s[end] != ')' || s[end+1] != ':' {
		return i
	}
	return end + 1
}

var asideBytes = classOf("A-Za-z0-9 -")

// setter reports whether the name that ends at i is one of a function that takes the value: setPassword("x"), SQL's
// PASSWORD('x').
func setter(s string, i int) bool {
	start := i
	for start > 0 && i-start < maxKey && nameBytes[s[start-1]] {
		start--
	}
	w := splitWords(s[start:i])
	first := string(w.part(0, min(1, w.count)))
	return w.count > 1 && (first == "set" || first == "with") || w.count == 1 && first == "password"
}

// assignLen returns the length of the sign of assignment with which rest begins: = := ?= .= ::= => and the like. It
// returns 0 if there is none.
func assignLen(rest string) int {
	n := assignSigns.run(rest, 0, 4)
	equals := strings.IndexByte(rest[:n], '=')
	if equals < 0 || strings.Contains(rest[:n], "==") && equals > 0 {
		return 0
	}
	return n
}

var assignSigns = classOf(".:?=>")

// typedLen returns the length of the type and the sign of assignment with which rest begins, 0 if it does not.
func typedLen(rest string) int {
	n := typeName.run(rest, 0, maxKey)
	at := blanks.run(rest, n, n+maxBlanks)
	if n == 0 || at == n || at+1 >= len(rest) || rest[at] != '=' || !blanks[rest[at+1]] {
		return 0
	}
	if quote := slashes.run(rest, at+2, at+2+maxSlashes); quote >= len(rest) || !quotes[rest[quote]] {
		return 0
	}
	return at + 1
}

// verbLen returns the length of the words with which rest begins and that tie a value to a key: "is ", "for bob is ".
// It returns 0 if there are none.
func verbLen(rest string) int {
	owner := 0
	if hasAnyPrefix(rest, "for ", "of ", "on ") {
		words := rest[:min(len(rest), maxOwner)]
		if stop := strings.IndexAny(words, ".,:;=\"\n"); stop >= 0 {
			words = words[:stop]
		}
		owner = max(strings.Index(words, " is "), strings.Index(words, " was ")) + 1
	}
	for _, verb := range []string{"is ", "was ", "is: "} {
		if strings.HasPrefix(rest[owner:], verb) {
			return owner + len(verb)
		}
	}
	return 0
}

// closeKey returns where the signs end that close a key: quotes, escaped or not, a bracket, the stars of Markdown.
func closeKey(s string, i int) int {
	for n := 0; n < 8 && i < len(s); n++ {
		quote := slashes.run(s, i, i+maxSlashes)
		switch {
		case quote < len(s) && quotes[s[quote]]:
			i = quote + 1
		case s[i] == ']' || s[i] == '*':
			i++
		default:
			return i
		}
	}
	return i
}

// afterColon returns where the value begins after a colon: after blanks, the stars of Markdown, and the type of a
// variable that is assigned, as in password: str = "x".
func afterColon(s string, i int) (form, int) {
	if strings.HasPrefix(s[i:], "**") {
		i += 2
	}
	i = blanks.run(s, i, i+maxBlanks)
	typed := blanks.run(s, typeName.run(s, i, i+maxKey), i+maxKey+1)
	if typed > i && typed < len(s) && s[typed] == '=' && s[typed-1] == ' ' {
		return assigned, blanks.run(s, typed+1, typed+maxBlanks)
	}
	return colon, i
}

var typeName = classOf("A-Za-z0-9_.[]|?&*<>")
