package actions

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// echo is an action that carries out what a sentence of a result says: the sentence, the values that the action has from it,
// and how much speaks for that.
type echo struct {
	call     Call
	sentence int // passage
	values   []origin
	score    float64
	clues    []string
	harms    bool  // it is an echo, and of a call that can do harm
	through  *told // what brought the result in which the values were found, if the agent was told to
}

// told says by which sentence the agent was told to take an action, and which of its values is from there.
type told struct {
	Sentence int    `json:"sentence"`           // passage
	Argument string `json:"argument,omitempty"` // JSON pointer
	Value    string `json:"value,omitempty"`
	Passage  int    `json:"passage"`            // that holds the value
	Followed bool   `json:"followed,omitempty"` // it was an echo, and not only something to be wary of
}

// toldIn returns what is kept of the echo: its value as the result has it, which is redacted.
func (p *provenance) toldIn(e *echo) *told {
	t := &told{Sentence: e.sentence, Passage: e.sentence, Followed: e.harms}
	if len(e.values) > 0 {
		o := e.values[0]
		t.Argument, t.Value, t.Passage = o.value.argument, p.asWritten(o.value.text, o.passage), o.passage
	}
	return t
}

// origin is a value of an action with a passage that holds it.
type origin struct {
	value   value
	passage int
}

// threshold is the score from which an action is an echo.
const threshold = 4

// echoOf returns the sentence that the call echoes most, or nil if none comes into question.
func (p *provenance) echoOf(c Call) *echo {
	means := p.meaning(c)
	groups, through := map[int][]origin{}, map[int]*told{}
	for _, o := range p.foreign(c) {
		pass := &p.passages[o.passage]
		t := p.carried[o.value.plain]
		if by := p.sources[pass.source].tainted; t == nil && by != nil && p.onlyTainted(o.value) {
			t = by
		}
		switch {
		case t != nil && !slices.ContainsFunc(groups[t.Sentence], func(other origin) bool { return other.value == o.value }):
			groups[t.Sentence] = append(groups[t.Sentence], o)
			if o.passage != t.Sentence {
				through[t.Sentence] = t
			}
		case t == nil && pass.free:
			groups[o.passage] = append(groups[o.passage], o)
		}
	}
	for _, n := range p.orderedBy(c, means) {
		if _, there := groups[n]; !there {
			groups[n] = nil
		}
	}
	base := suspect{provenance: p, call: c, means: means, explained: p.saidDeeds&means.deeds != 0, name: strings.ToLower(c.Tool)}
	if len(nameWords(c.Tool)) < 2 {
		base.name = ""
	}
	var best *echo
	for _, n := range slices.Sorted(keysOf(groups)) {
		pass := &p.passages[n]
		s := base
		s.at, s.passage, s.source, s.values, s.through = n, pass, &p.sources[pass.source], groups[n], through[n]
		e := p.weigh(s)
		if best == nil || e.score > best.score {
			best = e
		}
	}
	return best
}

// maxOrders bounds the sentences that a call is held against for its deed alone. The latest are taken, and those of texts that
// speak to a model in any case.
const maxOrders = 64

// orderedBy returns the sentences that may have told the agent to take the call though they hold none of its values: they tell
// to do what the tool does, and with what, or speak to a model, or have the tool's name.
func (p *provenance) orderedBy(c Call, means meaning) []int {
	var found []int
	take := func(list []int, most int) {
		for i := len(list) - 1; i >= 0 && most > 0; i-- {
			if p.passages[list[i]].told&means.deeds != 0 {
				found = append(found, list[i])
				most--
			}
		}
	}
	if means.kind != ctxmcp.ReadAction && means.deeds != 0 {
		take(p.loud, len(p.loud))
		for w := range means.words {
			if !reads[w] && len(w) > 2 && p.saidDeeds&means.deeds == 0 {
				take(p.orders[beginning(w)], maxOrders)
			}
		}
		for at := range p.followed {
			found = append(found, p.inCell(at)...)
		}
	}
	if len(nameWords(c.Tool)) > 1 {
		for _, n := range p.seen(strings.ToLower(c.Tool)) {
			if p.passages[n].free {
				found = append(found, n)
			}
		}
	}
	return found
}

// inCell returns the sentences of a cell that tell to do something.
func (p *provenance) inCell(at [2]int) []int {
	var found []int
	for n := range p.passages {
		if one := &p.passages[n]; one.source == at[0] && one.cell == at[1] && one.free && one.told != 0 {
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

// weigh adds up the clues.
func (p *provenance) weigh(s suspect) *echo {
	e := &echo{call: s.call, sentence: s.at, values: s.values, through: s.through}
	for _, c := range clues {
		if n := c.count(s); n != 0 {
			e.score += n * c.weight
			e.clues = append(e.clues, c.name)
		}
	}
	e.harms = e.score >= threshold && p.examined(s.call)
	return e
}

// foreign returns the values of a call that the user did not say, with every passage that holds them.
func (p *provenance) foreign(c Call) []origin {
	var all []origin
	for _, v := range valuesOf(c) {
		if v.common || p.saidValue(v.plain) || v.shape == phraseShape && len(v.plain) < 4 && !isName3(v) {
			continue
		}
		if bare, carries := v.withoutQuery(); carries && len(p.seen(v.plain)) == 0 && !p.saidValue(bare.plain) {
			v = bare // a result named where to, and the agent put in what is to go there
		}
		for _, n := range p.seen(v.plain) {
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

// isName3 reports whether a value of three letters looks like a name, as Bob does.
func isName3(v value) bool {
	return len(v.text) == 3 && isWord(v.text) && v.text[0] >= 'A' && v.text[0] <= 'Z'
}

// marked reports whether a short value stands in the passage as a value: alone, in quotes, or behind "id" or a sign of number.
func (p *provenance) marked(n int, plain string) bool {
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

// onlyTainted reports whether a value was seen in nothing but results that were brought by an echo.
func (p *provenance) onlyTainted(v value) bool {
	for _, n := range p.seen(v.plain) {
		if p.sources[p.passages[n].source].tainted == nil {
			return false
		}
	}
	return true
}

// taintThreshold is the score from which the result of a read is suspect.
const taintThreshold = 2

// toldBy returns what is kept of an echo if it was one: for a read much less is enough, since it does nothing by itself, unless
// the user handed on what to do to that very record.
func (p *provenance) toldBy(e *echo) *told {
	switch {
	case e == nil:
		return nil
	case e.harms, p.meaning(e.call).kind == ctxmcp.ReadAction && len(e.values) > 0 && e.score >= taintThreshold && !slices.Contains(e.clues, "delegated"):
		return p.toldIn(e)
	default:
		return nil
	}
}

// examined reports whether the call can be an echo that does harm: it changes something, or goes to an address on the network.
func (p *provenance) examined(c Call) bool {
	if p.meaning(c).kind != ctxmcp.ReadAction {
		return true
	}
	return slices.ContainsFunc(valuesOf(c), func(v value) bool { return v.whole && isLink(v.text) })
}
