package actions

import (
	"context"
	"maps"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// End closes a session: its receipt is written, nothing more can be recorded, and it leaves memory. Asked again it returns
// the same receipt. named is as for Record.
func (s *Service) End(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, id string) (Closing, error) {
	return withSession(ctx, s, by, named, id, func(v *session) (Closing, error) {
		defer v.forget(s.Options.withDefaults())
		return s.end(ctx, v, by)
	})
}

func (s *Service) end(ctx context.Context, v *session, by ctxmcp.Caller) (Closing, error) {
	if !v.ended.IsZero() {
		return v.closing, nil
	}
	if err := s.abandon(ctx, v); err != nil {
		return Closing{}, err
	}
	context, err := ijson.Compact(v.document())
	if err != nil {
		return Closing{}, err
	}
	r, err := s.Receipts.Append(ctx, receipts.Body{
		ID: receiptID(v.key, ""), Kind: receipts.SessionKind, Tenant: by.Tenant, User: by.User, Roles: by.Roles,
		Session: v.start.Session, ContextDigest: v.digest, PolicyDigest: s.Decider.Digest(),
		Summary: &receipts.Summary{Actions: v.tally.actions, Verdicts: maps.Clone(v.verdicts)},
	}, &receipts.Private{Request: v.start.Request.Text, Context: context})
	if err != nil {
		return Closing{}, err
	}
	c := Closing{
		ReceiptID: r.ID, Digest: r.Digest, Signature: r.Signature, PublicKey: r.PublicKey, ActionCount: v.tally.actions,
	}
	if s.Publish != nil {
		if c.Path, err = s.Publish(ctx, v.key); err != nil {
			return Closing{}, err
		}
	}
	return c, s.write(ctx, v, EndRecord, ctxmcp.Instant(s.Now()), endBody{c}, r.ID)
}
