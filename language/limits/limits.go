package limits

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/language/relations"
)

// Kind is a set of the kinds of limits.
type Kind uint8

// The kinds.
const (
	Eating   Kind = 1 << iota // on food and drink
	Treating                  // on medicines and treatment
	Bearing                   // on what else a body bears: heights, pollen, machines

	Health = Eating | Treating | Bearing
)

// Limit is how surely a text asks for a limit or states one, in [0, 1], and of which kinds.
type Limit struct {
	Weight float64
	Kinds  Kind
}

// Of returns how much a stated limit is worth to a question for one, in [0, 1]: half as much where the kinds are others.
func (asked Limit) Of(told Limit) float64 {
	if asked.Kinds&told.Kinds == 0 {
		return asked.Weight * told.Weight / 2
	}
	return asked.Weight * told.Weight
}

// rule says how surely a text that has words of all classes is about a limit.
type rule struct {
	doc     string
	classes []class
	limit   Limit
}

// asking are the rules of questions, the surest first. Samples of each are in limits_test.go.
var asking = []rule{
	{"health by name: do I have health problems", []class{health}, Limit{1, Health}},
	{"a food that somebody does not eat", []class{denying, food}, Limit{1, Eating}},
	{"a treatment that somebody does not take", []class{denying, treatment}, Limit{1, Treating}},
	{"a warning before somebody eats", []class{about, food}, Limit{0.8, Eating}},
	{"a warning before somebody is treated", []class{about, treatment}, Limit{0.8, Treating}},
	{"a food that does somebody harm", []class{harm, food}, Limit{0.8, Eating}},
	{"a thing that somebody must not get or touch", []class{denying, light, anything, person}, Limit{0.6, Eating | Bearing}},
	{"a thing that does somebody harm", []class{harm, person}, Limit{0.6, Bearing}},
	{"an activity that a body cannot do", []class{denying, activity, person}, Limit{0.6, Bearing}},
	{"a warning about somebody", []class{about, anything, another}, Limit{0.5, Health}},
	{"a plan to eat, cook or order", []class{planning, fare}, Limit{0.5, Eating}},
	{"a permission to eat", []class{permission, food, person}, Limit{0.6, Eating}},
	{"a permission to take a medicine", []class{permission, treatment, person}, Limit{0.6, Treating}},
}

// telling are the rules of statements.
var telling = []rule{
	{"an illness or a state of the body", []class{illness}, Limit{1, Health}},
	{"a diet", []class{diet}, Limit{1, Eating}},
	{"a food with its reaction", []class{food, cause, reaction}, Limit{1, Eating}},
	{"a medicine", []class{medicine}, Limit{1, Treating}},
	{"a treatment that is refused", []class{refusing, treatment}, Limit{1, Treating}},
	{"a cause with its reaction", []class{cause, reaction}, Limit{1, Health}},
}

// declining are the rules of foods that somebody does not eat.
var declining = []rule{
	{"a food that is not eaten", []class{refusing, foodstuff}, Limit{1, Eating}},
	{"a thing that is not eaten", []class{refusing, eating}, Limit{0.8, Eating}},
}

// disliking are those rules, and that of a food by a word that has another meaning first: "sesame".
var disliking = append(slices.Clone(declining), rule{"a food that is not liked", []class{refusing, eaten}, Limit{leastTold, Eating}})

// stating are the rules of a whole statement.
var stating = slices.Concat(telling, declining)

// Asked returns the limit that a question asks for; the zero Limit if it asks for none. Named says that the question names somebody.
func Asked(question string, named bool) Limit {
	if question == "" {
		return Limit{}
	}
	t := textOf(question)
	t.named = named
	if circumstance.MatchString(t.lower) {
		return Limit{}
	}
	return t.by(asking)
}

// Told returns the limit that a statement tells; the zero Limit if it tells of none.
func Told(statement string) Limit { return textOf(statement).by(stating) }

// OfFood returns the limit that a statement tells, dislikes of a food included: "Tom can't stand mushrooms." A food that one clause refuses counts,
// and none that is refused to buyers: "we do not sell online, because bread is dear to ship".
func OfFood(statement string) Limit {
	t := textOf(statement)
	l := t.by(telling)
	for _, clause := range parting.Regexp().Split(t.lower, -1) {
		if !trading.MatchString(clause) {
			refused := textOf(clause).by(disliking)
			l = Limit{max(l.Weight, refused.Weight), l.Kinds | refused.Kinds}
		}
	}
	return l
}

// NotEaten reports whether a statement surely names food that somebody does not eat, also by a word that has another meaning first, such as "sesame".
func NotEaten(statement string) bool {
	l := OfFood(statement)
	return l.Weight >= leastTold && l.Kinds&Eating != 0
}

// leastTold is the weight from which a statement surely tells a limit.
const leastTold = 0.5

// Serving reports whether a request has somebody eat: "suggest a dinner for the four of us".
func Serving(request string) bool { return serving.MatchString(request) }

// text is a text with its reading.
type text struct {
	lower string
	words []string
	named bool
	about map[string]bool // relations that it is surely about; nil: not read yet
}

func textOf(s string) *text {
	return &text{lower: strings.ReplaceAll(strings.ToLower(s), "’", "'"), words: language.Words(s)}
}

// by returns the limit by all rules of which the text has words of all classes: the weight of the surest, and the kinds of all that are as sure.
func (t *text) by(rules []rule) (l Limit) {
	read := map[class]bool{}
	for _, r := range rules {
		if r.limit.Weight < l.Weight || !t.hasAll(r.classes, read) {
			continue
		}
		if r.limit.Weight > l.Weight {
			l = Limit{Weight: r.limit.Weight}
		}
		l.Kinds |= r.limit.Kinds
	}
	return l
}

// hasAll reports whether the text has words of all classes. Each is looked for once.
func (t *text) hasAll(classes []class, read map[class]bool) bool {
	for _, c := range classes {
		held, known := read[c]
		if !known {
			held = c.in(t)
			read[c] = held
		}
		if !held {
			return false
		}
	}
	return true
}

// surely reports whether a statement is surely about one of the relations.
func (t *text) surely(names []string) bool {
	if t.about == nil {
		t.about = map[string]bool{}
		for _, r := range relations.OfStatement(t.lower) {
			t.about[r.Name] = r.Weight >= sure
		}
	}
	for _, name := range names {
		if t.about[name] {
			return true
		}
	}
	return false
}

// sure is the weight of a relation that a text is surely about.
const sure = 0.9

// isA reports whether a word of the text is one of the general words, or below one of them in the lexicon, and none of others.
func (t *text) isA(general, but *lexicon.General) bool {
	return slices.ContainsFunc(t.words, func(form string) bool {
		if language.StopWords.Has(form) {
			return false
		}
		word := lexicon.Look(form)
		return word.Below(general, leastKind) && (but == nil || !word.Below(but, leastKind))
	})
}

// leastKind is the weight of the link from which a word is of the kind of another in its common meaning.
const leastKind = 0.3
