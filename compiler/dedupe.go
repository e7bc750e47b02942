package compiler

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// wording is a text as duplicates are told by.
type wording struct {
	it    *item
	text  string
	words []uint64 // hashes of its distinct words, in order
}

// deduplicate leaves out what another item says: the same text, nearly the same words, or a part of a longer text. What is
// left out never stands on higher authority than what stays, and what a tool returned for a call is never left out.
func (s *state) deduplicate() {
	var all []wording
	for _, it := range s.live() {
		if it.Kind == KindMemory || it.Kind == KindDocument {
			all = append(all, wordingOf(it))
		}
	}
	slices.SortFunc(all, func(a, b wording) int { return compareStanding(a.it, b.it) })
	for i, a := range all {
		if a.it.drop != nil {
			continue
		}
		for _, b := range all[i+1:] {
			if b.it.drop == nil {
				if reason := s.repeats(b, a); reason != "" {
					s.omit(b.it, reason, a.it.id(), "")
				}
			}
		}
	}
}

// compareStanding orders by authority, then by tier and relevance: what stands first is kept.
func compareStanding(a, b *item) int {
	return cmp.Or(cmp.Compare(a.Object.Authority, b.Object.Authority), cmp.Compare(tierRank(a.tier), tierRank(b.tier)),
		cmp.Compare(b.share, a.share), b.Object.ValidFrom.Compare(a.Object.ValidFrom), compareItems(a, b))
}

func tierRank(t Tier) int { return slices.Index(Tiers(), t) }

// shortest is how many words a text must have for another to be near it: of three words one is a third of what is said.
const shortest = 6

// repeats returns how b repeats a, or "".
func (s *state) repeats(b, a wording) Reason {
	switch {
	case a.text == b.text:
		return Duplicate
	case len(b.words) < shortest || a.it.Object.ValidFrom != b.it.Object.ValidFrom && !a.it.Object.Claim.IsZero():
		return ""
	case strings.Contains(a.text, b.text):
		return Subsumed
	case jaccard(a.words, b.words) >= s.in.Policy.Near && sameNumbers(a.text, b.text):
		return NearDuplicate
	}
	return ""
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
	return w
}

// jaccard returns the share of the words of both that both have. Both are sorted.
func jaccard(a, b []uint64) float64 {
	small, large := min(len(a), len(b)), max(len(a), len(b))
	if small*2 < large { // cannot reach half
		return float64(small) / float64(large) / 2
	}
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common, i, j = common+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
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
