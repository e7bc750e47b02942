package inmem

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// Apply implements memory.Store.
func (s *Store) Apply(_ context.Context, c memory.Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := c.Check(); err != nil {
		return err
	}
	if err := s.check(c); err != nil {
		return err
	}
	for _, cl := range c.Close {
		o := s.row(rowKey{cl.Tenant, cl.Key})
		closing := cl.Closing
		o.TxEnd, o.Closing = cl.TxEnd, &closing
	}
	for _, o := range c.Insert {
		s.insert(o)
	}
	s.touch(c)
	s.review(c)
	for _, e := range c.Erase {
		s.erase(e)
		s.erasePackets(e)
	}
	if len(c.Erase) > 0 {
		memory.ForgetTexts()
	}
	s.keepVectors(c.Vectors)
	s.learn(c.Entities)
	if c.Replay != nil {
		if s.replays == nil {
			s.replays = map[memory.Key]memory.Replay{}
		}
		s.replays[c.Replay.Key] = *c.Replay
	}
	s.audit = append(s.audit, c.Audit...)
	return nil
}

func (s *Store) insert(o ctxmcp.ContextObject) {
	s.rows = append(s.rows, o.Clone())
	if s.due == nil {
		s.due = map[rowKey]time.Time{}
	}
	s.due[keyOf(o)] = memory.DueAt(o)
	key := ranking.SessionKey(&o)
	if key == "" {
		return
	}
	if s.places == nil {
		s.places, s.last = map[rowKey]int{}, map[string]int{}
	}
	s.last[o.TenantID+"/"+key]++
	s.places[keyOf(o)] = s.last[o.TenantID+"/"+key]
}

// check returns a CodeConflict Error unless everything that c counts on holds, and CodeTooLarge over a quota.
func (s *Store) check(c memory.Change) error {
	for _, e := range c.Expect {
		var open []ctxmcp.VersionKey
		for _, o := range s.find(e.Query) {
			open = append(open, ctxmcp.KeyOf(o))
		}
		if !slices.Equal(open, e.Open) {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "memory changed in between").WithHint("call again")
		}
	}
	for _, cl := range c.Close {
		if o := s.row(rowKey{cl.Tenant, cl.Key}); o == nil || !o.TxEnd.IsZero() {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s has ended in between", cl.Key.ObjectID)
		}
	}
	for _, o := range c.Insert {
		if s.row(keyOf(o)) != nil {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s has such a version already", o.ObjectID)
		}
	}
	for _, e := range c.Erase {
		if !slices.ContainsFunc(s.rows, func(o ctxmcp.ContextObject) bool { return belongs(o, e) }) {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s is gone", e.ObjectID)
		}
	}
	for _, u := range c.Unconfirmed {
		if slices.ContainsFunc(s.rows, func(o ctxmcp.ContextObject) bool {
			return o.TenantID == u.Tenant && o.ObjectID == u.ObjectID && o.LastConfirmed.After(u.At)
		}) {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s was confirmed in between", u.ObjectID)
		}
	}
	if err := s.checkReviews(c); err != nil {
		return err
	}
	if err := s.checkEntities(c.Entities); err != nil {
		return err
	}
	if c.Replay != nil {
		if _, taken := s.replays[c.Replay.Key]; taken {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "the idempotency key was used in between")
		}
	}
	return s.room(c.Claims())
}

func (s *Store) row(k rowKey) *ctxmcp.ContextObject {
	for i := range s.rows {
		if keyOf(s.rows[i]) == k {
			return &s.rows[i]
		}
	}
	return nil
}

func (s *Store) confirm(f memory.Confirmation) {
	for i, o := range s.rows {
		if o.TenantID == f.Tenant && o.ObjectID == f.ObjectID {
			s.rows[i].LastConfirmed = later(o.LastConfirmed, f.At)
		}
	}
}

func (s *Store) erase(e memory.Erasure) {
	s.rows = slices.DeleteFunc(s.rows, func(o ctxmcp.ContextObject) bool { return belongs(o, e) })
	maps.DeleteFunc(s.places, func(k rowKey, _ int) bool { return k.tenant == e.Tenant && k.key.ObjectID == e.ObjectID })
	maps.DeleteFunc(s.due, func(k rowKey, _ time.Time) bool { return k.tenant == e.Tenant && k.key.ObjectID == e.ObjectID })
	maps.DeleteFunc(s.experiences, func(k experienceKey, _ memory.Experience) bool { return k.tenant == e.Tenant && k.object == e.ObjectID })
	s.forgetNames(e)
	for i, event := range s.audit {
		if event.Tenant == e.Tenant && event.ObjectID == e.ObjectID && strings.HasPrefix(event.Action, "forget.") {
			s.audit[i].Detail = ""
		}
		if event.Tenant == e.Tenant && slices.Contains(strings.Split(event.ObjectID, " "), e.ObjectID) && strings.HasPrefix(event.Action, "review.") {
			s.audit[i].Detail, _, _ = strings.Cut(event.Detail, ": ") // the decision stays, and the reason goes
		}
	}
	for k := range s.vectors {
		if k.tenant == e.Tenant && k.key.ObjectID == e.ObjectID {
			delete(s.vectors, k)
		}
	}
	for k, r := range s.replays {
		if k.Tenant == e.Tenant && r.ObjectID == e.ObjectID {
			delete(s.replays, k)
		}
	}
}

func belongs(o ctxmcp.ContextObject, e memory.Erasure) bool {
	return o.TenantID == e.Tenant && o.ObjectID == e.ObjectID
}

func (s *Store) keepVectors(vectors []memory.Vector) {
	for _, v := range vectors {
		k := rowKey{v.Tenant, v.Key}
		if s.row(k) == nil {
			continue // forgotten since
		}
		if s.vectors == nil {
			s.vectors = map[rowKey]map[string][]float32{}
		}
		if s.vectors[k] == nil {
			s.vectors[k] = map[string][]float32{}
		}
		s.vectors[k][v.Model] = slices.Clone(v.Values)
	}
}
