package ranking

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

var givenNames = language.GivenNames.By(strings.ToLower)

// Respelling is a word of a question that nothing holds, and the word of a memory for which it is taken.
type Respelling struct{ Written, Meant string }

// Respelled returns the question with those words that nothing holds and that are none of English in the spelling of the one word among the candidates of which each
// may be a misspelling, and which they are. Nobody can tell unless all memories are among the candidates.
func (q Question) Respelled(found Found) (Question, []Respelling) {
	var all []Respelling
	known := map[string]bool{}
	for _, form := range language.Words(q.Text) {
		terms := language.Query(form)
		held := slices.ContainsFunc(terms, func(t string) bool { return found.Frequency[t] > 0 })
		if len(terms) == 0 || held || strings.ContainsAny(form, "0123456789") || lexicon.Look(form).Known() || givenNames.Has(form) {
			continue
		}
		if len(known) == 0 {
			known = wordsAmong(found.Candidates)
		}
		if meant := misspelling(form, known); meant != "" {
			all = append(all, Respelling{form, meant})
		}
	}
	if len(all) == 0 {
		return q, nil
	}
	text := q.Text
	for _, r := range all {
		text = replaceWord(text, r)
	}
	return Read(text, q.at), all
}

// wordsAmong returns the words of statements among candidates.
func wordsAmong(candidates []Candidate) map[string]bool {
	words := map[string]bool{}
	for _, c := range candidates {
		if c.IsStatement() {
			for _, w := range c.statement().words() {
				words[w] = true
			}
		}
	}
	return words
}

// misspelling returns the one known word of which a word may be a misspelling, or "" where there is none, or there are several.
func misspelling(form string, known map[string]bool) (meant string) {
	for w := range known {
		switch {
		case !entities.Misspelt(form, w):
		case meant != "":
			return ""
		default:
			meant = w
		}
	}
	return meant
}

// replaceWord returns the text with a word in another spelling, which has a capital where the word had one.
func replaceWord(text string, r Respelling) string {
	at := strings.Index(strings.ToLower(text), r.Written)
	if at < 0 || len(strings.ToLower(text)) != len(text) {
		return text
	}
	meant := r.Meant
	if text[at] != r.Written[0] {
		meant = strings.ToUpper(meant[:1]) + meant[1:]
	}
	return text[:at] + meant + text[at+len(r.Written):]
}
