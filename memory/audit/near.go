package audit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// nearDuplicates compares texts by the Jaccard similarity of their sets of terms: the share that both have of the
// terms that either has. Each text is compared with those that opened a group before it and joins the most similar,
// or opens one: all of a group are similar to its first.
//
// Only texts that share one of their rarest terms are compared, as many as it takes for none to be missed: sets of x and y
// terms with a similarity of t or more share one of the first x - ⌈tx⌉ + 1 and y - ⌈ty⌉ + 1 in any common order. (Chaudhuri,
// Ganti, Kaushik: A Primitive Operator for Similarity Joins, 2006; Bayardo, Ma, Srikant: Scaling Up All Pairs Similarity
// Search, 2007.) Of these, most are told apart by signatures: as many bits as differ in two of them, as many terms differ at
// least. (Sandes, Teodoro, Melo: Bitmap Filter, 2017.) What is missed is a match beyond the most recent of very many texts with one rare term.
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
	terms     []int32
	signature uint64 // a bit for each term
	group     string
	claim     digest // of the claim; zero: none
	place     Place
}

func (n *near) examine(r *record) {
	key := r.digest()
	if n.seen[key] {
		return
	}
	n.seen[key] = true
	words := language.Query(r.Content)
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
	tried  int32   // number of the text that was compared last
}

func (n *near) findings(ctx context.Context) ([]Finding, error) {
	n.orderTerms()
	g := grouping{least: n.options.Similarity, ways: map[way][]lead{}}
	for i, t := range n.texts {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		g.add(int32(i), t)
	}
	return nearFindings(g.clusters), nil
}

// orderTerms numbers the terms anew, the rarest first, and sorts those of each text.
func (n *near) orderTerms() {
	order := make([]int32, len(n.frequency))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(n.frequency[a], n.frequency[b]) })
	rank := make([]int32, len(order))
	for r, term := range order {
		rank[term] = int32(r)
	}
	for number := range n.texts {
		t := &n.texts[number]
		for i, term := range t.terms {
			t.terms[i] = rank[term]
			t.signature |= 1 << (uint32(rank[term]) * 0x9e3779b1 >> 26) // Fibonacci hashing to 6 bits
		}
		slices.Sort(t.terms)
	}
	n.numbers, n.frequency = map[string]int32{}, nil
}

// grouping is the clusters so far, and the ways to them.
type grouping struct {
	least    float64
	clusters []cluster
	ways     map[way][]lead
}

// lead is a way's knowledge of the text at its end: enough not to go there in vain.
type lead struct {
	cluster, terms int32
	signature      uint64
}

// add lets a text join the closest cluster, or open one. number is that of the text, from 0.
func (g *grouping) add(number int32, t nearText) {
	rare := t.terms[:len(t.terms)-whole(g.least*float64(len(t.terms)))+1]
	if best, similarity := g.closest(number, t, rare); best >= 0 {
		c := &g.clusters[best]
		c.joined, c.least = append(c.joined, t.place), min(c.least, similarity)
		return
	}
	for _, term := range rare {
		w := way{t.group, term}
		g.ways[w] = append(g.ways[w], lead{int32(len(g.clusters)), int32(len(t.terms)), t.signature})
	}
	g.clusters = append(g.clusters, cluster{nearText: t, least: 1, tried: -1})
}

// closest returns the number of the cluster whose first text is most similar, the earliest of equals, or -1.
func (g *grouping) closest(number int32, t nearText, rare []int32) (best int32, similarity float64) {
	best = -1
	for _, term := range rare {
		list := g.ways[way{t.group, term}]
		for _, l := range list[max(0, len(list)-manyWays):] {
			both := len(t.terms) + int(l.terms)
			if bits.OnesCount64(l.signature^t.signature) > both-2*needed(both, g.least) {
				continue
			}
			c := &g.clusters[l.cluster]
			if c.tried == number || c.differs(t) {
				continue
			}
			c.tried = number
			s := jaccard(c.terms, t.terms, g.least)
			if s >= g.least && (s > similarity || s == similarity && l.cluster < best) {
				best, similarity = l.cluster, s
			}
		}
	}
	return best, similarity
}

// differs reports whether both texts have a claim, and another one.
func (t nearText) differs(o nearText) bool {
	return t.claim != o.claim && t.claim != (digest{}) && o.claim != (digest{})
}

// jaccard returns the similarity of two sets in ascending order, or 0 if it is below least: it stops as soon as too many
// terms have no partner.
func jaccard(a, b []int32, least float64) float64 {
	common, needed := 0, needed(len(a)+len(b), least)
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if common+min(len(a)-i, len(b)-j) < needed {
			return 0
		}
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			common++
			i++
			j++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

// needed returns how many terms two sets of so many terms together must have in common to be similar.
func needed(both int, least float64) int { return whole(least / (1 + least) * float64(both)) }

// whole returns the least whole number that is not below x, less the error by which rounding may have raised x.
func whole(x float64) int { return int(math.Ceil(x - 1e-9)) }

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
