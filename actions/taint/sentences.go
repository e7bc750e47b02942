package taint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// span is a half-open stretch of a text, in bytes.
type span struct{ start, end int }

// sentencesOf cuts text[start:end] into sentences: at the ends of sentences, of paragraphs and of lines that are not just
// wrapped, at line feeds that are written as escapes, and at tags.
func sentencesOf(text string, start, end int) []span {
	var all []span
	from := start
	cut := func(at, next int) {
		if s, ok := trimmed(text, from, at); ok {
			all = append(all, s)
		}
		from = next
	}
	for i := start; i < end; i++ {
		switch c := text[i]; {
		case c == '\n' && breaks(text, from, i, end):
			cut(i, i+1)
		case c == '\\':
			if n := escapedFeed(text, i, end); n > 0 {
				cut(i, i+n)
				i += n - 1
			}
		case c == '<':
			if n := tag(text[i:end]); n > 0 {
				cut(i, i+n)
				i += n - 1
			}
		case c == ',' && columns(text, i, end):
			cut(i, i+1)
		case (c == '.' || c == '!' || c == '?') && ends(text, from, i, end):
			cut(i+1, i+1)
		}
	}
	cut(end, end)
	return all
}

func trimmed(text string, start, end int) (span, bool) {
	const around = " \t\r\n\\'\"|*"
	for start < end && strings.IndexByte(around, text[start]) >= 0 {
		start++
	}
	for start < end && strings.IndexByte(around, text[end-1]) >= 0 {
		end--
	}
	return span{start, end}, start < end
}

const wrapped80 = 45 // characters from which a line may be one that was wrapped

var bullet = language.NewPattern(`^\s*(?:[-*•]|\d{1,3}[.)])\s`)

// breaks reports whether the line feed at i ends a sentence: the next line is blank, a bullet or a field, this line begins
// or ends with an address and the next one begins with a capital, or this line is too short to have been wrapped.
func breaks(text string, from, i, end int) bool {
	lineStart := max(strings.LastIndexByte(text[:i], '\n')+1, from)
	if i-lineStart < wrapped80 {
		return true
	}
	rest := text[i+1 : end]
	if at := strings.IndexByte(rest, '\n'); at >= 0 {
		rest = rest[:at]
	}
	return strings.TrimSpace(rest) == "" || bullet.MatchString(rest) || mayBeKeyed(rest) && keyed.MatchString(rest) || (endsWithLink(text[lineStart:i]) || beginsWithLink(text[lineStart:i])) && opensSentence(rest)
}

// beginsWithLink reports whether a line begins with an address, as an entry of a list does.
func beginsWithLink(line string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(line, " \t"), " ")
	return isURL(first)
}

// endsWithLink reports whether a line ends with an address, as an entry of a list does.
func endsWithLink(line string) bool { return isURL(lastWord(strings.TrimRight(line, " \t\r"))) }

// opensSentence reports whether a line begins with a capital.
func opensSentence(line string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(line, " \t"))
	return unicode.IsUpper(first)
}

// escapedFeed returns the length of a line feed that is written with backslashes, 0 if there is none.
func escapedFeed(text string, i, end int) int {
	n := 0
	for i+n < end && text[i+n] == '\\' {
		n++
	}
	if i+n < end && (text[i+n] == 'n' || text[i+n] == 'r') {
		return n + 1
	}
	return 0
}

// tag returns the length of the markup tag that text begins with, 0 if it begins with none.
func tag(text string) int {
	if strings.HasPrefix(text, "<!--") { // hidden text is read as well
		return len("<!--")
	}
	if len(text) < 3 || !(text[1] == '/' || text[1] == '!' || unicode.IsLetter(rune(text[1]))) {
		return 0
	}
	if n := strings.IndexByte(text, '>'); n > 0 && n < 1000 {
		return n + 1
	}
	return 0
}

// ends reports whether the sign at i ends a sentence, and is not part of an address, a number or an abbreviation.
func ends(text string, from, i, end int) bool {
	if i+1 >= end {
		return true
	}
	next, size := utf8.DecodeRuneInString(text[i+1:])
	if unicode.IsSpace(next) || strings.ContainsRune(`'")]\<`, next) {
		rest := strings.TrimLeft(text[i+1:min(end, i+8)], " \t\r\n'\")]")
		follows, _ := utf8.DecodeRuneInString(rest)
		return !unicode.IsLower(follows) && !abbreviated(text[from:i])
	}
	if text[i] != '.' {
		return unicode.IsUpper(next)
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+1+size:])
	return unicode.IsUpper(next) && unicode.IsLower(before) && (unicode.IsLower(after) || unicode.IsUpper(after)) && !strings.ContainsAny(lastWord(text[from:i]), "@/:")
}

// columns reports whether the comma at i stands between columns: without a space, before a word with a capital.
func columns(text string, i, end int) bool {
	return i+2 < end && text[i+1] >= 'A' && text[i+1] <= 'Z' && text[i+2] >= 'a' && text[i+2] <= 'z'
}

func lastWord(text string) string { return text[strings.LastIndexAny(text, " \t\n")+1:] }

// abbreviated reports whether the text ends with one letter, as in "J. Doe" or "e.g.".
func abbreviated(text string) bool {
	word := lastWord(text)
	word = word[strings.LastIndexByte(word, '.')+1:]
	return utf8.RuneCountInString(word) == 1 && unicode.IsLetter(rune(word[0])) && word != "I"
}

// token is one word of a sentence.
type token struct {
	word string // in lower case
	stem string
	sign byte // of punctuation before it, with a space between; a space for none, 0 at the beginning
	// inName: it is part of an address, a path or an identifier, where words are no words.
	inName bool
	// mention: it is the name of somebody who is spoken to, as in "@anna".
	mention bool
}

// tokensOf returns the words of a sentence, split also where capitals run together.
func tokensOf(sentence string) []token {
	tokens := make([]token, 0, len(sentence)/6+1)
	sign := byte(0)
	for chunk := range strings.FieldsSeq(sentence) {
		inName := inName(chunk)
		if first := chunk[0]; len(tokens) > 0 && strings.IndexByte("-:", first) >= 0 {
			sign = ':'
		}
		mention := strings.LastIndexByte(chunk, '@') == 0
		words := language.NameWords(strings.Map(dropMarks, chunk))
		for i, w := range words {
			if i > 0 {
				sign = ' '
			}
			if i == 1 && !inName && glued.MatchString(chunk) {
				sign = ':'
			}
			if len(tokens) == 0 {
				sign = 0
			}
			tokens = append(tokens, token{w, language.LightStem(w), sign, inName, mention})
		}
		sign = ' '
		if last := chunk[len(chunk)-1]; strings.IndexByte(":!;,-.?", last) >= 0 {
			sign = last
		}
	}
	return tokens
}

// inName reports whether a chunk holds a sign of addresses, paths and identifiers between letters or digits.
func inName(chunk string) bool {
	for i := strings.IndexAny(chunk, signsOfNames); i >= 0 && i < len(chunk); i++ {
		switch sign := chunk[i]; {
		case sign == '@', strings.HasPrefix(chunk[i:], "://"):
			return true
		case i > 0 && strings.IndexByte(signsOfNames, sign) >= 0:
			before, _ := utf8.DecodeLastRuneInString(chunk[:i])
			after, _ := utf8.DecodeRuneInString(chunk[i+1:])
			if isWordRune(before) && isWordRune(after) {
				return true
			}
		}
	}
	return false
}

const signsOfNames = `@_=/\.:,`

// isWordRune reports whether a rune is a letter or of the numbers.
func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// glued matches a word in capitals with another one right behind it, as where a text was put behind another.
var glued = language.NewPattern(`^[A-Z]{2,}[a-z]{2,}`)

func dropMarks(r rune) rune {
	if r == '\'' || r == '’' {
		return -1
	}
	return r
}
