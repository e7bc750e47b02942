package audit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/analysis"
)

// nearDuplicates compares texts by the Jaccard similarity of their sets of terms: the share that both have of what either
// has. Each text is compared with those that opened a group before it and joins the most similar, or opens one: all of a
// group are similar to its first.
//
// Only texts that share one of their rarest terms are compared, as many as it takes for none to be missed: sets of x and y
// terms with a similarity of t or more share one of the first x - ⌈tx⌉ + 1 and y - ⌈ty⌉ + 1 in any common order. (Chaudhuri,
// Ganti, Kaushik: A Primitive Operator for Similarity Joins, 2006; Bayardo, Ma, Srikant: Scaling Up All Pairs Similarity
// Search, 2007.) What is missed is a match beyond the most recent of very many texts with one rare term.
var nearDuplicates = Check{
	Kind: NearDuplicate,
	Doc:  "nearly the same text: keep the better one, or say how they differ",
	begin: func(o Options) examiner {
		return &near{options: o, numbers: map[string]int32{}, seen: map[digest]bool{}}
	},
	samples: []sample{
		{[]Record{
			{ID: "a", Content: "Issues invoices on the first working day of the month"},
			{ID: "b", Content: "Invoices are issued on every first working day of a month"},
			{ID: "c", Content: "issues invoices on the first working day of the month."}, // exact
		}, []string{"at least 85 % of the terms are the same: a b"}},
		{[]Record{{ID: "a", Content: "alpha beta gamma delta epsilon"}, {ID: "b", Content: "alpha beta gamma delta zeta"}}, nil},
		{[]Record{{ID: "a", Content: "alpha beta gamma delta epsilon"}, {ID: "b", Content: "alpha beta gamma delta"}},
			[]string{"at least 80 % of the terms are the same: a b"}},
		{[]Record{{ID: "a", Content: "Written in Go"}, {ID: "b", Content: "in Go written"}}, nil}, // too little to compare
		{[]Record{ // two claims that differ
			{ID: "a", Content: "the port of the billing service in production", Claim: ctxmcp.Claim{Subject: "s", Predicate: "port", Value: "1"}},
			{ID: "b", Content: "the port of the billing service in production now", Claim: ctxmcp.Claim{Subject: "s", Predicate: "port", Value: "2"}},
		}, nil},
		{[]Record{{ID: "a", Content: "alpha beta gamma delta", Group: "one"}, {ID: "b", Content: "delta gamma beta alpha", Group: "two"}}, nil},
	},
}

const (
	fewTerms = 4    // with fewer, one term would decide
	manyWays = 1000 // texts that are compared because of one term
)

// near keeps the terms of every text as numbers.
type near struct {
	options   Options
	numbers   map[string]int32 // of a term, from 0
	frequency []int32          // by number: texts that hold the term
	texts     []nearText
	seen      map[digest]bool
}

type nearText struct {
	terms []int32
	group string
	claim digest // of the claim; zero: none
	place Place
}

func (n *near) examine(r *record) {
	key := r.digest()
	if n.seen[key] {
		return
	}
	n.seen[key] = true
	words := analysis.Query(r.Content)
	if len(words) < fewTerms {
		return
	}
	terms := make([]int32, len(words))
	for i, w := range words {
		number, known := n.numbers[w]
		if !known {
			number = int32(len(n.frequency))
			n.numbers[w] = number
			n.frequency = append(n.frequency, 0)
		}
		n.frequency[number]++
		terms[i] = number
	}
	n.texts = append(n.texts, nearText{terms: terms, group: r.Group, claim: claimDigest(r.Claim), place: r.place})
}

func claimDigest(c ctxmcp.Claim) digest {
	if c.IsZero() {
		return digest{}
	}
	return digestOf(c.Slot(), ctxmcp.Normalize(c.Value))
}

// way is a term that leads to the texts that opened a group.
type way struct {
	group string
	term  int32
}

// cluster is a text that opened a group, and those that joined.
type cluster struct {
	nearText
	joined []Place
	least  float64 // similarity of those to the first
}

func (n *near) findings(ctx context.Context) ([]Finding, error) {
	var clusters []cluster
	ways := map[way][]int32{}
	for i, t := range n.texts {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		slices.SortFunc(t.terms, func(a, b int32) int {
			return cmp.Or(cmp.Compare(n.frequency[a], n.frequency[b]), cmp.Compare(a, b))
		})
		rare := t.terms[:len(t.terms)-int(math.Ceil(n.options.Similarity*float64(len(t.terms))))+1]
		if best, similarity := n.closest(t, rare, clusters, ways); best >= 0 {
			c := &clusters[best]
			c.joined, c.least = append(c.joined, t.place), min(c.least, similarity)
			continue
		}
		for _, term := range rare {
			w := way{t.group, term}
			ways[w] = append(ways[w], int32(len(clusters)))
		}
		clusters = append(clusters, cluster{nearText: t, least: 1})
	}
	return nearFindings(clusters), nil
}

// closest returns the number of the most similar text that opened a group, the earliest of equals, or -1.
func (n *near) closest(t nearText, rare []int32, clusters []cluster, ways map[way][]int32) (best int, similarity float64) {
	best = -1
	tried := map[int32]bool{}
	for _, term := range rare {
		list := ways[way{t.group, term}]
		for _, number := range list[max(0, len(list)-manyWays):] {
			if tried[number] {
				continue
			}
			tried[number] = true
			c := clusters[number]
			if c.claim != t.claim && c.claim != (digest{}) && t.claim != (digest{}) {
				continue
			}
			s := n.jaccard(c.terms, t.terms)
			if s >= n.options.Similarity && (s > similarity || s == similarity && int(number) < best) {
				best, similarity = int(number), s
			}
		}
	}
	return best, similarity
}

// jaccard returns the similarity of two sets in the order of their frequency. Sets of too different sizes have 0.
func (n *near) jaccard(a, b []int32) float64 {
	small, large := min(len(a), len(b)), max(len(a), len(b))
	if float64(small) < n.options.Similarity*float64(large) {
		return 0
	}
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := cmp.Or(cmp.Compare(n.frequency[a[i]], n.frequency[b[j]]), cmp.Compare(a[i], b[j])); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			common++
			i++
			j++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

func nearFindings(clusters []cluster) []Finding {
	var found []Finding
	for _, c := range clusters {
		if len(c.joined) == 0 {
			continue
		}
		found = append(found, Finding{
			Why:     fmt.Sprintf("at least %.0f %% of the terms are the same", math.Floor(c.least*100)),
			Records: append([]Place{c.place}, c.joined...), weight: float64(len(c.joined)) + c.least,
		})
	}
	return found
}
