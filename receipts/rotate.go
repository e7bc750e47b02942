package receipts

import (
	"context"
	"crypto/ed25519"

	"github.com/ctx-mcp/ctx-mcp"
)

// Rotate goes on with a new key. A receipt, signed with the old key, introduces the new one, and the head is signed with the
// new one from then on; the old private half is removed. With lost set the old private half is not needed: the new key
// introduces itself, and only who is given the new key by other means can trust it. It returns CodeConflict for an empty
// log, whose first receipt makes the first key.
func (s *Service) Rotate(ctx context.Context, lost bool) (Receipt, error) {
	if end, err := s.Log.LogEnd(ctx); err != nil {
		return Receipt{}, err
	} else if end.Size == 0 {
		return Receipt{}, ctxmcp.Errorf(ctxmcp.CodeConflict, "there are no receipts yet: the first one makes its key")
	}
	fresh, err := s.Keys.Fresh(ctx)
	if err != nil {
		return Receipt{}, err
	}
	public := fresh.Public().(ed25519.PublicKey)
	var receipt Receipt
	var head []byte
	err = s.Log.AppendReceipt(ctx, Key{ID: keyReceipt(KeyID(public))}, func(at Place) (*Written, error) {
		w, r, err := s.hand(ctx, at, fresh, lost)
		if err == nil {
			receipt, head = r, w.End.Head
		}
		return w, err
	})
	if err != nil {
		return Receipt{}, err
	}
	s.keep(head, true)
	return receipt, s.Keys.Retire(ctx, KeyID(public))
}

// hand computes the append that hands the log over to a fresh key.
func (s *Service) hand(ctx context.Context, at Place, fresh ed25519.PrivateKey, lost bool) (*Written, Receipt, error) {
	old, err := s.handing(ctx, at.End, lost)
	if err != nil {
		return nil, Receipt{}, err
	}
	next, err := newSigner(old.origin, fresh)
	if err != nil {
		return nil, Receipt{}, err
	}
	if lost {
		old = next
	}
	a, err := s.extend(at, old)
	if err != nil {
		return nil, Receipt{}, err
	}
	receipt, err := a.add(ctx, old, introduction(next), nil)
	if err != nil {
		return nil, Receipt{}, err
	}
	w, err := a.finish(next)
	return w, receipt, err
}

// handing returns the key of the log's end, its public half at least.
func (s *Service) handing(ctx context.Context, end End, lost bool) (*signer, error) {
	if !lost {
		return s.signerAt(ctx, end)
	}
	h, err := parseHead(end.Head)
	if err != nil {
		return nil, tampered(err)
	}
	public, err := s.Keys.Public(ctx, end.KeyID)
	if err != nil {
		return nil, err
	}
	old, err := newVerifier(h.origin, public)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.notCut(end); err != nil {
		return nil, err
	}
	if err := intact(end, old); err != nil {
		return nil, tampered(err)
	}
	return old, nil
}

// introduction is the content of the receipt of a key.
func introduction(s *signer) Body {
	return Body{ID: keyReceipt(s.id), Kind: KeyKind, PublicKey: encodeKey(s.public)}
}

func keyReceipt(id string) string { return "key-" + id[len("sha256:"):][:16] }
