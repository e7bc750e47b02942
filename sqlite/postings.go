package sqlite

import (
	lru "container/list"
	"context"
	"database/sql"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ctx-mcp/ctx-mcp"
)

// Asked for all words of a question at once, FTS5 reads a posting for each version that holds a frequent word, and the size
// of that version: some 36 ms in a namespace of 100,000. A posting that was read once is kept instead, as a number of four
// bytes, by word; a question then adds up numbers in memory, and FTS5 is read for new versions only.
const (
	// One word, so that its rows come in order and the range ends the reading on both sides.
	holders = `
SELECT rowid
FROM search
WHERE search MATCH :match AND rowid BETWEEN :from AND :to
`
	// The table that FTS5 keeps for its own ranking: the number of terms of each version, as a varint.
	sizes = `
SELECT id, sz
FROM search_docsize
WHERE id BETWEEN :from AND :to
`
	// The terms of new versions: with a few of them, FTS5 is asked for no word that was asked for before.
	newTexts = `
SELECT id, terms
FROM texts
WHERE id BETWEEN :from AND :to
`
)

// postingMemory is how many bytes the postings in memory take at most, all scopes together.
const postingMemory = 256 << 20

// postings keeps which versions hold a word, by scope, of the words that were asked for.
type postings struct {
	limit int64 // bytes

	ctx    context.Context // of the work behind searches
	stop   context.CancelFunc
	builds sync.WaitGroup

	mu     sync.Mutex // guards all below
	order  *lru.List  // of *scopePostings, the last used first
	at     map[int64]*lru.Element
	used   int64 // bytes
	closed bool
}

// scopePostings are the postings of one scope. Versions are known by their sequence, which fills the scope without large gaps.
type scopePostings struct {
	scope int64

	lock   ctxmcp.Lock // guards all up to bytes
	sized  int64       // sequence up to which lengths are known
	sizes  []uint16    // terms of the version, by sequence
	least  []uint16    // of the versions of a block
	words  map[string]*posting
	news   news
	whole  bool                     // words has every word of every version up to sized, but for phrases
	asked  int                      // words that FTS5 was asked for
	digest func(term string) string // by which the index has the terms of sealed versions; nil: there are none
	built  bool                     // somebody reads, or has read, all words

	bytes   atomic.Int64 // that all of it takes
	counted int64        // bytes, as the postings of all scopes count them; guarded by their mutex
}

// posting is the versions that hold a word, in order.
type posting struct {
	upTo int64 // sequence up to which it is complete
	seqs []uint32
}

// news holds by word the versions that hold it, of all behind one sequence and up to sized.
type news struct {
	behind   int64
	versions int
	of       map[string][]uint32
}

// The bounds of news: of the versions that are read at once, and of those that are kept.
const (
	mostNew      = 64
	mostNewsKept = 2048
)

func newPostings(limit int64) *postings {
	p := &postings{limit: limit, order: lru.New(), at: map[int64]*lru.Element{}}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

func newScopePostings(scope int64) *scopePostings {
	return &scopePostings{scope: scope, words: map[string]*posting{}}
}

// of returns the postings of a scope.
func (p *postings) of(scope int64) *scopePostings {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.at[scope]; e != nil {
		p.order.MoveToFront(e)
		return e.Value.(*scopePostings)
	}
	sp := newScopePostings(scope)
	p.at[scope] = p.order.PushFront(sp)
	return sp
}

// count takes in how many bytes a scope takes now, and lets go of the scopes that were not used for longest.
func (p *postings) count(sp *scopePostings) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.at[sp.scope]; e == nil || e.Value != sp {
		return // let go of meanwhile
	}
	now := sp.bytes.Load()
	p.used += now - sp.counted
	sp.counted = now
	for p.used > p.limit && p.order.Len() > 0 {
		oldest := p.order.Remove(p.order.Back()).(*scopePostings)
		delete(p.at, oldest.scope)
		p.used -= oldest.counted
	}
}

// close ends the work behind searches, and waits for its end.
func (p *postings) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.stop()
	p.builds.Wait()
}

// drop lets go of everything.
func (p *postings) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.order.Init()
	clear(p.at)
	p.used = 0
}

// follow brings the words, and the lengths, up to a sequence. If the search fails, or its caller has gone, it forgets all of
// them.
func (sp *scopePostings) follow(ctx context.Context, tx *sql.Tx, words []string, last int64) error {
	whole := false
	defer func() {
		if !whole {
			sp.sized, sp.sizes, sp.least, sp.words, sp.news, sp.whole = 0, nil, nil, map[string]*posting{}, news{}, false
			sp.bytes.Store(0)
		}
	}()
	if err := sp.readSizes(ctx, tx, last); err != nil {
		return err
	}
	for _, w := range words {
		if err := sp.readWord(ctx, tx, w, last); err != nil {
			return err
		}
		if sp.digest == nil {
			continue
		}
		if err := sp.readWord(ctx, tx, sp.digested(w), last); err != nil {
			return err
		}
	}
	whole = true
	return nil
}

func (sp *scopePostings) readSizes(ctx context.Context, tx *sql.Tx, last int64) error {
	if sp.sized >= last {
		return nil
	}
	if sp.whole {
		return sp.readTexts(ctx, tx, last, math.MaxInt64)
	}
	from, to := sp.scope<<32|(sp.sized+1), sp.scope<<32|last
	statement, read := sizes, sp.readSize
	if fresh := last - sp.sized; fresh <= mostNew && sp.news.versions+int(fresh) <= mostNewsKept {
		statement, read = newTexts, sp.readNew
	} else {
		sp.bytes.Add(-newsBytes * int64(sp.news.versions))
		sp.news = news{behind: last}
	}
	rows, err := tx.QueryContext(ctx, statement, sql.Named("from", from), sql.Named("to", to))
	if err != nil {
		return err
	}
	defer rows.Close()
	sp.grow(last)
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}
	sp.sized = last
	return rows.Err()
}

func (sp *scopePostings) readSize(rows *sql.Rows) error {
	var id int64
	var size sql.RawBytes
	if err := rows.Scan(&id, &size); err != nil {
		return err
	}
	sp.size(uint32(id), int(min(varint(size), math.MaxUint16)))
	return nil
}

// grow makes room for the sizes of versions up to a sequence.
func (sp *scopePostings) grow(last int64) {
	more := last + 1 - int64(len(sp.sizes))
	sp.bytes.Add(2 * more)
	sp.sizes = append(sp.sizes, make([]uint16, more)...)
	for int64(len(sp.least)) <= last/block {
		sp.least = append(sp.least, math.MaxUint16)
	}
}

// size notes how many terms a version has.
func (sp *scopePostings) size(seq uint32, terms int) {
	n := uint16(min(terms, math.MaxUint16))
	sp.sizes[seq], sp.least[seq/block] = n, min(sp.least[seq/block], n)
}

// seqs returns the versions that hold a word that was read, in order. Those that have it in the clear and those that have its digest are others.
func (sp *scopePostings) seqs(word string) []uint32 {
	plain := sp.words[word].held()
	if sp.digest == nil {
		return plain
	}
	sealed := sp.words[sp.digested(word)].held()
	switch {
	case len(plain) == 0:
		return sealed
	case len(sealed) == 0:
		return plain
	}
	return merged(plain, sealed)
}

// held returns the versions of a posting, of which there may be none.
func (p *posting) held() []uint32 {
	if p == nil {
		return nil
	}
	return p.seqs
}

// merged returns two lists in order as one.
func merged(a, b []uint32) []uint32 {
	all := make([]uint32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// digested returns a word, or each word of a phrase, as the index has it of sealed versions.
func (sp *scopePostings) digested(word string) string {
	words := strings.Fields(word)
	for i, w := range words {
		words[i] = sp.digest(w)
	}
	return strings.Join(words, " ")
}

// newsBytes is about what a version takes among the news.
const newsBytes = 1024

func (sp *scopePostings) readNew(rows *sql.Rows) error {
	var id int64
	var text string
	if err := rows.Scan(&id, &text); err != nil {
		return err
	}
	n := &sp.news
	if n.of == nil {
		n.of = map[string][]uint32{}
	}
	n.versions++
	sp.bytes.Add(newsBytes)
	seq, terms := uint32(id), strings.Fields(text)
	sp.size(seq, len(terms))
	for _, t := range terms {
		if seqs := n.of[t]; len(seqs) == 0 || seqs[len(seqs)-1] != seq {
			n.of[t] = append(seqs, seq)
		}
	}
	return nil
}

// varint reads a number as SQLite writes it: seven bits a byte, the highest first.
func varint(b []byte) (n uint64) {
	for _, x := range b {
		n = n<<7 | uint64(x&0x7f)
	}
	return n
}

func (sp *scopePostings) readWord(ctx context.Context, tx *sql.Tx, word string, last int64) error {
	if sp.whole && !strings.Contains(word, " ") { // FTS5 finds a word with a space as a phrase
		return nil
	}
	p := sp.words[word]
	if p == nil {
		p = &posting{}
		sp.words[word] = p
		sp.bytes.Add(int64(len(word)) + 64)
	}
	if p.upTo >= last {
		return nil
	}
	if p.upTo >= sp.news.behind && !strings.Contains(word, " ") { // FTS5 finds a word with a space as a phrase
		held := len(p.seqs)
		for _, seq := range sp.news.of[word] {
			if int64(seq) > p.upTo {
				p.seqs = append(p.seqs, seq)
			}
		}
		p.upTo = sp.sized
		sp.bytes.Add(4 * int64(len(p.seqs)-held))
		return nil
	}
	sp.asked++
	rows, err := tx.QueryContext(ctx, holders, sql.Named("match", quote(word)),
		sql.Named("from", sp.scope<<32|(p.upTo+1)), sql.Named("to", sp.scope<<32|last))
	if err != nil {
		return err
	}
	defer rows.Close()
	held := len(p.seqs)
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		p.seqs = append(p.seqs, uint32(id))
	}
	if err := rows.Err(); err != nil {
		return err
	}
	p.upTo = last
	sp.bytes.Add(4 * int64(len(p.seqs)-held))
	return nil
}
