package memory

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Remember stores the object of a draft, confirms it, or returns the reason why not.
//
// It returns CodeInvalid or CodeTooLarge for a draft that cannot be understood, CodeDenied for authority that the caller
// lacks, CodeNotFound for an object named that the caller cannot see, and CodeConflict for one that has ended, for an
// idempotency key that was used for another request, or if other writers kept coming in between.
func (s *writer) Remember(ctx context.Context, by ctxmcp.Caller, d Draft) (Remembered, error) {
	d, found, reason, err := s.screen(ctx, by, d)
	switch {
	case err != nil:
		return Remembered{}, err
	case reason != "":
		return Remembered{Status: Rejected, Reason: reason, Redactions: found}, nil
	}
	digest := d.digest() // of the request as it was made: an id that names one object today may be the end of two tomorrow
	if d, err = s.withFullIDs(ctx, by, d); err != nil {
		return Remembered{}, err
	}
	var r Remembered
	stored := false
	err = s.commit(ctx, func() (*Change, error) {
		earlier, err := s.replay(ctx, by, d, digest)
		if err != nil {
			return nil, err
		}
		if earlier != nil {
			r = *earlier
			if err := s.quoted(ctx, by, &r); err != nil {
				return nil, err
			}
			return nil, s.names.mentioned(ctx, by, r.Entities)
		}
		p, err := s.plan(ctx, by, d, s.now())
		if err != nil {
			return nil, err
		}
		if err := s.learn(ctx, p); err != nil {
			return nil, err
		}
		s.outcome(by, p)
		r, stored = p.remembered(found), len(p.change.Insert) > 0
		return &p.change, p.complete(by, d, digest, r)
	})
	if err != nil {
		return Remembered{}, err
	}
	if stored && s.Stored != nil {
		s.Stored()
	}
	if err = s.tellNamesakes(ctx, by, &r); err != nil {
		return r, err
	}
	err = s.shownTexts(ctx, by.Tenant, &r)
	return r, err
}

// outcome notes what the plan says of the objects that it confirms or displaces.
func (s *writer) outcome(by ctxmcp.Caller, p *plan) {
	if p.status == Confirmed {
		s.outcomes(by, &p.change, WasConfirmed, p.at, p.object.ObjectID)
	}
	for _, d := range p.displaced {
		if d.Status == ctxmcp.Overridden {
			s.outcomes(by, &p.change, WasCorrected, p.at, d.ObjectID)
		}
	}
}

// Screen returns the reason for which Remember would turn a draft away before it reads the store, that of the write gate or
// "", and the secrets that it would redact. It stores nothing. It returns CodeInvalid or CodeTooLarge for a draft that cannot be
// understood.
func (s *writer) Screen(ctx context.Context, by ctxmcp.Caller, d Draft) (reason string, found []redact.Finding, err error) {
	_, found, reason, err = s.screen(ctx, by, d)
	return reason, found, err
}

// screen validates a draft and returns it redacted, with the findings and the reason of the write gate, or "": nothing else
// reads a text before.
func (s *writer) screen(ctx context.Context, by ctxmcp.Caller, d Draft) (clean Draft, found []redact.Finding, reason string, err error) {
	if err := d.validate(s.now(), s.options().Skew); err != nil {
		return Draft{}, nil, "", err
	}
	hide := s.Redact.Pass(ctx, by.Tenant)
	clean, found = d.redacted(hide)
	if err := hide.Err(); err != nil {
		return Draft{}, nil, "", err
	}
	return clean, found, s.options().gate(clean), nil
}

// replay returns the result of an earlier request under the draft's idempotency key.
func (s *writer) replay(ctx context.Context, by ctxmcp.Caller, d Draft, digest string) (*Remembered, error) {
	if d.IdempotencyKey == "" {
		return nil, nil
	}
	earlier, err := s.Store.Replay(ctx, d.key(by))
	if err != nil || earlier == nil {
		return nil, err
	}
	if earlier.Digest != digest {
		return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "this idempotency_key was used for another request").
			WithHint("use a new key for a new memory")
	}
	var r Remembered
	if err := json.Unmarshal([]byte(earlier.Result), &r); err != nil {
		return nil, fmt.Errorf("read the result kept under the key: %w", err)
	}
	return &r, nil
}
