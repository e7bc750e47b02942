package packets

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// Verified is the outcome of a proof.
type Verified struct {
	Ref         string
	Valid       bool
	Recomputed  string // the name of the packet as it would be made again; empty: it could not be
	Sources     int    // that were looked up
	Differences []Difference
}

// Verify proves a packet against what is held now: its bytes have its name, its policy and each source have their digests,
// and its inputs compile to the same output. A failed proof is in the differences, and no error. It returns CodeNotFound
// for a packet that does not exist for the caller, or that was made outside of the scope which the call names.
func (s *Service) Verify(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, name string) (Verified, error) {
	r, err := s.find(ctx, by, named, name)
	if err != nil {
		return Verified{}, err
	}
	v := Verified{Ref: r.Ref}
	if r.Erased {
		v.Differences = []Difference{{Kind: Erased}}
		return v, nil
	}
	sealed, err := s.read(ctx, r)
	if code := ctxmcp.CodeOf(err); code == ctxmcp.CodeUnavailable || code == ctxmcp.CodeInvalid {
		v.Differences = []Difference{{Kind: Damaged}}
		return v, nil
	}
	if err != nil {
		return v, err
	}
	if err := sealed.visible(by, name); err != nil {
		return v, err
	}
	if v.Recomputed, v.Differences, err = remake(ctx, sealed.Packet, s.Recompilers); err != nil {
		return v, err
	}
	live, err := s.compareSources(ctx, sealed.Packet)
	if err != nil {
		return v, err
	}
	v.Sources = len(sealed.Packet.Sources)
	v.Differences = append(v.Differences, live...)
	v.Valid = v.Recomputed == r.Ref && len(v.Differences) == 0
	return v, nil
}

// remake compiles the inputs of a packet again. It returns the name that the packet gets with the output of that, and where
// the two outputs differ.
func remake(ctx context.Context, p Packet, by map[Kind]Recompiler) (ref string, found []Difference, err error) {
	failed := func(why string) (string, []Difference, error) {
		return "", []Difference{{Path: "/output", Kind: NotRemade, Got: why}}, nil
	}
	r, ok := by[p.Kind]
	if !ok {
		return failed(fmt.Sprintf("this program does not make packets of kind %s", ctxmcp.Clip(string(p.Kind), ctxmcp.MaxIDLength)))
	}
	output, err := r.Recompile(ctx, p.Inputs, p.Created)
	if ctx.Err() != nil {
		return "", nil, ctx.Err()
	}
	if err != nil {
		return failed(string(ctxmcp.CodeOf(err)))
	}
	if output, err = Canonical(ctx, output); err != nil {
		return "", nil, err
	}
	if !bytes.Equal(output, p.Output) {
		if found, err = diffJSON(ctx, "output", p.Output, output); err != nil {
			return "", nil, err
		}
	}
	p.Output = output
	raw, err := p.canonical(ctx, true)
	return ctxmcp.DigestRef(raw), found, err
}

// compareSources returns what of a packet is held otherwise now, or not at all.
func (s *Service) compareSources(ctx context.Context, p Packet) ([]Difference, error) {
	held, err := s.held(ctx, p)
	if err != nil {
		return nil, err
	}
	var found []Difference
	compare := func(path, id, want string) {
		switch got, ok := held[id]; {
		case !ok:
			found = append(found, Difference{Path: path, Kind: SourceGone, Want: want})
		case got.digest != want:
			found = append(found, Difference{path, SourceChanged, want, got.digest})
		}
	}
	for i, o := range p.Sources {
		if o.Kind != OutsideSource {
			compare("/sources/"+strconv.Itoa(i), o.key(), o.Digest)
		}
	}
	for i, d := range p.Derived {
		compare("/derived/"+strconv.Itoa(i), d.source().key(), d.Digest)
	}
	if p.PolicyDigest != "" {
		if _, err := s.bytes(ctx, p.PolicyDigest); err != nil {
			found = append(found, Difference{Path: "/policy_digest", Kind: Damaged, Want: p.PolicyDigest})
		}
	}
	return found, nil
}

func (d Derivative) source() Source { return Source{Kind: ArtifactSource, ID: d.ID, Digest: d.Digest} }

// key names a source at its version.
func (o Source) key() string { return string(o.Kind) + " " + o.ID + "@" + strconv.Itoa(o.Version) }

// holding is a source as the store has it now.
type holding struct {
	digest  string
	content []byte // of an object, its frozen form; of an artifact, nil
}

// held looks up the objects and artifacts of a packet, by key. An artifact whose bytes are damaged has no digest.
func (s *Service) held(ctx context.Context, p Packet) (map[string]holding, error) {
	all := map[string]holding{}
	var objects, handles []string
	for _, o := range p.Sources {
		switch o.Kind {
		case ObjectSource:
			objects = append(objects, o.ID)
		case ArtifactSource:
			handles = append(handles, o.ID)
		}
	}
	for _, d := range p.Derived {
		handles = append(handles, d.ID)
	}
	if err := s.heldObjects(ctx, p.Tenant, objects, all); err != nil {
		return nil, err
	}
	return all, s.heldArtifacts(ctx, p.Tenant, handles, all)
}

func (s *Service) heldObjects(ctx context.Context, tenant string, ids []string, into map[string]holding) error {
	if len(ids) == 0 {
		return nil
	}
	found, err := s.Objects.Find(ctx, memory.Query{
		Tenant: tenant, Everywhere: true, Unrestricted: true, EveryVersion: true, Archived: true, ObjectIDs: ids,
	})
	for _, o := range found {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		frozen, err := Frozen(o)
		if err != nil {
			return err
		}
		into[Source{Kind: ObjectSource, ID: o.ObjectID, Version: o.Version}.key()] = holding{ctxmcp.DigestRef(frozen), frozen}
	}
	return err
}

func (s *Service) heldArtifacts(ctx context.Context, tenant string, ids []string, into map[string]holding) error {
	if len(ids) == 0 {
		return nil
	}
	found, err := s.Artifacts.FindArtifacts(ctx, artifacts.Query{Tenant: tenant, Everywhere: true, Unbounded: true, IDs: ids})
	for _, a := range found {
		h := holding{digest: ctxmcp.DigestPrefix + a.Digest}
		if _, err := s.bytes(ctx, h.digest); err != nil {
			h.digest = ""
		}
		into[Source{Kind: ArtifactSource, ID: a.ID}.key()] = h
	}
	return err
}
