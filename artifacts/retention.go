package artifacts

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Shelf is what a sweep of the blobs needs beyond Blobs.
type Shelf interface {
	// Each calls do with every blob, with when it was stored last and its size on disk in bytes.
	Each(ctx context.Context, do func(digest string, stored time.Time, size int64) error) error
	// Remove deletes a blob unless it was stored at or after the instant, and reports whether it did.
	Remove(digest string, before time.Time) (bool, error)
	// Tidy deletes what writers that crashed before the instant have left.
	Tidy(before time.Time) error
}

// Expired is an artifact that has had its time.
type Expired struct {
	Artifact ctxmcp.Artifact
	Why      string
}

// Swept is what a sweep did, or would do.
type Swept struct {
	Retired []Expired
	Orphans int   // blobs that no artifact has
	Bytes   int64 // on disk, of the orphans
}

// grace is how long a blob may wait for its row.
const grace = time.Hour

// sweepEvery is after how many new artifacts the homes are looked at.
const sweepEvery = 50

// Due returns what has had its time: in a home that holds too many, the oldest beyond those to keep, and everywhere what is
// older than the greatest age. What a live task refers to stays.
func (s *Service) Due(ctx context.Context) ([]Expired, error) {
	o, now := s.options(), s.now()
	var due []Expired
	seen := map[Key]bool{}
	add := func(found []ctxmcp.Artifact, most int, why string) error {
		free, err := s.unpinned(ctx, found, now)
		for _, a := range free[:min(max(most, 0), len(free))] {
			if k := (Key{a.TenantID, a.ID}); !seen[k] {
				seen[k] = true
				due = append(due, Expired{a, why})
			}
		}
		return err
	}
	crowded, err := s.Keeper.CrowdedHomes(ctx, o.SweepAt)
	if err != nil {
		return nil, err
	}
	for _, h := range crowded {
		found, err := s.Index.FindArtifacts(ctx, h.query())
		if err == nil {
			err = add(found, len(found)-o.Keep, fmt.Sprintf("its session holds %d, and keeps %d", len(found), o.Keep))
		}
		if err != nil {
			return nil, err
		}
	}
	if o.MaxAge <= 0 {
		return due, nil
	}
	all, err := s.Keeper.CrowdedHomes(ctx, 0)
	if err != nil {
		return nil, err
	}
	for _, h := range all {
		q := h.query()
		q.Before = now.Add(-o.MaxAge)
		found, err := s.Index.FindArtifacts(ctx, q)
		if err == nil {
			err = add(found, len(found), fmt.Sprintf("it is older than %s", o.MaxAge))
		}
		if err != nil {
			return nil, err
		}
	}
	return due, nil
}

func (h Home) query() Query {
	return Query{Tenant: h.Tenant, Namespaces: []string{h.Namespace}, Unbounded: true}
}

// unpinned returns those that nothing refers to, in their order.
func (s *Service) unpinned(ctx context.Context, found []ctxmcp.Artifact, at time.Time) ([]ctxmcp.Artifact, error) {
	if len(found) == 0 {
		return nil, nil
	}
	ids := make([]string, len(found))
	for i, a := range found {
		ids[i] = a.ID
	}
	pinned, err := s.Keeper.Pinned(ctx, found[0].TenantID, ids, at)
	if err != nil {
		return nil, err
	}
	var free []ctxmcp.Artifact
	for _, a := range found {
		if !pinned[a.ID] {
			free = append(free, a)
		}
	}
	return free, nil
}

// Sweep retires what is due, then removes the blobs that no artifact has. With dry it only says what it would do.
func (s *Service) Sweep(ctx context.Context, shelf Shelf, dry bool) (Swept, error) {
	due, err := s.Due(ctx)
	if err != nil {
		return Swept{}, err
	}
	swept := Swept{Retired: due}
	if !dry {
		if err := s.retire(ctx, due); err != nil {
			return Swept{}, err
		}
		if err := shelf.Tidy(s.Now().Add(-grace)); err != nil {
			return swept, err
		}
	}
	before := s.Now().Add(-grace)
	err = shelf.Each(ctx, func(digest string, stored time.Time, size int64) error {
		if held, err := s.Keeper.HoldsDigest(ctx, digest); held || err != nil || !stored.Before(before) {
			return err
		}
		gone := dry
		if !dry {
			var err error
			if gone, err = shelf.Remove(digest, before); err != nil {
				return err
			}
		}
		if gone {
			swept.Orphans, swept.Bytes = swept.Orphans+1, swept.Bytes+size
		}
		return nil
	})
	return swept, err
}

// retire removes the references. Their bytes are orphans then, if nothing else has them.
func (s *Service) retire(ctx context.Context, due []Expired) error {
	if len(due) == 0 {
		return nil
	}
	var c Change
	for _, e := range due {
		c.Remove = append(c.Remove, Key{e.Artifact.TenantID, e.Artifact.ID})
		c.Audit = append(c.Audit, ctxmcp.Event{
			At: s.now(), Tenant: e.Artifact.TenantID, User: e.Artifact.Home.User, Action: "retire_artifact", ObjectID: e.Artifact.ID, Detail: e.Why,
		})
	}
	return s.Index.ApplyArtifacts(ctx, c)
}

// retireNowAndThen keeps homes from growing without bound. A failure is the operator's to know, not the caller's.
func (s *Service) retireNowAndThen(ctx context.Context) {
	if s.kept.Add(1)%sweepEvery != 0 {
		return
	}
	due, err := s.Due(ctx)
	if err == nil {
		err = s.retire(ctx, due)
	}
	if err != nil {
		s.Logger.Error("retire artifacts", "error", err)
	}
}

// Original returns the bytes of an artifact from before redaction, for an operator of its tenant. It returns CodeDenied for
// anybody else, CodeNotFound if there is no such artifact or none was kept.
func (s *Service) Original(ctx context.Context, by ctxmcp.Caller, id string) ([]byte, error) {
	if !by.Has(ctxmcp.Operator) {
		return nil, ctxmcp.Errorf(ctxmcp.CodeDenied, "only an operator may read originals").WithHint("set identity.roles to operator")
	}
	found, err := s.Index.FindArtifacts(ctx, Query{Tenant: by.Tenant, Everywhere: true, Unbounded: true, IDs: []string{id}})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 || found[0].RawDigest == "" {
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "no original of %q is kept", clip(id)).
			WithHint("originals are kept with artifacts.keep_raw: encrypted, where something was redacted")
	}
	if s.Sealer == nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "there is no key for originals").WithHint("set artifacts.keep_raw and artifacts.raw_key")
	}
	b, err := s.Blobs.Open(found[0].RawDigest)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	sealed, err := io.ReadAll(io.NewSectionReader(b, 0, b.Size()))
	if err != nil {
		return nil, err
	}
	err = s.Index.ApplyArtifacts(ctx, Change{Audit: []ctxmcp.Event{{
		At: s.now(), Tenant: by.Tenant, User: by.User, Action: "read_original", ObjectID: id,
	}}})
	if err != nil {
		return nil, err
	}
	return s.Sealer.Unseal(sealed)
}
