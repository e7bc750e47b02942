package receipts

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// version of the form of a body.
const version = 1

// timeForm is how instants are written: of one length, so that their order is that of their texts.
const timeForm = "2006-01-02T15:04:05.000000Z"

// Witness keeps the last signed head outside of the log, so that a log that was put back is noticed.
type Witness interface {
	// Last returns the head that was kept last, or nothing if there is none.
	Last() ([]byte, error)
	// Keep puts the head in place of the last one.
	Keep(head []byte) error
}

// Service writes receipts. Its fields are set once, before use.
type Service struct {
	Log     Log
	Keys    Keys
	Witness Witness // nil: only the log itself is trusted
	Now     func() time.Time
	Logger  *slog.Logger

	mu       sync.Mutex
	signer   *signer   // of the last append
	verified []byte    // the head that was last signed, or found to be right
	last     []byte    // the largest head that was seen
	asked    bool      // the witness was
	kept     time.Time // when the witness was given a head
}

// keepEvery is how often the witness is given a head, beside those of sessions and keys: each costs the writing of a file.
const keepEvery = time.Second

// Receipt is the answer of Append: enough to find and to check the receipt.
type Receipt struct {
	ID        string `json:"receipt_id"`
	Index     int64  `json:"index"`      // in the log, from 0
	Digest    string `json:"digest"`     // sha256:hex of the body in canonical form
	Signature string `json:"signature"`  // base64
	KeyID     string `json:"key_id"`     // sha256:hex of the public key
	PublicKey string `json:"public_key"` // base64
	Body      Body   `json:"-"`
	Existed   bool   `json:"-"` // the id was there already: Body is the one of the first time
}

// Append writes a receipt and returns it once it is on disk. The id that is there already is no error if it has the same
// body but for its time: the receipt of the first time is returned. It returns CodeConflict, and that receipt, for an id
// that has another body; CodeConflict for a session that has its receipt; and CodeUnavailable if the log or the key cannot
// be used, or the log is not the one that was left. Then there is no receipt, and the action that it was for must not
// happen.
func (s *Service) Append(ctx context.Context, body Body, private *Private) (Receipt, error) {
	p := s.Prepare(ctx, body, private)
	err := s.Log.AppendReceipt(ctx, p.Key, p.Make)
	s.Done(ctx, p, err)
	return p.Receipt, err
}

// Proof is a receipt on its way to disk, with its key and the function that makes it.
type Proof struct {
	Key     Key
	Make    Make    // returns the errors of Append
	Receipt Receipt // once Make has returned
	head    []byte
}

// Prepare returns a receipt that a store writes in one transaction with something else, as AppendReceipt would. Done is called
// with the error of that transaction.
func (s *Service) Prepare(ctx context.Context, body Body, private *Private) *Proof {
	p := &Proof{Key: Key{body.Tenant, body.User, body.Session, body.ID}}
	p.Make = func(at Place) (*Written, error) {
		w, r, err := s.write(ctx, at, body, private)
		p.Receipt, p.head = r, nil
		if w != nil {
			p.head = w.End.Head
		}
		return w, err
	}
	return p
}

// Done takes note of a receipt that is on disk, if err is nil.
func (s *Service) Done(_ context.Context, p *Proof, err error) {
	if err == nil {
		s.keep(p.head, p.Receipt.Body.Kind != DecisionKind)
	}
}

// signerAt returns the key that the log goes on with, after having made sure that the log is the one that was left.
func (s *Service) signerAt(ctx context.Context, end End) (*signer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.notCut(end); err != nil {
		return nil, err
	}
	if s.signer == nil || s.signer.id != end.KeyID {
		if err := s.takeKey(ctx, end); err != nil {
			return nil, err
		}
	}
	if end.Size > 0 && !bytes.Equal(end.Head, s.verified) {
		if err := intact(end, s.signer); err != nil {
			return nil, tampered(err)
		}
		s.verified = end.Head
	}
	return s.signer, nil
}

func (s *Service) takeKey(ctx context.Context, end End) (err error) {
	var private ed25519.PrivateKey
	if end.Size == 0 {
		private, err = s.Keys.First(ctx)
	} else {
		private, err = s.Keys.Private(ctx, end.KeyID)
	}
	if err != nil {
		return err
	}
	origin := originOf(KeyID(private.Public().(ed25519.PublicKey)))
	if end.Size > 0 {
		h, err := parseHead(end.Head)
		if err != nil {
			return tampered(err)
		}
		origin = h.origin
	}
	s.signer, err = newSigner(origin, private)
	return err
}

// intact checks that the head is signed and is that of the frontier: an append to a log that somebody changed would sign the change.
func intact(end End, sign *signer) error {
	h, _, err := openHead(end.Head, []*signer{sign})
	if err != nil {
		return err
	}
	t, err := parseTree(end.Size, end.Frontier)
	if err != nil {
		return err
	}
	root, err := t.root()
	if err != nil {
		return err
	}
	if h.size != end.Size || h.root != root {
		return fmt.Errorf("the log of size %d is not that of its head", end.Size)
	}
	return nil
}

// Continues returns CodeUnavailable for a log that is older than the head that was kept of it, or another one: a backup was put back without the head
// that belongs to it.
func (s *Service) Continues(ctx context.Context) error {
	end, err := s.Log.LogEnd(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.notCut(end)
}

// notCut checks that the log has not become shorter since its head was kept.
func (s *Service) notCut(end End) error {
	if !s.asked && s.Witness != nil {
		kept, err := s.Witness.Last()
		if err != nil {
			return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the last head of the receipts cannot be read").WithCause(err)
		}
		s.last, s.asked = kept, true
	}
	if len(s.last) == 0 {
		return nil
	}
	h, err := parseHead(s.last)
	switch {
	case err != nil:
		return tampered(err)
	case end.Size < h.size:
		return tampered(fmt.Errorf("it has %d receipts and had %d", end.Size, h.size))
	case end.Size == h.size && !sameHead(end.Head, s.last):
		return tampered(errors.New("it is not the log whose head was kept"))
	}
	return nil
}

// keep remembers a head that is on disk, and gives it to the witness if it is due. Not to be able to do so does not undo the
// receipt.
func (s *Service) keep(signed []byte, due bool) {
	if signed == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	was, old := parseHead(s.last)
	now, err := parseHead(signed)
	if err != nil || old == nil && was.size >= now.size {
		return
	}
	s.last, s.verified = signed, signed
	at := s.Now()
	if due = due || at.Sub(s.kept) >= keepEvery || at.Before(s.kept); due && s.Witness != nil {
		s.kept = at
		if err := s.Witness.Keep(signed); err != nil && s.Logger != nil {
			s.Logger.Error("keep the head of the receipts", "error", err)
		}
	}
}

func tampered(err error) error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the log of receipts is not the one that was left, and is not continued").WithCause(err).
		WithHint("the operator should run ctx-mcp verify, and restore the data directory from a backup")
}

func damaged(index int64, err error) error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "receipt %d of the log is damaged", index).WithCause(err).
		WithHint("the operator should run ctx-mcp verify")
}
