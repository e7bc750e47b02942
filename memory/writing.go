package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/memory/extract"
)

// plan decides on a draft. It returns CodeNotFound for an object named that the caller cannot see, and
// CodeDenied for one that the caller may not replace.
func (s *writer) plan(ctx context.Context, by ctxmcp.Caller, d Draft, now time.Time) (*plan, error) {
	target, d, err := s.target(ctx, by, d, now)
	if err != nil {
		return nil, err
	}
	p, read, err := s.observe(ctx, by, d, now)
	if err != nil {
		return nil, err
	}
	effects, err := s.effects(ctx, by, p, read)
	if err != nil {
		return nil, err
	}
	effects = slices.DeleteFunc(effects, func(e effect) bool { return p.ofNamesake(e.object) })
	if target == nil && len(effects) == 0 { // an act that is told again acts again
		same, done, err := s.repeats(ctx, by, p)
		if done || err != nil {
			return p, err
		}
		if len(same) > 0 {
			target, d.Supersedes = same, same[0].ObjectID
		}
	}
	conflicting, err := s.conflicting(ctx, by, p, target)
	if err != nil {
		return nil, err
	}
	if d.Supersedes == "" && p.agrees(conflicting) {
		return p, nil
	}
	if s.coexists(p.object.Claim) {
		conflicting = target
	}
	return p, s.settle(ctx, by, p, d, conflicting, effects)
}

// settle lines the plan's object up with what is held, decides on it, and notes what is similar.
func (s *writer) settle(ctx context.Context, by ctxmcp.Caller, p *plan, d Draft, conflicting []ctxmcp.ContextObject, effects []effect) error {
	about, err := s.lineUp(ctx, by, p)
	if err != nil {
		return err
	}
	plain := d.Supersedes == "" && len(effects) == 0
	if plain && p.saidInOtherWords(about) {
		return nil
	}
	var l lines
	if plain {
		l = p.divide(about, conflicting)
	}
	effects, l = p.spare(effects, l)
	effects, l = p.setIn(d, conflicting, effects, l)
	if err := s.decide(ctx, by, p, d, conflicting, slices.Concat(effects, l.sure), l); err != nil {
		return err
	}
	if p.comes && p.status == Stored {
		p.reason = "it holds from " + p.object.ValidFrom.UTC().Format(time.DateOnly) + " on; until then holds what it changes"
	}
	p.similar = p.similarAmong(about)
	return nil
}

// observe begins a plan with the object of the draft. Of what is stored it reads names and sources only.
func (s *writer) observe(ctx context.Context, by ctxmcp.Caller, d Draft, now time.Time) (*plan, extract.Reading, error) {
	o, err := d.object(by, now)
	if err != nil {
		return nil, extract.Reading{}, err
	}
	if err := s.inherit(ctx, by, &o); err != nil {
		return nil, extract.Reading{}, err
	}
	p := &plan{object: o, status: Stored, reason: "new", at: now}
	read := reading(o, d)
	s.propose(&p.object, read) // before names are resolved, so that its subject is
	if p.names, err = s.names.resolve(ctx, by, p.object); err != nil {
		return nil, read, err
	}
	if s.Entities != nil {
		p.object.CanonicalEntityIDs = p.names.IDs()
	}
	if o.Faded(now) {
		p.warnings = append(p.warnings, "its confidence is below decay.minimum_threshold from the start: it is not recalled")
	}
	if unconditional(o) {
		p.warnings = append(p.warnings, unconditionalWarning)
	}
	return p, read, nil
}

// decide reconciles the plan's object with the claims that conflict with it, and carries out its effects on others.
func (s *writer) decide(ctx context.Context, by ctxmcp.Caller, p *plan, d Draft, conflicting []ctxmcp.ContextObject, effects []effect, l lines) error {
	lineage, err := s.lineage(ctx, by, conflicting)
	if err != nil {
		return err
	}
	if err := p.reconcile(conflicting, d, lineage); err != nil {
		return err
	}
	p.carryOut(effects)
	if len(effects) > 0 {
		conflicting = append(conflicting, objects(effects)...)
		if lineage, err = s.lineage(ctx, by, conflicting); err != nil {
			return err
		}
	}
	s.number(p, conflicting, lineage)
	p.mark(l.likely)
	if p.review, err = s.docket.askAbout(ctx, &p.change, ConflictReview, p.object, p.contradicts); err != nil || p.status == Quarantine {
		return err
	}
	p.waits, err = s.docket.askAbout(ctx, &p.change, ChangeReview, p.object, l.unsure)
	return err
}

// conflicting returns the open versions that the new object has to be reconciled with: those it supersedes, and those in its
// claim's slot.
func (s *writer) conflicting(ctx context.Context, by ctxmcp.Caller, p *plan, target []ctxmcp.ContextObject) ([]ctxmcp.ContextObject, error) {
	if p.object.Claim.IsZero() {
		return target, nil
	}
	q := sameHome(by, p.object)
	q.Slots = p.slots()
	q.Statuses = []ctxmcp.ContradictionStatus{ctxmcp.Clean, ctxmcp.Quarantined, ctxmcp.Disputed}
	slot, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find conflicting claims: %w", err)
	}
	p.change.Expect = append(p.change.Expect, Expectation{q, keys(slot)})
	slot = slices.DeleteFunc(slot, p.ofNamesake)
	if !p.object.ClaimExtracted {
		if p.held, err = s.slotsHeld(ctx, by, p); err != nil {
			return nil, err
		}
		slot = p.tellApart(append(slot, p.inOtherWords(p.held, slot)...))
	}
	conflicting := slices.Clone(target)
	for _, o := range p.reconcilable(slot) {
		if len(target) == 0 || o.ObjectID != target[0].ObjectID {
			conflicting = append(conflicting, o)
		}
	}
	return conflicting, nil
}

// number gives the new object its fact, that of its first rival or its own, and every inserted version its number, in the
// order of insertion, after the last version of the fact that it belongs to.
func (s *writer) number(p *plan, conflicting, lineage []ctxmcp.ContextObject) {
	id := s.NewID()
	fact := id
	if len(conflicting) > 0 {
		fact = conflicting[0].FactID
	}
	numbers := map[string]int{} // by fact
	for _, o := range lineage {
		numbers[o.FactID] = max(numbers[o.FactID], o.Version)
	}
	for i := range p.change.Insert {
		o := &p.change.Insert[i]
		if o.ObjectID == "" {
			o.ObjectID, o.FactID = id, fact
		} else {
			o.SupersessionLink = id
		}
		numbers[o.FactID]++
		o.Version = numbers[o.FactID]
	}
	for i := range p.change.Close {
		p.change.Close[i].Closing.Link = id
	}
	p.object = p.change.Insert[slices.IndexFunc(p.change.Insert, func(o ctxmcp.ContextObject) bool { return o.ObjectID == id })]
}

// learn adds the change of the registry to the change, as learned from the object that the plan stores or confirms, and asks
// a person about the entities that wait.
func (s *writer) learn(ctx context.Context, p *plan) error {
	if p.names.Change.IsZero() {
		return nil
	}
	p.change.Entities = p.names.Change.From(p.object.ObjectID)
	for _, e := range p.change.Entities.Insert {
		switch {
		case e.State == entities.Pending && e.Version == 1:
			p.change.Ask = append(p.change.Ask, s.docket.askWho(e))
		case e.State == entities.Merged && e.Version > 1:
			settled, err := s.docket.answered(ctx, e)
			if err != nil {
				return err
			}
			p.change.Settle = append(p.change.Settle, settled...)
		}
	}
	return nil
}
