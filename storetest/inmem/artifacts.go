package inmem

import (
	"context"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

var (
	_ artifacts.Index  = (*Store)(nil)
	_ artifacts.Keeper = (*Store)(nil)
)

// FindArtifacts implements artifacts.Index.
func (s *Store) FindArtifacts(_ context.Context, q artifacts.Query) ([]ctxmcp.Artifact, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return selected(s.artifacts, q.Match, copyArtifact, q.Sort), nil
}

func copyArtifact(a ctxmcp.Artifact) ctxmcp.Artifact {
	a.SchemaKeys = slices.Clone(a.SchemaKeys)
	return a
}

// ApplyArtifacts implements artifacts.Index.
func (s *Store) ApplyArtifacts(_ context.Context, c artifacts.Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkArtifacts(c); err != nil {
		return err
	}
	if s.answers == nil {
		s.answers = map[answerKey]string{}
	}
	for _, a := range c.Insert {
		s.artifacts = append(s.artifacts, copyArtifact(a))
	}
	for _, k := range c.Remove {
		s.artifacts = slices.DeleteFunc(s.artifacts, func(a ctxmcp.Artifact) bool { return a.TenantID == k.Tenant && a.ID == k.ID })
		s.pins = slices.DeleteFunc(s.pins, func(p artifacts.Pin) bool { return p.Tenant == k.Tenant && p.Artifact == k.ID })
	}
	s.pin(c.Pins)
	for _, a := range c.Answers {
		s.answers[answerKey{a.Tenant, a.Namespace, a.CallID}] = a.Digest
	}
	s.audit = append(s.audit, c.Audit...)
	return nil
}

// answerKey names a tool call.
type answerKey struct{ tenant, namespace, call string }

func (s *Store) checkArtifacts(c artifacts.Change) error {
	for i, a := range c.Insert {
		same := func(b ctxmcp.Artifact) bool { return a.TenantID == b.TenantID && a.ID == b.ID }
		if slices.ContainsFunc(s.artifacts, same) || slices.ContainsFunc(c.Insert[:i], same) {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "there is an artifact %s already", a.ID)
		}
	}
	for _, a := range c.Answers {
		if held, ok := s.answers[answerKey{a.Tenant, a.Namespace, a.CallID}]; ok && held != a.Digest {
			return artifacts.Answered(a.CallID)
		}
	}
	return s.room(c.Claims())
}

// CrowdedHomes implements artifacts.Keeper.
func (s *Store) CrowdedHomes(_ context.Context, most int) ([]artifacts.Home, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	count := map[artifacts.Home]int{}
	var crowded []artifacts.Home
	for _, a := range s.artifacts {
		h := artifacts.Home{Tenant: a.TenantID, Namespace: a.Home.Namespace()}
		if count[h]++; count[h] == most+1 {
			crowded = append(crowded, h)
		}
	}
	slices.SortFunc(crowded, artifacts.CompareHomes)
	return crowded, nil
}

// HeldIn implements artifacts.Keeper.
func (s *Store) HeldIn(_ context.Context, h artifacts.Home, before time.Time) (ids []string, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var held []ctxmcp.Artifact
	for _, a := range s.artifacts {
		if a.TenantID == h.Tenant && a.Home.Namespace() == h.Namespace && (before.IsZero() || a.Created.Before(before)) {
			held = append(held, a)
		}
	}
	slices.SortFunc(held, artifacts.Compare)
	for _, a := range held {
		ids = append(ids, a.ID)
	}
	return ids, nil
}

// Pinned implements artifacts.Keeper.
func (s *Store) Pinned(_ context.Context, tenant string, ids []string, at time.Time) (map[string]bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	pinned := map[string]bool{}
	for _, p := range s.pins {
		if p.Tenant == tenant && slices.Contains(ids, p.Artifact) && (p.Until.IsZero() || at.Before(p.Until)) {
			pinned[p.Artifact] = true
		}
	}
	return pinned, nil
}

// HoldsDigest implements artifacts.Keeper.
func (s *Store) HoldsDigest(_ context.Context, digest string) (bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.ContainsFunc(s.artifacts, func(a ctxmcp.Artifact) bool { return digest != "" && (a.Digest == digest || a.RawDigest == digest) }) ||
		s.holdsPacket("sha256:"+digest), nil
}
