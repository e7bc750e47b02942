package compiler

import (
	"cmp"
	"hash/fnv"
	"math/bits"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// wording is a text as duplicates are told by.
type wording struct {
	it    *item
	text  string
	words []uint64 // hashes of its distinct words, in order
	marks marks
}

// marks is a set of bits, one or more for what is among the words: a bit that one text has and another lacks is a word that
// they do not share.
type marks [4]uint64

func (m *marks) add(word uint64) { m[word>>62] |= 1 << (word >> 56 & 63) }

// beyond returns the number of bits that are in m only.
func (m *marks) beyond(o *marks) (n int) {
	for i := range m {
		n += bits.OnesCount64(m[i] &^ o[i])
	}
	return n
}

// deduplicate leaves out items that another item says: the same text, nearly the same words, or a part of a longer text.
// An item that is left out never stands on higher authority than the one that stays, and the result of a call is never
// left out.
func (s *state) deduplicate() {
	var all []wording
	for _, it := range s.live() {
		if it.Kind == KindMemory || it.Kind == KindDocument {
			all = append(all, wordingOf(it))
		}
	}
	slices.SortFunc(all, func(a, b wording) int { return compareStanding(a.it, b.it) })
	for i := range all {
		a := &all[i]
		if a.it.drop != nil {
			continue
		}
		for j := i + 1; j < len(all); j++ {
			if b := &all[j]; b.it.drop == nil {
				if reason := s.repeats(b, a); reason != "" {
					s.omit(b.it, reason, a.it.id(), "")
				}
			}
		}
	}
}

// compareStanding orders by authority, then by tier and relevance: the first is kept.
func compareStanding(a, b *item) int {
	return cmp.Or(cmp.Compare(a.Object.Authority, b.Object.Authority), cmp.Compare(tierRank(a.tier), tierRank(b.tier)),
		cmp.Compare(b.share, a.share), b.Object.ValidFrom.Compare(a.Object.ValidFrom), compareItems(a, b))
}

func tierRank(t Tier) int { return slices.Index(Tiers(), t) }

// shortest is how many words a text must have for another to be near it: of three words one is a third of the text.
const shortest = 6

// repeats returns how b repeats a, or "".
func (s *state) repeats(b, a *wording) Reason {
	switch {
	case a.text == b.text:
		return Duplicate
	case len(b.words) < shortest || a.it.Object.ValidFrom != b.it.Object.ValidFrom && !a.it.Object.Claim.IsZero():
		return ""
	case strings.Contains(a.text, b.text):
		return Subsumed
	case near(a, b, s.in.Policy.Near) && sameNumbers(a.text, b.text), s.in.filled() && s.concludes(b, a):
		return NearDuplicate
	}
	return ""
}

// concludes reports whether b is a conclusion of an agent of which nearly all stands in a, which is on higher authority. Older forms of inputs
// know no such repetition.
func (s *state) concludes(b, a *wording) bool {
	if b.it.Object.SourceKind != ctxmcp.Inference || a.it.Object.Authority >= b.it.Object.Authority || !sameNumbers(a.text, b.text) {
		return false
	}
	said, held := 0, 0
	for _, t := range slices.Compact(slices.Sorted(slices.Values(language.Query(b.text)))) {
		if said++; slices.Contains(language.Terms(a.text), t) {
			held++
		}
	}
	return said > 0 && float64(held) >= s.in.Policy.Near*float64(said)
}

func wordingOf(it *item) wording {
	text := ctxmcp.Normalize(it.text)
	w := wording{it: it, text: text}
	for word := range strings.FieldsSeq(text) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(strings.Trim(word, ".,;:!?\"'()"))) // never fails
		w.words = append(w.words, h.Sum64())
	}
	slices.Sort(w.words)
	w.words = slices.Compact(w.words)
	for _, word := range w.words {
		w.marks.add(word)
	}
	return w
}

// near reports whether two texts have at least a share of the words of both in common. Most pairs are far from it, which their
// marks tell without a look at the words.
func near(a, b *wording, share float64) bool {
	most := min(len(a.words)-a.marks.beyond(&b.marks), len(b.words)-b.marks.beyond(&a.marks))
	return jaccard(len(a.words), len(b.words), most) >= share && jaccard(len(a.words), len(b.words), common(a.words, b.words)) >= share
}

// jaccard returns the share of the words of two texts that is in both.
func jaccard(a, b, common int) float64 { return float64(common) / float64(a+b-common) }

// common returns the number of words that are in both. Both are sorted.
func common(a, b []uint64) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			n, i, j = n+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return n
}

// sameNumbers reports whether two texts hold the same digits in the same order, and both or neither deny: texts that differ
// in a figure, or in a "not", do not say the same.
func sameNumbers(a, b string) bool { return digits(a) == digits(b) && denies(a) == denies(b) }

func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text)
}

func denies(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		switch strings.Trim(word, ".,;:!?") {
		case "not", "no", "never", "without", "cannot":
			n++
		default:
			if strings.HasSuffix(word, "n't") {
				n++
			}
		}
	}
	return n
}
