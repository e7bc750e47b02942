package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

var spokenPasswords = detector{
	Doc:     "Passwords that a sentence tells, in eleven languages: the word for it, a verb or a sign, and no word after that.",
	Anchors: spokenAnchors,
	at:      spokenAt,
	Kinds: []kind{{
		Label: "SPOKEN_PASSWORD",
		Doc:   "a password that a sentence tells",
		Yes: []string{
			"The root password has been set to «Tulip77!rain».",
			"the password for the old box is now «Tulip77rain»",
			"Your passcode used to be «83619254», she said.",
			"Das Passwort lautet «Tulpe77regen».",
			"Das Kennwort für den Server war «Tulpe-Regen77».",
			"La contraseña del servidor era «Lluvia88sol»",
			"Su nueva contraseña es: «Lluvia-Sol88».",
			"Le mot de passe est “«Pluie99soleil»”.",
			"Votre mot de passe provisoire sera «Pluie-Soleil99»",
			"A senha é «Chuva66sol».",
			"La nuova password temporanea è «Pioggia55sole»",
			"Het wachtwoord luidt «Regen44zon».",
			"Nowe hasło brzmi: «Deszcz33slonce»",
			"Пароль от сервера — «Dozhd22solnce».",
			"пароль такой: «Dozhd-Solnce22»",
			"服务器的密码是“«Yu11taiyang»”。",
			"パスワードは「«Ame12taiyo»」です。",
			"暗証番号は«48151623»です",
		},
		No: []string{
			"The password has been changed. The password used to be shorter. The passcode is required.",
			"Das Passwort lautet wie folgt. Das Passwort ist SHA-256-gehasht und im Tresor hinterlegt.",
			"La contraseña es obligatoria; la contraseña era demasiado corta: mínimo 12 caracteres",
			"Le mot de passe est incorrect : 3 essais restants. Mot de passe oublié ?",
			"A senha é obrigatória. La password è errata (errore 401). Het wachtwoord is verlopen.",
			"Hasło to podstawa. Hasło musi mieć 12 znaków. Пароль должен содержать 8 символов: 2024-01-15",
			"密码长度为8到16位。密码不正确，请重试。パスワードは8文字以上で入力してください",
			"Passwort-Manager: KeePassXC 2.7.6, Passwortrichtlinie: v2.1",
		},
	}},
}

// A language is how its sentences tell a password.
type language struct {
	name    string
	nouns   []string // the words for it, in small letters; those beyond ASCII with a capital too
	verbs   string   // words, parted by spaces, that tie the value to the noun
	numbers string   // nouns whose values may be digits alone
	joined  bool     // nothing parts words
}

// languages are all of them. A noun of one language is none of another, and a verb counts in its row.
var languages = func() (all []language) {
	for _, row := range wordTable("sentences") {
		all = append(all, language{name: row[0], joined: row[1] == "joined", nouns: strings.Split(row[2], ", "), verbs: row[3], numbers: row[4]})
	}
	return all
}()

// A noun is one word for a password, with its language.
type noun struct {
	of     *language
	number bool // the value may be digits alone
	paired bool // namedValues knows it too, and reads the value that a sign ties to it
	verbs  map[string]bool
	joined []string // the verbs, where nothing parts words
}

// spokenAnchors are the nouns; spokenNouns are the rows of each.
var spokenAnchors, spokenNouns = func() (anchors []string, nouns [][]noun) {
	index := make(map[string]int)
	for i := range languages {
		l := &languages[i]
		verbs, joined := wordSet(l.verbs), strings.Fields(l.verbs)
		for _, word := range l.nouns {
			n, ok := index[word]
			if !ok {
				n = len(anchors)
				index[word] = n
				anchors, nouns = append(anchors, word), append(nouns, nil)
			}
			nouns[n] = append(nouns[n], noun{of: l, number: l.numbers == word, paired: names[word].label != "", verbs: verbs, joined: joined})
		}
	}
	return anchors, nouns
}()

const (
	maxSpoken  = 96 // bytes between the noun and the value
	maxBetween = 9  // words between them
)

// spokenAt goes over the words after the noun up to the first that is none, and takes it if a verb or a sign led there.
func spokenAt(t *scan, i, k int) int {
	s, after := t.s, i+len(t.anchor(k))
	if !strings.EqualFold(s[i:after], t.anchor(k)) {
		return i
	}
	for _, n := range spokenNouns[k] {
		if sp, ok := n.value(s, i, after); ok {
			t.hit("SPOKEN_PASSWORD", sp.start, sp.end)
			return sp.end
		}
	}
	return after
}

// value returns the password after the noun that stands between i and after.
func (n noun) value(s string, i, after int) (stretch, bool) {
	if !n.of.joined && (!boundary(s, i, after) || s[i] != ' ' && i > 0 && (s[i-1] == '_' || s[i-1] == '-' || s[i-1] == '.' || s[i-1] == '/')) {
		return stretch{}, false
	}
	tied, at := false, after
	for words := 0; at < len(s) && at < after+maxSpoken && words < maxBetween; {
		r, size := rune(s[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[at:])
		}
		switch {
		case r == ' ' || r == '*' || r == '\u00a0':
			at += size
		case spokenSigns.has(r) && words == 0 && n.paired:
			return stretch{}, false
		case spokenSigns.has(r):
			at, tied = at+size, true
		case spokenQuotes.has(r):
			return n.quoted(s, at, size, tied)
		case at > after && n.of.begins(s[at:]): // the noun is looked at by itself
			return stretch{}, false
		case n.of.joined && r >= 0x80:
			size, verb := n.joinedWord(s[at:])
			at, tied, words = at+size, tied || verb, words+1
		case at == after && !n.of.joined:
			return stretch{}, false
		default:
			end := spokenEnd(s, at)
			if n.takes(s[at:end], tied) {
				return stretch{at, end}, true
			}
			word, next := spokenWord(s, at)
			if next == at {
				return stretch{}, false
			}
			at, tied, words = next, tied || n.verbs[word], words+1
		}
	}
	return stretch{}, false
}

// joinedWord returns the length of the verb with which text begins, or of its first character.
func (n noun) joinedWord(text string) (size int, verb bool) {
	for _, v := range n.joined {
		if strings.HasPrefix(text, v) {
			size = max(size, len(v))
		}
	}
	if size > 0 {
		return size, true
	}
	r, size := utf8.DecodeRuneInString(text)
	if strings.ContainsRune("。！？；\n", r) {
		return maxSpoken, false
	}
	return size, false
}

// begins reports whether text begins with one of the language's nouns.
func (l *language) begins(text string) bool {
	for _, noun := range l.nouns {
		if len(text) < len(noun) || text[0]|0x20 != noun[0]|0x20 || !strings.EqualFold(text[:len(noun)], noun) {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(text[len(noun):]); l.joined || !unicode.IsLetter(r) {
			return true
		}
	}
	return false
}

// spokenSigns tie the value to the noun as a verb does; spokenQuotes stand around it.
var (
	spokenSigns  = runeSet(":=：＝—–→")
	spokenQuotes = runeSet("\"'`“”„«»‘’「『《‹")
	spokenCloses = runeSet("\"'`“”»«’‘」』》›")
)

// runes are a set of characters.
type runes struct {
	plain class
	more  map[rune]bool // beyond ASCII
}

func runeSet(list string) *runes {
	set := &runes{more: make(map[rune]bool)}
	for _, r := range list {
		if r < utf8.RuneSelf {
			set.plain[r] = true
		} else {
			set.more[r] = true
		}
	}
	return set
}

func (set *runes) has(r rune) bool {
	if r < utf8.RuneSelf {
		return set.plain[r]
	}
	return set.more[r]
}

// quoted takes the text between the quote at i and the next one.
func (n noun) quoted(s string, i, size int, tied bool) (stretch, bool) {
	start := i + size
	for start < len(s) && s[start] == ' ' {
		start++
	}
	end := start
	for end < len(s) && end < start+looked {
		r, size := utf8.DecodeRuneInString(s[end:])
		if spokenCloses.has(r) || r == '\n' {
			break
		}
		end += size
	}
	text := strings.TrimRight(s[start:end], " \u00a0")
	if !tied || !strings.ContainsFunc(s[end:min(len(s), end+1)], func(r rune) bool { return r != '\n' }) || strings.Contains(text, " ") ||
		!n.takes(text, tied) && !(mixture(text) && !hasAnyPrefix(strings.ToLower(text), technical...)) || reference(text) || standInWord(text) {
		return stretch{}, false
	}
	return stretch{start, start + len(text)}, true
}

var (
	spokenMixed = classOf("0-9!#$%^&*?+~") // a password of a sentence has one of them
	spokenCode  = classOf("/@=<>{}()[]|")  // and none of these
)

// takes reports whether the word is a password: it looks like one, and something ties it to the noun, or it looks like
// nothing else.
func (n noun) takes(text string, tied bool) bool {
	if !spokenMixed.in(text) || spokenCode.in(text) || reference(text) || standInWord(text) {
		return false
	}
	if !tied {
		return strong(text) && password(text)
	}
	return strong(text) || password(text) || n.number && len(text) >= 6 && digits.run(text, 0, len(text)) == len(text)
}

// spokenEnd returns where the word of ASCII ends that begins at i, without the signs that end a sentence.
func spokenEnd(s string, i int) int {
	end := i
	for end < len(s) && end < i+looked && s[end] > ' ' && s[end] < 0x7f && strings.IndexByte("\"'`\\", s[end]) < 0 {
		end++
	}
	for end > i && strings.IndexByte(".,;:)*", s[end-1]) >= 0 {
		end--
	}
	return end
}

// spokenWord returns the word of letters at i, in small letters, and where it ends; nothing if no word stands there, or one
// that ends the sentence.
func spokenWord(s string, i int) (word string, next int) {
	end := i
	for end < len(s) && end < i+maxKey {
		r, size := utf8.DecodeRuneInString(s[end:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !(end > i && (r == '\'' || r == '-' || r == '.' || unicode.IsDigit(r))) {
			break
		}
		end += size
	}
	if end == i {
		return "", i
	}
	if s[end-1] == '.' {
		return "", i
	}
	return strings.ToLower(s[i:end]), end
}

// boundary reports whether no letter stands beside the word.
func boundary(s string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	after, _ := utf8.DecodeRuneInString(s[end:])
	return (start == 0 || !unicode.IsLetter(before) || startsWord(s, start)) && !unicode.IsLetter(after) && !unicode.IsDigit(after) && after != '-' && after != '_'
}
