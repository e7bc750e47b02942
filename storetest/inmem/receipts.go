package inmem

import (
	"bytes"
	"context"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp/receipts"
)

var _ receipts.Log = (*Store)(nil)

// AppendReceipt implements receipts.Log.
func (s *Store) AppendReceipt(_ context.Context, key receipts.Key, make receipts.Make) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.appendReceipt(key, make)
}

func (s *Store) appendReceipt(key receipts.Key, make receipts.Make) error {
	session := receipts.Key{Tenant: key.Tenant, User: key.User, Session: key.Session}
	at := receipts.Place{End: s.receiptEnd, Session: s.receiptEnds[session]}
	if n, there := s.receiptAt[key]; there {
		held := cloneEntry(s.receipts[n])
		at.Held = &held
	}
	w, err := make(at)
	if err != nil || w == nil {
		return err
	}
	if s.receiptAt == nil {
		s.receiptAt = map[receipts.Key]int{}
	}
	for _, e := range w.Entries {
		s.receiptAt[e.Key] = len(s.receipts)
		s.receipts = append(s.receipts, cloneEntry(e))
	}
	if s.receiptTree == nil {
		s.receiptTree = map[int64][32]byte{}
	}
	for _, h := range w.Hashes {
		s.receiptTree[h.Number] = h.Hash
	}
	s.receiptEnd = w.End
	if key.Session == "" {
		return nil
	}
	if s.receiptEnds == nil {
		s.receiptEnds = map[receipts.Key]receipts.SessionEnd{}
	}
	s.receiptEnds[session] = w.Session
	return nil
}

// TreeHashes implements receipts.Log.
func (s *Store) TreeHashes(_ context.Context, numbers []int64) ([][32]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	hashes := make([][32]byte, len(numbers))
	for i, number := range numbers {
		hash, held := s.receiptTree[number]
		if !held {
			return nil, fmt.Errorf("there is no hash %d", number)
		}
		hashes[i] = hash
	}
	return hashes, nil
}

// LogEnd implements receipts.Log.
func (s *Store) LogEnd(context.Context) (receipts.End, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.receiptEnd, nil
}

// Receipts implements receipts.Log.
func (s *Store) Receipts(_ context.Context, q receipts.Query) ([]receipts.Entry, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []receipts.Entry
	for _, e := range s.receipts {
		if q.Match(e) && (q.Limit == 0 || len(found) < q.Limit) {
			found = append(found, cloneEntry(e))
		}
	}
	return found, nil
}

func cloneEntry(e receipts.Entry) receipts.Entry {
	e.Envelope, e.Private = bytes.Clone(e.Envelope), bytes.Clone(e.Private)
	return e
}
