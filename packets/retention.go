package packets

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Expired is a packet that has had its time.
type Expired struct {
	Record Record
	Why    string
}

// Due returns what has had its time: in a home that holds too many, the oldest beyond those to keep, and everywhere what is
// older than the greatest age.
func (s *Service) Due(ctx context.Context) ([]Expired, error) {
	o := s.options()
	homes, err := s.Store.CrowdedPackets(ctx, o.SweepAt)
	if err != nil {
		return nil, err
	}
	var due []Expired
	for _, h := range homes {
		found, err := s.Store.FindPackets(ctx, Query{Tenant: h.Tenant, Namespaces: []string{h.Namespace}, Unbounded: true})
		if err != nil {
			return nil, err
		}
		for _, r := range found[:max(len(found)-o.Keep, 0)] {
			due = append(due, Expired{r, fmt.Sprintf("its session holds %d, and keeps %d", len(found), o.Keep)})
		}
	}
	if o.MaxAge <= 0 {
		return due, nil
	}
	old, err := s.Store.FindPackets(ctx, Query{AnyTenant: true, Everywhere: true, Unbounded: true, Before: s.now().Add(-o.MaxAge)})
	for _, r := range old {
		if !slices.ContainsFunc(due, func(e Expired) bool { return e.Record.Ref == r.Ref && e.Record.Tenant == r.Tenant }) {
			due = append(due, Expired{r, fmt.Sprintf("it is older than %s", o.MaxAge)})
		}
	}
	return due, err
}

// Sweep retires what is due, with its pins, and removes the bytes of what was erased. The bytes of what it retires are
// orphans then, which a sweep of the artifacts removes. With dry it only says what it would do.
func (s *Service) Sweep(ctx context.Context, dry bool) ([]Expired, error) {
	due, err := s.Due(ctx)
	if err != nil || dry {
		return due, err
	}
	if err := s.Purge(ctx); err != nil || len(due) == 0 {
		return due, err
	}
	var c Change
	for _, e := range due {
		c.Remove = append(c.Remove, Key{e.Record.Tenant, e.Record.Ref})
		c.Audit = append(c.Audit, ctxmcp.Event{
			At: s.now(), Tenant: e.Record.Tenant, User: e.Record.Home.User, Action: "retire_packet", ObjectID: e.Record.Ref, Detail: e.Why,
		})
	}
	return due, s.Store.ApplyPackets(ctx, c)
}

// whenever is after every instant at which a blob can have been stored: erased bytes go, however new they are.
var whenever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// Purge removes the bytes of erased packets, and of the artifacts that were made of them, unless something else has the same.
func (s *Service) Purge(ctx context.Context) error {
	erased, err := s.Store.FindPackets(ctx, Query{AnyTenant: true, Everywhere: true, Unbounded: true, Erased: true})
	if err != nil {
		return err
	}
	for _, r := range erased {
		digests := []string{r.Ref}
		for _, d := range r.Derived {
			digests = append(digests, d.Digest)
		}
		for _, d := range digests {
			if held, err := s.Digests.HoldsDigest(ctx, bare(d)); err != nil || held {
				if err != nil {
					return err
				}
				continue
			}
			if _, err := s.Blobs.Remove(ctx, bare(d), whenever); err != nil {
				return err
			}
		}
	}
	return nil
}
