package compiler

import (
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/memory/later"
)

// question is the matter of a step: the terms of its words, and the words.
type question struct {
	terms map[string]bool
	said  map[string]bool // those of its terms that somebody said, or a call holds: without the type of the task
	rare  map[string]bool // words of the turn, and of what it leans on, that few texts hold
	words []*lexicon.Word
	areas map[string]bool // of language.Areas
}

// question returns the matter of the step: the words of its turn and of its need that name one, and the type of the task.
func (s *state) question() *question {
	if s.asked != nil {
		return s.asked
	}
	r := s.in.Request
	q := &question{terms: map[string]bool{}, said: map[string]bool{}, rare: rareWords(ctxmcp.Cut(r.Query, mostNeed) + "\n" + ctxmcp.Cut(s.said, mostNeed)), areas: map[string]bool{}}
	task := strings.ReplaceAll(string(r.TaskType), "_", " ")
	texts := []string{r.Query, s.said, task}
	for _, n := range r.Need {
		if n.From != areaFrom {
			texts = append(texts, n.Text)
		}
	}
	seen := map[string]bool{}
	for _, text := range texts {
		for _, t := range language.Query(text) {
			if !subjectless.Has(t) && !assenting.Has(t) {
				q.terms[t] = true
				q.said[t] = q.said[t] || text != task
			}
		}
		for _, w := range lexicon.Words(text) {
			if !seen[w.Form()] && later.Naming(w) {
				seen[w.Form()] = true
				q.words = append(q.words, w)
			}
		}
		if s.in.Schema != firstInputsSchema && text != "" {
			maps.Copy(q.areas, areasOf(ctxmcp.Cut(text, mostNeed)))
		}
	}
	s.asked = q
	return q
}

// rareWords returns the words of a text that name a matter, and are of few texts.
func rareWords(text string) map[string]bool {
	rare := map[string]bool{}
	for _, w := range lexicon.Words(text) {
		if later.Naming(w) && w.Commonness() <= rareFrom {
			rare[w.Form()] = true
		}
	}
	return rare
}

// rareFrom is the commonness of a word of English up to which it says what a text is about.
const rareFrom = 0.55

// named reports whether a text shares a rare word with the turn.
func (q *question) named(text string) bool {
	for _, w := range lexicon.Words(text) {
		if q.rare[w.Form()] {
			return true
		}
	}
	return false
}

// akin is how near two words must be in meaning for one to stand for the other.
const akin = 0.5

// touches reports whether a text shares a word with the question, or has one that stands for a word of it.
func (q *question) touches(text string) bool {
	if slices.ContainsFunc(language.Query(text), func(t string) bool { return q.terms[t] }) {
		return true
	}
	for _, w := range lexicon.Words(text) {
		if !later.Naming(w) {
			continue
		}
		for _, asked := range q.words {
			if _, near := w.Likeness(asked); near >= akin {
				return true
			}
		}
	}
	return false
}

// matters reports whether an object says that it matters to the step: always, or for something that the step touches.
func (q *question) matters(o ctxmcp.ContextObject) bool {
	return always.MatchString(o.WhyItMatters) || q.touches(o.WhyItMatters) || q.inArea(o.WhyItMatters)
}

// holdsAlways reports whether a preference says by itself that it holds whatever is asked.
func holdsAlways(o ctxmcp.ContextObject) bool {
	return o.ObjectType == ctxmcp.Preference && (always.MatchString(o.WhyItMatters) || general.MatchString(o.Content))
}

// always matches a reason that holds whatever is asked: "For every answer."
var always = language.NewPattern(`(?i)\b%s\b`, language.Standing.Row("always"))

// general matches a preference about answers and texts of any kind.
var general = language.NewPattern(`(?i)\b%s\b`, language.Standing.Row("general"))
