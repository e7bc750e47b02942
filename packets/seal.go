package packets

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// Seal keeps a draft as a packet of the scope and returns its name. The same draft has the same name, and is kept once. Its
// artifacts are pinned for as long as it is held. Blob first, row second: a crash between leaves an orphan, which is swept.
//
// It returns CodeInvalid for a draft that cannot be meant or holds a secret, CodeTooLarge over the limit or a quota, CodeNotFound for
// a parent that the caller cannot see, CodeConflict if one of its objects was erased meanwhile. Nothing is kept then.
func (s *Service) Seal(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d Draft) (Sealed, error) {
	p, policy, err := s.assemble(ctx, by, at, d)
	if err != nil {
		return Sealed{}, err
	}
	raw, err := p.canonical(ctx, d.Admitted)
	if err != nil {
		return Sealed{}, err
	}
	if err := s.clean(ctx, by.Tenant, raw); err != nil {
		return Sealed{}, err
	}
	if limit := s.options().MaxSize; len(raw) > limit {
		return Sealed{}, ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the packet has %d bytes, more than the limit of %d", len(raw), limit).
			WithHint("pass less at once")
	}
	sealed := Sealed{ctxmcp.DigestRef(raw), p, raw}
	c := s.change(by, d, sealed)
	if err := s.admit(ctx, c); err != nil {
		return Sealed{}, err
	}
	if err := s.put(ctx, policy, raw); err != nil {
		return Sealed{}, err
	}
	return sealed, s.Store.ApplyPackets(ctx, c)
}

// put stores contents, but for empty ones; they wait for the disk at the same time. The first error counts.
func (s *Service) put(ctx context.Context, contents ...[]byte) error {
	failed := make([]error, len(contents))
	ctxmcp.Abreast(len(contents), func(i int) {
		if len(contents[i]) > 0 {
			_, _, failed[i] = s.Blobs.Put(ctx, bytes.NewReader(contents[i]))
		}
	})
	return cmp.Or(failed...)
}

// admit returns the error of a quota that has no room for what is new of the change, before any bytes are written.
func (s *Service) admit(ctx context.Context, c Change) error {
	var fresh []Record
	for _, r := range c.Insert {
		held, err := s.Store.FindPackets(ctx, Query{Tenant: r.Tenant, Everywhere: true, Unbounded: true, Ref: r.Ref})
		if err != nil {
			return err
		}
		if len(held) == 0 {
			fresh = append(fresh, r)
		}
	}
	return s.Store.Room(ctx, Claims(fresh)...)
}

// assemble returns the packet of a draft, and its policy in canonical form.
func (s *Service) assemble(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d Draft) (p Packet, policy []byte, err error) {
	schema, err := s.schemaOf(d)
	if err != nil {
		return p, nil, err
	}
	if _, known := own[d.Kind]; !known {
		return p, nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "there is no kind of packet %q", ctxmcp.Clip(string(d.Kind), ctxmcp.MaxIDLength))
	}
	for _, o := range d.Sources {
		if !ctxmcp.Known(o.Classification, ctxmcp.Classifications()) {
			return p, nil, fmt.Errorf("source %s %s has no classification", o.Kind, o.ID)
		}
	}
	if d.Parent != "" {
		if _, err := s.find(ctx, by, ctxmcp.Scope{}, d.Parent); err != nil {
			return p, nil, err
		}
	}
	if d.Metadata, err = completed(d); err != nil {
		return p, nil, err
	}
	if len(d.Policy) > 0 {
		if policy, err = Canonical(ctx, d.Policy); err != nil {
			return p, nil, err
		}
		if err := s.clean(ctx, by.Tenant, policy); err != nil {
			return p, nil, err
		}
	}
	p = Packet{
		Format: Format, FormatVersion: FormatVersion, Kind: d.Kind, Schema: schema, Schemas: s.schemas(), Parent: d.Parent,
		Tenant: by.Tenant, Home: at, Created: ctxmcp.Instant(d.At), Inputs: d.Inputs, Output: d.Output,
		Sources: arranged(d.Sources), Derived: slices.SortedFunc(slices.Values(d.Derived), compareDerived), Metadata: d.Metadata,
	}
	if p.Created.IsZero() {
		p.Created = s.now()
	}
	if len(policy) > 0 {
		p.PolicyDigest = ctxmcp.DigestRef(policy)
	}
	return p, policy, nil
}

// completed returns the metadata of a draft with the flag that every packet has.
func completed(d Draft) (map[string]json.RawMessage, error) {
	said, err := readMetadata(d.Metadata)
	if err != nil {
		return nil, err
	}
	m := maps.Clone(d.Metadata)
	if m == nil {
		m = map[string]json.RawMessage{}
	}
	m[piiKey] = truth(said.pii || slices.ContainsFunc(d.Sources, func(o Source) bool { return o.PII }))
	return m, nil
}

// change returns what the store has to do for a packet.
func (s *Service) change(by ctxmcp.Caller, d Draft, sealed Sealed) Change {
	p := sealed.Packet
	r := Record{
		Tenant: by.Tenant, Ref: sealed.Ref, Kind: p.Kind, Schema: p.Schema, Parent: p.Parent, Trace: d.Trace, Home: p.Home,
		Classification: ctxmcp.Public, PolicyDigest: p.PolicyDigest, Size: int64(len(sealed.Bytes)), Derived: p.Derived,
		Created: p.Created, PII: string(p.Metadata[piiKey]) == "true",
	}
	for _, o := range p.Sources {
		if o.Classification.Rank() > r.Classification.Rank() {
			r.Classification = o.Classification
		}
		switch list := (map[SourceKind]*[]string{ObjectSource: &r.Objects, ArtifactSource: &r.Artifacts})[o.Kind]; {
		case list != nil && !slices.Contains(*list, o.ID):
			*list = append(*list, o.ID)
		}
	}
	c := Change{Insert: []Record{r}, Audit: []ctxmcp.Event{{
		At: s.now(), Tenant: by.Tenant, User: by.User, Action: "seal_packet", ObjectID: sealed.Ref, Detail: string(p.Kind),
	}}}
	for _, id := range slices.Concat(r.Artifacts, r.DerivedIDs()) {
		c.Pins = append(c.Pins, artifacts.Pin{Tenant: by.Tenant, Artifact: id, Holder: Holder(sealed.Ref), Until: s.until(p.Created)})
	}
	return c
}

func compareDerived(a, b Derivative) int { return cmp.Compare(a.ID, b.ID) }

// until returns when a packet has had its time; zero: never.
func (s *Service) until(created time.Time) time.Time {
	if age := s.options().MaxAge; age > 0 {
		return created.Add(age)
	}
	return time.Time{}
}
