package taint

import (
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Provenance knows where the values of a session were seen: in a statement of the user, and in which sentence or field of which
// result. It only grows: compaction of the history does not touch it.
type Provenance struct {
	tools    map[string]*Definition
	meanings map[[2]string]meaning

	heard             // all that the user is said to have said
	attested heard    // the part of it that a harness said
	doubtful bool     // something was said, or a result given, by a caller who is no harness
	strict   bool     // only the attested part counts: see Attested
	entities []string // of the request, as declared

	sources           []source
	passages          []*passage
	postings          map[string]*posting     // word -> passages that hold it
	fieldNames        map[string][]string     // stem -> addresses with it before their sign that are all of a field, two at most
	frequent          map[string]int          // stem -> records whose short values hold it
	records           int                     // of all sources
	commandsBy        map[string][]int        // beginning of a stem -> sentences with it that hold a command
	addressedCommands []int                   // sentences with a command, in texts that address a model
	memo              *memo                   // results of look-ups since the last change
	instructedValues  map[string]*Instruction // values of actions that a result told the agent to take
	followed          map[[2]int]bool         // source and cell of which the agent has carried out a sentence
	expected          *Later                  // of the next result; nil: it is read when it comes
	coming            *coming                 // the last result, while it is read; or nil
	pending           map[string]pending      // by action, until its result comes
	approved          map[string]bool         // values that a person approved
	approvedDeeds     map[string]bool         // effects that a person approved
	approvedTexts     map[place]bool          // cells whose text a person approved
	unread            []Unread                // results that could not be read
	reader            Reader
	results           int      // that are among the sources
	searched          bool     // one is of a search of the web, and no text told the agent to do that
	secrets           []string // words of what was read where secrets are kept, in lower case
	passcodes         []string // codes in results that let somebody in once, as digits
}

// New returns the provenance of a session in which nothing was said or done.
func New() *Provenance { return NewReadBy(Read) }

// NewReadBy is New with the reader of results.
func NewReadBy(reader Reader) *Provenance {
	return &Provenance{
		reader:   reader,
		meanings: map[[2]string]meaning{}, heard: newHeard(), attested: newHeard(), postings: map[string]*posting{}, fieldNames: map[string][]string{}, memo: &memo{}, frequent: map[string]int{}, commandsBy: map[string][]int{},
		instructedValues: map[string]*Instruction{}, followed: map[[2]int]bool{}, pending: map[string]pending{},
		approved: map[string]bool{}, approvedDeeds: map[string]bool{}, approvedTexts: map[place]bool{},
	}
}

// SetTools takes in the definitions of the tools.
func (p *Provenance) SetTools(list []Definition) {
	p.tools = map[string]*Definition{}
	for i := range list {
		p.tools[list[i].Name] = &list[i]
		p.tools[canonicalName(list[i].Name)] = &list[i]
	}
}

// definition returns what the host said of a tool, by its name as it is or in another form; nil for nothing.
func (p *Provenance) definition(tool string) *Definition {
	if d := p.tools[tool]; d != nil {
		return d
	}
	return p.tools[canonicalName(tool)]
}

func canonicalName(tool string) string {
	server, name := Canonical(tool, "")
	return server + "\x00" + name
}

func (p *Provenance) meaning(c Call) meaning {
	key := [2]string{c.Tool, c.Operation}
	m, known := p.meanings[key]
	if !known {
		m = meaningOf(c.Tool, c.Operation, p.definition(c.Tool))
		p.meanings[key] = m
	}
	return m
}

// reach orders the kinds of actions by how far they reach.
var reach = []ctxmcp.ActionKind{ctxmcp.ReadAction, ctxmcp.WriteAction, ctxmcp.OutboundAction, ctxmcp.UnknownAction}

// KindOf returns the most far-reaching kind of the calls.
func (p *Provenance) KindOf(calls []Call) ctxmcp.ActionKind {
	kind := ctxmcp.ReadAction
	for _, c := range calls {
		if k := p.meaning(c).kind; slices.Index(reach, k) > slices.Index(reach, kind) {
			kind = k
		}
	}
	return kind
}

// Results returns the number of results.
func (p *Provenance) Results() int { return p.results }

// LastRead returns the tool of the latest result, and whether the action behind it only looked.
func (p *Provenance) LastRead() (tool string, read bool) {
	if len(p.sources) == 0 {
		return "", false
	}
	last := &p.sources[len(p.sources)-1]
	if last.described {
		return "", false
	}
	return last.tool, last.read
}

// Unrequested reports whether a call reaches out, or may, and the user spoke of nothing that it does.
func (p *Provenance) Unrequested(c Call) bool {
	m := p.meaning(c)
	return (m.kind == ctxmcp.OutboundAction || m.kind == ctxmcp.UnknownAction) && m.effects&p.userEffects == 0
}

// Values returns the values in the parameters of a call, as they are compared.
func Values(c Call) []string {
	var all []string
	for _, v := range valuesOf(c) {
		all = append(all, v.plain)
	}
	return all
}

// OnlyAmong reports whether a call has a code or an address that is among the values, and that neither the user nor a result has
// brought up.
func (p *Provenance) OnlyAmong(c Call, values map[string]bool) bool {
	return slices.ContainsFunc(valuesOf(c), func(v value) bool {
		return (v.shape == idShape || v.shape == addressShape) && values[v.plain] && !p.stated(v.plain) && len(p.seen(v.plain)) == 0
	})
}

// pending is an action whose result has not come.
type pending struct {
	instruction *Instruction // that told the agent to take it
	given       []string
	kind        ctxmcp.ActionKind
	pointing    // by all that was heard
	attested    pointing
	secret      bool // it reads where secrets are kept
	mixed       bool // those stand among much else
	web         bool // it reads what is public on the network
	searched    bool // it searches there
}

// pointing says how the user pointed to an action.
type pointing struct {
	userNamed bool // the user named its object, or that stands in a record that the user pointed to
	sought    bool // the user spoke of it
}

// pointingTo tells how the user pointed to the calls.
func (p *Provenance) pointingTo(calls []Call) pointing {
	return pointing{p.namedByUser(calls), p.spokenOf(calls)}
}

// Act takes note of an action. by is the instruction in a result that told the agent to take it, or nil: the result of an action
// that was instructed is held to be instructed too.
func (p *Provenance) Act(id string, calls []Call, by *Instruction) {
	one := pending{instruction: by, kind: p.KindOf(calls), pointing: p.pointingTo(calls)}
	if one.attested = one.pointing; p.doubtful {
		one.attested = p.Attested().pointingTo(calls)
	}
	for _, c := range calls {
		one.given = append(one.given, Values(c)...)
	}
	p.pending[id] = one
	if by != nil && by.Followed {
		s := p.passages[by.Sentence]
		p.followed[[2]int{s.source, s.cell}] = true
		p.noteInstructed(calls, by)
	}
}

// spokenOf reports whether the user used a word of what the calls name: of their arguments, or of their tools.
func (p *Provenance) spokenOf(calls []Call) bool {
	said := func(w string) bool {
		return len(w) > 2 && p.userWords[w] && effectsOf()[w] == 0 && !reads.Has(w) && !generic.Has(w)
	}
	for _, c := range calls {
		for w := range p.meaning(c).words {
			if said(w) {
				return true
			}
		}
		for _, v := range valuesOf(c) {
			if slices.ContainsFunc(wordsIn(v.plain), func(w string) bool { return said(language.LightStem(w)) }) {
				return true
			}
		}
	}
	return false
}

// noteInstructed keeps the values of an action that a result told the agent to take: an action that uses them again goes on with it.
func (p *Provenance) noteInstructed(calls []Call, by *Instruction) {
	for _, c := range calls {
		for _, v := range valuesOf(c) {
			if (v.shape == idShape || v.shape == addressShape) && !p.stated(v.plain) && p.instructedValues[v.plain] == nil {
				p.instructedValues[v.plain] = by
			}
		}
	}
}

// ReadsSecrets takes note that an action reads a place of secrets: its result is one, or has some among much else.
func (p *Provenance) ReadsSecrets(id string, mixed bool) {
	one := p.pending[id]
	one.secret, one.mixed = true, mixed
	p.pending[id] = one
}

// ReadsWeb takes note that an action reads public pages of the network, and whether it searches there.
func (p *Provenance) ReadsWeb(id string, searched bool) {
	one := p.pending[id]
	one.web, one.searched = true, searched
	p.pending[id] = one
}

// SearchedWeb reports whether the agent has searched the web, and no text has told it to.
func (p *Provenance) SearchedWeb() bool { return p.searched }

// Result takes in the result of an action, with the class of its data, and whether a harness gave it: where a reading under way is expected, once
// that is settled.
func (p *Provenance) Result(id, tool, text string, class ctxmcp.DataClass, attested bool) {
	p.doubtful = p.doubtful || !attested
	from := p.pending[id]
	if from.secret {
		p.noteSecrets(text, from.given, from.mixed)
	}
	s := source{action: id, tool: tool, text: text, class: class, instruction: from.instruction, given: from.given, attested: attested, web: from.web, searched: from.searched}
	if from.instruction == nil {
		s.by, s.byAttested = from.pointing, from.attested
	}
	delete(p.pending, id)
	s.read = from.kind == ctxmcp.ReadAction
	s.reference = s.read && slices.ContainsFunc(language.NameWords(tool), language.References.Has)
	s.reply = !s.read && from.instruction == nil
	read := p.expected
	if p.expected = nil; read == nil || read.text != text {
		read, _ = p.reader.Now(context.Background(), text) // it has no end
	}
	if p.coming = (&coming{s, read}); read.over() {
		p.arrive()
	}
}

// take adds a source and its passages.
func (p *Provenance) take(s source, read *Reading) {
	p.notePasscodes(read.text)
	index, passages := len(p.sources), read.passages
	s.index, s.records, s.modelMarks = index, read.records, read.modelMarks
	s.first, s.count = len(p.passages), len(passages)
	s.sort(passages)
	unread, prose := 0, 0
	for i := range passages {
		one := &passages[i]
		one.source = index
		p.passages = append(p.passages, one)
		p.noteAddress(one)
		prose += count(one.prose)
		unread += count(one.prose && one.unreadable)
	}
	s.mixed = 3*unread <= prose
	p.post(read.words, s.first)
	for _, r := range s.records {
		for w := range r.words {
			p.frequent[w]++
		}
	}
	p.records += len(s.records)
	for n := len(p.passages) - len(passages); n < len(p.passages); n++ {
		p.noteCommand(n, &s)
	}
	p.sources = append(p.sources, s)
	p.results += count(!s.described)
	p.searched = p.searched || s.searched && s.instruction == nil
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// noteCommand indexes a sentence that tells somebody to do something, by its words.
func (p *Provenance) noteCommand(n int, s *source) {
	one := p.passages[n]
	if one.commands == 0 || !one.prose {
		return
	}
	if s.modelMarks[one.cell] > 0 {
		p.addressedCommands = append(p.addressedCommands, n)
	}
	for _, w := range one.words {
		key := beginning(w)
		if list := p.commandsBy[key]; len(list) == 0 || list[len(list)-1] != n {
			p.commandsBy[key] = append(list, n)
		}
	}
}

// beginning returns the shorter of two stems if the other begins with it.
func beginning(stem string) string { return stem[:min(4, len(stem))] }
