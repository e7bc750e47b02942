package lexicon

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// addPhrase notes a phrase by its first word.
func (s *softwareWords) addPhrase(phrase string) {
	if first, _, several := strings.Cut(phrase, " "); several {
		s.phrases[first] = append(s.phrases[first], phrase)
	}
}

// Words looks the words of a text up, in order and with repeats. A phrase of software, "pull request", follows the words that
// it is made of. Words are cut and folded as search does it.
func Words(text string) []*Word {
	forms := language.Words(text)
	var all []*Word
	for i, form := range forms {
		all = append(all, Look(form))
		for _, phrase := range software().phrases[form] {
			if n := strings.Count(phrase, " ") + 1; i+n <= len(forms) && samePhrase(forms[i:i+n], phrase) {
				all = append(all, Look(phrase))
			}
		}
	}
	return all
}

// samePhrase reports whether the words make the phrase, the last of them in the plural or not.
func samePhrase(words []string, phrase string) bool {
	joined := strings.Join(words, " ")
	return joined == phrase || strings.TrimSuffix(joined, "s") == phrase
}
