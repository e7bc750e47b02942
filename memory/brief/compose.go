package brief

import (
	"cmp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Candidate is an object that may be told. Relevance, how surely it answers, and Bearing, how much of the topic of the question it speaks
// of, are in [0, 1]; 0 where the question has none.
type Candidate struct {
	Object    ctxmcp.ContextObject
	Relevance float64
	Bearing   float64
}

// Bounds are the limits of a brief.
type Bounds struct {
	Tokens int
	Most   int // entries; 0: any number
	// Price returns what an object costs, in tokens; Heading what the line above a part does.
	Price   func(ctxmcp.ContextObject) int
	Heading func(Part) int
	Only    []Part // the parts that are asked for; none: all
	First   []Part // the parts that stand first, where not the topic does
	Topical bool   // the question has a topic, which Bearing is about
	About   bool   // it asks about a person or a project as a whole
}

// Chosen is an entry of a brief.
type Chosen struct {
	Candidate
	Part Part
}

// Compose chooses the entries of a brief: by parts, in each of them the objects on the topic first, then the user's words before
// inferences, then the objects that belong there most firmly, then the latest. Each part has its share of the budget; the rest of one goes to the others, in their order.
// An object that says nearly the same as a later entry is left out. The candidates are in the order of their relevance.
func Compose(candidates []Candidate, b Bounds) []Chosen {
	c := composition{Bounds: b, parts: map[Part][]Candidate{}, told: map[string]bool{}}
	best := 0.0
	for _, one := range candidates {
		best = max(best, one.Bearing)
		p := PartOf(one.Object)
		if p == "" || len(b.Only) > 0 && !slices.Contains(b.Only, p) {
			continue
		}
		c.parts[p] = append(c.parts[p], one)
	}
	for p, all := range c.parts {
		c.parts[p] = inOrder(p, all, func(a, b weighed) int {
			return cmp.Or(
				cmp.Compare(level(b.Bearing, best), level(a.Bearing, best)), cmp.Compare(said(a.Candidate), said(b.Candidate)),
				cmp.Compare(b.strength, a.strength),
				ToldAt(b.Object).Compare(ToldAt(a.Object)), cmp.Compare(a.Object.ObjectID, b.Object.ObjectID),
			)
		})
	}
	c.parts[Topic] = onTopic(candidates, best)
	return c.compose(order(b))
}

// The bearing on a topic from which an object is told for it, and the share of the best one from which it speaks of the same.
const (
	leastBearing = 0.1
	nearBest     = 0.5
)

// onTopic returns the objects that are told for the topic alone: those that bear on it most, and among those that bear on it alike rules first, then
// tastes and agreements, then facts. Pages and documents come last.
func onTopic(candidates []Candidate, best float64) []Candidate {
	var all []Candidate
	for _, one := range candidates {
		if one.Bearing >= max(leastBearing, nearBest*best) && one.Object.ObjectType != ctxmcp.ToolSchema {
			all = append(all, one)
		}
	}
	return inOrder(Topic, all, func(a, b weighed) int {
		return cmp.Or(
			cmp.Compare(retrieved(a.Candidate), retrieved(b.Candidate)), cmp.Compare(level(b.Bearing, best), level(a.Bearing, best)),
			cmp.Compare(b.strength, a.strength), cmp.Compare(b.Relevance, a.Relevance), cmp.Compare(said(a.Candidate), said(b.Candidate)),
		)
	})
}

// weighed is a candidate with how firmly it belongs to a part.
type weighed struct {
	*Candidate
	strength int
}

// inOrder returns the candidates of a part in an order.
func inOrder(p Part, all []Candidate, compare func(a, b weighed) int) []Candidate {
	order := make([]weighed, len(all))
	for i := range all {
		order[i] = weighed{&all[i], strength(p, all[i].Object)}
	}
	slices.SortStableFunc(order, compare)
	sorted := make([]Candidate, len(all))
	for i, w := range order {
		sorted[i] = *w.Candidate
	}
	return sorted
}

// said ranks the words of a person before the conclusions of an agent, and these before retrieved text: the lower the firmer.
func said(c *Candidate) ctxmcp.Authority { return max(c.Object.Authority, ctxmcp.AuthorityUser) }

// retrieved is 1 for the words of a page, a document or a tool.
func retrieved(c *Candidate) int {
	if c.Object.Authority >= ctxmcp.AuthorityRetrieved {
		return 1
	}
	return 0
}

// level is a share of the best bearing in coarse steps: between two that are as good other reasons count.
func level(bearing, best float64) int { return int(bearing / max(best, leastBearing) * 3) }

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

// fairly returns the number of entries that are told in all once a part has had its share of them, one at least; 0: any number.
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
