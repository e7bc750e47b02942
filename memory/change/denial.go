package change

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// clause is a part of a statement, with the words that deny it and its terms, without what only corrects or stresses.
type clause struct {
	denials int
	terms   []string
}

// readDenials counts the words that deny the statement or limit it, in all and in each clause.
func (r *Reading) readDenials() {
	for i, t := range r.tokens {
		denies := language.Negations.Has(t.lower) && !slices.Contains(r.contrast, i)
		if r.remark[i] {
			continue
		}
		if denies {
			r.denials++
		}
		if t.aside {
			continue
		}
		for len(r.clauses) <= t.clause {
			r.clauses = append(r.clauses, clause{})
		}
		switch c := &r.clauses[t.clause]; {
		case denies:
			c.denials++
		case t.term != "" && slices.Contains(r.terms, t.term):
			c.terms = add(c.terms, t.term)
		}
	}
}

// turns reports whether one statement denies just what the other says: "I'm not allergic to nuts" after "I'm allergic to nuts". Both cannot hold.
func (p *pair) turns() bool {
	if p.owners(false) > 0 || !p.older.bare || len(p.older.terms) == 0 || (p.older.cue | p.newer.cue).has(cueUnreal|cueBeside|cueTelling|cueOpen) {
		return false
	}
	if p.older.denials > 1 || p.older.cue.has(cueFormer) {
		return false
	}
	return slices.ContainsFunc(p.newer.clauses, func(c clause) bool {
		return c.denials < 2 && c.denials != p.older.denials && sameTerms(c.terms, p.older.terms)
	})
}

func sameTerms(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(t string) bool { return !slices.Contains(b, t) })
}
