package redact

import (
	"bytes"
	"strings"
)

// A key is an identifier that may name a value.
type key struct {
	start, end int
	phrase     int  // where the two words before it begin, as in "secret access key"; start, if there are none
	path       int  // where the part of a path before it begins, as in encryption.key; start, if there is none
	singular   bool // the s at its end does not count

	judged bool // judge was asked: it returned name and known
	name   name
	known  bool
}

// judgedOnce returns the key with the result of judge, so that a later call of judge costs nothing.
func (k key) judgedOnce(s string) key {
	k.name, k.known = k.judge(s)
	k.judged = true
	return k
}

// nameBytes are the bytes of identifiers. A full stop parts them: only the last part of spring.datasource.password
// counts.
var nameBytes = classOf("A-Za-z0-9_-")

// need is the look that a value must have, given how sure the name is.
type need int

const (
	anything   need = iota // the name suffices
	mixed                  // letters with digits or signs
	randomness             // nothing but chance writes such a value
)

// A name is the meaning that a key gives its value.
type name struct {
	label string
	need  need
	word  string // the entry of names
}

// names are the last words of a key, joined and in lower case, that say that the value is a secret.
var names = func() map[string]name {
	needs := map[string]need{"anything": anything, "mixed": mixed, "randomness": randomness}
	table := make(map[string]name)
	for _, row := range wordTable("names") {
		for w := range strings.FieldsSeq(row[2]) {
			table[w] = name{label: row[0], need: needs[row[1]], word: w}
		}
	}
	return table
}()

// queryNames are names that count only in a query string: elsewhere a signature is for everyone to check.
var queryNames = wordSet("sig signature")

// nameTails are names that also count at the end of a longer word, as in PGPASSWORD.
var nameTails = []string{"password", "passwd", "passphrase", "apikey"}

// afterNames are words that may follow the name: password_old, SECRET_VALUE.
var afterNames = wordList("after_names")

// aboutWords are words with which a longer name says something about a secret, not the secret: token_count,
// password_policy.
var aboutWords = wordList("about")

// publicWords are words beside which a token or a key is no secret: a page token, a public key.
var publicWords = wordList("public")

// captionWords are words with which an identifier names a message, a button or an object, not a value: invalid_password,
// existingSecret.
var captionWords = wordList("messages")

// judge returns the meaning that the key gives its value, and false if it has none.
func (k key) judge(s string) (name, bool) {
	if k.judged {
		return k.name, k.known
	}
	if k.singular && k.end > k.start && s[k.end-1]|0x20 == 's' {
		k.end--
	}
	w := splitWords(s[k.start:k.end])
	wider := w
	n, ok := w.name()
	if k.phrase < k.start {
		wider = splitWords(s[k.phrase:k.end])
		if !ok {
			n, ok = wider.name()
		}
	}
	if !ok {
		n, ok = w.nameWithin()
	}
	switch {
	case !ok && k.path < k.start:
		wider = splitWords(s[k.path:k.end])
		if n, ok = wider.name(); !ok || n.label == "PASSWORD" {
			return name{}, false
		}
		n.need = randomness
	case !ok:
		return name{}, false
	}
	switch {
	case queryNames[n.word] && !queryKey(s, k.start):
		return name{}, false
	case n.word == "pass" && strings.HasSuffix(s[:k.start], "--- "): // of go test
		return name{}, false
	case n.label != "PASSWORD" && n.label != "SECRET" && wider.any(publicWords), w.any(captionWords):
		return name{}, false
	}
	if id := s[k.start:k.end]; id == "PWD" || id == "OLDPWD" { // the folder, in a shell
		n.need = mixed
	}
	return n, true
}

// queryKey reports whether the key at i stands in a query string.
func queryKey(s string, i int) bool {
	return i > 0 && (s[i-1] == '?' || s[i-1] == '&' || s[i-1] == ';') || i > 5 && s[i-6:i] == `\u0026`
}

const (
	maxKey   = 64 // bytes of a key, from its end, that are judged
	maxWords = 16
)

// words are the words of an identifier in lower case, by the places at which they begin in text.
type words struct {
	text  [maxKey]byte
	begin [maxWords + 1]uint8 // begin[count] is the length of the text
	count int
}

// splitWords parts an identifier at signs and where the case says so: api_key, apiKey, APIKey, X-Api-Key, api key.
func splitWords(id string) words {
	id = id[max(0, len(id)-maxKey):]
	var w words
	size := 0
	fresh := true
	for i := range len(id) {
		c := id[i]
		if !alnum[c] {
			fresh = true
			continue
		}
		upper := 'A' <= c && c <= 'Z'
		hump := upper && i > 0 && (!isUpper(id[i-1]) || i+1 < len(id) && isLower(id[i+1]))
		if (fresh || hump) && w.count < maxWords {
			w.begin[w.count] = uint8(size)
			w.count++
		}
		if upper {
			c += 'a' - 'A'
		}
		w.text[size] = c
		size++
		fresh = false
	}
	w.begin[w.count] = uint8(size)
	return w
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// part returns the words from i up to j, joined.
func (w *words) part(i, j int) []byte { return w.text[w.begin[i]:w.begin[j]] }

// any reports whether one of the words is in the set.
func (w *words) any(set map[string]bool) bool {
	for i := range w.count {
		if set[string(w.part(i, i+1))] {
			return true
		}
	}
	return false
}

// name looks the last three, two and one words up, leaving out numbers and words like "old" at the end.
func (w *words) name() (name, bool) {
	found, sure, ok := w.lookUp()
	return found, sure && ok
}

// nameWithin is name, but other words may follow too. The name is not sure then, and the value has to look random.
func (w *words) nameWithin() (name, bool) {
	found, sure, ok := w.lookUp()
	if !sure {
		found.need = randomness
	}
	return found, ok
}

// lookUp returns the last name among the words, and whether no word follows that could change its meaning.
func (w *words) lookUp() (found name, sure, ok bool) {
	sure = true
	for end := w.count; end > 0 && end > w.count-3; end-- {
		if found, ok = w.nameBefore(end); ok {
			return found, sure, true
		}
		last := w.part(end-1, end)
		switch {
		case afterNames[string(last)] || numbered(last):
		case aboutWords[string(last)]:
			return name{}, sure, false
		default:
			sure = false
		}
	}
	return name{}, sure, false
}

// nameBefore looks the words before end up, without the number at their end.
func (w *words) nameBefore(end int) (name, bool) {
	for n := min(3, end); n > 0; n-- {
		joined := w.part(end-n, end)
		if found, ok := names[string(joined)]; ok {
			return found, true
		}
		if !digits[joined[len(joined)-1]] {
			continue
		}
		if found, ok := names[string(bytes.TrimRight(joined, "0123456789"))]; ok {
			return found, true
		}
	}
	last := w.part(end-1, end)
	for _, tail := range nameTails {
		if len(last) > len(tail) && string(last[len(last)-len(tail):]) == tail {
			return names[tail], true
		}
	}
	return name{}, false
}

// numbered reports whether the word is the number of a version: 2, v2.
func numbered(word []byte) bool {
	if len(word) > 1 && word[0] == 'v' {
		word = word[1:]
	}
	return digits.run(string(word), 0, len(word)) == len(word)
}
