package taint

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// longestCaution bounds a sentence that warns, in bytes to either side of its word for an order.
const longestCaution = 300

var (
	// quotedOrder matches an order that somebody else is said to write.
	quotedOrder = language.NewPattern(`(?i)\b%s\b[^\n"“”'{}\[\]]{0,60}\s(?:"[^"\n]*"|“[^”\n]*”|'[^'\n]{8,}')`, language.Cautions.Row("tellers"))
	// unheeded matches a sentence by which orders that stand in texts are not to be heeded.
	unheeded = language.NewPattern(`(?i)\b(?:do not|don't|never|must not|mustn't|should not|shouldn't|not to|without|rather than|instead of) (?:[\w-]+ ){0,2}%[1]s\b[^\n]{0,60}\b%[2]s\b|\b%[1]s (?:no|none of)\b[^\n]{0,40}\b%[2]s\b`+
		`|\b(?:ignore|disregard) (?:any |all |the |such |embedded |other )*%[2]s (?:that (?:are|is|stand|stands|appear|appears|come|comes) )?(?:in|inside|within|from|contained in|found in|embedded in|hidden in) (?:the |this |that |these |any |such |untrusted |external |web |customer |incoming )*%[3]s\b`+
		`|\btreat\b[^\n]{0,60}\bas (?:data|untrusted|plain text|text only)\b`,
		language.Cautions.Row("heeding"), language.Cautions.Row("orders"), language.Cautions.Row("texts"))
	// quoted matches a text in quotes.
	quoted = language.NewPattern(`"[^"\n]*"|“[^”\n]*”|'[^'\n]{8,}'`)
)

// withoutCautions returns the text with blanks for its sentences that warn of orders in texts, and order nothing themselves.
func withoutCautions(text string) string {
	var blank []span
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return text
	}
	for _, word := range cautionRoots {
		for from := 0; ; {
			at := strings.Index(lower[from:], word)
			if at < 0 {
				break
			}
			at += from
			s := cautionAround(text, at)
			if from = max(s.end, at+len(word)); warns(text[s.start:s.end]) {
				blank = append(blank, s)
			}
		}
	}
	if len(blank) == 0 {
		return text
	}
	out := []byte(text)
	for _, s := range blank {
		for i := s.start; i < s.end; i++ {
			out[i] = ' '
		}
	}
	return string(out)
}

// cautionRoots are in every sentence that warns, in lower case.
var cautionRoots = []string{"instruction", "command", "order", "prompt", "directive", "attack", "hacker", "scam", "phish", "inject", "payload", "treat "}

// warns reports whether a sentence warns of orders in texts, and orders nothing outside of quotes.
func warns(sentence string) bool {
	if !unheeded.MatchString(sentence) && !quotedOrder.MatchString(sentence) {
		return false
	}
	commands, _ := commanded(tokensOf(folded(unheeded.ReplaceAllString(quoted.ReplaceAllString(sentence, ""), ""))))
	return commands == 0
}

// cautionAround returns the sentence, or the line, around an offset. A sign in quotes ends none.
func cautionAround(text string, at int) span {
	s := span{max(0, at-longestCaution), min(len(text), at+longestCaution)}
	if i := strings.LastIndexByte(text[s.start:at], '\n'); i >= 0 {
		s.start += i + 1
	}
	if i := strings.IndexByte(text[at:s.end], '\n'); i >= 0 {
		s.end = at + i
	}
	inside := quoted.FindAllStringIndex(text[s.start:s.end], 8)
	for i, start := s.start, s.start; i+1 < s.end; i++ {
		if strings.IndexByte(".!?", text[i]) < 0 || text[i+1] != ' ' || slices.ContainsFunc(inside, func(q []int) bool { return start+q[0] < i && i < start+q[1]-1 }) {
			continue
		}
		if i < at {
			s.start = i + 1
		} else {
			s.end = i + 1
		}
	}
	return s
}
