package sqlite

import (
	"cmp"
	lru "container/list"
	"context"
	"database/sql"
	"math"
	"slices"
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

	mu    sync.Mutex // guards all below
	order *lru.List  // of *scopePostings, the last used first
	at    map[int64]*lru.Element
	used  int64 // bytes
}

// scopePostings are the postings of one scope. Versions are known by their sequence, which fills the scope without large gaps.
type scopePostings struct {
	scope int64

	lock  ctxmcp.Lock // guards sized, sizes, words and news
	sized int64       // sequence up to which lengths are known
	sizes []uint16    // terms of the version, by sequence
	words map[string]*posting
	news  news

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
	return &postings{limit: limit, order: lru.New(), at: map[int64]*lru.Element{}}
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

// drop lets go of everything.
func (p *postings) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.order.Init()
	clear(p.at)
	p.used = 0
}

// read brings the words, and the lengths, up to a sequence. If the search fails, or its caller has gone, it forgets all of
// them.
func (sp *scopePostings) read(ctx context.Context, tx *sql.Tx, words []string, last int64) error {
	whole := false
	defer func() {
		if !whole {
			sp.sized, sp.sizes, sp.words, sp.news = 0, nil, map[string]*posting{}, news{}
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
	}
	whole = true
	return nil
}

func (sp *scopePostings) readSizes(ctx context.Context, tx *sql.Tx, last int64) error {
	if sp.sized >= last {
		return nil
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
	more := last + 1 - int64(len(sp.sizes))
	sp.bytes.Add(2 * more)
	sp.sizes = append(sp.sizes, make([]uint16, more)...)
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
	sp.sizes[id&math.MaxUint32] = uint16(min(varint(size), math.MaxUint16))
	return nil
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
	sp.sizes[seq] = uint16(min(len(terms), math.MaxUint16))
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

// sums lends the memory for the scores of one search.
var sums = sync.Pool{New: func() any { return new([]float32) }}

// scored is a version that holds a word of a search, by its row id, with the estimate of how well it answers.
type scored struct {
	id    int64
	score float32
}

// rank returns the versions that hold any of the words, best first, at most most, and how many there are in all. It ranks by BM25 as package memory does, but takes every word of a version to occur once: how often it does is
// in no posting, and is looked at when the versions are.
func (sp *scopePostings) rank(words []string, p place, most int) (best []scored, hits int) {
	lent := sums.Get().(*[]float32)
	defer sums.Put(lent)
	*lent = append((*lent)[:0], make([]float32, len(sp.sizes))...)
	scores := *lent
	var touched []uint32
	for _, w := range words {
		seqs := sp.words[w].seqs
		idf := float32(math.Log1p((math.Max(float64(p.documents-len(seqs)), 0) + 0.5) / (float64(len(seqs)) + 0.5)))
		for _, seq := range seqs {
			if scores[seq] == 0 {
				touched = append(touched, seq)
			}
			scores[seq] += idf
		}
	}
	average := float32(max(1, p.length)) / float32(max(1, p.documents))
	for _, seq := range touched {
		scores[seq] /= 1 + bm25K1*(1-bm25B+bm25B*float32(sp.sizes[seq])/average)
	}
	byScore := func(a, b uint32) int { // no score is NaN, and so most pairs need one comparison
		switch x, y := scores[a], scores[b]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return cmp.Compare(a, b)
	}
	for _, seq := range bestOf(touched, most, byScore) {
		best = append(best, scored{sp.scope<<32 | int64(seq), scores[seq]})
	}
	return best, len(touched)
}

// The constants of BM25, as in package memory.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// bestOf returns the first most of all in the order, sorted. It rearranges all.
func bestOf(all []uint32, most int, order func(a, b uint32) int) []uint32 {
	for from, to := 0, len(all); len(all) > most && to-from > 1; { // quickselect: all before from are better than all after to
		pivot := all[from+(to-from)/2]
		i, j := from, to-1
		for i <= j {
			for order(all[i], pivot) < 0 {
				i++
			}
			for order(all[j], pivot) > 0 {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i++
				j--
			}
		}
		switch {
		case most <= j:
			to = j + 1
		case most >= i:
			from = i
		default:
			from = to
		}
	}
	all = all[:min(len(all), most)]
	slices.SortFunc(all, order)
	return all
}
