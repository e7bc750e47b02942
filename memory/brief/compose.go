package brief

import (
	"cmp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Candidate is an object that may be told. Relevance, in [0, 1], is to the topic of the question; 0 where it has none.
type Candidate struct {
	Object    ctxmcp.ContextObject
	Relevance float64
}

// Bounds are what a brief may take.
type Bounds struct {
	Tokens int
	Most   int // entries; 0: any number
	// Price returns what an object costs, in tokens; Heading what the line above a part does.
	Price   func(ctxmcp.ContextObject) int
	Heading func(Part) int
	Only    []Part // the parts that are asked for; none: all
	Topical bool   // the question has a topic, which Relevance is about
	About   bool   // it asks about a person or a project as a whole
}

// Chosen is an entry of a brief.
type Chosen struct {
	Candidate
	Part Part
}

// Compose chooses what a brief tells: by parts, in each of them what bears on the topic first, then what the user said before
// what was inferred, then what belongs there most firmly, then the latest. Each part has its share of the budget; what one leaves goes to the others, in their order.
// What says nearly the same as a later entry is left out. The candidates are in the order of their relevance.
func Compose(candidates []Candidate, b Bounds) []Chosen {
	c := composition{Bounds: b, parts: map[Part][]Candidate{}, told: map[string]bool{}}
	for _, one := range candidates {
		p := PartOf(one.Object)
		if p == "" || len(b.Only) > 0 && !slices.Contains(b.Only, p) {
			continue
		}
		c.parts[p] = append(c.parts[p], one)
	}
	for p := range c.parts {
		slices.SortStableFunc(c.parts[p], func(a, b Candidate) int { return sooner(p, a, b) })
	}
	best := 0.0
	for _, one := range candidates {
		best = max(best, one.Relevance)
	}
	for _, one := range candidates {
		if one.Relevance >= max(onTopic, best/2) && one.Object.Authority < ctxmcp.AuthorityRetrieved {
			c.parts[Topic] = append(c.parts[Topic], one)
		}
	}
	slices.SortStableFunc(c.parts[Topic], func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(level(b.Relevance/best), level(a.Relevance/best)), sooner(Topic, a, b))
	})
	return c.compose(order(b))
}

// onTopic is the relevance from which an object is told for the topic alone.
const onTopic = 0.15

// sooner orders the objects of a part.
func sooner(p Part, a, b Candidate) int {
	return cmp.Or(
		cmp.Compare(level(b.Relevance), level(a.Relevance)),
		cmp.Compare(min(a.Object.Authority, ctxmcp.AuthorityInferred), min(b.Object.Authority, ctxmcp.AuthorityInferred)),
		cmp.Compare(strength(p, b.Object), strength(p, a.Object)),
		ToldAt(b.Object).Compare(ToldAt(a.Object)),
		cmp.Compare(a.Object.ObjectID, b.Object.ObjectID),
	)
}

// level is a relevance in coarse steps: between two that are as good the later one is told.
func level(relevance float64) int { return int(relevance * 3) }

// composition is a brief that is being made.
type composition struct {
	Bounds
	parts  map[Part][]Candidate
	chosen map[Part][]Candidate
	told   map[string]bool // object ids
	texts  [][]string      // terms of what is told, sorted
	used   int
	count  int
}

func (c *composition) compose(order []section) []Chosen {
	c.chosen = map[Part][]Candidate{}
	for _, s := range order {
		c.fill(s.part, c.used+int(s.share*float64(c.Tokens)), c.fairly(s.share))
	}
	for _, s := range order {
		c.fill(s.part, c.Tokens, c.Most)
	}
	var all []Chosen
	for _, s := range order {
		for _, one := range c.chosen[s.part] {
			all = append(all, Chosen{one, s.part})
		}
	}
	return all
}

// fairly returns how many entries are told in all once a part has had its share of them, one at least; 0: any number.
func (c *composition) fairly(share float64) int {
	if c.Most == 0 {
		return 0
	}
	return min(c.Most, c.count+max(1, int(share*float64(c.Most))))
}

// fill tells what is left of a part, as long as the brief has no more than so many tokens and entries in all.
func (c *composition) fill(p Part, tokens, most int) {
	for _, one := range c.parts[p] {
		if most > 0 && c.count >= most {
			return
		}
		price := c.Price(one.Object)
		if len(c.chosen[p]) == 0 {
			price += c.Heading(p)
		}
		if c.told[one.Object.ObjectID] || c.used+price > min(tokens, c.Tokens) || !c.adds(one.Object) {
			continue
		}
		c.told[one.Object.ObjectID] = true
		c.chosen[p] = append(c.chosen[p], one)
		c.used += price
		c.count++
	}
}

// sameShare is the share of the terms of two texts together, from which on they say nearly the same.
const sameShare = 0.65

// adds reports whether an object says something that no entry says yet, and notes its terms.
func (c *composition) adds(o ctxmcp.ContextObject) bool {
	terms := language.Terms(o.Content)
	slices.Sort(terms)
	terms = slices.Compact(terms)
	for _, t := range c.texts {
		if shared(t, terms) {
			return false
		}
	}
	c.texts = append(c.texts, terms)
	return true
}

func shared(a, b []string) bool {
	both := 0
	for _, t := range a {
		if _, in := slices.BinarySearch(b, t); in {
			both++
		}
	}
	return float64(both) >= sameShare*float64(len(a)+len(b)-both)
}
