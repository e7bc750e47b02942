package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// All words of a scope are kept once FTS5 was asked for so many of them, if it has so many versions: fewer are read in no time. In a scope of very
// many a single word may take longer than a call: there, reading begins with the first search, and is not given up with it.
const (
	wholeAfter  = 16
	wholeFrom   = 500
	wholeAtOnce = 50_000
)

// errTooLarge says that the words of a scope would take more memory than all postings may.
var errTooLarge = errors.New("the words of the scope take too much memory")

// complete has all words of a scope read, behind the search that found that they are not: FTS5 is then asked for none of them any more.
func (s *Store) complete(sp *scopePostings) {
	s.postings.mu.Lock()
	defer s.postings.mu.Unlock()
	if s.postings.closed {
		return
	}
	s.postings.builds.Go(func() {
		err := contained(func() error { return s.readWhole(s.postings.ctx, sp) })
		if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, errTooLarge) {
			s.logger.Warn("the words of a scope are read from the database", "error", err)
		}
	})
}

// readWhole reads all texts of a scope and puts their words in the place of its postings. Postings that were let go of meanwhile, as by an
// erasure, nobody asks any more.
func (s *Store) readWhole(ctx context.Context, sp *scopePostings) error {
	ctx = seeingAll(ctx)
	whole := newScopePostings(sp.scope)
	err := inTx(ctx, s.reads, func(tx *sql.Tx) error {
		var last int64
		if err := tx.QueryRowContext(ctx, `SELECT last_seq FROM scopes WHERE scope = ?`, sp.scope).Scan(&last); err != nil {
			return err
		}
		whole.whole = true
		return whole.readTexts(ctx, tx, last, s.postings.limit/2)
	})
	if err != nil {
		return err
	}
	err = sp.lock.Do(ctx, func() error {
		sp.sized, sp.sizes, sp.least, sp.words, sp.news, sp.whole = whole.sized, whole.sizes, whole.least, whole.words, news{}, true
		sp.bytes.Store(whole.bytes.Load())
		return nil
	})
	s.postings.count(sp)
	return err
}

// readTexts adds the words of the versions up to a sequence. It returns errTooLarge beyond the limit, in bytes.
func (sp *scopePostings) readTexts(ctx context.Context, tx *sql.Tx, last, limit int64) error {
	rows, err := tx.QueryContext(ctx, newTexts, sql.Named("from", sp.scope<<32|(sp.sized+1)), sql.Named("to", sp.scope<<32|last))
	if err != nil {
		return err
	}
	defer rows.Close()
	sp.grow(last)
	for rows.Next() {
		var id int64
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			return err
		}
		sp.addText(uint32(id), text)
		if sp.bytes.Load() > limit {
			return errTooLarge
		}
	}
	sp.sized = last
	return rows.Err()
}

// addText adds a version to the postings of its words.
func (sp *scopePostings) addText(seq uint32, text string) {
	n := 0
	for t := range strings.FieldsSeq(text) {
		n++
		p := sp.words[t]
		if p == nil {
			p = &posting{}
			sp.words[strings.Clone(t)] = p // not a part of the text, which would be kept with it
			sp.bytes.Add(int64(len(t)) + wordBytes)
		}
		if last := len(p.seqs) - 1; last < 0 || p.seqs[last] != seq {
			p.seqs = append(p.seqs, seq)
			sp.bytes.Add(postingBytes)
		}
	}
	sp.size(seq, n)
}

// The bytes that a word takes besides its letters, and each version that holds it, with what is set aside for more.
const (
	wordBytes    = 96
	postingBytes = 5
)
