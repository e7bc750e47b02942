package actions

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// provenance knows where values of a session were seen: in the words of the user, and in which sentence or field of which
// result. Compaction of the history leaves it alone.
type provenance struct {
	tools    map[string]*Definition
	meanings map[[2]string]meaning

	said      []string // what the user said, as values are looked for in it
	saidWords map[string]bool
	saidDeeds deedSet
	askedAt   []asked
	delegated bool
	entities  []string // of the request, as declared

	sources  []source
	passages []passage
	postings map[string][]int   // word -> passages that hold it
	frequent map[string]int     // stem -> records whose short values hold it
	records  int                // of all sources
	orders   map[string][]int   // beginning of a stem -> sentences with it that tell to do something
	loud     []int              // sentences that do, in texts that speak to a model
	memo     memo               // what was looked up since something new was known
	carried  map[string]*told   // values of actions that a result told the agent to take
	followed map[[2]int]bool    // source and cell of which the agent has carried out a sentence
	pending  map[string]pending // by action, until its result comes
}

// sentenceTokens returns the words of each sentence of a text.
func sentenceTokens(text string) [][]token {
	var all [][]token
	for _, s := range sentencesOf(text, 0, len(text)) {
		all = append(all, tokensOf(text[s.start:s.end]))
	}
	return all
}

func requestedIn(sentences [][]token) deedSet {
	var deeds deedSet
	for _, tokens := range sentences {
		deeds |= requested(tokens)
	}
	return deeds
}

// asked is what one message of the user asked to do, and how many results were there when it was said.
type asked struct {
	deeds   deedSet
	results int
}

func newProvenance() *provenance {
	return &provenance{
		meanings: map[[2]string]meaning{}, saidWords: map[string]bool{}, postings: map[string][]int{}, frequent: map[string]int{}, orders: map[string][]int{},
		carried: map[string]*told{}, followed: map[[2]int]bool{}, pending: map[string]pending{},
	}
}

func (p *provenance) setTools(list []Definition) {
	p.tools = map[string]*Definition{}
	for i := range list {
		p.tools[list[i].Name] = &list[i]
	}
}

func (p *provenance) meaning(c Call) meaning {
	key := [2]string{c.Tool, c.Operation}
	m, known := p.meanings[key]
	if !known {
		m = meaningOf(c.Tool, c.Operation, p.tools[c.Tool])
		p.meanings[key] = m
	}
	return m
}

// reach orders the kinds of actions by how far they reach.
var reach = []ctxmcp.ActionKind{ctxmcp.ReadAction, ctxmcp.WriteAction, ctxmcp.OutboundAction, ctxmcp.UnknownAction}

func (p *provenance) kindOf(calls []Call) ctxmcp.ActionKind {
	kind := ctxmcp.ReadAction
	for _, c := range calls {
		if k := p.meaning(c).kind; slices.Index(reach, k) > slices.Index(reach, kind) {
			kind = k
		}
	}
	return kind
}

// delegation are the words with which a user hands on what to do to a text that is yet to be read.
var delegation = regexp.MustCompile(`(?i)\b(follow|do|doing|complete|completing|perform|execute|carry out|carrying out|fulfil\w*|achieve|address|handle|handling|act on|finish|solve|accomplish|deal with|take care of|implement|process|according to|as per)\b[^.!?]{0,60}\b(instructions?|actions?|tasks?|todos?|to-dos?|requests?|issues?|steps|asks?|asked|needs?|wants?|says|said|told|items?|chores|specified|listed|described|mentioned|requested|assigned)\b|\b(do|complete|finish|perform|execute|handle|fulfil|carry out) (them|these|those|it all|all of (it|them)|everything)\b|\bas (the|its|his|her|their|my|this|that) [\w.'-]+ (says?|said|asks?|asked|describes?|tells?|told|specifies|instructs?)\b`)

// hear takes in what the user said.
func (p *provenance) hear(text string, entities ...string) {
	p.memo = memo{}
	plain := plainText(text)
	p.said = append(p.said, plain)
	p.entities = append(p.entities, entities...)
	tokens := sentenceTokens(text)
	p.askedAt = append(p.askedAt, asked{requestedIn(tokens), len(p.sources)})
	for _, at := range instants.FindAllString(plain, -1) {
		p.saidWords[at] = true
	}
	for _, t := range slices.Concat(tokens...) {
		p.saidDeeds |= deedsOf[t.stem]
		if !stopWords[t.word] && len(t.word) > 1 {
			p.saidWords[t.stem] = true
		}
	}
	p.delegated = p.delegated || delegation.MatchString(text)
}

// delegates reports whether the user handed on what to do.
func (p *provenance) delegates() bool { return p.delegated }

func (p *provenance) results() int { return len(p.sources) }

// saidValue reports whether the user said the value.
func (p *provenance) saidValue(plain string) bool {
	for _, s := range p.said {
		if _, ok := holds(s, plain); ok {
			return true
		}
	}
	return false
}

// pending is an action whose result has not come.
type pending struct {
	told  *told // what told the agent to take it
	given []string
	kind  ctxmcp.ActionKind
	// pointed: the user named what the action reads, or it stands in what the user pointed to.
	pointed bool
}

// act takes note of an action. If a result told the agent to take it, what it brings is suspect.
func (p *provenance) act(id string, calls []Call, by *told) {
	one := pending{told: by, kind: p.kindOf(calls), pointed: p.named(calls)}
	for _, c := range calls {
		for _, v := range valuesOf(c) {
			one.given = append(one.given, v.plain)
		}
	}
	p.pending[id] = one
	if by != nil && by.Followed {
		s := &p.passages[by.Sentence]
		p.followed[[2]int{s.source, s.cell}] = true
		p.carry(calls, by)
	}
}

// carry remembers the values of an action that a result told the agent to take: where they turn up again, it goes on with it.
func (p *provenance) carry(calls []Call, by *told) {
	for _, c := range calls {
		for _, v := range valuesOf(c) {
			if (v.shape == idShape || v.shape == addressShape) && !p.saidValue(v.plain) && p.carried[v.plain] == nil {
				p.carried[v.plain] = by
			}
		}
	}
}

// result takes in what came of an action.
func (p *provenance) result(id, tool, text string, class ctxmcp.DataClass) {
	p.memo = memo{}
	index, from := len(p.sources), p.pending[id]
	s := source{index: index, action: id, tool: tool, text: text, class: class, tainted: from.told, given: from.given, pointed: from.pointed && from.told == nil}
	delete(p.pending, id)
	passages := s.split(index)
	s.read = from.kind == ctxmcp.ReadAction
	s.reply = from.kind != ctxmcp.ReadAction && from.told == nil && len(passages) <= replyPassages
	for _, one := range passages {
		p.post(one)
	}
	for _, r := range s.records {
		for w := range r.words {
			p.frequent[w]++
		}
	}
	p.records += len(s.records)
	for n := len(p.passages) - len(passages); n < len(p.passages); n++ {
		p.order(n, &s)
	}
	p.sources = append(p.sources, s)
}

// order notes a sentence that tells to do something.
func (p *provenance) order(n int, s *source) {
	one := &p.passages[n]
	if one.told == 0 || !one.free {
		return
	}
	if s.marks[one.cell] > 0 {
		p.loud = append(p.loud, n)
	}
	for _, w := range one.words {
		key := beginning(w)
		if list := p.orders[key]; len(list) == 0 || list[len(list)-1] != n {
			p.orders[key] = append(list, n)
		}
	}
}

// beginning returns what two stems have in common if one begins with the other.
func beginning(stem string) string { return stem[:min(4, len(stem))] }

func (p *provenance) post(one passage) {
	n := len(p.passages)
	p.passages = append(p.passages, one)
	for _, w := range wordsIn(one.plain) {
		if list := p.postings[w]; len(list) == 0 || list[len(list)-1] != n {
			p.postings[w] = append(list, n)
		}
	}
}

// wordsIn returns the runs of letters and digits of a plain text.
func wordsIn(plain string) []string {
	return strings.FieldsFunc(plain, func(r rune) bool { return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127) })
}

const maxSeen = 200 // passages in which a value is looked up

// seen returns the passages that hold the value.
func (p *provenance) seen(plain string) []int {
	return remember(&p.memo.seen, plain, func() []int { return p.look(plain) })
}

func (p *provenance) look(plain string) []int {
	var rarest []int
	words := wordsIn(plain)
	for i, w := range words {
		list := p.postings[w]
		if len(list) == 0 {
			return nil
		}
		if i == 0 || len(list) < len(rarest) {
			rarest = list
		}
	}
	var found []int
	for _, n := range rarest {
		if _, ok := holds(p.passages[n].plain, plain); ok {
			if found = append(found, n); len(found) == maxSeen {
				break
			}
		}
	}
	return found
}

// named reports whether the user named what the calls are about: one of their values is a name, a path or an address that
// the user said, or that stands in a short value of a record which the user pointed to.
func (p *provenance) named(calls []Call) bool {
	for _, c := range calls {
		for _, v := range valuesOf(c) {
			if v.shape == amountShape || len(v.plain) < 3 {
				continue
			}
			if p.saidValue(v.plain) || v.shape != phraseShape && p.recorded(v.plain, true) {
				return true
			}
		}
	}
	return false
}

// recorded reports whether a short value of a record is, or holds, the value; of a record that the user pointed to if linked is
// set.
func (p *provenance) recorded(plain string, linked bool) bool {
	m := &p.memo.recorded
	if linked {
		m = &p.memo.touching
	}
	return remember(m, plain, func() bool { return p.inRecord(plain, linked) })
}

func (p *provenance) inRecord(plain string, linked bool) bool {
	for _, n := range p.seen(plain) {
		pass := &p.passages[n]
		s := &p.sources[pass.source]
		if !pass.free && s.tainted == nil && (!linked || p.linked(s, pass.record)) {
			return true
		}
	}
	return false
}

// linked reports whether the user pointed to the record: a short value of it, or of one around it, shares a word with the user
// that few records have, or it is all of a page or a file that the user named.
func (p *provenance) linked(s *source, record int) bool {
	if s.pointed && len(s.records) <= 2 {
		return true
	}
	key := [2]int{s.index, record}
	return remember(&p.memo.linked, key, func() bool { return p.touched(s, record) })
}

// memo holds what was looked up: the zero value is empty.
type memo struct {
	linked   map[[2]int]bool // by source and record
	seen     map[string][]int
	recorded map[string]bool
	touching map[string]bool // recorded, by a record that the user pointed to
}

// remember returns the value for the key, which is made once.
func remember[K comparable, V any](m *map[K]V, key K, value func() V) V {
	if v, known := (*m)[key]; known {
		return v
	}
	if *m == nil {
		*m = map[K]V{}
	}
	v := value()
	(*m)[key] = v
	return v
}

func (p *provenance) touched(s *source, record int) bool {
	for record >= 0 {
		if p.touches(&s.records[record]) {
			return true
		}
		if record = s.records[record].parent; record > 0 && s.records[record].parent <= 0 {
			return false // what stands around everything says nothing of a part
		}
	}
	return false
}

// touches reports whether a short value of the record has a word that the user said and few records have.
func (p *provenance) touches(r *record) bool {
	for w := range r.words {
		if p.saidWords[w] && deedsOf[w] == 0 && !reads[w] && p.rare(w) {
			return true
		}
	}
	return false
}

// rare reports whether a word tells records apart: most do not have it.
func (p *provenance) rare(w string) bool {
	return p.frequent[w]*3 <= p.records+2 || p.frequent[w] <= 2
}

// entitiesIn returns the declared entities and the addresses that the parameters of a call hold.
func (p *provenance) entitiesIn(c Call) []string {
	var found []string
	for _, v := range valuesOf(c) {
		for _, e := range p.entities {
			if plain := plainText(e); plain != "" {
				if _, ok := holds(v.plain, plain); ok {
					found = include(found, e)
				} else if _, ok := holds(plain, v.plain); ok && v.shape != amountShape {
					found = include(found, e)
				}
			}
		}
		if v.shape == addressShape {
			found = include(found, v.text)
		}
	}
	return found
}
