package memory

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// plan is a write on its way from a draft to a Change. It reads, and touches nothing.
type plan struct {
	change    Change
	object    ctxmcp.ContextObject // the new object; its first piece, where its valid time is in pieces
	status    Status
	reason    string
	displaced []Displaced
	warnings  []string
	// contradicts lists the objects with which the new one is in a true contradiction: one for a person to decide.
	contradicts []string
	review      string // id of the review that asks
	waits       string // id of the review of what nothing tells, which nobody is asked about in place
	similar     []Similar
	held        []ctxmcp.ContextObject // claims of its subject
	at          time.Time
	comes       bool // the new object begins on a day yet to come, until which holds what it displaces
	names       entities.Resolution
	said        *change.Reading // of the new object's words, once they were read
}

// reading returns the reading of the new object's words, as they stand when it is first asked for: once names and claim are known.
func (p *plan) reading() *change.Reading {
	if p.said == nil {
		p.said = change.Read(change.Of(p.object))
	}
	return p.said
}

// remembered returns the answer that carrying out the plan earns.
func (p *plan) remembered(found []redact.Finding) Remembered {
	return Remembered{
		Status: p.status, ObjectID: p.object.ObjectID, FactID: p.object.FactID, Version: p.object.Version,
		Namespace: p.object.Home().Namespace(), Reason: p.reason, Redactions: found, Entities: p.named(),
		Displaced: p.displaced, Similar: p.similar, Claims: p.shown(p.held), RecordedAt: p.object.TxStart, Warnings: p.warnings, Review: p.review, Waits: p.waits,
	}
}

// complete adds two things to the change that go with every write: the line in the audit trail and the result for repetitions.
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

// after moves the plan's transaction time past t, so that no version ends before it began, even if the clock stood still
// or was set back.
func (p *plan) after(t time.Time) {
	if p.object.TxStart.After(t) {
		return
	}
	p.object.TxStart = t.Add(time.Microsecond)
	for i := range p.change.Close {
		p.change.Close[i].TxEnd = p.object.TxStart
	}
}

// confirm makes the plan one to confirm old. An object that stands lower than old confirms it in words only: it does not keep
// it from fading.
func (p *plan) confirm(old ctxmcp.ContextObject, reason string) {
	at, refreshes := p.object.TxStart, !old.Authority.Outranks(p.object.Authority)
	p.object, p.status, p.reason = old, Confirmed, reason
	if refreshes {
		p.change.Confirm = append(p.change.Confirm, Confirmation{old.TenantID, old.ObjectID, at})
	}
}

// mayReplace returns CodeDenied if the new object may not take the place of r, though the caller says so.
func (p *plan) mayReplace(r ctxmcp.ContextObject) error {
	n := p.object
	switch {
	case r.Authority.Outranks(n.Authority):
		return outranked(r)
	case r.Authority == n.Authority && otherDomains(r, n):
		return ctxmcp.Errorf(ctxmcp.CodeDenied, "object %s was learned from another web domain", r.ObjectID).
			WithHint("what one site says does not replace what another said: leave supersedes out")
	default:
		return nil
	}
}

// outranked is the answer to a request to replace what stands on higher authority.
func outranked(r ctxmcp.ContextObject) error {
	return ctxmcp.Errorf(ctxmcp.CodeDenied, "object %s stands on higher authority than this source", r.ObjectID).
		WithHint("it stays as it is: tell the user, who can replace or end it")
}

// slots returns the slots of the plan's claim: one for each name of its subject.
func (p *plan) slots() []string {
	claim := p.object.Claim
	slots := []string{claim.Slot()}
	for _, name := range p.otherNames(entities.AsSubject) {
		claim.Subject = name
		if slot := claim.Slot(); !slices.Contains(slots, slot) {
			slots = append(slots, slot)
		}
	}
	return slots
}

// alike reports whether o claims the same as the plan's object, under whatever names.
func (p *plan) alike(o ctxmcp.ContextObject) bool {
	renamed := slices.ContainsFunc(p.held, func(h ctxmcp.ContextObject) bool { return h.ObjectID == o.ObjectID }) &&
		canonicalPredicate(o.Claim.Predicate) == canonicalPredicate(p.object.Claim.Predicate)
	if !renamed && !slices.Contains(p.slots(), o.Claim.Slot()) {
		return false
	}
	held := ctxmcp.Normalize(o.Claim.Value)
	return held == ctxmcp.Normalize(p.object.Claim.Value) ||
		slices.ContainsFunc(p.otherNames(entities.AsValue), func(name string) bool { return ctxmcp.Normalize(name) == held })
}

// otherNames returns the names of the entity that the plan's object names for a purpose. Retrieved names count only for an
// object that was retrieved itself.
func (p *plan) otherNames(purpose entities.Purpose) []string {
	for _, d := range p.names.Decisions {
		if slices.Contains(d.Mention.Purposes, purpose) {
			return namesOf(p.names.Known, d.Node, p.object.Authority)
		}
	}
	return nil
}

// named returns the decisions on the names of the plan's object.
func (p *plan) named() []Named {
	var all []Named
	for _, d := range p.names.Decisions {
		all = append(all, Named{d.Mention.Text, d.Node, d.EntityID, d.Verdict, d.Score})
	}
	return all
}
