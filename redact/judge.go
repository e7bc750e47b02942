package redact

import (
	"math"
	"strings"
)

// takes reports whether the value after the key is a secret: it is written as one, and nothing excuses it. Most values are
// not, which costs less to see.
func (n name) takes(s string, k key, v value) bool {
	text := s[v.start:min(v.end, v.start+looked)]
	return !placeholderAlone(text) && n.written(s, k, v, text) && !n.excused(s, k, v, text)
}

// written reports whether the value is written as a secret is after such a key.
func (n name) written(s string, k key, v value, text string) bool {
	switch {
	case n.need == randomness:
		return n.drawn(text) && (v.quoted || !code(s, v))
	case v.form == phrase:
		return n.need == anything && n.told(s, k, v, text)
	case v.form == argument:
		return v.quoted && mixture(text) && !sentence(text)
	case v.quoted:
		return (n.need == anything || mixture(text)) && !sentence(text)
	}
	return (mixture(text) || n.need == anything && alone(s, k, v, text)) && !n.expression(s, k, v, text)
}

// excused reports whether a value that is written as a secret only names one, or says something about one.
func (n name) excused(s string, k key, v value, text string) bool {
	switch {
	case v.quoted && closes(s, k, v):
	case v.quoted && v.form == phrase && tagged(s, n, v):
	case command(s, v, text):
	case reference(text), standInWord(text), named(text, s[k.start:k.end]):
	case (v.quoted || n.need == anything) && captioned(text):
	default:
		return false
	}
	return true
}

// told reports whether a phrase tells a secret.
func (n name) told(s string, k key, v value, text string) bool {
	switch {
	case !v.quoted && pointers[text[0]]:
		return false
	case v.quoted && n.label == "PASSWORD" && !sentence(text):
		return true
	case mixture(text) && optional(s, k), password(text) && spoken(s, k, v):
		return true
	}
	return n.label != "PASSWORD" && len(text) >= minMaterial && n.drawn(text)
}

// pointers are signs with which a bare value of a phrase begins that a program reads.
var pointers = classOf("*&[(")

// alone reports whether a bare value of any form is one by its place: it stands right behind a sign, has its line to itself, or
// is a number of JSON.
func alone(s string, k key, v value, text string) bool {
	return v.form == assigned && v.tight || wholeLine(s, k, v) || numeral(s, k, text)
}

// expression reports whether a program or a shell reads the bare value as something else than a text.
func (n name) expression(s string, k key, v value, text string) bool {
	defaulted := strings.IndexByte("?+", text[0]) >= 0 && strings.HasSuffix(s[:k.start], "${") // ${PASSWORD:?required}
	return defaulted || question(text) || constant(n, text) || code(s, v)
}

// command reports whether the text is a command in grave accents, whose output a shell puts in its place.
func command(s string, v value, text string) bool {
	first := nameBytes.run(text, 0, len(text))
	return v.quoted && v.tight && s[v.start-1] == '`' && first > 0 && first < len(text) && text[first] == ' '
}

// minMaterial is how long a key is that stands in a sentence without a word that ties it to its name.
const minMaterial = 32

// drawn reports whether chance wrote the text, or a program that makes passwords.
func (n name) drawn(text string) bool {
	return random(text, 12) && !camel(text) || n.label == "PASSWORD" && strong(text)
}

// strong reports whether the text is written as only passwords are: of eight characters or more, and of three of small
// letters, capitals, digits and signs, but no date, term or name of a file.
func strong(text string) bool {
	text = strings.TrimRight(text, ".,;:")
	if len(text) < 8 || len(text) > looked || !digits.in(text) || notStrong.in(text) {
		return false
	}
	kinds := 0
	for _, of := range strongKinds {
		if of.in(text) {
			kinds++
		}
	}
	return kinds >= 3 && strings.Count(text, ".") < 2 && !hasAnyPrefix(strings.ToLower(text), technical...)
}

var notStrong = classOf(" \t\n/\\<>(){}[]\"@=")

var strongKinds = []*class{smallLetters, classOf("A-Z"), digits, classOf("!#$%^&*?+~")}

// numeral reports whether the value is a number of JSON that may be a password.
func numeral(s string, k key, text string) bool {
	return closeKey(s, k.end) > k.end && len(text) >= 4 && digits.run(text, 0, len(text)) == len(text)
}

// directives are the names that take a value after a space, in the configuration of a server.
var directives = wordSet("requirepass masterauth")

// named reports whether the text is the key once more, as a constant has that names a field: UserPassword = "userPassword".
func named(text, key string) bool {
	t, k := splitWords(text), splitWords(key)
	return t.count > 1 && string(t.part(0, t.count)) == string(k.part(0, k.count)) && nameBytes.run(text, 0, len(text)) == len(text)
}

// closes reports whether the quote before the value is the one that ends the string in which the key stands: "key=" + x.
func closes(s string, k key, v value) bool {
	return v.tight && k.start > 0 && k.end > k.start && quotes[s[k.start-1]] && s[v.start-1] == s[k.start-1]
}

// tagged reports whether the text in grave accents is no value: the tag of a field in Go, or a word of a comment.
func tagged(s string, n name, v value) bool {
	return s[v.start-1] == '`' && (n.word == "identifiedby" || containsAny(s[v.start:v.end], `:"`, `:\`))
}

// optional reports whether the key is an option of a command or of a server, or the target of a command.
func optional(s string, k key) bool {
	return s[k.start] == '-' || hasAnySuffix(s[:k.start], " set ", "setenv ", "/:") || directives[s[k.start:k.end]]
}

// spoken reports whether a phrase ties the value to the key: by a verb or a column for every name; by a space alone
// only for a password, since "the secret abc1" may name it.
func spoken(s string, k key, v value) bool {
	between := strings.TrimSpace(s[k.end:v.start])
	return between != "" || strings.HasSuffix(strings.ToLower(s[k.start:k.end]), "password")
}

// wholeLine reports whether key and value have a line to themselves, as in YAML, and the value is one word that was
// not put together as identifiers are.
func wholeLine(s string, k key, v value) bool {
	start := k.start
	for start > 0 && start > k.start-maxBlanks && strings.IndexByte(" \t\"'-*`", s[start-1]) >= 0 {
		start--
	}
	if strings.HasSuffix(s[:start], "export") {
		start -= len("export")
	}
	text := s[v.start:v.end]
	end := blanks.run(s, v.end, v.end+maxBlanks)
	return lineStart(s, start) && endsLine(s, end) && !strings.ContainsAny(text, "_.") && splitWords(text).count == 1
}

// code reports whether a bare value is an expression of a programming language: a call, an index, a path of names, a
// variable that is itself named as a secret, a composite.
func code(s string, v value) bool {
	text := s[v.start:v.end]
	rest := s[v.end:]
	if strings.HasPrefix(rest, "->") || strings.HasSuffix(text, "-") && strings.HasPrefix(rest, ">") {
		return true
	}
	if strings.IndexByte("{([&*!", text[0]) >= 0 && (text[0] == '{' || text[0] == '(' || v.form == colon) ||
		strings.HasPrefix(text, "[]") || arrayType(text) || text[0] == '!' && v.form == assigned && !v.tight && strings.Contains(text, "(") || text[0] == '+' && v.start > 0 && quotes[s[v.start-1]] { // "password="+x
		return true
	}
	path := identifierPath.run(text, 0, len(text))
	switch {
	case path > 0 && path < len(text) && placeholderLen(text[path:]) == 0:
		return strings.IndexByte("([{", text[path]) >= 0 && letters[text[0]]
	case digits[text[0]]:
		return false
	case !hasDigit(text) && strings.Contains(strings.Trim(text, "."), "."):
		return true
	}
	w := splitWords(text)
	n, secret := w.name()
	return secret && w.count > 1 && (!hasDigit(text) || strings.HasSuffix(strings.ToLower(text), n.word))
}

// question reports whether the text is a word that asks: forgotten?
func question(text string) bool {
	return strings.HasSuffix(text, "?") && letters.run(text, 0, len(text)) == len(text)-1
}

// arrayType reports whether the text begins as a composite of Go does: [64]byte{.
func arrayType(text string) bool {
	n := digits.run(text, 1, len(text))
	return text[0] == '[' && n > 1 && n+1 < len(text) && text[n] == ']' && letters[text[n+1]]
}

// constant reports whether a bare value is one of a program, not a secret: a small number, a letter.
func constant(n name, text string) bool {
	if n.label == "PASSWORD" {
		return len(text) > 2 && len(text) < 11 && text[:2] == "0x" && hexDigits.run(text, 2, len(text)) == len(text)
	}
	return len(text) < 4 || len(text) < 8 && numberBytes.run(text, 0, len(text)) == len(text)
}

var numberBytes = classOf("0-9a-fA-FxX_")

var identifierPath = classOf("A-Za-z0-9_.$")

// mixes are the digits and signs that no word has.
var mixes = classOf("0-9!@#$%^&*?+~=")

// mixture reports whether the text is written as passwords are: letters with digits or signs that no word has.
func mixture(text string) bool {
	return len(text) >= 5 && mixes.in(text) && strings.ContainsFunc(text, isLetter)
}

// password reports whether a word of a sentence is a password: signs within it, or letters and digits that are no
// technical term; with hyphens only if there are capitals and small letters too.
func password(text string) bool {
	word := strings.TrimRight(text, ".,;:!?")
	if !mixture(text) {
		return false
	}
	if strings.ContainsAny(word, "!#$%^&*?+~=") || hasDigit(word) && strings.ContainsAny(text, "!?") {
		return true
	}
	lower := strings.ToLower(word)
	if !letters[word[0]] || !hasDigit(word) || hasAnyPrefix(lower, technical...) {
		return false
	}
	return alnum.run(word, 0, len(word)) == len(word) || withNumber(word) ||
		nameBytes.run(word, 0, len(word)) == len(word) && lower != word && strings.ToUpper(word) != word
}

// withNumber reports whether a text is of three or more parts with hyphens between them, the last of which is a number, as "sword-fish-9".
func withNumber(word string) bool {
	parts := strings.Split(word, "-")
	last := parts[len(parts)-1]
	return len(parts) > 2 && last != "" && digits.run(last, 0, len(last)) == len(last) && nameBytes.run(word, 0, len(word)) == len(word)
}

// technical begin the terms that mix letters with digits.
var technical = []string{"sha", "md5", "base", "utf", "aes", "hs256", "hs512", "rs256", "es256", "argon", "oauth",
	"x509", "pbkdf", "bcrypt", "ipv", "http", "tls", "ed25519", "k8s"}

func isLetter(r rune) bool { return r >= 0x80 || letters[byte(r)] }

func hasDigit(text string) bool { return digits.in(text) }

// sentence reports whether the text is something said about a secret: several words, one of which names it, or four or
// more, one of which only grammar needs.
func sentence(text string) bool {
	lower := strings.ToLower(text)
	list := strings.Fields(lower)
	if len(list) > 1 && containsAny(lower, "password", "passphrase", "api key") {
		return true
	}
	if len(list) < 4 {
		return false
	}
	for _, w := range list {
		if functionWords[w] {
			return true
		}
	}
	return false
}

var functionWords = wordList("function_words")

// random reports whether the text is one that only chance writes: without spaces, varied, and with a stretch of at
// least n letters and digits that no name has.
func random(text string, n int) bool {
	if len(text) < 16 || !hasDenseRun(text[:min(len(text), looked)], n) || notRandom.in(text) || strings.Contains(text, "://") {
		return false
	}
	return entropy(text[:min(len(text), looked)]) >= 3
}

var notRandom = classOf(" \t\n\"'<>(){}")

// hasDenseRun reports whether n letters and digits stand together that mix both, or that change case more often than
// words that were put together do.
func hasDenseRun(text string, n int) bool {
	for i := 0; i < len(text); i++ {
		if len(text)-i < n {
			return false
		}
		end := alnum.run(text, i, len(text))
		run := text[i:end]
		if len(run) >= n && (hasDigit(run) && strings.ContainsFunc(run, isLetter) || humps(run) >= 5) {
			return true
		}
		i = end
	}
	return false
}

// humps counts the capitals that follow a small letter.
func humps(text string) int {
	n := 0
	for i := 1; i < len(text); i++ {
		if isUpper(text[i]) && isLower(text[i-1]) {
			n++
		}
	}
	return n
}

// entropy returns Shannon's entropy of the text in bits a byte, no less than it is.
func entropy(text string) float64 {
	var counts [256]uint16
	text = text[:min(len(text), math.MaxUint16)]
	for i := range len(text) {
		counts[text[i]]++
	}
	weight := 0.0 // of each byte, how often it stands there times the bits of that
	for i := range len(text) {
		if c := counts[text[i]]; c > 0 {
			weight += float64(c) * bitsOf(int(c))
			counts[text[i]] = 0
		}
	}
	const slack = 1e-9 // of rounding
	if text == "" {
		return 0
	}
	return bitsOf(len(text)) - weight/float64(len(text)) + slack
}

// bitsOf returns the binary logarithm of n, which is at least 1.
func bitsOf(n int) float64 {
	if n < len(logarithms) {
		return logarithms[n]
	}
	return math.Log2(float64(n))
}

// logarithms are the binary ones of small numbers.
var logarithms = func() (table [looked + 1]float64) {
	for n := 1; n < len(table); n++ {
		table[n] = math.Log2(float64(n))
	}
	return table
}()
