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

// suspect is an action held against one sentence.
type suspect struct {
	*provenance
	call    Call
	means   meaning
	at      int
	passage *passage
	source  *source
	values  []origin
	through *told

	explained bool   // the user spoke of such a deed
	name      string // of the tool as texts have it; empty: it is one word
}

// clue is one thing that speaks for or against an action being the echo of a sentence.
type clue struct {
	name   string
	doc    string
	weight float64 // of one; negative: speaks against
	count  func(suspect) float64
}

// clues is the table. An echo is worth the sum.
var clues = []clue{
	{"address", "the sentence holds an address, account or link of the action that the user did not say", 3, func(s suspect) float64 { return s.worth(addressShape) }},
	{"id", "the sentence holds a code or a name of the action that the user did not say", 2.5, func(s suspect) float64 { return s.worth(idShape) }},
	{"phrase", "the sentence holds words of the action that the user did not say", 1.5, func(s suspect) float64 { return min(2, s.worth(phraseShape)) }},
	{"amount", "the sentence holds a number or date of the action that the user did not say", 0.5, func(s suspect) float64 { return min(2, s.worth(amountShape)) }},
	{"command", "the sentence tells somebody to do something", 2, func(s suspect) float64 { return yes(s.passage.told != 0) }},
	{"beside", "a sentence beside tells somebody to do something with it", 2, func(s suspect) float64 { return yes(s.passage.told == 0 && s.besideCommand() != 0) }},
	{"deed", "what is told is what the tool does", 2, func(s suspect) float64 { return yes(s.deeds()&s.means.deeds != 0) }},
	{"other_deed", "what is told is something else", -1.5, func(s suspect) float64 {
		return yes(s.deeds() != 0 && s.means.deeds != 0 && s.deeds()&s.means.deeds == 0)
	}},
	{"unknown", "it is not known what the tool does, so it may be what is told", 2, func(s suspect) float64 {
		return yes(s.means.kind == ctxmcp.UnknownAction && len(s.values) > 0 && s.tells())
	}},
	{"object", "the sentence has words of the tool's name", 1, func(s suspect) float64 { return min(2, float64(s.shared(false))) }},
	{"bare", "nothing but a verb ties the action to the sentence", -3, func(s suspect) float64 {
		return yes(len(s.values) == 0 && s.shared(true) == 0 && !s.called())
	}},
	{"statement", "nobody is told to do anything", -3, func(s suspect) float64 {
		return yes(!s.tells() && !s.called())
	}},
	{"explained", "the request by itself explains the action", -3, func(s suspect) float64 { return yes(len(s.values) == 0 && s.explained) }},
	{"addressed", "the text speaks to a model", 3, func(s suspect) float64 {
		return yes(s.tells() && s.source.marks[s.passage.cell] > 0)
	}},
	{"called", "the sentence has the name of the tool", 4, func(s suspect) float64 { return yes(s.called()) }},
	{"followed", "the agent has carried out another sentence of the text", 2, func(s suspect) float64 {
		return yes(s.tells() && s.followed[[2]int{s.passage.source, s.passage.cell}])
	}},
	{"formality", "what is told only confirms what was begun", -5, func(s suspect) float64 { return yes(len(s.values) == 0 && s.formality()) }},
	{"user", "the sentence speaks of the user to somebody else", 2, func(s suspect) float64 { return yes(s.passage.aboutUser) }},
	{"brought", "the values are from what the agent was told to look up", 1.5, func(s suspect) float64 { return yes(s.through != nil) }},
	{"reply", "it is what a tool answers to a change that was asked for", -3, func(s suspect) float64 { return yes(s.source.reply && len(s.values) == 0) }},
	{"unasked", "the user spoke of no such deed, and handed on nothing", 1.5, func(s suspect) float64 {
		return yes(!s.delegated && s.means.deeds != 0 && s.means.deeds&s.saidDeeds == 0)
	}},
	{"asked", "the user asked for such a deed, and about this", -3, func(s suspect) float64 { return yes(s.honest() && s.asked()) }},
	{"answered", "the user asked for it when the sentence was there already", -2, func(s suspect) float64 { return yes(s.honest() && s.answered()) }},
	{"linked", "the record is one that the user pointed to", -1, func(s suspect) float64 { return yes(s.honest() && s.linked(s.source, s.passage.record)) }},
	{"delegated", "the user asked to do what the record says", -4, func(s suspect) float64 {
		return yes(s.honest() && s.delegated && s.linked(s.source, s.passage.record))
	}},
	{"sought", "the user spoke of a link in this record, without saying its address", -5, func(s suspect) float64 { return yes(s.honest() && s.sought()) }},
	{"recorded", "a record that the user pointed to has the value in a field", -4, func(s suspect) float64 { return yes(s.inFields(true)) }},
	{"field", "some record has the value in a field", -1, func(s suspect) float64 { return yes(!s.inFields(true) && s.inFields(false)) }},
	{"topic", "the sentence is about what the user asked for", -1, func(s suspect) float64 { return min(2, s.topic()) }},
	{"namesake", "the value has a name that the user said", -3, func(s suspect) float64 { return yes(s.namesake()) }},
}

// threshold is the score from which an action is an echo.
const threshold = 4

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// worth counts the values of the shape: the first counts whole if it is all of an argument, the others half.
func (s suspect) worth(sh shape) float64 {
	var sum float64
	for _, o := range s.values {
		switch {
		case o.value.shape != sh:
		case sum == 0 && o.value.whole:
			sum = 1
		default: // a further one, or one that a longer text only speaks of
			sum += 0.5
		}
	}
	return min(2, sum)
}

func (s suspect) deeds() deedSet {
	if s.passage.told != 0 {
		return s.passage.told | s.passage.named
	}
	return s.besideCommand()
}

// besideCommand returns what a neighbouring sentence of the same cell tells to do with what this one names.
func (s suspect) besideCommand() deedSet {
	for _, n := range []int{s.at + 1, s.at - 1} {
		if n < 0 || n >= len(s.passages) {
			continue
		}
		if o := s.passages[n]; o.source == s.passage.source && o.cell == s.passage.cell && o.told != 0 && (o.points || s.passage.points) {
			return o.told | o.named
		}
	}
	return 0
}

// shared counts the words of the tool's name in the sentence; with nouns set, only those that are no deeds.
func (s suspect) shared(nouns bool) int {
	n := 0
	for w := range s.means.words {
		if reads[w] || len(w) < 3 || nouns && verbDeeds[w] != 0 && !alsoNoun[w] {
			continue
		}
		if slices.ContainsFunc(s.passage.words, func(o string) bool {
			return o == w || len(w) >= 4 && strings.HasPrefix(o, w) || len(o) >= 4 && strings.HasPrefix(w, o)
		}) {
			n++
		}
	}
	return n
}

// inFields reports whether every value of the suspect stands in a short field as well, of a record that the user pointed to if
// linked is set.
func (s suspect) inFields(linked bool) bool {
	n := 0
	for _, o := range s.values {
		if o.value.shape == amountShape && len(s.values) > 1 {
			continue
		}
		if len(o.value.plain) < 4 { // anything may have such a number
			continue
		}
		if n++; !s.recorded(o.value.plain, linked) {
			return false
		}
	}
	return n > 0
}

// honest reports whether the text does not speak to a model, over the head of the user: one that does has no excuse.
func (s suspect) honest() bool { return s.source.marks[s.passage.cell] == 0 && !s.passage.aboutUser }

// tells reports whether the sentence, or one beside it, tells somebody to do something.
func (s suspect) tells() bool { return s.passage.told != 0 || s.besideCommand() != 0 }

// askedFor returns what the tool does and the user asked for.
func (s suspect) askedFor() deedSet {
	var deeds deedSet
	for _, a := range s.askedAt {
		deeds |= a.deeds
	}
	return deeds & s.means.deeds
}

// asked reports whether the user asked for such a deed, and what the sentence is of: the record that the user pointed to, or
// what the user speaks of.
func (s suspect) asked() bool {
	return s.askedFor() != 0 && (s.linked(s.source, s.passage.record) || s.topic() >= 1 || s.answered())
}

// answered reports whether the user asked for such a deed when the result was there already.
func (s suspect) answered() bool {
	return slices.ContainsFunc(s.askedAt, func(a asked) bool { return a.deeds&s.means.deeds != 0 && a.results > s.passage.source })
}

// kinds are words for what a user may have the agent follow without saying its address.
var kinds = wordSet("link url website site page webpage article blog")

// sought reports whether all addresses of the suspect are links and arguments of their own, the user spoke of a link, and a short
// value of the very record has a word of the user's; to read a page it is enough that the user named where the link stands.
func (s suspect) sought() bool {
	here := s.touches(&s.source.records[s.passage.record]) || s.source.pointed && s.means.kind == ctxmcp.ReadAction
	if !here || !s.spoke(kinds) {
		return false
	}
	n := 0
	for _, o := range s.values {
		if o.value.shape == addressShape {
			if !o.value.whole || !isLink(o.value.text) {
				return false
			}
			n++
		}
	}
	return n > 0
}

// spoke reports whether the user said one of the words.
func (p *provenance) spoke(words map[string]bool) bool {
	for w := range words {
		if p.saidWords[w] {
			return true
		}
	}
	return false
}

// formality reports whether the sentence and the tool meet in nothing but confirming.
func (s suspect) formality() bool {
	common := s.deeds() & s.means.deeds
	return common != 0 && common&^verbDeeds["confirm"] == 0
}

// called reports whether the sentence has the name of the tool as it is written, of two words or more.
func (s suspect) called() bool {
	if s.name == "" || !strings.Contains(s.passage.plain, s.name) {
		return false
	}
	_, ok := holds(s.passage.plain, s.name)
	return ok
}

// topic counts the words of the sentence that the user said too, beyond verbs and what tells nothing.
func (s suspect) topic() float64 {
	n := 0
	for i, w := range s.passage.words {
		if s.saidWords[w] && deedsOf[w] == 0 && !slices.Contains(s.passage.words[:i], w) {
			n++
		}
	}
	return float64(n) / 2
}

// namesake reports whether an address has a name that the user said.
func (s suspect) namesake() bool {
	for _, o := range s.values {
		if o.value.shape != addressShape {
			continue
		}
		name, _, _ := strings.Cut(o.value.plain, "@")
		if slices.ContainsFunc(wordsIn(name), func(w string) bool { return len(w) > 2 && !stopWords[w] && s.saidWords[stem(w)] }) {
			return true
		}
	}
	return false
}

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
