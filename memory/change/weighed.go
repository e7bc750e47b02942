package change

// Weighed is a statement with the weights of its terms where it stands: of many pairs of few statements, each looks them up once.
type Weighed struct {
	*Reading
	weigh Words
	of    struct{ terms, subject, frame, target, former list }
}

// list is terms with their weights.
type list struct {
	terms   []string
	weights []float64
}

// Weigh returns a statement with the weights of its terms. A nil weigh weighs all alike.
func Weigh(r *Reading, weigh Words) *Weighed {
	if weigh == nil {
		weigh = func(string) float64 { return plain }
	}
	w := &Weighed{Reading: r, weigh: weigh}
	w.of.terms, w.of.subject, w.of.frame = weighed(r.terms, weigh), weighed(r.subject, weigh), weighed(r.frame, weigh)
	w.of.target, w.of.former = weighed(r.target, weigh), weighed(r.former, weigh)
	return w
}

func weighed(terms []string, weigh Words) list {
	if len(terms) == 0 {
		return list{}
	}
	l := list{terms, make([]float64, len(terms))}
	for i, t := range terms {
		l.weights[i] = weigh(t)
	}
	return l
}
