package redact

import "strings"

// reference reports whether the text stands for a secret instead of being one: a placeholder, a variable of a template
// or shell, a path, an address in a secret store, a mask.
func reference(text string) bool {
	return placeholderAlone(text) || documented(text) || variable(text) || composed(text) || path(text) || masked(text) ||
		elsewhere.begin(text)
}

// elsewhere are the beginnings of texts that say where a secret is.
var elsewhere = beginnings("vault:", "secret://", "env:", "ssm:", "op://", "arn:", "file:", "sops:", "ENC[", "keyvault:", "os.environ",
	"os.Getenv", "process.env", "System.getenv", "http://", "https://", pemDashes)

// placeholderAlone reports whether the text is a placeholder with nothing but punctuation after it.
func placeholderAlone(text string) bool {
	n := placeholderLen(text)
	return n > 0 && strings.Trim(text[n:], ".,;:!?)]}*\"'`\\") == ""
}

// variable reports whether the text is a variable: ${X}, $(x), $X, {{ x }}, {x}, <x>, %X%, %s, @X@, __X__, #{x}.
func variable(text string) bool {
	if text == "" {
		return true
	}
	if !variableStart[text[0]] {
		return false
	}
	if opened.begin(text) || called(text) || bracketed(text) {
		return true
	}
	last := text[len(text)-1]
	inner := strings.Trim(text, "$%@_{}<>")
	plain := wordBytes.run(inner, 0, len(inner)) == len(inner)
	switch text[0] {
	case '$':
		return plain && (strings.ToUpper(inner) == inner || strings.ToLower(inner) == inner && !hasDigit(inner))
	case '%':
		return len(text) <= 3 || last == '%' && plain
	case '@':
		return last == '@' && plain
	case '_':
		return strings.HasPrefix(text, "__") && strings.HasSuffix(text, "__") && plain
	case '{':
		return last == '}' && nameBytes.run(inner, 0, len(inner)) == len(inner)
	case '<':
		return last == '>' || len(text) > 1 && letters[text[1]] && strings.Contains(text, "=") // of markup
	}
	return false
}

// opened are the beginnings of variables that no other text has.
var opened = beginnings("${", "$(", "{{", "{%", "<%", "#{", "%{", "%(", "@{", `\u003c`, "[REDACTED", "[redacted", "[MASKED", "[FILTERED",
	"[HIDDEN", "%%", "<?", "$args[", "$input.", "$env:")

// variableStart are the first bytes of variables.
var variableStart = classOf("${<#%@\\[_")

// bracketed reports whether the text is a variable between other signs, or the first sign of one: [[ x ]], [% x %], $[x], $.x.
func bracketed(text string) bool {
	switch {
	case text == "[[" || text == "[%":
		return true
	case hasAnyPrefix(text, "[[", "[%", "$["):
		return text[len(text)-1] == ']'
	}
	return strings.HasPrefix(text, "$.") && len(text) > 2 && !digits.in(text) && dotted.run(text, 1, len(text)) == len(text)
}

// called reports whether the text is an expression of a template that is nothing but a call: [parameters('x')], @x().y.
func called(text string) bool {
	if text[0] != '[' && text[0] != '@' {
		return false
	}
	n := letters.run(text, 1, len(text))
	return n > 1 && n < len(text) && text[n] == '(' && (text[0] == '@' || strings.HasSuffix(text, ")]")) && strings.Contains(text, ")")
}

// documented reports whether the text is an example of a vendor's documentation, or one sign again and again.
func documented(text string) bool {
	if strings.HasSuffix(text, "EXAMPLE") || strings.HasSuffix(text, "EXAMPLEKEY") {
		return true
	}
	longest, run := 0, 0
	for i := range len(text) {
		if i == 0 || text[i] != text[i-1] || !stuttered[text[i]] {
			run = 0
		}
		run++
		longest = max(longest, run)
	}
	return longest >= minStutter && longest*3 >= len(text)*2 || len(text) >= 3 && longest == len(text) && letters[text[0]]
}

// stuttered are the signs that are held down to fill a place.
var stuttered = classOf("0-9abxyzABXYZ*_.#-")

// minStutter is how often a sign stands in a row that nobody would choose for a secret.
const minStutter = 16

// path reports whether the text is the path of a file, with names that are no random text.
func path(text string) bool {
	if len(text) > 2 && letters[text[0]] && text[1] == ':' && text[2] == '\\' {
		return true
	}
	rooted := hasAnyPrefix(text, "./", "../", "~/") || strings.HasPrefix(text, "/")
	return rooted && pathName.run(text, 0, len(text)) == len(text) && !random(text, 12)
}

var pathName = classOf("A-Za-z0-9_./~-")

// masked reports whether someone hid the text already.
func masked(text string) bool {
	if !maskedPair(text) {
		return false
	}
	lower := strings.ToLower(text)
	if strings.Trim(lower, "*x.#-_?•…·") == "" || containsAny(lower, "***", "•••", "xxxxxxxx") {
		return true
	}
	return len(text) <= 24 && (containsAny(lower, "...", "…", "xxxx") || strings.HasSuffix(lower, ".."))
}

// maskedPair reports whether two bytes of signs that hide a text stand side by side, or the text is of one byte: most texts hold
// no such pair, and need no other look.
func maskedPair(text string) bool {
	for i := 1; i < len(text); i++ {
		if maskBytes[text[i]] && maskBytes[text[i-1]] {
			return true
		}
	}
	return len(text) < 2
}

var maskBytes = classOf("*xX.#_?\x80-\xff-")

// standInWord reports whether the text is a word that is written where a secret would stand.
func standInWord(text string) bool {
	for text != "" && strings.IndexByte("<[(", text[0]) >= 0 {
		text = text[1:]
	}
	for text != "" && strings.IndexByte(".,;:)]}> ", text[len(text)-1]) >= 0 {
		text = text[:len(text)-1]
	}
	if text == "" || len(text) > maxStandIn && !standInStart[text[0]|0x20] {
		return false
	}
	lower := strings.ToLower(text)
	if standInWords[lower] {
		return true
	}
	if hasAnyPrefix(lower, "your_", "your-") { // with a number at the end, if it is one of several
		lower = strings.TrimRight(lower, "0123456789_-")
	}
	return standInPrefixes.begin(lower) && !hasDigit(lower)
}

// standInPrefixes are the beginnings of texts that describe the value that belongs in their place; standInStart are their first bytes.
var (
	standInPrefixes = beginnings("your_", "your-", "your ", "my_", "my-", "insert_", "insert-", "insert ", "replace_", "replace-", "enter_",
		"enter-", "changeme", "change_me", "change-me")
	standInStart = classOf("ymirec")
)

// maxStandIn is how many bytes the longest of standInWords has.
var maxStandIn = func() (most int) {
	for w := range standInWords {
		most = max(most, len(w))
	}
	return most
}()

var standInWords = wordList("stand_ins")

// prefixes are texts, by their first byte.
type prefixes [256][]string

func beginnings(list ...string) *prefixes {
	p := new(prefixes)
	for _, text := range list {
		p[text[0]] = append(p[text[0]], text)
	}
	return p
}

// begin reports whether the text begins with one of them.
func (p *prefixes) begin(text string) bool { return text != "" && hasAnyPrefix(text, p[text[0]]...) }

func hasAnyPrefix(text string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

func hasAnySuffix(text string, suffixes ...string) bool {
	for _, p := range suffixes {
		if strings.HasSuffix(text, p) {
			return true
		}
	}
	return false
}

func containsAny(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}
