package ranking

import (
	"hash/maphash"
	"sync"
	"sync/atomic"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/language/limits"
	"github.com/ctx-mcp/ctx-mcp/language/relations"
	"github.com/ctx-mcp/ctx-mcp/language/wordvec"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// statement holds the readings of a version's words, whatever is asked. Each part is read when it is first asked for.
type statement struct {
	key       statementKey
	words     func() []string // of all that it says
	sense     func() *wordvec.Sum
	change    func() *change.Reading
	relations func() []relations.Relation
	limit     func() limits.Limit
	seen      atomic.Uint64 // the kinds of answers that were looked for, a bit each
	shown     atomic.Uint64 // and those that it is of
}

// shows reports whether the statement is of a kind of answer, by its number in intents.
func (s *statement) shows(kind int) bool {
	bit := uint64(1) << kind
	if s.seen.Load()&bit == 0 {
		if intents[kind].shows.MatchString(s.key.content) {
			s.shown.Or(bit)
		}
		s.seen.Or(bit) // after what it stands for
	}
	return s.shown.Load()&bit != 0
}

type statementKey struct {
	tenant  string
	version ctxmcp.VersionKey
	content string
}

// statements holds those that were read last, each in the place of its hash: a statement is read once for many questions. It is
// seen in the time of an answer only.
var (
	statements     [4096]atomic.Pointer[statement]
	statementsSeed = maphash.MakeSeed()
)

// Forget lets go of the texts and questions that were read last, and of their words: one of them was erased.
func Forget() {
	for i := range statements {
		statements[i].Store(nil)
	}
	for i := range questions {
		questions[i].Store(nil)
	}
	change.Forget()
	lexicon.Forget()
}

// Reading returns the candidate as it is lined up with others; one that was read lately is read no more.
func (c Candidate) Reading() *change.Reading { return c.statement().change() }

func (c Candidate) statement() *statement {
	if c.said != nil {
		return c.said
	}
	return statementOf(c.Object)
}

func statementOf(o *ctxmcp.ContextObject) *statement {
	key := keyOf(o)
	place := &statements[maphash.Comparable(statementsSeed, key)%uint64(len(statements))]
	if kept := place.Load(); kept != nil && kept.key == key {
		return kept
	}
	s := read(o)
	place.Store(s)
	return s
}

func keyOf(o *ctxmcp.ContextObject) statementKey {
	return statementKey{o.TenantID, ctxmcp.KeyOf(*o), o.Content}
}

// read returns the statement of an object, of which nothing is read yet.
func read(o *ctxmcp.ContextObject) *statement {
	text := o.Content
	if predicate := ctxmcp.Normalize(o.Claim.Predicate); predicate != "" {
		text += ". " + predicate
	}
	words := sync.OnceValue(func() []string { return wordsOf(o) })
	return &statement{
		key:       keyOf(o),
		words:     words,
		sense:     sync.OnceValue(func() *wordvec.Sum { s := wordvec.Of(words()); return &s }),
		change:    sync.OnceValue(func() *change.Reading { return change.Read(change.Of(*o)) }),
		relations: sync.OnceValue(func() []relations.Relation { return relations.OfStatement(text) }),
		limit:     sync.OnceValue(func() limits.Limit { return limits.OfFood(text) }),
	}
}

// wordsOf returns the words of all that an object says.
func wordsOf(o *ctxmcp.ContextObject) (all []string) {
	for _, text := range spoken(o) {
		all = append(all, language.Words(text)...)
	}
	return all
}
