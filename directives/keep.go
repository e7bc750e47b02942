package directives

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// redact hides the secrets of what was found, whole, and writes it into the inputs. It returns what was hidden of each item.
func (s *Service) redact(ctx context.Context, tenant string, got *Fetched, in *inputs) ([][]redact.Finding, error) {
	hide := s.Redact.Pass(ctx, tenant)
	hidden := make([][]redact.Finding, len(got.Found))
	for i, f := range got.Found {
		it := item{URI: f.URI, MediaType: f.MediaType}
		it.Text, hidden[i] = hide.Text(f.Text)
		it.URI, _ = hide.Text(it.URI)
		it.MediaType, _ = hide.Text(it.MediaType)
		in.Items = append(in.Items, it)
	}
	for i := range got.Skipped {
		got.Skipped[i].URI, _ = hide.Text(got.Skipped[i].URI)
	}
	return hidden, hide.Err()
}

// admit puts the inputs through the rules of packets, before anything of them is kept.
func (s *Service) admit(ctx context.Context, by ctxmcp.Caller, in *inputs) (packets.Admitted, error) {
	raw, err := json.Marshal(in)
	if err != nil {
		return packets.Admitted{}, err
	}
	admitted, err := s.Sealer.Admit(ctx, by, raw, nil)
	if err != nil {
		return packets.Admitted{}, err
	}
	*in = inputs{}
	return admitted, json.Unmarshal(admitted.Inputs, in)
}

// sources returns what a packet that shows the items is made of.
func (s *Service) sources(by ctxmcp.Caller, got Fetched, in inputs, hidden [][]redact.Finding) []packets.Source {
	var list []packets.Source
	for i, f := range got.Found {
		if len(f.Sources) > 0 {
			list = append(list, f.Sources...)
			continue
		}
		class := f.Classification
		if class == "" {
			class = artifacts.Classify(by, len(hidden[i]) > 0)
		}
		list = append(list, packets.Outside(in.Items[i].URI, in.Items[i].URI, in.Items[i].Text, ctxmcp.AuthorityRetrieved, class))
	}
	if got.Held != nil && !slices.ContainsFunc(list, func(o packets.Source) bool { return o.ID == got.Held.ID }) {
		list = append(list, packets.Artifact(*got.Held))
	}
	return list
}

// guarded reports whether only some roles may see what the sources hold: an artifact would show it to all.
func guarded(list []packets.Source) bool {
	return slices.ContainsFunc(list, func(o packets.Source) bool {
		return len(o.Permissions.AllowRoles)+len(o.Permissions.DenyRoles) > 0
	})
}

// keep stores the items as one artifact: the text of a single one, else a list.
func (s *Service) keep(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, in inputs, of []packets.Source, hidden [][]redact.Finding) (*ctxmcp.Artifact, error) {
	scheme, _, _ := strings.Cut(in.Directive, ":")
	d := artifacts.Draft{
		Type: "retrieved", Tool: scheme, Origin: in.Directive, Content: in.Items[0].Text, MediaType: in.Items[0].MediaType,
		Summary: "retrieved by " + ctxmcp.Clip(in.Directive, maxEcho), Once: true,
	}
	for _, o := range of {
		if d.Classification == "" || o.Classification.Rank() > d.Classification.Rank() {
			d.Classification = o.Classification
		}
	}
	if len(in.Items) > 1 {
		raw, err := json.Marshal(in.Items)
		if err != nil {
			return nil, err
		}
		d.Content, d.MediaType = string(raw), artifacts.JSON
	}
	a, err := s.Keeper.Keep(ctx, by, at, d, artifacts.Original{Found: slices.Concat(hidden...)})
	return &a, err
}
