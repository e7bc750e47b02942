package change

import "slices"

// Weighed is a statement with the weights of its terms where it stands: of many pairs of few statements, each looks them up once.
type Weighed struct {
	*Reading
	weigh Words
	of    struct{ terms, subject, frame, target, former list }
	mark  uint64 // of all of the weights
}

// list is terms with their weights.
type list struct {
	terms   []string
	weights []float64
	sum     float64 // of the weights
	bits    uint64  // of the terms: one whose bit is not set is none of them
}

// bitOf returns the bit of a term in a list.
func bitOf(term string) uint64 {
	n := len(term)
	if n == 0 {
		return 1
	}
	return 1 << ((term[0] ^ term[n-1]<<2 ^ byte(n)<<4) % 64)
}

// has reports whether a term is one of the list.
func (l list) has(term string) bool { return l.bits&bitOf(term) != 0 && slices.Contains(l.terms, term) }

// Weigh returns a statement with the weights of its terms. A nil weigh weighs all alike.
func Weigh(r *Reading, weigh Words) *Weighed {
	if weigh == nil {
		weigh = func(string) float64 { return plain }
	}
	w := &Weighed{Reading: r, weigh: weigh}
	w.of.terms, w.of.subject, w.of.frame = weighed(r.terms, weigh), weighed(r.subject, weigh), weighed(r.frame, weigh)
	w.of.target, w.of.former = weighed(r.target, weigh), weighed(r.former, weigh)
	w.mark = markOf(&w.of.terms, &w.of.subject, &w.of.frame, &w.of.target, &w.of.former)
	return w
}

func weighed(terms []string, weigh Words) list {
	if len(terms) == 0 {
		return list{}
	}
	l := list{terms: terms, weights: make([]float64, len(terms))}
	for i, t := range terms {
		l.weights[i] = weigh(t)
		l.sum += l.weights[i]
		l.bits |= bitOf(t)
	}
	return l
}
