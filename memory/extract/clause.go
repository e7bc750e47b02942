package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// clause is a stretch of a text that says one thing, without the words that lead up to it.
type clause struct {
	text   string
	quotes []string
}

// sentence is the clauses of one sentence, and the whole of it as a clause.
type sentence struct {
	whole   clause
	clauses []clause
	asked   bool
}

// A quoted text is named, not said: while forms look at a clause, a mark stands in its place, one of its own for each.
const (
	firstMark = '\uE000'
	lastMark  = '\uE0FF'
)

var (
	// lead is an opening before a statement.
	lead = language.NewPattern(`(?i)^(?:(?:yes|yeah|yep|yup|no|nope|oh|ah|right|exactly|absolutely|definitely|true|great|sure|thanks|thank you|hi|hey|` +
		`hello|hi there|hello there|you know what|update|quick update|good news|(?:and )?speaking of (?:which|[^,;.!?]{1,80})|that reminds me|` +
		`that'?s (?:true|right|interesting|great|funny)|it's funny[^,]{0,60}|as it happens|to be honest)[,!.:–—-]+\s*|` +
		`(?:oh|ah|well|actually|honestly|frankly|so|and|but|also|ok|okay|you know|by the way|btw|fyi|anyway|besides|plus|in fact|` +
		`luckily|fortunately|unfortunately|sadly)(?:[,!:–—-]+\s*|\s+))+`)
	// joint matches the place between two clauses.
	joint = language.NewPattern(`(?i)(?:[,;]\s+|\s+[–—-]\s+)(?:but|and|so|because|since|however|though|although|yet|which|while|it's|i've|i'm|i)\b\s*|;\s+|\s+but\s+`)
	// hedge is a phrase that takes the certainty out of a clause.
	hedge = language.NewPattern(`(?i)\b(?:%s|(?-i:may))\b`, language.Clauses.Row("hedge")) // May is a month
	// goesOn matches the beginning of a sentence that takes up the one before.
	goesOn = language.NewPattern(`[.!] (?:But|However,?|Though) `)
	spaces = language.NewPattern(`\s+`)
)

// sentences cuts a text into sentences and clauses.
func sentences(text string) []sentence {
	masked, quotes := maskQuotes(goesOn.ReplaceAllString(text, ", but "))
	var all []sentence
	for _, s := range cut(masked) {
		asked := strings.HasSuffix(s, "?")
		body := strip(strings.TrimRight(s, ".!?… "))
		if body == "" {
			continue
		}
		one := sentence{whole: clause{body, quotes}, asked: asked}
		for _, part := range split(body) {
			one.clauses = append(one.clauses, clause{part, quotes})
		}
		all = append(all, one)
	}
	return all
}

// strip takes the lead off a clause.
func strip(text string) string {
	text = strings.TrimSpace(spaces.ReplaceAllString(text, " "))
	return strings.TrimSpace(text[len(lead.Regexp().FindString(text)):])
}

// split cuts a sentence at its joints. A joint that is itself the subject of the next clause stays with it.
func split(body string) []string {
	var parts []string
	from := 0
	for _, at := range joint.Regexp().FindAllStringIndex(body, -1) {
		if at[0] <= from {
			continue
		}
		parts = append(parts, strip(body[from:at[0]]))
		from = at[1]
		if word := strings.ToLower(strings.Trim(body[at[0]:at[1]], ",;–—- ")); word == "i" || strings.HasPrefix(word, "i'") || word == "it's" {
			from = at[1] - len(strings.TrimLeft(body[at[0]:at[1]], ",;–—- "))
		}
	}
	return append(parts, strip(body[from:]))
}

// cut splits a text after the marks that end a sentence, and at line ends.
func cut(text string) []string {
	var all []string
	from := 0
	for i, r := range text {
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		end := strings.ContainsRune(".!?", r) && (next == utf8.RuneError || unicode.IsSpace(next)) && !abbreviated(text[from:i])
		if end || r == '\n' {
			all = append(all, strings.TrimSpace(text[from:i+utf8.RuneLen(r)]))
			from = i + utf8.RuneLen(r)
		}
	}
	return append(all, strings.TrimSpace(text[from:]))
}

// abbreviated reports whether a full stop behind text ends a title or an initial, and no sentence.
func abbreviated(text string) bool {
	word := text[strings.LastIndexByte(text, ' ')+1:]
	if language.Abbreviations.Has(word) {
		return true
	}
	last := word[strings.LastIndexByte(word, '.')+1:]
	return len(last) == 1 && last >= "A" && last <= "Z" && word != "I"
}

// maskQuotes puts a mark in place of every quoted text and returns those texts in order.
func maskQuotes(text string) (string, []string) {
	closing := map[rune]rune{'"': '"', '“': '”', '‘': '’', '\'': '\'', '«': '»'}
	var out strings.Builder
	var quotes []string
	previous := ' '
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if end, opens := closing[r]; opens && !unicode.IsLetter(previous) && !unicode.IsDigit(previous) && len(quotes) <= lastMark-firstMark {
			if inner, after, ok := quoted(text[i+size:], end); ok {
				previous = firstMark + rune(len(quotes))
				out.WriteRune(previous)
				quotes = append(quotes, inner)
				i += size + after
				continue
			}
		}
		if r < firstMark || r > lastMark { // a text has no business with the marks
			out.WriteString(text[i : i+size])
		}
		previous = r
		i += size
	}
	return out.String(), quotes
}

// quoted returns the text up to the closing mark, which no letter follows, and where it goes on after that.
func quoted(text string, end rune) (inner string, after int, ok bool) {
	for i, r := range text {
		if r == '\n' {
			return "", 0, false
		}
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		if r == end && i > 0 && !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			return strings.TrimRight(text[:i], ".,"), i + utf8.RuneLen(r), true
		}
	}
	return "", 0, false
}

// unmask returns a part of the clause with the quoted texts back in their places. exact says that it is nothing but a
// quoted text.
func (c clause) unmask(part string) (words string, exact bool) {
	var out strings.Builder
	marks := 0
	for _, r := range part {
		if n := int(r - firstMark); r >= firstMark && n < len(c.quotes) {
			out.WriteString(c.quotes[n])
			marks++
			continue
		}
		out.WriteRune(r)
	}
	return strings.TrimSpace(out.String()), marks == 1 && utf8.RuneCountInString(strings.TrimSpace(part)) == 1
}
