package reduce

import (
	"cmp"
	"math"
	"slices"
)

// The wishes and conclusions of people are weighed against facts by hand: they have no common measure. The less of a conversation stays,
// the more a conclusion counts, since a reader who knows that facts exist can fetch them.
const (
	statementWorth = 0.0145 // of a conclusion, where a line that is used again is worth 1 and all stays
	statementPower = 1.65   // of the share that stays
	mostStatement  = 3
	sureness       = 0.8 // power of the chance that a statement is a conclusion
	// The lines of the user and the developer are few, seldom said again, and the aim of all the work: they come first, up to this
	// share of the room, or so many tokens up to the larger one.
	userShare  = 0.25
	mostUser   = 0.6
	leastAsked = 850
)

// statementsFor returns what a conclusion is worth where this share of a conversation stays.
func statementsFor(stays float64) float64 {
	return math.Min(statementWorth*math.Pow(stays, -statementPower), mostStatement)
}

// takeAsked takes lines of the user and the developer into so much room, those first that matter most, and returns what they take.
func (ch *chooser) takeAsked(most int) (used int) {
	var all []int32
	worth := map[int32]float64{}
	for i := range ch.c.lines {
		if l := &ch.c.lines[i]; ch.c.segs[l.seg].source.instructs() && !ch.lines[i].done {
			all = append(all, int32(i))
			worth[int32(i)] = ch.c.worthOfStatement(int32(i))
		}
	}
	for _, older := range all {
		for _, newer := range ch.c.speech.of[older].doubted { // an earlier one is told with the later one only
			worth[newer] = max(worth[newer], worth[older])
		}
	}
	slices.SortFunc(all, func(a, b int32) int { return cmp.Or(cmp.Compare(worth[b], worth[a]), cmp.Compare(b, a)) })
	for _, id := range all {
		if n := ch.takes(item{line: id}); used+n <= most {
			used += n
			ch.take(item{line: id})
		}
	}
	return used
}
