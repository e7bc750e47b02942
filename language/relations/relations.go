package relations

import (
	"cmp"
	"slices"
)

// weakWeight is the weight of one word that may be about a relation.
const weakWeight = .4

// OfQuestion returns the relations that a question asks about, the surest first, and in the order of the tables.
func OfQuestion(question string) []Relation {
	if question == "" { // a brief has no question, and is no reason to read the tables
		return nil
	}
	return all().find(all().asks, question)
}

// OfStatement returns the relations that a statement tells about, in the order of OfQuestion.
func OfStatement(statement string) []Relation { return all().find(all().tells, statement) }

// Names returns the names of all relations, in the order of the tables.
func Names() []string {
	names := make([]string, len(all().relations))
	for i, r := range all().relations {
		names[i] = r.name
	}
	return names
}

// KindsAsked returns the kinds of answer that a question may want, by its question words, the surest first: "where" wants a place.
// It sees no more than those: the kind of a relation, Relation.Answer, may be another.
func KindsAsked(question string) []Kind { return kindsOf(answers().find(answers().asks, question)) }

// KindsTold returns the kinds of answer that a statement may give, the surest first.
func KindsTold(statement string) []Kind { return kindsOf(answers().find(answers().tells, statement)) }

func kindsOf(found []Relation) []Kind {
	all := make([]Kind, len(found))
	for i, r := range found {
		all[i] = r.Answer
	}
	return all
}

// find returns the relations whose forms the text has. Weak forms of different words add up as independent evidence does:
// two make .64, three .78.
func (t *tables) find(forms index, text string) []Relation {
	tokens := tokensOf(text)
	missing := map[int]float64{} // 1 minus the weight
	seen := map[*element]bool{}  // a form counts once
	for i, token := range tokens {
		for _, w := range slices.Compact(slices.Clone(token)) {
			for _, f := range forms[w] {
				if seen[&f.elements[0]] || !matches(f.elements, tokens[i:]) {
					continue
				}
				seen[&f.elements[0]] = true
				if _, found := missing[f.relation]; !found {
					missing[f.relation] = 1
				}
				if f.weak {
					missing[f.relation] *= 1 - weakWeight
				} else {
					missing[f.relation] = 0
				}
			}
		}
	}
	var found []Relation
	for i, r := range t.relations {
		if m, is := missing[i]; is {
			found = append(found, Relation{r.name, r.answer, r.tool, 1 - m})
		}
	}
	slices.SortStableFunc(found, func(a, b Relation) int { return cmp.Compare(b.Weight, a.Weight) })
	return found
}
