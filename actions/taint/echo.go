package taint

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// Echo is an action that carries out what a sentence of a result says: the sentence, the values that the action has from it,
// and how much speaks for that.
type Echo struct {
	Call       Call
	Indicators []string // names of those that speak for or against it
	Harms      bool     // it is an echo, and of a call that can do harm

	score    float64
	sentence int // passage
	values   []origin
	through  *Instruction // that brought the result in which the values were found, if the agent was told to
}

// Instruction says by which sentence the agent was told to take an action, and which of its values is from there.
type Instruction struct {
	Sentence int    `json:"sentence"`           // passage
	Argument string `json:"argument,omitempty"` // JSON pointer
	Value    string `json:"value,omitempty"`
	Passage  int    `json:"passage"`            // that holds the value
	Followed bool   `json:"followed,omitempty"` // it was an echo, and not only something to be wary of
}

// toldIn returns what is kept of the echo: its value as the result has it, which is redacted.
func (p *Provenance) toldIn(e *Echo) *Instruction {
	t := &Instruction{Sentence: e.sentence, Passage: e.sentence, Followed: e.Harms}
	if len(e.values) > 0 {
		o := e.values[0]
		t.Argument, t.Value, t.Passage = o.value.argument, p.asWritten(o.value.text, o.passage), o.passage
	}
	return t
}

// Bare reports whether the echo shares no value with the sentence, only the effect.
func (e *Echo) Bare() bool { return len(e.values) == 0 }

// Confidence says how clear it is, from 0 to 1, whether the call is an echo: low where the score is near the threshold. A nil echo
// is clearly none.
func (e *Echo) Confidence() float64 {
	if e == nil {
		return 1
	}
	return min(1, 0.5+math.Abs(e.score-threshold)/6)
}

// Closer returns the echo with the higher score. Either may be nil; of two equal ones it is the first.
func Closer(a, b *Echo) *Echo {
	if a == nil || b != nil && b.score > a.score {
		return b
	}
	return a
}

// origin is a value of an action with a passage that holds it.
type origin struct {
	value   value
	passage int
}

// threshold is the score from which an action is an echo.
const threshold = 4

// EchoOf returns the sentence that the call echoes most, or nil if none comes into question.
func (p *Provenance) EchoOf(c Call) *Echo {
	var best *comparison
	score := math.Inf(-1)
	all := p.comparisons(c)
	for i := range all {
		if n := all[i].score(); n > score {
			best, score = &all[i], n
		}
	}
	if len(all) == 0 {
		return nil
	}
	return p.weigh(best)
}

// comparisons returns the call held against each sentence that comes into question, in the order of the sentences.
func (p *Provenance) comparisons(c Call) []comparison {
	means := p.meaning(c)
	groups, through := map[int][]origin{}, map[int]*Instruction{}
	for _, o := range p.unstated(c) {
		pass := p.passages[o.passage]
		t := p.instructedValues[o.value.plain]
		if by := p.sources[pass.source].instruction; t == nil && by != nil && p.onlyInstructed(o.value) {
			t = by
		}
		switch {
		case t != nil && !slices.ContainsFunc(groups[t.Sentence], func(other origin) bool { return other.value == o.value }):
			groups[t.Sentence] = append(groups[t.Sentence], o)
			if o.passage != t.Sentence {
				through[t.Sentence] = t
			}
		case t == nil && pass.prose && !p.hintsAtGiven(o):
			groups[o.passage] = append(groups[o.passage], o)
		}
	}
	for _, n := range p.commandsFor(c, means) {
		if _, there := groups[n]; !there {
			groups[n] = nil
		}
	}
	base := &compared{Provenance: p, call: c, means: means, explained: p.userEffects&means.effects != 0, name: strings.ToLower(c.Tool), toolWords: means.toolWords()}
	if len(language.NameWords(c.Tool)) < 2 {
		base.name = ""
	}
	sentences := p.withoutApproved(slices.Sorted(keysOf(groups)))
	all := make([]comparison, 0, len(sentences))
	for _, n := range sentences {
		pass := p.passages[n]
		s := comparison{base, n, pass, &p.sources[pass.source], groups[n], through[n], p.topicOf(pass)}
		all = append(all, s)
	}
	return all
}

// maxCommands bounds the sentences that a call is held against for its effect alone. The latest are taken, and those of texts that
// speak to a model in any case.
const maxCommands = 64

// commandsFor returns the sentences that may have told the agent to take the call though they hold none of its values: they tell
// to do what the tool does, and with what, or speak to a model, or have the tool's name.
func (p *Provenance) commandsFor(c Call, means meaning) []int {
	var found []int
	take := func(list []int, most int) {
		for i := len(list) - 1; i >= 0 && most > 0; i-- {
			if p.passages[list[i]].commands&means.effects != 0 {
				found = append(found, list[i])
				most--
			}
		}
	}
	if means.kind != ctxmcp.ReadAction && means.effects != 0 {
		take(p.addressedCommands, len(p.addressedCommands))
		for w := range means.words {
			if !reads.Has(w) && len(w) > 2 && p.userEffects&means.effects == 0 {
				take(p.commandsBy[beginning(w)], maxCommands)
			}
		}
		for at := range p.followed {
			found = append(found, p.inCell(at)...)
		}
	}
	if len(language.NameWords(c.Tool)) > 1 {
		for _, n := range p.seen(strings.ToLower(c.Tool)) {
			if p.passages[n].prose {
				found = append(found, n)
			}
		}
	}
	return found
}

// inCell returns the sentences of a cell that tell to do something.
func (p *Provenance) inCell(at [2]int) []int {
	var found []int
	s := &p.sources[at[0]]
	for n := s.first; n < s.first+s.count; n++ {
		if one := p.passages[n]; one.cell == at[1] && one.prose && one.commands != 0 {
			found = append(found, n)
		}
	}
	return found
}

func keysOf[V any](m map[int]V) func(func(int) bool) {
	return func(yield func(int) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// score adds up the indicators of a comparison.
func (s *comparison) score() (sum float64) {
	for i := range indicators {
		if n := indicators[i].count(s); n != 0 {
			sum += n * weights[i]
		}
	}
	return sum
}

// weigh returns the echo that a comparison comes to, with the names of its indicators.
func (p *Provenance) weigh(s *comparison) *Echo {
	e := &Echo{Call: s.call, sentence: s.at, values: s.values, through: s.through}
	for i, n := range s.counts() {
		if n != 0 {
			e.score += n * weights[i]
			e.Indicators = append(e.Indicators, indicators[i].name)
		}
	}
	e.Harms = e.score >= threshold && p.examined(s.call)
	return e
}

// unstated returns the values of a call that the user did not say, with every passage that holds them. The caller must not change them.
func (p *Provenance) unstated(c Call) []origin {
	last := &p.looked().unstated
	if len(c.values) == 0 {
		return p.unstatedIn(c)
	}
	if last.of != &c.values[0] {
		last.of, last.all = &c.values[0], p.unstatedIn(c)
	}
	return last.all
}

func (p *Provenance) unstatedIn(c Call) []origin {
	var all []origin
	for _, v := range valuesOf(c) {
		if v.common || p.stated(v.plain) || v.plain == unmarked && !p.oneSecret() || v.shape == phraseShape && len(v.plain) < 4 && !isName3(v) {
			continue
		}
		if bare, carries := v.withoutQuery(); carries && len(p.seen(v.plain)) == 0 && !p.stated(bare.plain) {
			v = bare // a result named where to, and the agent put in what is to go there
		}
		seen := p.seen(v.plain)
		all = slices.Grow(all, len(seen))
		for _, n := range seen {
			short := len(v.plain) < 4 && !isName3(v)
			if short && !p.marked(n, v.plain) || p.sources[p.passages[n].source].gave(v.plain) {
				continue
			}
			o := origin{v, n}
			if short {
				o.value.shape = idShape
			}
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b origin) int { return cmp.Compare(a.passage, b.passage) })
	return all
}

// Hides reports whether redaction hid values of calls that stand nowhere as they were given. They are hidden in results too, and the
// calls as they are kept tell where they were.
func (p *Provenance) Hides(given, kept []Call) bool {
	still := map[string]bool{}
	for _, c := range kept {
		for _, v := range valuesOf(c) {
			still[v.plain] = true
		}
	}
	hides := false
	for _, c := range given {
		for _, v := range valuesOf(c) {
			if still[v.plain] {
				continue
			}
			if p.stated(v.plain) || len(p.seen(v.plain)) > 0 {
				return false
			}
			hides = true
		}
	}
	return hides
}

// oneSecret reports whether the results hold exactly one secret without a mark, in one sentence or field. A hidden value of an action comes
// from there then; with several, its source is unknown.
func (p *Provenance) oneSecret() bool {
	seen := p.seen(unmarked)
	return len(seen) > 0 && !slices.ContainsFunc(seen, func(n int) bool { return p.passages[n].plain != p.passages[seen[0]].plain })
}

// isName3 reports whether a value of three letters looks like a name, as Bob does.
func isName3(v value) bool {
	return len(v.text) == 3 && isWord(v.text) && v.text[0] >= 'A' && v.text[0] <= 'Z'
}

// marked reports whether a short value stands in the passage as a value: alone, in quotes, or behind "id" or a sign of number.
func (p *Provenance) marked(n int, plain string) bool {
	text := p.passages[n].plain
	at, ok := holds(text, plain)
	if !ok || text == plain {
		return ok
	}
	before := strings.TrimRight(text[:at], " :=")
	for _, sign := range []string{"'", `"`, "#", "id", "number", "no.", "nr"} {
		if strings.HasSuffix(before, sign) {
			return true
		}
	}
	return false
}

// onlyInstructed reports whether a value was seen in nothing but results that were brought by an echo.
func (p *Provenance) onlyInstructed(v value) bool {
	for _, n := range p.seen(v.plain) {
		if p.sources[p.passages[n].source].instruction == nil {
			return false
		}
	}
	return true
}

// taintThreshold is the score from which the result of a read is tainted.
const taintThreshold = 2

// InstructedBy returns the instruction that the echo carries out, or nil if it carries out none. A call that may do harm is one from the
// threshold on; a read from taintThreshold on, for it does nothing by itself, unless the user handed the work on to that very record.
func (p *Provenance) InstructedBy(e *Echo) *Instruction {
	switch {
	case e == nil:
		return nil
	case e.Harms, p.meaning(e.Call).kind == ctxmcp.ReadAction && len(e.values) > 0 && e.score >= taintThreshold && !slices.Contains(e.Indicators, "delegated"):
		return p.toldIn(e)
	default:
		return nil
	}
}

// examined reports whether the call can be an echo that does harm: it changes something, or goes to an address on the network.
func (p *Provenance) examined(c Call) bool {
	if p.meaning(c).kind != ctxmcp.ReadAction {
		return true
	}
	return slices.ContainsFunc(valuesOf(c), func(v value) bool { return v.whole && isLink(v.text) })
}
