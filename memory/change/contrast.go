package change

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// against stands for a word of contrast among those of a statement: "tabs over spaces" and "tabs, not spaces" say the same.
const against = "/"

// contrasts finds the words of contrast. "Not" is one where it begins a clause: "tabs, not spaces".
var contrasts = language.Changes.Row("contrast")

// readContrasts notes the places of the words of contrast, of a phrase the last word, and the terms behind them, up to the end of their
// clauses.
func (r *Reading) readContrasts(hits []hit) {
	for _, h := range hits {
		last := h.at[len(h.at)-1]
		if h.row != "contrast" || r.tokens[last].lower == "not" && (last == 0 || r.tokens[last-1].clause == r.tokens[last].clause) {
			continue
		}
		r.contrast = append(r.contrast, last)
		for _, t := range r.tokens[last+1:] {
			if t.clause != r.tokens[last].clause {
				break
			}
			if t.term != "" {
				r.rejected = add(r.rejected, t.term)
			}
		}
	}
	slices.Sort(r.rejected)
}

// essence returns the words of the statement as far as they tell: without words that it may have or not have, without the one who speaks, and
// with one sign for any contrast.
func (r *Reading) essence() []token {
	var all []token
	for i, t := range r.tokens {
		next := slices.Contains(r.contrast, i+1)
		switch {
		case slices.Contains(r.contrast, i):
			all = append(all, token{lower: against})
		case idle.Has(t.lower) || speakers.Has(t.lower) || next && contrasts.Has(t.lower+" "+r.tokens[i+1].lower):
		default:
			all = append(all, t)
		}
	}
	return all
}

// speakers are the words for the one who speaks: whom a statement is of is compared apart.
var speakers = language.People.Row("self")

// restates reports whether two statements say the same word for word, but for words that tell nothing, the forms of words, and how a contrast
// is put: "I prefer tabs over spaces", "my preference is tabs, not spaces".
func (r *Reading) restates(other *Reading) bool {
	return slices.EqualFunc(r.essence(), other.essence(), func(a, b token) bool {
		return a.lower == b.lower || a.term != "" && a.term == b.term && oneTense(a.lower, b.lower)
	})
}

// oneTense reports whether two forms of a word tell of one time, as far as their letters say: one begins as the other, and not just one is a
// past.
func oneTense(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	stem := strings.TrimRight(a, "esy")
	return strings.HasSuffix(a, "ed") == strings.HasSuffix(b, "ed") && len(stem) >= 3 && strings.HasPrefix(b, stem)
}
