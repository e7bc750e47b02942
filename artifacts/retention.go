package artifacts

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Shelf is the store of blobs for a sweep, which needs more than Blobs.
type Shelf interface {
	// Each calls do with every blob, with when it was stored last and its size on disk in bytes.
	Each(ctx context.Context, do func(digest string, stored time.Time, size int64) error) error
	// Remove deletes a blob unless it was stored at or after the instant, and reports whether it did.
	Remove(ctx context.Context, digest string, before time.Time) (bool, error)
	// Tidy deletes what writers that crashed before the instant have left.
	Tidy(ctx context.Context, before time.Time) error
}

// Expired is an artifact that has had its time.
type Expired struct {
	Home Home
	ID   string
	Why  string
}

// Swept is the outcome of a sweep: the artifacts that it retired, or would retire, and the orphans among the blobs.
type Swept struct {
	Retired []Expired
	Orphans int   // blobs that no artifact has
	Bytes   int64 // on disk, of the orphans
}

// grace is how long a blob may wait for its row.
const grace = time.Hour

// sweepEvery is after how many new artifacts the homes are looked at.
const sweepEvery = 50

// Due returns the artifacts that have had their time: in a home that holds too many, all but the newest, and everywhere those
// that are older than the greatest age. An artifact to which a live task or a packet refers stays. However many of them stay,
// the newest are kept beside them.
func (s *Service) Due(ctx context.Context) ([]Expired, error) {
	o := s.options()
	due, err := s.dueIn(ctx, o.SweepAt, time.Time{}, func(held int) (int, string) {
		return held - o.Keep, fmt.Sprintf("its session holds %d, and keeps %d", held, o.Keep)
	})
	if err != nil || o.MaxAge <= 0 {
		return due, err
	}
	old, err := s.dueIn(ctx, 0, s.now().Add(-o.MaxAge), func(held int) (int, string) {
		return held, fmt.Sprintf("it is older than %s", o.MaxAge)
	})
	for _, e := range old {
		if !slices.ContainsFunc(due, func(d Expired) bool {
			return d.ID == e.ID && d.Home.Tenant == e.Home.Tenant
		}) {
			due = append(due, e)
		}
	}
	return due, err
}

// dueIn looks at the homes with more than most artifacts. Of those made before the instant, many says how many of the oldest are
// to go unless something refers to them, and why.
func (s *Service) dueIn(ctx context.Context, most int, before time.Time, many func(held int) (int, string)) ([]Expired, error) {
	homes, err := s.Keeper.CrowdedHomes(ctx, most)
	if err != nil {
		return nil, err
	}
	var due []Expired
	for _, h := range homes {
		held, err := s.Keeper.HeldIn(ctx, h, before)
		if err != nil {
			return nil, err
		}
		n, why := many(len(held))
		oldest := held[:max(n, 0)]
		if len(oldest) == 0 {
			continue
		}
		pinned, err := s.Keeper.Pinned(ctx, h.Tenant, oldest, s.now())
		if err != nil {
			return nil, err
		}
		for _, id := range oldest {
			if !pinned[id] {
				due = append(due, Expired{h, id, why})
			}
		}
	}
	return due, nil
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
		if err := shelf.Tidy(ctx, s.Now().Add(-grace)); err != nil {
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
			if gone, err = shelf.Remove(ctx, digest, before); err != nil {
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
		home, err := ctxmcp.ParseNamespace(e.Home.Namespace)
		if err != nil {
			return fmt.Errorf("retire %s: %w", e.ID, err)
		}
		c.Remove = append(c.Remove, Key{e.Home.Tenant, e.ID})
		c.Audit = append(c.Audit, ctxmcp.Event{
			At: s.now(), Tenant: e.Home.Tenant, User: home.User, Action: "retire_artifact", ObjectID: e.ID, Detail: e.Why,
		})
	}
	return s.Index.ApplyArtifacts(ctx, c)
}

// retireNowAndThen keeps homes from growing without bound. A failure is the operator's to know, not the caller's; that the call ended
// meanwhile is none.
func (s *Service) retireNowAndThen(ctx context.Context) {
	if s.kept.Add(1)%sweepEvery != 0 {
		return
	}
	due, err := s.Due(ctx)
	if err == nil {
		err = s.retire(ctx, due)
	}
	if err != nil && ctx.Err() == nil { // of a caller who has gone, the next one does it
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
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "no original of %q is kept", ctxmcp.Clip(id, ctxmcp.MaxIDLength)).
			WithHint("originals are kept with artifacts.keep_raw: encrypted, where something was redacted")
	}
	if s.Sealer == nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "there is no key for originals").WithHint("set artifacts.keep_raw and artifacts.raw_key")
	}
	b, err := s.Blobs.Open(ctx, found[0].RawDigest)
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
