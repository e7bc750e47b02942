package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// HistoryAsk selects versions by their object, their fact, or the entity that their claims are about. Exactly one is set.
type HistoryAsk struct {
	ObjectID   string
	FactID     string
	Entity     string
	AsOf       time.Time // only versions that are true at the instant
	BelievedAt time.Time // only versions that the system held at the instant
	Scope      ctxmcp.Scope
}

// History returns every version of an object with those of the fact that it belongs to, and of the memories that these replaced or that replaced
// them, in the order in which they were held. It returns CodeInvalid unless the ask names one thing, and CodeNotFound if the caller can see none of it.
func (s *recaller) History(ctx context.Context, by ctxmcp.Caller, ask HistoryAsk) ([]ctxmcp.ContextObject, error) {
	named := 0
	for _, id := range []string{ask.ObjectID, ask.FactID, ask.Entity} {
		if id != "" {
			named++
		}
	}
	if named != 1 {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "name exactly one of object_id, fact_id and entity")
	}
	if err := s.notAhead("believed_at", ask.BelievedAt); err != nil {
		return nil, err
	}
	var err error
	if ask.ObjectID, err = s.fullID(ctx, by, ask.ObjectID); err != nil {
		return nil, err
	}
	q, err := s.historyQuery(ctx, by, ask)
	if err != nil {
		return nil, err
	}
	var all []ctxmcp.ContextObject
	if ask.Entity != "" && s.Entities != nil {
		all, err = s.historyOfEntity(ctx, by, q, ask)
	} else {
		all, err = s.Store.Find(ctx, q)
	}
	if err != nil {
		return nil, fmt.Errorf("find versions: %w", err)
	}
	if len(all) == 0 && ask.Entity != "" {
		if all, err = s.historyOfNear(ctx, by, q, ask); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "nothing is known under that id").
			WithHint("ids come from remember and recall; an entity goes by its name")
	}
	q.Subjects = nil // an entity goes by other names too
	for _, o := range all {
		if !q.Match(o) { // the store has been wrong: that is a fault, never a leak
			return nil, fmt.Errorf("store returned %s, which the query does not select", o.ObjectID)
		}
	}
	if ask.ObjectID != "" {
		if all, err = s.withReplaced(ctx, by, all); err != nil {
			return nil, err
		}
	}
	all = selected(all, ask)
	return all, s.Shown(ctx, by, all)
}

func (s *recaller) historyQuery(ctx context.Context, by ctxmcp.Caller, ask HistoryAsk) (Query, error) {
	q := ownedBy(by)
	q.EveryVersion, q.Archived = true, true
	switch {
	case ask.FactID != "":
		q.FactIDs = []string{ask.FactID}
	case ask.Entity != "":
		place := visibleFrom(by, ask.Scope)
		q.Under, q.Namespaces, q.Subjects = nil, place.Namespaces, []string{ctxmcp.Normalize(ask.Entity)}
	default:
		q.ObjectIDs, q.Limit = []string{ask.ObjectID}, 1
		first, err := s.Store.Find(ctx, q)
		if err != nil {
			return q, fmt.Errorf("find %s: %w", ask.ObjectID, err)
		}
		if len(first) > 0 {
			q.ObjectIDs, q.FactIDs, q.Limit = nil, []string{first[0].FactID}, 0
		}
	}
	return q, nil
}

// longestHistory is the number of versions from which a history looks for no more of those that replaced one another.
const longestHistory = 200

// withReplaced returns the versions with those of the memories that they replaced, and that replaced them, however many steps away, in the order of
// Compare.
func (s *recaller) withReplaced(ctx context.Context, by ctxmcp.Caller, all []ctxmcp.ContextObject) ([]ctxmcp.ContextObject, error) {
	known := map[ctxmcp.VersionKey]bool{}
	for _, o := range all {
		known[ctxmcp.KeyOf(o)] = true
	}
	for fresh := all; len(fresh) > 0 && len(all) < longestHistory; {
		var ids, links []string
		for _, o := range fresh {
			ids = append(ids, o.ObjectID)
			if link := o.LinkNow(); link != "" {
				links = append(links, link)
			}
		}
		fresh = nil
		for _, q := range []Query{{ObjectIDs: links}, {DisplacedBy: ids}} {
			if len(q.ObjectIDs)+len(q.DisplacedBy) == 0 {
				continue
			}
			own := ownedBy(by)
			own.EveryVersion, own.Archived, own.ObjectIDs, own.DisplacedBy = true, true, q.ObjectIDs, q.DisplacedBy
			found, err := s.Store.Find(ctx, own)
			if err != nil {
				return nil, fmt.Errorf("find what was replaced: %w", err)
			}
			for _, o := range found {
				if !known[ctxmcp.KeyOf(o)] {
					known[ctxmcp.KeyOf(o)] = true
					fresh = append(fresh, o)
				}
			}
		}
		all = append(all, fresh...)
	}
	slices.SortFunc(all, Compare)
	return all, nil
}

// selected keeps the versions that the instants of the ask select.
func selected(all []ctxmcp.ContextObject, ask HistoryAsk) []ctxmcp.ContextObject {
	kept := []ctxmcp.ContextObject{}
	for _, o := range all {
		if !ask.AsOf.IsZero() && !o.Valid().Contains(ctxmcp.Instant(ask.AsOf)) {
			continue
		}
		if !ask.BelievedAt.IsZero() && !o.Tx().Contains(ctxmcp.Instant(ask.BelievedAt)) {
			continue
		}
		kept = append(kept, o)
	}
	return kept
}

// historyOfEntity returns every version that an entity, by its id or one of its names, is the subject of or named in, in
// the order of Compare.
func (s *recaller) historyOfEntity(ctx context.Context, by ctxmcp.Caller, q Query, ask HistoryAsk) ([]ctxmcp.ContextObject, error) {
	found, err := s.names.findEntities(ctx, by, ask.Scope, ask.Entity)
	if err != nil {
		return nil, err
	}
	var nodes []entities.Entity
	for _, e := range found {
		nodes = append(nodes, e.Names...)
	}
	for _, e := range nodes {
		if name := ctxmcp.Normalize(e.Name); !slices.Contains(q.Subjects, name) {
			q.Subjects = append(q.Subjects, name)
		}
	}
	all, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find versions: %w", err)
	}
	refs, err := s.names.referring(ctx, by, nodes)
	if err != nil || len(refs) == 0 {
		return all, err
	}
	q.Subjects, q.ObjectIDs = nil, nil
	for _, r := range refs {
		if slices.ContainsFunc(nodes, func(e entities.Entity) bool { return e.ID == r.EntityID }) {
			q.ObjectIDs = append(q.ObjectIDs, r.ObjectID)
		}
	}
	naming, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find versions: %w", err)
	}
	all = append(all, naming...)
	slices.SortFunc(all, Compare)
	return slices.CompactFunc(all, func(a, b ctxmcp.ContextObject) bool { return ctxmcp.KeyOf(a) == ctxmcp.KeyOf(b) }), nil
}

// mostOffered bounds the entities that are offered for a name that none bears.
const mostOffered = 5

// historyOfNear is the history of the one entity whose name holds the text that was asked for, as "samantha" is of Samantha Ortiz. It returns CodeNotFound with the
// names where several do.
func (s *recaller) historyOfNear(ctx context.Context, by ctxmcp.Caller, q Query, ask HistoryAsk) ([]ctxmcp.ContextObject, error) {
	near, err := s.names.listEntities(ctx, by, ask.Entity, "", mostOffered)
	if err == nil && len(near) == 0 {
		return nil, s.misspeltEntity(ctx, by, ask.Entity)
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range near {
		if !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	if len(names) > 1 {
		hint, _, err := s.Redact(ctx, by.Tenant, strings.Join(names, ", "))
		if err != nil {
			return nil, err
		}
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "no entity bears just that name").WithHint("several come near: %s", hint)
	}
	ask.Entity, q.Subjects = names[0], []string{ctxmcp.Normalize(names[0])}
	return s.historyOfEntity(ctx, by, q, ask)
}

// mostSpelled is the number of entities, the last named first, among which a name that is misspelt is looked for.
const mostSpelled = 400

// misspeltEntity returns CodeNotFound with the names of which a name that none bears may be a misspelling; nil where there is none.
func (s *recaller) misspeltEntity(ctx context.Context, by ctxmcp.Caller, name string) error {
	all, err := s.names.listEntities(ctx, by, "", "", mostSpelled)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range all {
		misspelt := slices.ContainsFunc(append(strings.Fields(e.Name), e.Name), func(w string) bool { return entities.Misspelt(strings.ToLower(name), strings.ToLower(w)) })
		if misspelt && !slices.Contains(names, e.Name) && len(names) < mostOffered {
			names = append(names, e.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return ctxmcp.Errorf(ctxmcp.CodeNotFound, "no entity bears just that name").WithHint("these are spelled nearly so: %s", strings.Join(names, ", "))
}
