package packets

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// Named returns the packet with the context_ref, or the one of the trace, wherever in the caller's own scopes it was made that
// agrees with the scope which the call names. It returns CodeNotFound for one that does not exist for the caller or has been
// erased, CodeUnavailable if its bytes are damaged.
func (s *Service) Named(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, name string) (Sealed, error) {
	r, err := s.find(ctx, by, named, name)
	if err != nil {
		return Sealed{}, err
	}
	if r.Erased {
		return Sealed{}, gone(name).WithHint("its content went with a memory that was erased")
	}
	sealed, err := s.read(ctx, r)
	if err != nil {
		return Sealed{}, err
	}
	return sealed, sealed.visible(by, name)
}

func gone(name string) *ctxmcp.Error {
	return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no packet %q here", ctxmcp.Clip(name, ctxmcp.MaxIDLength)).
		WithHint("give the context_ref or the trace_id that compile_context or retrieve_context returned")
}

// find returns the record of a context_ref or of a trace.
func (s *Service) find(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, name string) (Record, error) {
	if name == "" || by.User == "" {
		return Record{}, gone(name)
	}
	q := Query{Tenant: by.Tenant, User: by.User, Everywhere: true, Clearance: by.Ceiling(), Projects: by.Projects}
	if ValidRef(name) {
		q.Ref = name
	} else {
		q.Trace = name
	}
	found, err := s.Store.FindPackets(ctx, q)
	if err != nil {
		return Record{}, err
	}
	found = slices.DeleteFunc(found, func(r Record) bool { return !r.Home.Agrees(named) })
	if len(found) == 0 {
		return Record{}, gone(name)
	}
	last := found[len(found)-1]
	if !q.Match(last) {
		return Record{}, ctxmcp.Errorf(ctxmcp.CodeInternal, "the store returned a packet that was not asked for")
	}
	return last, nil
}

// read returns the packet of a record from its blob, which must have the name of the record.
func (s *Service) read(ctx context.Context, r Record) (Sealed, error) {
	raw, err := s.bytes(ctx, r.Ref)
	if err != nil {
		return Sealed{}, err
	}
	p, err := Parse(ctx, raw)
	if p.Created.IsZero() {
		p.Created = r.Created
	}
	return Sealed{r.Ref, p, raw}, err
}

// bytes returns the blob of a digest.
func (s *Service) bytes(ctx context.Context, digest string) ([]byte, error) {
	missing := ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the bytes of %s are damaged or missing", digest).
		WithHint("compile again, or have the operator restore the data directory")
	b, err := s.Blobs.Open(ctx, bare(digest))
	if err != nil {
		return nil, missing.WithCause(err)
	}
	defer b.Close()
	raw, err := io.ReadAll(io.NewSectionReader(b, 0, b.Size()))
	if err != nil || ctxmcp.DigestRef(raw) != digest {
		return nil, missing.WithCause(err)
	}
	return raw, nil
}

// The members of a packet that are as large as a caller makes them.
const inputsName, outputName = "inputs", "output"

// Parse reads a packet while ctx lasts. It returns CodeInvalid for bytes that are not the canonical form of one.
func Parse(ctx context.Context, raw []byte) (Packet, error) {
	invalid := ctxmcp.Errorf(ctxmcp.CodeInvalid, "this is not a packet in canonical form")
	p, err := members(raw)
	if ctx.Err() != nil {
		return p, ctx.Err()
	}
	if err != nil {
		return p, invalid.WithCause(err)
	}
	if p.Format != Format || p.FormatVersion < datedVersion || p.FormatVersion > FormatVersion {
		return p, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the packet has the format %q in version %d; this program reads %s up to version %d",
			ctxmcp.Clip(p.Format, ctxmcp.MaxIDLength), p.FormatVersion, Format, FormatVersion)
	}
	again, err := p.canonical(ctx, false)
	if ctx.Err() != nil {
		return p, ctx.Err()
	}
	if err != nil || !bytes.Equal(raw, again) {
		return p, invalid.WithCause(err)
	}
	return p, nil
}

// members reads the members of a packet: encoding/json all but the large ones, over which it would go several times.
func members(raw []byte) (p Packet, err error) {
	if !json.Valid(raw) {
		return p, errors.New("not JSON")
	}
	large := map[string]*json.RawMessage{inputsName: &p.Inputs, outputName: &p.Output}
	small := []byte{'{'}
	for name, value := range ijson.Members(raw) {
		if into := large[strings.Trim(string(name), `"`)]; into != nil {
			*into = value
			continue
		}
		if len(small) > 1 {
			small = append(small, ',')
		}
		small = append(append(append(small, name...), ':'), value...)
	}
	inputs, output := p.Inputs, p.Output
	err = strict(append(small, '}'), &p)
	p.Inputs, p.Output = inputs, output
	return p, err
}

// visible returns CodeNotFound unless the caller may see every source.
func (p Sealed) visible(by ctxmcp.Caller, name string) error {
	for _, o := range p.Packet.Sources {
		if !by.Cleared(o.Classification) || !o.Permissions.Allows(by.Roles) {
			return gone(name)
		}
	}
	return nil
}
