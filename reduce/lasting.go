package reduce

import "strings"

// Lasting is a sentence in which a user says how something has to be, or settles it, for as long as the work lasts.
type Lasting struct {
	Text     string
	Decision bool // it settles something; else it demands
}

// The words that a sentence has which is worth keeping by itself.
const (
	leastLasting = 4
	mostLasting  = 60
)

// LastingOf returns the sentences of a user's message that demand or decide, in order: by the words for constraints and decisions. A question
// does neither, and what stands between fences is quoted.
func LastingOf(message string) []Lasting {
	var all []Lasting
	splitProse(message, func(_, _ int, piece string, prose bool) {
		text := strings.TrimLeft(strings.TrimSpace(piece), "-*#> ")
		words := wordsOf(text)
		if !prose || len(words) < leastLasting || len(words) > mostLasting || strings.HasSuffix(text, "?") {
			return
		}
		switch cues, _ := cuesOf(words); {
		case cues&cueOf("constraint") != 0:
			all = append(all, Lasting{Text: text})
		case cues&cueOf("decision") != 0:
			all = append(all, Lasting{Text: text, Decision: true})
		}
	})
	return all
}
