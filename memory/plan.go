package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/entities"
	"github.com/ctx-mcp/ctx-mcp/extract"
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
	at          time.Time
	names       entities.Resolution
}

// plan decides what becomes of a draft. It returns CodeNotFound for an object named that the caller cannot see, and
// CodeDenied for one that the caller may not replace.
func (s *Service) plan(ctx context.Context, by ctxmcp.Caller, d Draft, now time.Time) (*plan, error) {
	target, err := s.target(ctx, by, &d, now)
	if err != nil {
		return nil, err
	}
	p, read, err := s.observe(ctx, by, d, now)
	if err != nil {
		return nil, err
	}
	deeds, err := s.deeds(ctx, by, p, read)
	if err != nil {
		return nil, err
	}
	if target == nil && len(deeds) == 0 { // an act that is told again acts again
		same, done, err := s.repeats(ctx, by, p)
		if done || err != nil {
			return p, err
		}
		if len(same) > 0 {
			target, d.Supersedes = same, same[0].ObjectID
		}
	}
	rivals, err := s.rivals(ctx, by, p, target)
	if err != nil {
		return nil, err
	}
	if d.Supersedes == "" && p.agrees(rivals) {
		return p, nil
	}
	if s.coexists(p.object.Claim) {
		rivals = target
	}
	return p, s.decide(ctx, by, p, d, rivals, deeds)
}

// observe begins a plan with what the draft says, before anything that is held is looked at but for names and sources.
func (s *Service) observe(ctx context.Context, by ctxmcp.Caller, d Draft, now time.Time) (*plan, extract.Reading, error) {
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
	if err := s.resolve(ctx, by, p); err != nil {
		return nil, read, err
	}
	if o.Faded(now) {
		p.warnings = append(p.warnings, "its confidence is below decay.minimum_threshold from the start: it is not recalled")
	}
	if unconditional(o) {
		p.warnings = append(p.warnings, unconditionalWarning)
	}
	return p, read, nil
}

// decide reconciles the plan's object with its rivals, and carries out what it does to others.
func (s *Service) decide(ctx context.Context, by ctxmcp.Caller, p *plan, d Draft, rivals []ctxmcp.ContextObject, deeds []deed) error {
	line, err := s.line(ctx, by, rivals)
	if err != nil {
		return err
	}
	if err := p.contest(rivals, d, line); err != nil {
		return err
	}
	p.carryOut(deeds)
	if len(deeds) > 0 {
		rivals = append(rivals, objects(deeds)...)
		if line, err = s.line(ctx, by, rivals); err != nil {
			return err
		}
	}
	s.number(p, rivals, line)
	return s.askAbout(ctx, p)
}

// target returns the open versions of the object that the draft supersedes, and moves the draft to where that object
// lives unless it says where it belongs.
func (s *Service) target(ctx context.Context, by ctxmcp.Caller, d *Draft, now time.Time) ([]ctxmcp.ContextObject, error) {
	if d.Supersedes == "" {
		return nil, nil
	}
	versions, err := s.versions(ctx, by, d.Supersedes)
	if err != nil {
		return nil, err
	}
	open := openOf(versions)
	if len(open) == 0 {
		return nil, ended(d.Supersedes, versions)
	}
	if err := operatorsOnly(by, open[0]); err != nil {
		return nil, err
	}
	home := open[0].Home()
	if d.Level == "" {
		d.Level = open[0].Layer
		if d.Level.Bound(d.Scope) != home {
			d.Scope = home
		}
	}
	if d.level().Bound(d.Scope) != home {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "object %s lives in %s, not in %s", d.Supersedes,
			home.Namespace(), d.level().Bound(d.Scope).Namespace()).
			WithHint("leave level out to replace it where it lives")
	}
	return open, current(versions, ctxmcp.Interval{From: d.validFrom(now), To: ctxmcp.Instant(d.ValidUntil)})
}

// current returns CodeConflict if the object has been replaced for all of the time that is to be claimed anew: what is
// left of it is its past, and to replace that would leave two truths for the present.
func current(versions []ctxmcp.ContextObject, claimed ctxmcp.Interval) error {
	link := ""
	for _, o := range versions {
		if o.TxEnd.IsZero() && o.Valid().Overlaps(claimed) {
			return nil
		}
		link = orElse(o.LinkNow(), link)
	}
	if link == "" {
		return nil
	}
	return ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s has been replaced", versions[0].ObjectID).
		WithHint("object %s took its place: supersede that one", link)
}

// versions returns every version of an object of the caller's, wherever it lives. It returns CodeNotFound if the caller
// can see none.
func (s *Service) versions(ctx context.Context, by ctxmcp.Caller, id string) ([]ctxmcp.ContextObject, error) {
	q := own(by)
	q.ObjectIDs, q.EveryVersion, q.Archived = []string{id}, true, true
	all, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", id, err)
	}
	if len(all) == 0 {
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no such object").
			WithHint("ids come from remember, recall and memory_history")
	}
	return all, nil
}

// openOf returns the versions that the system still holds.
func openOf(versions []ctxmcp.ContextObject) []ctxmcp.ContextObject {
	return slices.DeleteFunc(slices.Clone(versions), func(v ctxmcp.ContextObject) bool { return !v.TxEnd.IsZero() })
}

// ended says that an object has no open version to work on, and what to use instead.
func ended(id string, versions []ctxmcp.ContextObject) error {
	last := versions[len(versions)-1]
	reason := "no reason is kept"
	if last.Closing != nil {
		reason = last.Closing.Reason
	}
	e := ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s has ended at %s (%s)", id, last.TxEnd.Format(time.RFC3339Nano), reason)
	if link := last.LinkNow(); link != "" {
		return e.WithHint("object %s took its place", link)
	}
	return e.WithHint("memory_history shows its versions")
}

// inherit bounds a derived object by the weakest of what it was derived from, so that a summary launders nothing.
func (s *Service) inherit(ctx context.Context, by ctxmcp.Caller, o *ctxmcp.ContextObject) error {
	if len(o.DerivedFrom) == 0 {
		return nil
	}
	q := own(by)
	q.ObjectIDs, q.EveryVersion, q.Archived = o.DerivedFrom, true, true
	sources, err := s.Store.Find(ctx, q)
	if err != nil {
		return fmt.Errorf("find sources: %w", err)
	}
	seen := map[string]bool{}
	for _, src := range sources {
		seen[src.ObjectID] = true
		if home := src.Home(); home.Project != "" && home.Project != o.Home().Project {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "derived_from: object %s belongs to project %s: what is derived from it stays there",
				src.ObjectID, home.Project).WithHint("set level to project and scope.project to %s", home.Project)
		}
		o.Authority, o.Domains = max(o.Authority, src.Authority), union(o.Domains, src.Domains)
		o.SourceAuthority = min(o.SourceAuthority, src.SourceAuthority)
		o.ConfidenceScore = min(o.ConfidenceScore, src.ConfidenceScore)
		if src.Classification.Rank() > o.Classification.Rank() {
			o.Classification = src.Classification
		}
		if !narrow(&o.PermissionScope, src.PermissionScope) {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "derived_from: no role may see what is derived from all of these").
				WithHint("derive from objects whose allow_roles have a role in common, and allow that role")
		}
	}
	for _, id := range o.DerivedFrom {
		if !seen[id] {
			return ctxmcp.Errorf(ctxmcp.CodeNotFound, "derived_from: there is no object %q", id)
		}
	}
	return nil
}

// narrow bounds p by what a source permits: it denies the roles that either denies, and allows those that both allow. It
// reports whether some role is left.
func narrow(p *ctxmcp.PermissionScope, source ctxmcp.PermissionScope) bool {
	p.DenyRoles = slices.Compact(slices.Sorted(slices.Values(slices.Concat(p.DenyRoles, source.DenyRoles))))
	switch {
	case len(source.AllowRoles) == 0:
		return true
	case len(p.AllowRoles) == 0:
		p.AllowRoles = source.AllowRoles
		return true
	}
	p.AllowRoles = slices.DeleteFunc(slices.Clone(p.AllowRoles), func(role string) bool {
		return !slices.Contains(source.AllowRoles, role)
	})
	return len(p.AllowRoles) > 0
}

// home returns the query for what lives exactly where o does, as the caller sees it.
func home(by ctxmcp.Caller, o ctxmcp.ContextObject) Query {
	q := rights(by)
	q.Namespaces = []string{o.Home().Namespace()}
	return q
}

// repeats reports whether the plan's object says what an open object already says in the same words; the plan is then to
// confirm that one. The same words said at another known time are another observation. Where the new object says more of
// its tenure, it returns the versions that it is to replace.
func (s *Service) repeats(ctx context.Context, by ctxmcp.Caller, p *plan) ([]ctxmcp.ContextObject, bool, error) {
	q := home(by, p.object)
	q.ContentKey = ContentKey(p.object.Content)
	q.Statuses = []ctxmcp.ContradictionStatus{ctxmcp.Clean}
	same, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, false, fmt.Errorf("find repetitions: %w", err)
	}
	p.change.Expect = append(p.change.Expect, Expectation{q, keys(same)})
	for _, old := range same {
		switch {
		case !repeated(p.object, old) || !slices.Equal(p.object.Domains, old.Domains):
		case !bindsMore(p.object, old):
			p.confirm(old, "said before in the same words")
			return nil, true, nil
		case p.mayReplace(old) == nil && p.object.Claim.IsZero():
			return slices.DeleteFunc(same, func(o ctxmcp.ContextObject) bool { return o.ObjectID != old.ObjectID }), false, nil
		}
	}
	return nil, false, nil
}

// bindsMore reports whether o says something of its tenure that old does not: a stricter class or other roles, a reason,
// a lifespan. What only repeats words must not drop it.
func bindsMore(o, old ctxmcp.ContextObject) bool {
	given := func(text, held string) bool { return text != "" && text != held }
	return o.Classification.Rank() > old.Classification.Rank() || !samePermissions(o.PermissionScope, old.PermissionScope) ||
		given(o.WhyItMatters, old.WhyItMatters) || given(o.BehavioralImplication, old.BehavioralImplication) ||
		given(o.UpdatePath, old.UpdatePath) || o.RetirementRule != ctxmcp.Archive && o.RetirementRule != old.RetirementRule ||
		len(o.ApplicableTaskTypes) > 0 && !slices.Equal(o.ApplicableTaskTypes, old.ApplicableTaskTypes) ||
		o.DecayRule != nil && (old.DecayRule == nil || *o.DecayRule != *old.DecayRule) ||
		len(o.DerivedFrom) > 0 && !slices.Equal(o.DerivedFrom, old.DerivedFrom)
}

func samePermissions(a, b ctxmcp.PermissionScope) bool {
	return slices.Equal(a.AllowRoles, b.AllowRoles) && slices.Equal(a.DenyRoles, b.DenyRoles)
}

// repeated reports whether o, in the same words as old, adds nothing to it.
func repeated(o, old ctxmcp.ContextObject) bool {
	return o.Author == old.Author && o.ObservedAt.Equal(old.ObservedAt) && !o.Authority.Outranks(old.Authority) &&
		(o.Claim.IsZero() || alike(o.Claim, old.Claim)) && o.ObjectType == old.ObjectType &&
		old.Valid().Contains(o.ValidFrom) && o.ValidUntil.Equal(old.ValidUntil)
}

// alike reports whether two claims say the same.
func alike(a, b ctxmcp.Claim) bool {
	return a.Slot() == b.Slot() && ctxmcp.Normalize(a.Value) == ctxmcp.Normalize(b.Value)
}

// confirm makes the plan one to confirm old. What stands lower than old confirms it in words only: it does not keep it
// from fading.
func (p *plan) confirm(old ctxmcp.ContextObject, reason string) {
	at, refreshes := p.object.TxStart, !old.Authority.Outranks(p.object.Authority)
	p.object, p.status, p.reason = old, Confirmed, reason
	if refreshes {
		p.change.Confirm = append(p.change.Confirm, Confirmation{old.TenantID, old.ObjectID, at})
	}
}

// rivals returns the open versions that the new object has to be reconciled with: those it supersedes, and those in its
// claim's slot.
func (s *Service) rivals(ctx context.Context, by ctxmcp.Caller, p *plan, target []ctxmcp.ContextObject) ([]ctxmcp.ContextObject, error) {
	if p.object.Claim.IsZero() {
		return target, nil
	}
	q := home(by, p.object)
	q.Slots = p.slots()
	q.Statuses = []ctxmcp.ContradictionStatus{ctxmcp.Clean, ctxmcp.Quarantined, ctxmcp.Disputed}
	slot, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find rivals: %w", err)
	}
	p.change.Expect = append(p.change.Expect, Expectation{q, keys(slot)})
	rivals := slices.Clone(target)
	for _, o := range p.sure(slot) {
		if len(target) == 0 || o.ObjectID != target[0].ObjectID {
			rivals = append(rivals, o)
		}
	}
	return rivals, nil
}

func keys(objects []ctxmcp.ContextObject) []VersionKey {
	ks := make([]VersionKey, len(objects))
	for i, o := range objects {
		ks[i] = KeyOf(o)
	}
	return ks
}

// agrees reports whether rivals claim the same value for all of the new object's valid time, in words that say all that
// the new ones do; the plan is then to confirm the first of them, unless the new object stands above it.
func (p *plan) agrees(rivals []ctxmcp.ContextObject) bool {
	left := []ctxmcp.Interval{p.object.Valid()}
	var first *ctxmcp.ContextObject
	for _, r := range rivals {
		shares := slices.ContainsFunc(left, r.Valid().Overlaps) && slices.Equal(r.Domains, p.object.Domains) && !bindsMore(p.object, r)
		if !shares || !p.alike(r) || p.object.Authority.Outranks(r.Authority) || !saysAll(r, p.object) {
			continue
		}
		left = subtract(left, r.Valid())
		if first == nil {
			first = &r
		}
		if len(left) == 0 {
			p.confirm(*first, "the same claim is held already"+inConflict(*first))
			return true
		}
	}
	return false
}

func inConflict(o ctxmcp.ContextObject) string {
	switch o.ContradictionStatus {
	case ctxmcp.Quarantined:
		return ", in an open conflict: it is not recalled until that is reviewed"
	case ctxmcp.Disputed:
		return ", and disputed by a better source: it is not recalled"
	default:
		return ""
	}
}

// line returns every version of the facts that the objects belong to.
func (s *Service) line(ctx context.Context, by ctxmcp.Caller, objects []ctxmcp.ContextObject) ([]ctxmcp.ContextObject, error) {
	if len(objects) == 0 {
		return nil, nil
	}
	q := own(by)
	q.EveryVersion, q.Archived = true, true
	for _, o := range objects {
		q.FactIDs = append(q.FactIDs, o.FactID)
	}
	line, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find versions: %w", err)
	}
	return line, nil
}

// number gives the new object its fact, that of its first rival or its own, and every inserted version its number, in the
// order of insertion, after the last version of the fact that it belongs to.
func (s *Service) number(p *plan, rivals, line []ctxmcp.ContextObject) {
	id := s.NewID()
	fact := id
	if len(rivals) > 0 {
		fact = rivals[0].FactID
	}
	numbers := map[string]int{} // by fact
	for _, o := range line {
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
