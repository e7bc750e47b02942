package compiler

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// rescue attaches passages of documents that were not selected to what was. A document whose every word is beside the point
// but for one paragraph is not worth its tokens; the paragraph may be.
func rescue(s *state) error {
	query := s.question().terms
	selected := s.hosts()
	if len(selected) == 0 || len(query) == 0 {
		return nil
	}
	var found []unit
	for _, it := range s.items {
		if it.drop == nil || it.drop.stage != "rank" || it.drop.reason != IrrelevantTask || !s.isDocument(it) {
			continue
		}
		if u, ok := s.bestUnit(it, selected, query); ok {
			found = append(found, u)
		}
	}
	slices.SortFunc(found, func(a, b unit) int {
		return cmp.Or(cmp.Compare(b.affinity, a.affinity), compareItems(a.of, b.of))
	})
	left := s.in.Policy.Rescue.MaxTokens
	for _, u := range found {
		if u.tokens > left {
			continue
		}
		left -= u.tokens
		s.attach(u)
	}
	return nil
}

// unit is a passage of a document.
type unit struct {
	of       *item
	host     *item
	text     string
	place    int // from 1
	count    int
	tokens   int
	affinity float64
}

// host is a selected source with its terms.
type host struct {
	it    *item
	terms map[string]bool
}

// hosts returns the items to which passages may be attached: those that are selected and useful.
func (s *state) hosts() (all []host) {
	for _, it := range s.live() {
		if it.tier == Important || it.tier == Useful {
			all = append(all, host{it, termsOf(it.text)})
		}
	}
	return all
}

func (s *state) isDocument(it *item) bool {
	return s.counter.Count(it.text) > s.in.Policy.Rescue.DocumentTokens
}

// bestUnit returns the passage of a document with the highest affinity to a selected source, if that is enough.
func (s *state) bestUnit(it *item, selected []host, query map[string]bool) (best unit, ok bool) {
	passages := passagesOf(it.text, s.in.Policy.Rescue.PassageTokens, s.counter)
	for i, text := range passages {
		terms := termsOf(text)
		for _, h := range selected {
			a := s.affinity(it, h, terms, query)
			if a > best.affinity && coverage(query, terms) > 0 {
				best = unit{of: it, host: h.it, text: text, place: i + 1, count: len(passages), affinity: a}
			}
		}
	}
	best.tokens = s.counter.Count(best.text)
	return best, best.affinity >= s.in.Policy.Rescue.MinAffinity
}

// affinity returns Aff(u, s | q) of SkillRAE with deterministic features, each in [0, 1]: the share of the question that the
// passage holds; the share of the source's own part of the question that it holds too; the source's relevance; whether both
// are of one origin; and whether both are in the place of the task.
func (s *state) affinity(of *item, h host, terms, query map[string]bool) float64 {
	w := s.in.Policy.Rescue
	facet := map[string]bool{}
	for t := range query {
		if h.terms[t] {
			facet[t] = true
		}
	}
	return w.Query*coverage(query, terms) + w.Facet*coverage(facet, terms) + w.Source*h.it.share +
		w.Same*indicator(sameSource(of.Object, h.it.Object)) +
		w.Active*indicator(of.Object.Home() == h.it.Object.Home())
}

// sameSource reports whether two objects were said in one session, or are of one document: the words of one person or agent at
// any time is no source.
func sameSource(a, b ctxmcp.ContextObject) bool {
	spoken := a.SourceKind == ctxmcp.UserStatement || a.SourceKind == ctxmcp.Inference
	return a.SessionID != "" && a.SessionID == b.SessionID || !spoken && a.SourceOrigin == b.SourceOrigin
}

func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// coverage returns the share of wanted that is among terms.
func coverage(wanted, terms map[string]bool) float64 {
	if len(wanted) == 0 {
		return 0
	}
	n := 0
	for t := range wanted {
		if terms[t] {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}

// attach brings a document back as one of its passages.
func (s *state) attach(u unit) {
	it := u.of
	it.drop, it.tier = nil, Minimal
	it.text, it.attached, it.affinity = u.text, u.host.id(), u.affinity
	it.why = fmt.Sprintf("passage %d of %d, affinity %.2f to %s", u.place, u.count, u.affinity, u.host.id())
	s.note("rescued " + it.id() + ": " + it.why)
}

// passagesOf cuts a text at its paragraphs, and those that are too long at their sentences.
func passagesOf(text string, most int, counter Counter) []string {
	var all []string
	for _, paragraph := range strings.Split(text, "\n\n") {
		if paragraph = strings.TrimSpace(paragraph); paragraph == "" {
			continue
		}
		if counter.Count(paragraph) <= most {
			all = append(all, paragraph)
			continue
		}
		all = append(all, sentencesWithin(paragraph, most, counter)...)
	}
	return all
}

// sentencesWithin joins sentences into passages of at most most tokens. One that is longer by itself is left out: a cut could
// change what it says.
func sentencesWithin(paragraph string, most int, counter Counter) []string {
	var all []string
	passage := ""
	for _, sentence := range strings.SplitAfter(strings.ReplaceAll(paragraph, "\n", " "), ". ") {
		joined := strings.TrimSpace(passage + sentence)
		switch {
		case counter.Count(joined) <= most:
			passage = joined + " "
			continue
		case passage != "":
			all = append(all, strings.TrimSpace(passage))
		}
		passage = ""
		if counter.Count(sentence) <= most {
			passage = sentence
		}
	}
	if passage = strings.TrimSpace(passage); passage != "" {
		all = append(all, passage)
	}
	return all
}

func termsOf(text string) map[string]bool {
	terms := map[string]bool{}
	for _, t := range language.Query(text) {
		terms[t] = true
	}
	return terms
}
