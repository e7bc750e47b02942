package receipts

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"reflect"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// write computes the append of one receipt, and of the one for the log's first key before it.
func (s *Service) write(ctx context.Context, at Place, body Body, private *Private) (*Written, Receipt, error) {
	sign, err := s.signerAt(ctx, at.End)
	if err != nil {
		return nil, Receipt{}, err
	}
	if at.Held != nil {
		r, err := s.again(sign, *at.Held, body, private)
		return nil, r, err
	}
	if at.Session.Closed {
		return nil, Receipt{}, ctxmcp.Errorf(ctxmcp.CodeConflict, "the session has ended and has its receipt").
			WithHint("start a new session")
	}
	a, err := s.extend(at, sign)
	if err != nil {
		return nil, Receipt{}, err
	}
	if at.End.Size == 0 {
		if _, err := a.add(ctx, sign, introduction(sign), nil); err != nil {
			return nil, Receipt{}, err
		}
	}
	r, err := a.add(ctx, sign, body, private)
	if err != nil {
		return nil, Receipt{}, err
	}
	w, err := a.finish(sign)
	return w, r, err
}

// again returns the receipt that is there, if it is of the same body.
func (s *Service) again(sign *signer, held Entry, body Body, private *Private) (Receipt, error) {
	o, err := open(held.Envelope)
	if err != nil {
		return Receipt{}, damaged(held.Index, err)
	}
	r := o.receipt(held.Index, sign)
	r.Existed = true
	body.Version, body.At = o.body.Version, o.body.At
	if body.Summary != nil && o.body.Summary != nil {
		summary := *body.Summary
		summary.Receipts, summary.Root = o.body.Summary.Receipts, o.body.Summary.Root
		body.Summary = &summary
	}
	if o.envelope.Signatures[0].KeyID != sign.id { // another key salts otherwise
		body.PrivateDigest = o.body.PrivateDigest
	} else if _, err := sign.hide(&body, private); err != nil {
		return r, err
	}
	want, err := ijson.Canonical(body)
	if err != nil {
		return r, err
	}
	if !bytes.Equal(want, o.payload) {
		return r, ctxmcp.Errorf(ctxmcp.CodeConflict, "the receipt %s says something else already", body.ID)
	}
	return r, nil
}

// receipt returns the Receipt of an entry.
func (o opened) receipt(index int64, sign *signer) Receipt {
	r := Receipt{ID: o.body.ID, Index: index, Digest: ctxmcp.DigestRef(o.payload), Signature: o.envelope.Signatures[0].Sig,
		KeyID: o.envelope.Signatures[0].KeyID, Body: o.body}
	if r.KeyID == sign.id {
		r.PublicKey = encodeKey(sign.public)
	}
	return r
}

// hide puts the digest of the private part into the body, and returns the part as it is stored.
func (s *signer) hide(body *Body, private *Private) ([]byte, error) {
	if private == nil || reflect.ValueOf(*private).IsZero() {
		return nil, nil
	}
	text, err := ijson.Canonical(private)
	if err != nil {
		return nil, err
	}
	salt, err := s.salt(body.ID)
	if err != nil {
		return nil, err
	}
	body.PrivateDigest = ctxmcp.DigestRef(append(bytes.Clone(salt), text...))
	return ijson.Canonical(stored{base64.StdEncoding.EncodeToString(salt), text})
}

// addition is an append that is being put together.
type addition struct {
	at      Place
	origin  string
	now     time.Time
	log     *tree
	session *tree
	written Written
}

func (s *Service) extend(at Place, sign *signer) (*addition, error) {
	log, err := parseTree(at.End.Size, at.End.Frontier)
	if err != nil {
		return nil, tampered(err)
	}
	session, err := parseTree(at.Session.Size, at.Session.Frontier)
	if err != nil {
		return nil, tampered(err)
	}
	now := ctxmcp.Instant(s.Now())
	if now.Before(at.End.At) { // the clock was set back
		now = at.End.At
	}
	return &addition{at: at, origin: sign.origin, now: now, log: log, session: session}, nil
}

// add signs one body and puts it at the end.
func (a *addition) add(ctx context.Context, sign *signer, body Body, private *Private) (Receipt, error) {
	body.Version, body.At = version, a.now.Format(timeForm)
	if body.Summary != nil {
		root, err := a.session.root()
		if err != nil {
			return Receipt{}, err
		}
		summary := *body.Summary
		summary.Receipts, summary.Root = a.session.size, root.String()
		body.Summary = &summary
	}
	kept, err := sign.hide(&body, private)
	if err != nil {
		return Receipt{}, fmt.Errorf("receipt %s: %w", body.ID, err)
	}
	envelope, digest, signature, err := seal(ctx, sign, body)
	if err != nil {
		return Receipt{}, fmt.Errorf("sign the receipt %s: %w", body.ID, err)
	}
	e := Entry{Key: Key{body.Tenant, body.User, body.Session, body.ID}, Index: a.log.size, Envelope: envelope, Private: kept}
	leaf := tlog.RecordHash(envelope)
	number := tlog.StoredHashCount(a.log.size)
	hashes, err := a.log.add(leaf)
	if err != nil {
		return Receipt{}, tampered(err)
	}
	for i, hash := range hashes {
		a.written.Hashes = append(a.written.Hashes, Hash{number + int64(i), hash})
	}
	if body.Session != "" {
		if _, err := a.session.add(leaf); err != nil {
			return Receipt{}, tampered(err)
		}
	}
	a.written.Entries = append(a.written.Entries, e)
	a.written.Session.Closed = body.Kind == SessionKind
	return Receipt{ID: body.ID, Index: e.Index, Digest: digest, Signature: signature, KeyID: sign.id,
		PublicKey: encodeKey(sign.public), Body: body}, nil
}

// finish signs the new head.
func (a *addition) finish(sign *signer) (*Written, error) {
	root, err := a.log.root()
	if err != nil {
		return nil, tampered(err)
	}
	signed, err := head{a.origin, a.log.size, root}.sign(sign)
	if err != nil {
		return nil, fmt.Errorf("sign the head: %w", err)
	}
	a.written.End = End{Size: a.log.size, Frontier: a.log.frontier(), At: a.now, KeyID: sign.id, Head: signed}
	a.written.Session.Size, a.written.Session.Frontier = a.session.size, a.session.frontier()
	return &a.written, nil
}
