package taint

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// AnnotationsOf returns the hints of a tool, none for one that nobody described.
func (p *Provenance) AnnotationsOf(tool string) Annotations {
	if d := p.definition(tool); d != nil {
		return d.Annotations
	}
	return Annotations{}
}

// NameOf returns the words by which a call is told: of its tool and its operation, without those that say nothing.
func (p *Provenance) NameOf(c Call) []string {
	var all []string
	for _, w := range append(language.NameWords(c.Tool), language.NameWords(c.Operation)...) {
		if p.meaning(c).words[stemOf(w)] && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// HidesSecret reports whether redaction hid something in a call that the user did not say, under a label that is of a secret.
func (p *Provenance) HidesSecret(kept Call, isSecret func(label string) bool) bool {
	hides := func(text string) bool {
		for _, at := range placeholder.FindAllString(strings.ToLower(text), 32) {
			label, _, _ := strings.Cut(strings.ToUpper(at[1:]), ":")
			if isSecret(label) && !p.stated(unlabelled(at)) {
				return true
			}
		}
		return false
	}
	return anyText(kept.Parameters, hides)
}

// anyText reports whether a text in parameters is one that the function looks for.
func anyText(v any, is func(string) bool) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, one := range v {
			if anyText(one, is) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(one any) bool { return anyText(one, is) })
	case string:
		return strings.Contains(strings.ToUpper(v), ":REDACTED") && is(v)
	}
	return false
}

// HoldsSecret reports whether a text has a value that was read where secrets are kept, as it is or encoded, or a code that lets somebody in once, and that the user
// did not say.
func (p *Provenance) HoldsSecret(text string) bool {
	for _, form := range forms(text) {
		for _, s := range p.secrets {
			if strings.Contains(form, s) && !p.stated(s) {
				return true
			}
		}
	}
	return p.holdsPasscode(text)
}

// FromResults reports whether an address carries words of results, plain or encoded, that are neither the user's nor public. One plain word that pages
// have, too, does not count: it is as much the word of whoever made the address.
func (p *Provenance) FromResults(carried []string) bool {
	for _, text := range carried {
		for _, form := range forms(text) {
			plain := plainValue(form)
			if len(plain) < 4 || p.stated(plain) || amountForm.MatchString(plain) {
				continue
			}
			seen := p.seen(plain)
			own := slices.IndexFunc(seen, p.private) >= 0
			if several := strings.Contains(plain, " ") || IsCode(plain); own && (several || p.readsWeb() && !slices.ContainsFunc(seen, p.public)) {
				return true
			}
		}
	}
	return p.collected(plainValue(strings.Join(carried, " ")))
}

// collected reports whether a text is put together from results: most of its words that say something stand there, and the user said none of them.
func (p *Provenance) collected(plain string) bool {
	const least = 3 // words
	all, from := 0, 0
	for _, w := range wordsIn(plain) {
		if len(w) < 3 || stopWords.Has(w) {
			continue
		}
		all++
		if slices.ContainsFunc(p.holding(w), func(n int32) bool { return p.private(int(n)) }) && !p.userWords[language.LightStem(w)] && !p.stated(w) {
			from++
		}
	}
	return from >= least && 2*from >= all
}

// private reports whether a passage is of a result that is not public on the network.
func (p *Provenance) private(n int) bool { return !p.sources[p.passages[n].source].web }

func (p *Provenance) public(n int) bool { return !p.private(n) }

// readsWeb reports whether some result is public on the network.
func (p *Provenance) readsWeb() bool {
	return slices.ContainsFunc(p.sources, func(s source) bool { return s.web })
}

const maxForms = 64 << 10 // bytes of a text that are decoded

// forms returns a text in lower case, and as it is once it is decoded.
func forms(text string) []string {
	text = text[:min(len(text), maxForms)]
	all := []string{strings.ToLower(text)}
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`()<>,;|&?=", r) }) {
		if len(w) < 8 {
			continue
		}
		for _, decoded := range decodings(w) {
			all = append(all, strings.ToLower(decoded))
		}
	}
	return all
}

// decodings returns what a word is in the usual encodings, where that is text.
func decodings(w string) []string {
	var all []string
	keep := func(raw []byte, err error) {
		if err == nil && len(raw) > 3 && utf8.Valid(raw) && printable(string(raw)) {
			all = append(all, string(raw))
		}
	}
	keep(hex.DecodeString(w))
	keep(base64.RawStdEncoding.DecodeString(strings.TrimRight(w, "=")))
	keep(base64.RawURLEncoding.DecodeString(strings.TrimRight(w, "=")))
	if strings.Contains(w, "%") {
		decoded, err := url.PathUnescape(w)
		keep([]byte(decoded), err)
	}
	return all
}

func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == utf8.RuneError })
}

// minSecret is the length from which a word of a file of secrets is taken for one, in bytes.
const minSecret = 8

// noteSecrets keeps the words of a result that was read where secrets are kept, but for those that the call gave, and for days. Of secrets among much
// else it keeps those behind the name of one, in an address, and such as nobody would make up.
func (p *Provenance) noteSecrets(text string, given []string, mixed bool) {
	const most = 500
	if mixed {
		text = secretParts(text)
	}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), breaksSecret) {
		if len(w) < minSecret || len(p.secrets) == most || !strings.ContainsAny(w, "0123456789+/_-") || slices.Contains(p.secrets, w) || dayForm.MatchString(w) {
			continue
		}
		if !slices.ContainsFunc(given, func(g string) bool { return strings.Contains(g, w) }) {
			p.secrets = append(p.secrets, w)
		}
	}
}

// breaksSecret reports whether a character stands between the words of a file of secrets.
func breaksSecret(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`=:,;{}[]", r) }

var (
	// dayForm matches a word that begins with a day.
	dayForm = language.NewPattern(`^\d{4}-\d\d-\d\d(?:t|$)`)
	// fieldForm matches a name with its value, which is an object up to its end.
	fieldForm = language.NewPattern(`["']?([A-Za-z][\w.-]*)["']?\s*[:=]\s*(\{[^{}]{0,500}\}|["']?[^\s"',;{}]+)`)
	// keyForm matches a private key in the form of PEM (RFC 7468).
	keyForm = language.NewPattern(`-----BEGIN [A-Z ]*PRIVATE KEY-----([^-]*)-----END`)
	// userForm matches the password in an address.
	userForm = language.NewPattern(`://[^\s/:@]*:([^\s@/]+)@`)
)

// secretParts returns the secrets in a text that has much else.
func secretParts(text string) string {
	const most = 2000 // of each kind
	var all []string
	for _, m := range fieldForm.FindAllStringSubmatch(text, most) {
		if namesValue(m[1]) && !strings.Contains(m[2], "-----BEGIN") {
			all = append(all, m[2])
		}
	}
	for _, m := range userForm.FindAllStringSubmatch(text, most) {
		all = append(all, m[1])
	}
	for _, m := range keyForm.FindAllStringSubmatch(text, most) {
		all = append(all, strings.ReplaceAll(m[1], `\n`, "\n"))
	}
	for w := range strings.FieldsFuncSeq(text, breaksSecret) {
		if len(all) < 3*most && looksRandom(w) {
			all = append(all, w)
		}
	}
	return strings.Join(all, "\n")
}

// namesValue reports whether a name among settings is one of a secret: by a word of it, or by its end, as DB_PASS, MYSQL_PWD, PGPASSWORD and ACCESS_KEY. A
// name of one word, as PWD, is none by its end, and a key by which things are found, or that anybody may see, is none.
func namesValue(name string) bool {
	if effect.NamesSecret(name) {
		return true
	}
	words := language.NameWords(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	if strings.HasSuffix(last, "password") || strings.HasSuffix(last, "passwd") {
		return true
	}
	if len(words) == 1 {
		return false
	}
	switch last {
	case "pass", "pwd", "cred", "creds", "keys":
		return true
	case "key":
		return !slices.Contains(openKeys, words[len(words)-2])
	}
	return false
}

// openKeys are the words before a key that is no secret.
var openKeys = strings.Fields("cache foreign object partition primary public publishable sort")

// looksRandom reports whether a word is long, of one piece, and has letters of both cases and digits.
func looksRandom(w string) bool {
	const long = 16
	return len(w) >= long && !strings.ContainsAny(w, "./@-") && strings.ContainsAny(w, "0123456789") && strings.ToLower(w) != w && strings.ToUpper(w) != w
}
