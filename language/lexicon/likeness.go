package lexicon

import (
	"cmp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language/lexicon/network"
)

// Channel is a way in which two words are near each other.
type Channel int

const (
	None     Channel = iota
	Same             // forms of one word
	Software         // the same thing in software: "k8s" and "kubernetes"; or, lighter, of one field of it
	Synonym          // the same meaning, a derivation of it ("marry", "marriage"), or a similar one
	Ancestor         // one is more general: "vehicle" for "truck"
	Gloss            // one stands in the definition of the other
	Related          // a part, a whole, a cause, a field
	Antonym          // the opposite: near in subject, and no evidence that the same is said
)

// fromStored are the channels of the network.
var fromStored = [...]Channel{network.Synonym: Synonym, network.Ancestor: Ancestor, network.Gloss: Gloss, network.Related: Related, network.Antonym: Antonym}

// Link leads to a base form. Weight is above 0 and at most 1: the geometric mean of the shares that the common meaning has in
// the use of either word, times the worth of the kind of link.
type Link struct {
	Word    string
	Channel Channel
	Weight  float64
}

// Neighbours returns the words that are linked to the bases of the word, the heaviest first, each once by channel. Ancestors
// are found upwards only: "truck" has "vehicle", and not the other way round.
func (w *Word) Neighbours() []Link {
	type key struct {
		id      int
		channel Channel
	}
	best := map[key]float64{}
	var order []key
	for _, b := range w.bases {
		for _, e := range b.edges {
			k := key{e.id, e.channel}
			if best[k] == 0 {
				order = append(order, k)
			}
			best[k] = max(best[k], e.weight)
		}
	}
	links := make([]Link, len(order))
	for i, k := range order {
		links[i] = Link{wordAt(k.id), k.channel, best[k]}
	}
	slices.SortStableFunc(links, func(a, b Link) int { return cmp.Compare(b.Weight, a.Weight) })
	return links
}

// Likeness returns the heaviest link between two words in either direction, or None and 0. Two forms of one word are Same,
// with weight 1.
func (w *Word) Likeness(other *Word) (Channel, float64) {
	if w.form == other.form {
		return Same, 1
	}
	channel, weight := None, 0.0
	for _, a := range w.bases {
		for _, b := range other.bases {
			if a.id == b.id {
				return Same, 1
			}
			channel, weight = heavier(channel, weight, a.edges, b.id)
			channel, weight = heavier(channel, weight, b.edges, a.id)
		}
	}
	return channel, weight
}

// heavier returns the channel and weight of the link to a word, if one is heavier.
func heavier(channel Channel, weight float64, edges []edge, to int) (Channel, float64) {
	for _, e := range edges {
		if e.id == to && e.weight > weight {
			channel, weight = e.channel, e.weight
		}
	}
	return channel, weight
}

// Neighbours is Look(form).Neighbours().
func Neighbours(form string) []Link { return Look(form).Neighbours() }

// Likeness is Look(a).Likeness(Look(b)).
func Likeness(a, b string) (Channel, float64) { return Look(a).Likeness(Look(b)) }
