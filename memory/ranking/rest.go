package ranking

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language"
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
	{questionForm("person_asked"), change.Person},
	{questionForm("size_asked"), change.Size},
	{questionForm("amount_asked"), change.Amount},
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

// AskedOfRest reports whether the question asks for a part of the older statement that holds on, where the newer one changes another part: when the rent is due,
// and not how much it is by now.
func (q Question) AskedOfRest(older, newer *change.Reading) bool {
	return !q.asksPast && change.HoldsOnFor(older, newer, q.told)
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
			return s.number == newer.number && s.probability >= change.LikelyFrom
		})
		if linked && older.score >= newer.score-nearRest && e.holdsOnOver(older.number, newer.number) {
			return at
		}
	}
	return -1
}

// nearRest is the distance by which the score of a statement of which a part holds on may lie below that of the one that changed another part.
const nearRest = 2.0
