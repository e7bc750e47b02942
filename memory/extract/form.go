package extract

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// form is one way in which English says that something has changed. Its pattern is held against a clause without its
// lead, from the beginning, so that a negation or a condition before the verb keeps it from matching.
type form struct {
	Name    string // kept with the version it displaced: append only, never rename
	Doc     string
	Kind    Kind
	Aspect  Aspect
	Against bool
	Weak    bool              // of Act
	Before  bool              // without a target it concerns the statement just before
	near    []string          // one of these must occur, in lower case: cheaper to see than the pattern
	pattern *language.Pattern // groups: t the target, n the value that takes its place, a the verb that belongs to the target
	unless  *language.Pattern // on the whole clause
	only    *language.Pattern // likewise: it must match
	asked   bool              // a question may do it: "can you delete that?"
	Yes     []string          // text, then the act: "I sold the car => the car"; a value follows " | "
	No      []string          // texts that it does not read
}

// words returns a pattern in which (…) of the building blocks below stand in braces, from the beginning of a clause to
// its end.
func words(pattern string) *language.Pattern {
	return language.Deferred(func() string {
		for name, block := range blocks {
			pattern = strings.ReplaceAll(pattern, "{"+name+"}", block)
		}
		pattern = strings.ReplaceAll(pattern, "{weekday}", language.Weekdays.Either()+"s?")
		pattern = strings.ReplaceAll(pattern, "{month}", language.Months.Either())
		return `(?i)^(?:` + strings.ReplaceAll(pattern, " ", `\s+`) + `)$`
	})
}

// blocks are the parts that patterns share. A block that is optional brings the space that belongs to it.
var blocks = map[string]string{
	// we: the first person with its auxiliary, and the adverbs of past events.
	"we":  `(?:i|we)(?:'ve|\s+have|'m|\s+am|'re|\s+are)?(?:\s+(?:actually|just|already|finally|also|recently|now|both|all|honestly|really|officially|successfully|only))*`,
	"adv": `(?:\s+(?:actually|just|already|finally|also|recently|now|honestly|really|officially|successfully|only|even|quite|simply|definitely|totally|completely|kind of|sort of))*`,
	// someone: the speaker, somebody of theirs, or a name; doing: the auxiliary of what is so, or came to be so.
	"someone": `i|(?:my|our|the)\s+[a-z][a-z.-]+|(?-i:[A-Z])[a-z.'-]+?(?:\s+(?-i:[A-Z])[a-z.'-]+?)?`,
	"doing":   `(?:'m|'ve|'s|\s+(?:am|is|are|has|have))?(?:\s+(?:now|currently|just|recently))*`,
	"t":       `(?P<t>.+?)`,
	"n":       `(?P<n>.+?)`,
	"end":     `(?:\s+(?:anymore|any more|any longer|these days|lately|now|for now|at all|much|as much|today|earlier|yesterday|earlier today|recently))*`,
	"ask":     `(?:(?:please|also|just|kindly|now|then|(?:can|could|would) you|you (?:can|may|should)|(?:i|we)(?:'d| would) like(?: you)? to|(?:i|we) (?:want|need)(?: you)? to|(?:i'm|i am|we're)(?: (?:actually|also|just))* going to|(?:i|we)(?:'ve| have)? decided to|i can|i also need to|(?:i'm|i am)(?: actually| also| just)*|let's|go ahead and|feel free to)\s+)*`,
	"like":    `(?:like|love|enjoy|adore|prefer|appreciate|liking|loving|enjoying|be (?:really |so |very |all )?(?:into|about|fond of|drawn to|interested in|a (?:big |huge )?fan of|keen on|obsessed with|crazy about)|listen to|care for|think i (?:really )?(?:liked|loved|enjoyed)|read(?:ing)? about)`,
	"hate":    `(?:dislike|hate|detest|loathe|avoid|(?:not|never) (?:really )?(?:like|enjoy|care for|be into)|not be (?:a fan of|into))`,
}

// act holds the forms against the clause, in their order.
func (c clause) act(forms []form, asked bool) (Act, bool) {
	hedged, lower := hedge.MatchString(c.text), strings.ToLower(c.text)
	for i := range forms {
		f := &forms[i]
		if (asked || hedged) && !f.asked || !occurs(lower, f.near) {
			continue
		}
		m := f.pattern.Regexp().FindStringSubmatch(c.text)
		if m == nil || f.unless != nil && f.unless.MatchString(c.text) || f.only != nil && !f.only.MatchString(c.text) {
			continue
		}
		target := Act{Form: f.Name, Kind: f.Kind, Aspect: f.Aspect, Against: f.Against, Weak: f.Weak}
		c.fill(&target, f.pattern, m)
		target.Before = target.Before || f.Before && target.Target == ""
		if !target.Before && !says(target.Target) {
			continue
		}
		return target, true
	}
	return Act{}, false
}

// fill sets the target and the value from the groups of a match.
func (c clause) fill(a *Act, pattern *language.Pattern, m []string) {
	with := ""
	for i, name := range pattern.Regexp().SubexpNames() {
		if m[i] == "" {
			continue
		}
		switch name {
		case "t", "t2":
			a.Target, a.Exact = c.unmask(m[i])
			if pronoun.MatchString(a.Target) {
				a.Target, a.Before = "", true
			}
		case "a": // belongs to the target: the verb that tells a thing done, the slot of a value that changed
			with, _ = c.unmask(m[i])
		case "n":
			a.Value, _ = c.unmask(m[i])
		}
	}
	if with != "" && a.Target != "" {
		a.Target, a.Exact = strings.TrimSpace(with)+" "+a.Target, false
	}
	a.Target = trimTail(atHead.Regexp().ReplaceAllString(a.Target, ""))
	a.Value = trimTail(atHead.Regexp().ReplaceAllString(a.Value, ""))
}

// pronoun matches a target that only points back.
var pronoun = language.NewPattern(`(?i)^%s$`, language.Clauses.Row("back"))

// atHead matches words that may precede a target or a value without belonging to it.
var atHead = language.NewPattern(`(?i)^(?:(?:myself|much|more|a lot|drawn to|into|gravitating|towards?|enjoying|preferring|finding|listening to|reading|watching|all about|those|these)\s+)+`)

// tail matches words that may follow a target without belonging to it.
var tail = language.NewPattern(`(?i)(?:,? so i.*|\s+(?:stuff )?(?:that )?(?:i|we) used to (?:like|love|prefer|enjoy|read|watch)|\s+(?:anymore|any more|any longer|these days|lately|now|recently|today|yesterday|earlier|though|too|as well|so much|quite a bit|a lot|a bit|` +
	`at all|for now|this (?:morning|afternoon|evening|week|time)|last (?:night|week|month)|after all|please|more|instead)|[\s,;:.!]+)+$`)

func trimTail(text string) string { return strings.TrimSpace(tail.Regexp().ReplaceAllString(text, "")) }

// says reports whether a target names something.
func says(target string) bool {
	return strings.ContainsFunc(target, func(r rune) bool { return r > ' ' && r != '.' }) && len(target) <= 200 && !pronoun.MatchString(target)
}

// occurs reports whether one of the words occurs in the text, or none is asked for.
func occurs(text string, words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}
