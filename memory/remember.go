package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Status says what became of a draft.
type Status string

// The statuses.
const (
	Stored     Status = "stored"
	Confirmed  Status = "confirmed"   // it was held already
	Superseded Status = "superseded"  // stored, and others were displaced
	Quarantine Status = "quarantined" // stored, but contradicts what stands higher
	Rejected   Status = "rejected"    // the write gate turned it away, and nothing was stored; or the user did, and it is history
)

// Statuses lists the vocabulary.
func Statuses() []Status { return []Status{Stored, Confirmed, Superseded, Quarantine, Rejected} }

// Remembered is the answer to a draft. It holds no content, so that it can be kept for repetitions of the request.
type Remembered struct {
	Status     Status
	ObjectID   string
	FactID     string
	Version    int
	Namespace  string
	Reason     string
	Redactions []redact.Finding
	Entities   []Named
	Displaced  []Displaced
	RecordedAt time.Time
	Warnings   []string
	Review     string // id of the review that asks a person about it, if one does
}

// Displaced is an object that a new one took the place of.
type Displaced struct {
	ObjectID string
	Status   ctxmcp.ContradictionStatus
}

// planAttempts bounds how often a write is planned again because another one came in between, and planPause how long it
// leaves the way to another process between two attempts: the number of the attempt in milliseconds, at most this.
const (
	planAttempts = 200
	planPause    = 25 * time.Millisecond
)

// Remember stores what a draft says, confirms it, or says why not.
//
// It returns CodeInvalid or CodeTooLarge for a draft that cannot be understood, CodeDenied for authority that the caller
// lacks, CodeNotFound for an object named that the caller cannot see, and CodeConflict for one that has ended, for an
// idempotency key that was used for another request, or if other writers kept coming in between.
func (s *Service) Remember(ctx context.Context, by ctxmcp.Caller, d Draft) (Remembered, error) {
	found, reason, err := s.screen(ctx, by, &d)
	switch {
	case err != nil:
		return Remembered{}, err
	case reason != "":
		return Remembered{Status: Rejected, Reason: reason, Redactions: found}, nil
	}
	digest := d.digest()
	var r Remembered
	stored := false
	err = s.commit(ctx, func() (*Change, error) {
		earlier, err := s.replay(ctx, by, d, digest)
		if err != nil {
			return nil, err
		}
		if earlier != nil {
			r = *earlier
			return nil, s.renameReplayed(ctx, by, &r)
		}
		p, err := s.plan(ctx, by, d, s.now())
		if err != nil {
			return nil, err
		}
		if err := s.learn(ctx, p); err != nil {
			return nil, err
		}
		r, stored = p.remembered(found), len(p.change.Insert) > 0
		return &p.change, p.complete(by, d, digest, r)
	})
	if err != nil {
		return Remembered{}, err
	}
	if stored && s.Stored != nil {
		s.Stored()
	}
	return r, nil
}

// Screen says what Remember would turn a draft away for before it looks at what is held: the reason of the write gate, or
// "", and what would be redacted. It stores nothing. It returns CodeInvalid or CodeTooLarge for a draft that cannot be
// understood.
func (s *Service) Screen(ctx context.Context, by ctxmcp.Caller, d Draft) (reason string, found []redact.Finding, err error) {
	found, reason, err = s.screen(ctx, by, &d)
	return reason, found, err
}

// screen validates the draft, redacts it, and asks the write gate: nothing else looks at a text before.
func (s *Service) screen(ctx context.Context, by ctxmcp.Caller, d *Draft) (found []redact.Finding, reason string, err error) {
	if err := d.validate(s.now(), s.options().Skew); err != nil {
		return nil, "", err
	}
	hide := s.Redact.Pass(ctx, by.Tenant)
	found = d.redact(hide)
	if err := hide.Err(); err != nil {
		return nil, "", err
	}
	return found, s.options().gate(d), nil
}

// commit plans a change and applies it, and plans again if another write came in between. A nil plan is nothing to do.
// The first attempt is made beside others; whoever loses it waits for its turn, so that many writers of one slot take
// one attempt each after that. Only another process can then make an attempt fail.
func (s *Service) commit(ctx context.Context, plan func() (*Change, error)) error {
	lost, err := s.attempt(ctx, plan)
	if !lost {
		return err
	}
	return s.turn.Do(ctx, func() error {
		for n := 2; lost && n <= planAttempts; n++ {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(min(time.Duration(n)*time.Millisecond, planPause)):
			}
			lost, err = s.attempt(ctx, plan)
		}
		return err
	})
}

func (s *Service) attempt(ctx context.Context, plan func() (*Change, error)) (lost bool, err error) {
	c, err := plan()
	if err != nil || c == nil {
		return false, err
	}
	if err := s.Store.Apply(ctx, *c); err != nil {
		return ctxmcp.CodeOf(err) == ctxmcp.CodeConflict, fmt.Errorf("write: %w", err)
	}
	if len(c.Erase) > 0 && s.Erased != nil {
		if err := s.Erased(ctx); err != nil {
			return false, fmt.Errorf("erase what was made of it: %w", err)
		}
	}
	return false, nil
}

// remembered returns the answer that carrying out the plan earns.
func (p *plan) remembered(found []redact.Finding) Remembered {
	return Remembered{
		Status: p.status, ObjectID: p.object.ObjectID, FactID: p.object.FactID, Version: p.object.Version,
		Namespace: p.object.Home().Namespace(), Reason: p.reason, Redactions: found, Entities: p.named(),
		Displaced: p.displaced, RecordedAt: p.object.TxStart, Warnings: p.warnings, Review: p.review,
	}
}

// complete adds to the change what goes with every write: the line in the audit trail and the result for repetitions.
func (p *plan) complete(by ctxmcp.Caller, d Draft, digest string, r Remembered) error {
	at := p.object.TxStart
	if p.status == Confirmed {
		at = p.at // the object began long before
	}
	p.change.Audit = append(p.change.Audit, Event{
		At: at, Tenant: by.Tenant, User: by.User, Action: "remember." + string(r.Status), ObjectID: r.ObjectID,
	})
	if d.IdempotencyKey == "" {
		return nil
	}
	result, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("keep the result: %w", err)
	}
	p.change.Replay = &Replay{Key: d.key(by), Digest: digest, ObjectID: r.ObjectID, Result: string(result)}
	return nil
}

// replay returns the result of an earlier request under the draft's idempotency key.
func (s *Service) replay(ctx context.Context, by ctxmcp.Caller, d Draft, digest string) (*Remembered, error) {
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

func (d *Draft) key(by ctxmcp.Caller) Key { return Key{by.Tenant, by.User, d.IdempotencyKey} }

// digest tells one request from another, after redaction.
func (d *Draft) digest() string {
	text, err := json.Marshal(d)
	if err != nil { // a Draft holds nothing that JSON cannot
		panic(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
