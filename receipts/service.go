package receipts

import (
	"context"
	"crypto/ed25519"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Log keeps receipts in order. Implementations are safe for concurrent use by several processes, and durable once a method
// that writes has returned.
type Log interface {
	// AppendReceipt adds one entry after the last. It calls make, with the end of the log and the entry that has the id
	// already if there is one, while nobody else can append; what make returns becomes durable whole, or not at all. Where
	// make returns no entry, nothing is written.
	AppendReceipt(ctx context.Context, id string, make func(end End, held *Entry) (*Entry, End, error)) error
	// Receipts returns entries in order of Index, from the first index on, of the session if one is named, at most limit.
	Receipts(ctx context.Context, q Query) ([]Entry, error)
	// End returns where the log ends.
	End(ctx context.Context) (End, error)
}

// Query selects entries of a log.
type Query struct {
	From    int64 // index
	Tenant  string
	Session string
	IDs     []string
	Limit   int // 0: all
}

// Entry is a receipt as a Log keeps it.
type Entry struct {
	Index    int64
	ID       string
	Tenant   string
	Session  string
	Envelope []byte // DSSE, canonical JSON
	Private  []byte // sealed where the store is
}

// End is the end of a log: enough to append, and the signed head.
type End struct {
	Size     int64
	Frontier []byte    // hashes of the largest complete subtrees
	At       time.Time // of the last receipt
	Head     []byte    // signed note
}

// Keys signs. It makes its first key when it is first asked, and never another one by itself.
type Keys interface {
	// Current returns the key to sign with. It returns CodeUnavailable if there was one, and it cannot be read.
	Current(ctx context.Context) (ed25519.PrivateKey, error)
}

// Service writes receipts. Its fields are set once, before use.
type Service struct {
	Log    Log
	Keys   Keys
	Now    func() time.Time
	Origin string // names the log in its heads
}

// Append writes a receipt and returns it once it is on disk. The id that is there already is no error if it has the same
// body but for its time: the receipt of the first time is returned. It returns CodeConflict for an id that has another body,
// and CodeUnavailable if the log or the key cannot be used; then there is no receipt, and what it was for must not happen.
func (s *Service) Append(ctx context.Context, body Body, private *Private) (Receipt, error) {
	return Receipt{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "receipts cannot be written")
}
