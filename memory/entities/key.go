package entities

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// KeyOf returns the key that mentions share which are written alike. It is in lower case, without accents, titles and
// signs; short forms of a system have the key of its usual name; identifiers stay as they are.
func KeyOf(form Form, name string) string {
	switch form {
	case Email, Handle:
		return strings.ToLower(strings.TrimSpace(name))
	case Path:
		return pathKey(name)
	case Code:
		return strings.TrimSuffix(strings.Trim(name, "` "), "()")
	case Ident:
		return strings.ReplaceAll(nameKey(name), " ", "-")
	default:
		if s, known := systems()[joined(name)]; known {
			return s.key
		}
		return nameKey(name)
	}
}

// pathKey returns the path or address without its scheme, "www." and ".git".
func pathKey(name string) string {
	_, bare, found := strings.Cut(name, "://")
	if !found {
		bare = name
	}
	bare = strings.TrimSuffix(strings.TrimRight(bare, "/"), ".git")
	return strings.TrimPrefix(strings.TrimPrefix(bare, "www."), "./")
}

// heads are spelled out.
var heads = map[string]string{"repo": "repository", "squad": "team"}

// nameKey folds a name in words: "Dr. Zoë O'Brien" is "zoe obrien". The head of a phrase is spelled out.
func nameKey(name string) string {
	words := tokens(name)
	for len(words) > 1 && titles.Has(words[0]) {
		words = words[1:]
	}
	if last := len(words) - 1; last > 0 && heads[words[last]] != "" {
		words[last] = heads[words[last]]
	}
	key := strings.Join(words, " ")
	for _, h := range language.Honorifics.All() {
		if bare, found := strings.CutSuffix(key, h); found && bare != "" {
			return strings.TrimSpace(bare)
		}
	}
	return key
}

// apostrophes are left out of names.
var apostrophes = strings.NewReplacer("'", "", "’", "")

// tokens cuts a name into folded words.
func tokens(name string) []string {
	return strings.FieldsFunc(apostrophes.Replace(fold(name)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '+' && r != '#'
	})
}

// joined returns the name without spaces and signs: "Payments API", "payments-api" and "PaymentsAPI" are one.
func joined(name string) string { return strings.Join(tokens(name), "") }

// letters that Unicode does not decompose, as they are written without their strokes.
var strokes = strings.NewReplacer("ß", "ss", "ł", "l", "ø", "o", "đ", "d", "æ", "ae", "œ", "oe", "ı", "i")

// fold returns text in lower case, without accents.
func fold(text string) string {
	lower := strings.ToLower(text)
	if isASCII(lower) {
		return lower
	}
	bare := strings.Map(func(r rune) rune {
		if r >= 0x300 && r <= 0x36f { // combining marks of European scripts; those of others carry meaning
			return -1
		}
		return r
	}, norm.NFKD.String(lower))
	return norm.NFC.String(strokes.Replace(bare))
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// mostTokens bounds how many words a name has that is looked up by each of them, and how many an entity by the subject of a
// claim: people have few.
const mostTokens = 3

// SearchKeys returns the keys that an entity is found by: "=" and the whole of its name, with and without spaces, and
// "^" and the beginning of each of its words. Stores index them; the rules choose among the entities found.
func (e Entity) SearchKeys() []string { return searchKeys(e.Form, e.Key) }

func searchKeys(form Form, key string) []string {
	keys := []string{"=" + key}
	var words []string
	switch form {
	case Email, Handle:
		local, _, _ := strings.Cut(strings.TrimPrefix(key, "@"), "@")
		words = tokens(local)
		if len(words) == 1 && len(words[0]) > prefixLength+1 {
			words = append(words, words[0][1:]) // jsmith
		}
	case Path:
		base := strings.ToLower(path.Base(key))
		keys = append(keys, "="+joined(strings.TrimSuffix(base, path.Ext(base))))
	case Ident, Code:
	default:
		words = strings.Fields(key)
		keys = append(keys, "="+strings.Join(words, ""))
		if initials := acronym(words); len(initials) > 2 {
			keys = append(keys, "="+initials)
		}
		if last := len(words) - 1; last > 0 && words[last] != "" {
			keys = append(keys, "="+core(key))
		}
	}
	if len(words) > mostTokens {
		words = nil
	}
	for _, w := range words {
		keys = append(keys, "^"+prefix(w))
	}
	slices.Sort(keys)
	return slices.DeleteFunc(slices.Compact(keys), func(k string) bool { return len(k) == 1 })
}

// prefixLength is the number of letters by which a word is looked up: those that short forms and slips of the pen leave alone.
const prefixLength = 3

func prefix(word string) string {
	n := 0
	for i := range word {
		if n == prefixLength {
			return word[:i]
		}
		n++
	}
	return word
}

// acronym returns the first letters of the words.
func acronym(words []string) string {
	var b strings.Builder
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		b.WriteRune(r)
	}
	return b.String()
}

// company returns the words of a name without the form of company at their end, and the form: "" if there is none. A form may be in
// letters, "S.A.", and be of several: "GmbH & Co. KG".
func company(words []string) (bare []string, form string) {
	for bare = words; len(bare) > 1; {
		last := len(bare) - 1
		n, written := 1, bare[last]
		for len(bare[last]) == 1 && n < last && len(bare[last-n]) == 1 {
			written = bare[last-n] + written
			n++
		}
		f, known := companies()[written]
		if !known {
			return bare, form
		}
		bare, form = bare[:len(bare)-n], strings.TrimSpace(f+" "+form)
	}
	return bare, form
}

// core returns a key without the form of company at its end, or the generic word at its beginning or end.
func core(key string) string {
	words := strings.Fields(key)
	if bare, form := company(words); form != "" {
		return strings.Join(bare, " ")
	}
	if len(words) > 1 && generic.Has(words[len(words)-1]) {
		return strings.Join(words[:len(words)-1], " ")
	}
	if len(words) > 1 && generic.Has(words[0]) {
		return strings.Join(words[1:], " ")
	}
	return key
}

// NameKeys returns the search keys of the entities that bear the very names.
func NameKeys(mentions []Mention) []string {
	var keys []string
	for _, m := range mentions {
		keys = append(keys, "="+m.Key)
	}
	return keys
}

// Keys returns the search keys of the entities that the mentions may name, the short forms of their words included.
func Keys(mentions []Mention) []string {
	var keys []string
	for _, m := range mentions {
		keys = append(keys, searchKeys(m.Form, m.Key)...)
		for w := range strings.FieldsSeq(m.Key) {
			for other := range nicknames()[w] {
				keys = append(keys, "^"+prefix(other))
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
