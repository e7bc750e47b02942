package redact

import "strings"

// nounWords are the words with which a caption names a secret: the nouns of languages, and more of other languages.
var nounWords = func() map[string]bool {
	words := wordList("caption_nouns")
	for _, l := range languages {
		for _, n := range l.nouns {
			words[strings.ToLower(n)] = true
		}
	}
	return words
}()

const (
	maxSaid = 160 // bytes of a caption
	maxNoun = 3   // words of a noun
)

// captioned reports whether the text is the caption of a field, or a message about it, as files of translations have: it
// names a secret in some language, or says something around a variable, and none of its words looks like a secret.
func captioned(text string) bool {
	if len(text) > maxSaid {
		return false
	}
	said, filled := withoutVariables(text)
	words := strings.Fields(said)
	for _, word := range words {
		word = strings.Trim(word, captionSigns)
		if hasDigit(word) && strings.ContainsFunc(word, isLetter) || mixture(word) {
			return false
		}
	}
	return len(words) > 0 && (filled && strings.ContainsAny(said, " \u00a0") || namesSecret(words))
}

// captionSigns stand around the words of a caption.
const captionSigns = "!?*:.,()_"

// namesSecret reports whether a noun for a secret stands among the words.
func namesSecret(words []string) bool {
	for i := range words {
		most := 1
		if nounStarts[strings.ToLower(strings.TrimLeft(words[i], captionSigns))] {
			most = min(maxNoun, len(words)-i)
		}
		for n := 1; n <= most; n++ {
			if nounWords[strings.ToLower(strings.Trim(strings.Join(words[i:i+n], " "), captionSigns))] {
				return true
			}
		}
	}
	return false
}

// nounStarts are the first words of the nouns of several.
var nounStarts = func() map[string]bool {
	starts := make(map[string]bool)
	for noun := range nounWords {
		if first, _, several := strings.Cut(noun, " "); several {
			starts[first] = true
		}
	}
	return starts
}()

// variableForms are how variables stand within a text: from the first to the second.
var variableForms = [][2]string{{"${", "}"}, {"{{", "}}"}, {"#{", "}"}, {"%{", "}"}, {"<%", "%>"}, {`\(`, ")"}, {"{", "}"}}

// withoutVariables returns the text without the variables that stand in it. It reports whether there was one.
func withoutVariables(text string) (rest string, filled bool) {
	for _, f := range variableForms {
		for {
			start := strings.Index(text, f[0])
			if start < 0 {
				break
			}
			n := strings.Index(text[start+len(f[0]):], f[1])
			if n < 1 {
				break
			}
			text, filled = text[:start]+text[start+len(f[0])+n+len(f[1]):], true
		}
	}
	if strings.Contains(text, "%s") || strings.Contains(text, "%d") {
		text, filled = strings.NewReplacer("%s", "", "%d", "").Replace(text), true
	}
	return text, filled
}

// composed reports whether the text is put together from variables, and the text between them is no secret.
func composed(text string) bool {
	if len(text) > maxSaid || !strings.HasPrefix(text, `\(`) && (strings.IndexByte(text, '{') < 0 || !containsAny(text, "${", "{{", "#{")) {
		return false
	}
	rest, filled := withoutVariables(text)
	return filled && !hasDigit(rest) && !mixture(rest) && (rest == "" || strings.ContainsAny(rest, " -_/.:")) && len(rest) <= maxKey
}
