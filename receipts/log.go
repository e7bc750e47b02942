package receipts

import (
	"context"
	"time"
)

// Log keeps receipts in order. Implementations are safe for concurrent use by several processes, and durable once a method
// that writes has returned.
type Log interface {
	// AppendReceipt calls make with the ends of the log and of the session of key, and adds the entry that it returns
	// after the last one. Nobody else can append meanwhile. The entry becomes durable whole, or not at all. If make
	// returns nil, nothing is written.
	AppendReceipt(ctx context.Context, key Key, make Make) error
	// Receipts returns the entries that the query selects, in order of Index.
	Receipts(ctx context.Context, q Query) ([]Entry, error)
	// TreeHashes returns the hashes with the numbers, in their order. It returns an error unless all are there.
	TreeHashes(ctx context.Context, numbers []int64) ([][32]byte, error)
	// LogEnd returns where the log ends.
	LogEnd(ctx context.Context) (End, error)
}

// Make computes an append. It does no I/O on the log.
type Make func(at Place) (*Written, error)

// Key names a receipt. A session of a user is a log of its own inside of the log; its name alone says nothing, for users
// choose them.
type Key struct{ Tenant, User, Session, ID string }

// Place is the end of the log that an append finds.
type Place struct {
	End     End
	Session SessionEnd
	Held    *Entry // the one that has the id already, or nil
}

// Hash is one hash of the log's Merkle tree, by the number that tlog gives it. It never changes.
type Hash struct {
	Number int64
	Hash   [32]byte
}

// Written is an append: entries, the hashes that are new with them, and where the log and the session end after them.
type Written struct {
	Entries []Entry
	Hashes  []Hash
	End     End
	Session SessionEnd
}

// Entry is a receipt as a Log keeps it.
type Entry struct {
	Key
	Index    int64  // from 0, without gaps
	Envelope []byte // DSSE, canonical JSON
	Private  []byte // canonical JSON; sealed where the store is. May be nil
}

// End is the end of a log: enough to append, and its signed head. The zero value is that of an empty log.
type End struct {
	Size     int64
	Frontier []byte    // hashes of the largest complete subtrees
	At       time.Time // of the last receipt
	KeyID    string    // of the key that signed Head
	Head     []byte    // signed note
}

// SessionEnd is the end of a session's receipts.
type SessionEnd struct {
	Size     int64
	Frontier []byte
	Closed   bool // by its session receipt
}

// Query selects entries.
type Query struct {
	From    int64  // index
	Tenant  string // with User and Session
	User    string
	Session string // empty: the whole log
	Limit   int    // 0: all
}

// Match reports whether q selects e, but for Limit. It is the specification of Log.Receipts.
func (q Query) Match(e Entry) bool {
	return e.Index >= q.From && (q.Session == "" || e.Tenant == q.Tenant && e.User == q.User && e.Session == q.Session)
}
