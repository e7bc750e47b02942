package receipts

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp"
)

// Session is the receipts of one session, as far as a person looks at them.
type Session struct {
	Receipts []Receipt
	Ended    bool
	Checked  *Verified // of an ended session: its bundle was verified
	Fault    string    // why it was not
}

// OfSession returns the receipts of a session of the caller, in order. Where check is set and the session has ended, its bundle is made and
// verified as a stranger would: every signature, every digest, and the proof that its receipt is in the log. It returns CodeNotFound if there
// are none.
func (s *Service) OfSession(ctx context.Context, by ctxmcp.Caller, session string, check bool) (Session, error) {
	none := ctxmcp.Errorf(ctxmcp.CodeNotFound, "there are no receipts of this session")
	if by.Tenant == "" || by.User == "" || session == "" { // an empty part of a query does not restrict
		return Session{}, none
	}
	entries, err := s.Log.Receipts(ctx, Query{Tenant: by.Tenant, User: by.User, Session: session})
	if err != nil {
		return Session{}, err
	}
	if len(entries) == 0 {
		return Session{}, none
	}
	var told Session
	for _, e := range entries {
		o, err := open(e.Envelope)
		if err != nil {
			return Session{}, fmt.Errorf("receipt %d: %w", e.Index, err)
		}
		told.Receipts = append(told.Receipts, o.receipt(e.Index, &signer{}))
		told.Ended = o.body.Kind == SessionKind
	}
	if check && told.Ended {
		err = s.check(ctx, by, session, &told)
	}
	return told, err
}

// check makes the bundle of a session and verifies it with the public keys that signed it.
func (s *Service) check(ctx context.Context, by ctxmcp.Caller, session string, told *Session) error {
	var bundle bytes.Buffer
	if _, err := s.ExportSession(ctx, by.Tenant, by.User, session, &bundle); err != nil {
		return err
	}
	var keys []ed25519.PublicKey
	known := map[string]bool{}
	end, err := s.Log.LogEnd(ctx)
	if err != nil {
		return err
	}
	for _, id := range append([]string{end.KeyID}, keyIDs(told.Receipts)...) {
		if known[id] {
			continue
		}
		known[id] = true
		key, err := s.Keys.Public(ctx, id)
		if err != nil {
			return err
		}
		keys = append(keys, key)
	}
	found, err := Verify(ctx, &bundle, keys, VerifyOptions{})
	if err != nil {
		told.Fault = err.Error()
		return ctx.Err()
	}
	told.Checked = &found
	return nil
}

func keyIDs(all []Receipt) (ids []string) {
	for _, r := range all {
		ids = append(ids, r.KeyID)
	}
	return ids
}
