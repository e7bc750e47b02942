package exchange

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/exchange/foreign"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Rememberer is the way into memory that foreign memories take: that of every other statement.
type Rememberer interface {
	Remember(ctx context.Context, by ctxmcp.Caller, d memory.Draft) (memory.Remembered, error)
	Screen(ctx context.Context, by ctxmcp.Caller, d memory.Draft) (reason string, found []redact.Finding, err error)
}

// Replayer returns the result of an earlier call under a key. A memory.Store is one.
type Replayer interface {
	Replay(ctx context.Context, key memory.Key) (*memory.Replay, error)
}

// Adoption takes over the memories of another system.
type Adoption struct {
	Into   Rememberer
	Before Replayer
	By     ctxmcp.Caller
	Scope  ctxmcp.Scope      // resolved
	As     ctxmcp.SourceKind // the channel that the memories count as having come through
	System string            // name of the form, which begins the origin of each memory
	// Coexists reports whether a slot of the predicate holds several values at a time.
	Coexists func(predicate string) bool
	// Redact hides the secrets of a text of the tenant, before it becomes part of an origin or of a key.
	Redact   redact.Func
	DryRun   bool           // everything but the storing
	Progress func(done int) // called after each memory; it may be nil
}

// Adopted counts foreign memories by their outcome. Read is the sum of Stored, Held and the Refused.
type Adopted struct {
	Read        int
	Stored      int // under DryRun, those that would be handed to Remember
	Held        int // adopted before, or said already
	Replaced    int // of those stored: took the place of a memory that was held
	Quarantined int // of those stored: contradict a memory of higher authority
	Redacted    int // of those stored: held a secret, which was hidden
	Unclaimed   int // of those stored: the file gives their claim several values
	Refused     []Refusal
	Unkept      []Unkept
}

// Refusal is a memory that was not taken.
type Refusal struct {
	Line   int
	Reason string
}

// Unkept is a field of the file that has no place here, with the number of memories that had it.
type Unkept struct {
	Name  string
	Count int
}

// Adopt remembers foreign memories one after the other, in their order, through the write gate. Each is remembered at most
// once, however often its file is read: also one that was forgotten since. A memory that is refused is reported, and
// the others go on.
//
// The error is that of ctx or of the store, with the line that it came at; the memories stored before it stay, and
// are held when the file is adopted again.
func (a Adoption) Adopt(ctx context.Context, memories []foreign.Memory) (Adopted, error) {
	hide := a.Redact.Pass(ctx, a.By.Tenant)
	report := Adopted{Read: len(memories), Unkept: unkept(hide, memories)}
	disputed := disputedSlots(memories, a.Coexists)
	for i, m := range memories {
		d, unclaimed := a.draft(hide, m, disputed)
		if err := hide.Err(); err != nil {
			return report, fmt.Errorf("line %d: %w", m.Line, err)
		}
		if err := a.adopt(ctx, &report, m.Line, d, unclaimed); err != nil {
			return report, fmt.Errorf("line %d: %w", m.Line, err)
		}
		if a.Progress != nil {
			a.Progress(i + 1)
		}
	}
	return report, nil
}

// adopt carries out one draft and counts it. An error is one that the next memory would meet too.
func (a Adoption) adopt(ctx context.Context, report *Adopted, line int, d memory.Draft, unclaimed bool) error {
	earlier, err := a.Before.Replay(ctx, memory.Key{Tenant: a.By.Tenant, User: a.By.User, Name: d.IdempotencyKey})
	if err != nil {
		return err
	}
	if earlier != nil {
		report.Held++
		return nil
	}
	r, err := a.remember(ctx, d)
	switch {
	case refuses(err):
		e, _ := errors.AsType[*ctxmcp.Error](err)
		report.Refused = append(report.Refused, Refusal{line, e.Message})
		return nil
	case err != nil:
		return err
	}
	report.count(line, r, unclaimed)
	return nil
}

// remember hands the draft on; under DryRun it returns the answer of the write gate.
func (a Adoption) remember(ctx context.Context, d memory.Draft) (memory.Remembered, error) {
	if !a.DryRun {
		return a.Into.Remember(ctx, a.By, d)
	}
	reason, found, err := a.Into.Screen(ctx, a.By, d)
	r := memory.Remembered{Status: memory.Stored, Reason: reason, Redactions: found}
	if reason != "" {
		r.Status = memory.Rejected
	}
	return r, err
}

// refuses reports whether err is about the one memory.
func refuses(err error) bool {
	about := []ctxmcp.Code{ctxmcp.CodeInvalid, ctxmcp.CodeTooLarge, ctxmcp.CodeDenied, ctxmcp.CodeConflict}
	return err != nil && slices.Contains(about, ctxmcp.CodeOf(err))
}

func (r *Adopted) count(line int, m memory.Remembered, unclaimed bool) {
	switch m.Status {
	case memory.Rejected:
		r.Refused = append(r.Refused, Refusal{line, m.Reason})
		return
	case memory.Confirmed:
		r.Held++
		return
	case memory.Superseded:
		r.Replaced++
	case memory.Quarantine:
		r.Quarantined++
	}
	r.Stored++
	if len(m.Redactions) > 0 {
		r.Redacted++
	}
	if unclaimed {
		r.Unclaimed++
	}
}

// slot is the subject and predicate of a claim, and its owner.
type slot struct{ owner, name string }

// disputedSlots returns the slots that the memories give several values, with nothing to say which one holds: their
// predicate holds one value at a time here, and no times order them.
func disputedSlots(memories []foreign.Memory, coexists func(predicate string) bool) map[slot]bool {
	type moment struct {
		slot
		at time.Time
	}
	values := map[moment]string{}
	disputed := map[slot]bool{}
	for _, m := range memories {
		if m.Claim.IsZero() || coexists(m.Claim.Predicate) {
			continue
		}
		at, value := moment{slot{m.Owner, m.Claim.Slot()}, m.ObservedAt}, ctxmcp.Normalize(m.Claim.Value)
		if known, seen := values[at]; seen && known != value {
			disputed[at.slot] = true
		}
		values[at] = value
	}
	return disputed
}
