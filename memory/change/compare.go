package change

import (
	_ "embed" // for weights.tsv
	"math"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/weights"
)

// Words returns the weight of a term by its rarity where the statements are, in [0, 1]: 1 for one that nothing else holds.
type Words func(term string) float64

// Rarity returns the weights of terms of which each is in so many of the documents, as the logarithm of its rarity.
func Rarity(documents int, frequency func(term string) int) Words {
	most := math.Log1p(float64(max(1, documents)))
	return func(term string) float64 {
		return math.Min(1, math.Log1p(float64(max(1, documents))/float64(max(1, frequency(term))))/most)
	}
}

// Once returns the same weights, each computed once. It is for one goroutine.
func (w Words) Once() Words {
	known := map[string]float64{}
	return func(term string) float64 {
		weight, ok := known[term]
		if !ok {
			weight = w(term)
			known[term] = weight
		}
		return weight
	}
}

// plain is the weight of a term where nothing is known of its rarity.
const plain = 0.8

//go:embed weights.tsv
var weightRows string

var featureWeights = weights.MustInOrder(weightRows, FeatureNames())

// FeatureNames returns the names of the features, in their order.
func FeatureNames() []string {
	names := make([]string, len(features))
	for i, f := range features {
		names[i] = f.name
	}
	return names
}

// Features returns the values of the features of a pair, in the order of FeatureNames: for the program that fits the weights.
func Features(older, newer *Reading, weigh Words) []float64 {
	p := newPair(older, newer, weigh)
	values := make([]float64, len(features))
	for i, f := range features {
		values[i] = f.value(p)
	}
	return values
}

func newPair(older, newer *Reading, weigh Words) *pair {
	return pairOf(Weigh(older, weigh), Weigh(newer, weigh))
}

func pairOf(older, newer *Weighed) *pair {
	p := &pair{older: older, newer: newer}
	p.rare, p.matters, p.other = p.rarest(), p.matter(), p.otherAny()
	p.near = max(p.rare, p.matters)
	p.frame, p.subject = jaccard(older.of.frame, newer.of.frame), jaccard(older.of.subject, newer.of.subject)
	p.grounded = p.isGrounded()
	return p
}

// Compare returns what the newer statement does to the older one. A nil weigh weighs all words alike. The zero Verdict says that
// they have nothing to do with each other, or that a rule forbids the change.
func Compare(older, newer *Reading, weigh Words) Verdict {
	if !Comparable(older, newer) || !changes(&Weighed{Reading: older}, &Weighed{Reading: newer}) {
		return Verdict{}
	}
	return compared(Weigh(older, weigh), Weigh(newer, weigh))
}

// Changed is Compare for statements that are weighed already, by the same words; a pair that was compared lately is compared no more.
func (w *Weighed) Changed(newer *Weighed) Verdict {
	if !Comparable(w.Reading, newer.Reading) {
		return Verdict{}
	}
	return verdictOn(w, newer)
}

// judge returns the verdict on a pair that the rules let be a change.
func judge(older, newer *Weighed) Verdict {
	if !changes(older, newer) {
		return Verdict{}
	}
	return compared(older, newer)
}

// changes reports whether there may be a change, by the readings alone: most pairs end here, before their words are weighed.
func changes(older, newer *Weighed) bool { return (&pair{older: older, newer: newer}).changes() }

func compared(older, newer *Weighed) Verdict {
	p := pairOf(older, newer)
	ends := p.endsState()
	if p.near == 0 && !ends && (older.slot == "" || older.slot != newer.slot) {
		return Verdict{}
	}
	sum := 0.0
	for i, f := range features {
		if featureWeights[i] != 0 {
			sum += featureWeights[i] * f.value(p)
		}
	}
	v := Verdict{kindOf(newer.Reading), 1 / (1 + math.Exp(-sum))}
	if p.grounded && (newer.cue.has(cueOver|cueMove) && p.sameValue(name, name) > 0 || newer.future.told && p.other > 0) { // the thing that is over or elsewhere is named, or will be another
		v.Probability = max(v.Probability, LikelyFrom)
	}
	switch {
	case p.turns():
		v.Probability = math.Max(v.Probability, denied)
	case !p.grounded && ends:
		v.Probability = min(max(v.Probability, endsLikely), ungrounded)
	case !p.grounded && (p.succeeds() || p.endsMatter() || p.changesTool()):
		v.Probability = min(max(v.Probability, LikelyFrom), ungrounded)
	case p.endsAnother(), p.onlyLeft(), p.ofNothingSame(), p.ofAnotherThing(), !p.grounded && p.returns(), Beside(older.Reading, newer.Reading), p.beginsBeside(), p.otherLabel(), p.otherAspect(), p.setsIn(), p.yetToCome(), p.shiftsTime(), p.ofCompanion(), p.anotherAmount(), p.otherOf(), p.otherNamed(), !older.bare && !newer.bare:
		v.Probability = math.Min(v.Probability, unlikely)
	case !p.grounded, older.goesOn(newer.Reading), p.saysMore(), HoldsMore(older.Reading, newer.Reading, true):
		v.Probability = math.Min(v.Probability, ungrounded)
	}
	if v.Sure() && holdsOn(older.Reading, newer.Reading) {
		v.Probability = math.Min(v.Probability, ungrounded)
	}
	return v
}

// endsLikely is the least probability that a state is over of which another one is told.
const endsLikely = 0.75

// denied is the least probability that a statement does not hold which another one denies.
const denied = 0.97

// unlikely bounds the probability of a change of something else.
const unlikely = LikelyFrom - 0.01

// ungrounded bounds the probability of a change that the words do not say: it is never carried out.
const ungrounded = SureFrom - 0.01

// Comparable reports whether the rules let the newer statement change the older one at all: both are short statements, the newer one
// stands no lower, it was said no earlier, and it is of the same author. An inference of an agent changes nothing that somebody said.
func Comparable(older, newer *Reading) bool {
	switch {
	case !older.legible || !newer.legible, outranked(older, newer), newer.guessed() && !older.guessed():
		return false
	case older.Author != newer.Author, newer.At.Before(older.At), older.Text == newer.Text:
		return false
	}
	return true
}

// kindRows are the words of change that tell the kind, the most telling first.
var kindRows = []struct {
	row  cues
	kind Kind
}{
	{cueCorrect, Correct}, {cueCancel, Cancel}, {cueTransfer, Transfer}, {cueMove, Move}, {cueOver, Stop}, {cueComplete, Complete},
	{cueReplace, Replace}, {cueInstead, Replace}, {cueStart, Start},
}

func kindOf(newer *Reading) Kind {
	i := slices.IndexFunc(kindRows, func(r struct {
		row  cues
		kind Kind
	}) bool {
		return newer.cue.has(r.row)
	})
	if i < 0 {
		return State
	}
	return kindRows[i].kind
}

// Link is a change between two statements of a list, by their places.
type Link struct {
	Older, Newer int
	Verdict
}

// LineUp returns the changes among statements, in any order and weighed by the same words, whose probability is floor or more. A statement gives way to the one
// that fits it best, and a change is of the statement that it fits best: a pair counts the less, the better a rival of either side is.
func LineUp(all []*Weighed, floor float64) []Link {
	var links []Link
	bestOlder, bestNewer := make([]float64, len(all)), make([]float64, len(all))
	for i, older := range all {
		for j, newer := range all {
			if i == j || newer.At.Equal(older.At) && j < i {
				continue
			}
			if v := older.Changed(newer); v.Probability > 0 {
				links = append(links, Link{i, j, v})
				bestOlder[i], bestNewer[j] = max(bestOlder[i], v.Probability), max(bestNewer[j], v.Probability)
			}
		}
	}
	for k := range links {
		l := &links[k]
		l.Probability *= math.Sqrt(l.Probability / bestOlder[l.Older] * l.Probability / bestNewer[l.Newer])
	}
	return slices.DeleteFunc(links, func(l Link) bool { return l.Probability < floor })
}
