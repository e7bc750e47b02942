package ranking

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// This file reads for which kinds of things a question asks: of a statement that is outdated in part, the part that holds on may answer it.

// toldFor ties the ways in which a question asks to the kinds of things that answer it; the first row that matches counts.
var toldFor = [...]struct {
	asks *language.Pattern
	told change.Told
}{
	{questionForm("hour_asked"), change.Hour},
	{questionForm("day_asked"), change.Day},
	{questionForm("time_asked"), change.Day | change.Hour},
	{questionForm("place_asked"), change.Place},
	{questionForm("name_asked"), change.Name},
	{questionForm("person_asked"), change.Person},
	{questionForm("size_asked"), change.Size},
	{questionForm("money_asked"), change.Money},
	{questionForm("amount_asked"), change.Amount},
	{questionForm("means_asked"), change.Means},
}

// toldOf returns the kinds of things for which a question asks; 0 where its words do not say.
func toldOf(text string) change.Told {
	for _, row := range toldFor {
		if row.asks.MatchString(text) {
			return row.told
		}
	}
	return 0
}

// shownKinds are the kinds of answers by which the part of a statement that answers is known, beside the kinds of things that it tells.
var shownKinds = []string{"contact", "reason", "colour", "version", "command"}

// askedOfRest returns what a question with such intents asks for.
func askedOfRest(text string, terms []string, asks []int) change.Asked {
	asked := change.Asked{Told: toldOf(text), Noun: standsFor(nounOf(text)), Terms: terms}
	if asks = slices.DeleteFunc(slices.Clone(asks), func(k int) bool { return !slices.Contains(shownKinds, intents[k].name) }); len(asks) > 0 {
		asked.Shows = func(text string) bool {
			return slices.ContainsFunc(asks, func(k int) bool { return intents[k].shows.MatchString(text) })
		}
	}
	return asked
}

// nounForm matches the noun of "which pier", "what kind of wood" or "how many sets", with one word before it.
var nounForm = language.NewPattern(`(?i)\b(?:what|which|how many)(?: (?:kinds?|sorts?|types?) of)? (\p{L}+)(?: (\p{L}+) %s\b)?`, language.Questions.Row("auxiliary"))

// nounOf returns the noun of which a question asks for one of its kind; "" where it asks otherwise.
func nounOf(text string) string {
	m := nounForm.FindStringSubmatch(strings.ToLower(text))
	switch {
	case m == nil:
		return ""
	case m[2] != "":
		m[1] = m[2]
	}
	if language.Term(m[1]) == "" {
		return ""
	}
	return m[1]
}

// leastInstance is the least nearness to a noun of a word for one of its kind.
const leastInstance = 0.15

// standsFor returns how words stand for a noun; nil for none.
func standsFor(noun string) func(word string) change.Standing {
	if noun == "" {
		return nil
	}
	term, of := language.Term(noun), lexicon.Look(noun)
	return func(word string) change.Standing {
		if language.Term(word) == term {
			return change.Itself
		}
		if channel, weight := of.Likeness(lexicon.Look(word)); (channel == lexicon.Ancestor || channel == lexicon.Gloss) && weight >= leastInstance {
			return change.Instance
		}
		return change.Apart
	}
}

// AskedOfRest reports whether the question asks for a part of the older statement that holds on, where the newer one changes another part: when the rent is due,
// and not how much it is by now.
func (q Question) AskedOfRest(older, newer *change.Reading) bool {
	return !q.asksPast && change.HoldsOnFor(older, newer, q.rest)
}

// holdsOnOver reports whether an earlier candidate answers the question by a part that a later one leaves as it is.
func (e *Evidence) holdsOnOver(older, newer int) bool {
	return e.texts[older] != nil && e.texts[newer] != nil && e.told(older).Before(e.told(newer)) && e.q.AskedOfRest(e.texts[older].change(), e.texts[newer].change())
}

// restOver returns the place of an earlier statement that answers by a part which the one at a place leaves as it is: one that it likely changes, or is marked as
// changed by it, if the scores of the two are near.
func (e *Evidence) restOver(ranked []scored, place int) int {
	newer := ranked[place]
	for at := place + 1; at < min(len(ranked), arranged); at++ {
		older := ranked[at]
		linked := older.object.MaybeOutdatedBy == newer.object.ObjectID || slices.ContainsFunc(e.successors[older.number], func(s successor) bool {
			return s.number == newer.number && s.probability >= fromRival
		})
		if linked && older.score >= newer.score-nearRest && e.holdsOnOver(older.number, newer.number) {
			return at
		}
	}
	return -1
}

// nearRest is the distance by which the score of a statement of which a part holds on may lie below that of the one that changed another part.
const nearRest = 2.0
