package taint

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// homoglyphs are letters of other scripts that look like one of the Latin script (Unicode Technical Standard 39, confusables.txt).
var homoglyphs = strings.NewReplacer(
	"а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x", "і", "i", "ј", "j", "ѕ", "s", "ԁ", "d", "һ", "h", "ԛ", "q", "ԝ", "w", "в", "b", "к", "k",
	"м", "m", "н", "h", "т", "t", "ο", "o", "α", "a", "ρ", "p", "τ", "t", "κ", "k", "ν", "v", "ε", "e", "ι", "i", "υ", "u", "χ", "x", "ӏ", "l", "ɡ", "g", "ı", "i",
)

// folded returns a text as it is compared, but for its case: in one width, without what shows nothing, with one hyphen, one quote and one
// spelling of what has several, and with letters of one script in a word. Most texts are ASCII and stay as they are.
func folded(text string) string {
	if isASCII(text) {
		return spelled(text)
	}
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r) || r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0000 && r <= 0xE01EF:
			return -1
		case r >= 0x2010 && r <= 0x2015 || r == 0x2212:
			return '-'
		case r == 0x2018 || r == 0x2019:
			return '\''
		case r == 0x201C || r == 0x201D:
			return '"'
		default:
			return r
		}
	}, norm.NFKC.String(text))
	if strings.ContainsFunc(text, looksLatin) {
		text = mixedWords.ReplaceAllStringFunc(text, latin)
	}
	return spelled(text)
}

// looksLatin reports whether a letter may be one of the homoglyphs.
func looksLatin(r rune) bool { return r == 'ı' || r == 'ɡ' || r >= 0x370 && r <= 0x52F }

// Fold returns a text as it is compared, but for its case: nothing in it is hidden, and letters that look alike are the same.
func Fold(text string) string { return folded(text) }

var mixedWords = language.NewPattern(`[\p{L}\d._@-]+`)

// latin returns a word that mixes Latin letters with such as look like them, in Latin letters; any other word as it is.
func latin(w string) string {
	if isASCII(w) || !strings.ContainsFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' }) {
		return w
	}
	if plain := homoglyphs.Replace(w); isASCII(plain) {
		return plain
	}
	return w
}

// spelled returns a text with the usual spelling of words that have several.
func spelled(text string) string {
	if !strings.Contains(text, "-mail") {
		return text
	}
	return spellings.Replace(text)
}

var spellings = strings.NewReplacer("e-mail", "email", "E-mail", "Email", "E-Mail", "Email", "E-MAIL", "EMAIL")

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

const (
	maxViews   = 16      // of one result
	maxView    = 8 << 10 // bytes of one
	minEncoded = 20      // bytes of a run that may be an encoding
)

// view is another reading of a part of a text: what it says once it is decoded.
type view struct {
	span
	text string
}

// encodedRuns returns where at most so many runs stand that may be an encoding: of at least 20 signs of base64, or of at least six bytes as %41
// or \x41.
func encodedRuns(text string, most int) (all []span) {
	for i := 0; i < len(text) && len(all) < most; {
		end := i
		for end < len(text) && (isAlphanumeric(text[end]) || strings.IndexByte("+/_-", text[end]) >= 0) {
			end++
		}
		long := end-i >= minEncoded
		for pad := 0; long && pad < 2 && end < len(text) && text[end] == '='; pad++ {
			end++
		}
		if end == i {
			end = max(escapesEnd(text, i, "%"), escapesEnd(text, i, `\x`))
			long = end > i
		}
		if long {
			all = append(all, span{i, end})
		}
		i = max(end, i+1)
	}
	return all
}

// escapesEnd returns where a run of at least six bytes ends that are each written as a mark and two digits of base 16; 0 if there is none.
func escapesEnd(text string, from int, mark string) int {
	end := from
	for strings.HasPrefix(text[end:], mark) {
		digits := text[end+len(mark):]
		if len(digits) < 2 || !isHex(digits[0]) || !isHex(digits[1]) {
			break
		}
		end += len(mark) + 2
	}
	if end-from < 6*(len(mark)+2) {
		return 0
	}
	return end
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isAlphanumeric(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// viewsOf returns the other readings of a text: of runs in base64, hexadecimal and percent encoding, of hidden tag characters and
// variation selectors, of lines that are rotated by 13 letters or mirrored, and of literals that are joined.
func viewsOf(ctx context.Context, text string) []view {
	var all []view
	add := func(from, to int, decoded string) {
		if len(all) < maxViews && len(decoded) <= maxView && isSpeech(decoded) {
			all = append(all, view{span{from, to}, decoded})
		}
	}
	for _, at := range encodedRuns(text, 200) {
		for _, decoded := range decodings(strings.ReplaceAll(text[at.start:at.end], `\x`, "")) {
			add(at.start, at.end, decoded)
		}
	}
	if hidden := unseenLetters(text); len(hidden) > 7 {
		add(0, len(text), hidden)
	}
	from := 0
	for line := range strings.Lines(text) {
		if ctx.Err() != nil {
			return nil // whoever asked looks at the context, too
		}
		to := from + len(line)
		for _, turned := range turnings(strings.TrimSpace(line)) {
			add(from, to, turned)
		}
		from = to
	}
	return all
}

// unseenLetters returns the letters that tag characters and variation selectors carry.
func unseenLetters(text string) string {
	if isASCII(text) {
		return ""
	}
	var tags, selected []byte
	for _, r := range text {
		switch {
		case r >= 0xE0020 && r <= 0xE007E:
			tags = append(tags, byte(r-0xE0000))
		case r >= 0xFE00 && r <= 0xFE0F:
			selected = append(selected, byte(r-0xFE00))
		case r >= 0xE0100 && r <= 0xE01EF:
			selected = append(selected, byte(r-0xE0100+16))
		}
	}
	if !utf8.Valid(selected) || len(selected) < 8 || !printable(string(selected)) {
		selected = nil
	}
	return string(tags) + string(selected)
}

var joinedLiterals = language.NewPattern(`['"]\s*(?:\+|\.\.)\s*['"]`)

// turnings returns a line rotated by 13 letters and mirrored, where that has common words and the line has none, and with its literals
// joined.
func turnings(line string) []string {
	const shortest, longest = 24, 2000
	if len(line) < shortest || len(line) > longest {
		return nil
	}
	var all []string
	if strings.ContainsAny(line, "'\"") && (strings.Contains(line, "+") || strings.Contains(line, "..")) && joinedLiterals.MatchString(line) {
		all = append(all, joinedLiterals.ReplaceAllString(line, ""))
	}
	if commonWords(line, 1) > 0 {
		return all
	}
	for _, turned := range []string{rot13(line), mirrored(line)} {
		if commonWords(turned, 2) > 1 {
			all = append(all, turned)
		}
	}
	return all
}

// commonWords counts the common words of English in a line, up to so many.
func commonWords(line string, most int) int {
	n := 0
	for w := range strings.FieldsSeq(strings.ToLower(line)) {
		if len(w) > 1 && language.IsFunctionWord(strings.Trim(w, ".,;:!?()")) {
			if n++; n == most {
				break
			}
		}
	}
	return n
}

func rot13(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		default:
			return r
		}
	}, text)
}

func mirrored(text string) string {
	runes := []rune(text)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}

// hides reports whether a good part of a text are characters that show nothing: somebody put them there.
func hides(text string) bool {
	if isASCII(text) {
		return false
	}
	const few = 4 // of which one may be there by chance, as in an emoji
	n := 0
	for _, r := range text {
		if r == 0x200B || r == 0x200C || r == 0x200D || r == 0x2060 || r == 0xFEFF || r >= 0xE0000 && r <= 0xE01EF {
			n++
		}
	}
	return n > few && n*8 > utf8.RuneCountInString(text)
}

// isSpeech reports whether a decoded text has words or an address, and is no mere run of bytes.
func isSpeech(text string) bool {
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) || r == ' ' {
			letters++
		}
	}
	return len(text) >= 8 && letters*10 >= len(text)*6 && strings.ContainsAny(text, " ./@")
}
