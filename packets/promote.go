package packets

import (
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// Promote mints a new version of a packet that has more sources, and the artifacts that were derived of these, and names its
// parent. The parent does not change. All else in the packet stays as it was: its inputs, its output, its policy, its instant. It returns
// CodeNotFound for a packet that does not exist for the caller.
func (s *Service) Promote(ctx context.Context, by ctxmcp.Caller, name string, sources []Source, derived []Derivative) (Sealed, error) {
	parent, err := s.Named(ctx, by, ctxmcp.Scope{}, name)
	if err != nil {
		return Sealed{}, err
	}
	p := parent.Packet
	d := Draft{
		Kind: p.Kind, Schema: p.Schema.Name, Parent: parent.Ref, At: p.Created, Inputs: p.Inputs, Output: p.Output,
		Sources: slices.Concat(p.Sources, sources), Derived: slices.Concat(p.Derived, derived), Metadata: p.Metadata,
	}
	if p.PolicyDigest != "" {
		if d.Policy, err = s.bytes(ctx, p.PolicyDigest); err != nil {
			return Sealed{}, err
		}
	}
	return s.Seal(ctx, by, p.Home, d)
}
