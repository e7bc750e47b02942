package containment

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A type list is the text between angle brackets behind an identifier of code, as in Result<User, Error>.
const (
	longestTypeList = 200 // bytes
	deepestTypeList = 8   // brackets within each other
)

// typeWords may stand beside a name in a type, in the languages that have type lists.
var typeWords = []string{"extends", "super", "keyof", "typeof", "readonly", "infer", "const", "mut", "dyn", "impl", "in", "out", "as", "is"}

// ofTypes reports whether the bracket of a tag opens a list of types of code. It does under all of these conditions, so that a speaker's tag
// gets through neither by a letter before it nor by words within it:
//
//   - the bracket is the ASCII one, directly behind an identifier, or behind "::" and an identifier;
//   - the name behind it is written as types are, with one capital at its beginning: no chat template writes a speaker so;
//   - what stands in the brackets is a list of types, in which no word follows another, and they are closed;
//   - no word and no single colon follows the closing one directly.
//
// A closing tag, with its slash, is never one.
func ofTypes(text string, at int) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(text[:at], "::"))
	inside := text[at+1 : min(len(text), at+1+longestTypeList)]
	if text[at] != '<' || !isWord(last) || !isTypeName(nameIn(inside)) {
		return false
	}
	end := typeListEnd(inside)
	if end < 0 {
		return false
	}
	behind := text[at+1+end:]
	next, _ := utf8.DecodeRuneInString(behind)
	return behind == "" || !isWord(next) && (next != ':' || strings.HasPrefix(behind, "::")) && next != '：'
}

// isTypeName reports whether a name has one capital, at its beginning.
func isTypeName(name string) bool {
	return name != "" && 'A' <= name[0] && name[0] <= 'Z' && name[1:] == strings.ToLower(name[1:])
}

// typeListEnd returns the place behind the bracket that closes a list of types; -1 if the text is none.
func typeListEnd(text string) int {
	depth, word := 1, "" // the word before, unless a sign parts it from the next
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case isTypeByte(c):
			begin := i
			for i < len(text) && isTypeByte(text[i]) {
				i++
			}
			if word != "" && !isTypeWord(word) && !isTypeWord(text[begin:i]) {
				return -1
			}
			word = text[begin:i]
			continue
		case c == '>' && depth == 1:
			return i + 1
		case c == '>':
			depth--
			word = ">" // no word follows it, but for one of types
		case c == '<' && (word == "" || depth == deepestTypeList):
			return -1
		case c == '<':
			depth++
			word = ""
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		case strings.IndexByte(",|&=?*[]().:'", c) >= 0:
			word = ""
		default:
			return -1
		}
		i++
	}
	return -1
}

func isTypeByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isTypeWord(word string) bool { return slices.Contains(typeWords, word) }
