package directives

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/envelope"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// inputs holds the material of a retrieval: redacted, and kept in its packet.
type inputs struct {
	Directive string `json:"directive"`
	Items     []item `json:"items"`
	Artifact  string `json:"artifact_id,omitempty"` // where all of it is
	MaxTokens int    `json:"max_tokens"`
	Counter   string `json:"counter"`
}

type item struct {
	URI       string `json:"uri"`
	MediaType string `json:"media_type,omitempty"`
	Text      string `json:"text"`
}

// output holds the items that a retrieval shows.
type output struct {
	Items   []Item    `json:"items"`
	Skipped []Skipped `json:"skipped,omitempty"`
	Tokens  int       `json:"tokens"`
}

// Item is one thing that was found, as a model may see it: framed as data, within the budget.
type Item struct {
	URI       string             `json:"uri"`
	MediaType string             `json:"media_type,omitempty"`
	Content   string             `json:"content"` // with its frame
	Bare      string             `json:"-"`       // without
	Kind      string             `json:"kind"`
	Tokens    int                `json:"tokens"`
	Truncated bool               `json:"truncated"`
	Warnings  []envelope.Warning `json:"warnings"`
	Authority ctxmcp.Authority   `json:"authority_level"`
}

// Assembler makes of inputs what is shown, by the steps of the envelope. It is pure: it keeps nothing, and draws nothing.
type Assembler struct{ Counter tokens.Counter }

var _ packets.Recompiler = Assembler{}

// Recompile implements packets.Recompiler. It returns CodeInvalid for inputs that were counted with another counter.
func (a Assembler) Recompile(ctx context.Context, raw json.RawMessage, _ time.Time) (json.RawMessage, error) {
	var in inputs
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the inputs cannot be read").WithCause(err)
	}
	if in.Counter != a.Counter.Name() {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the tokens were counted by %q", ctxmcp.Clip(in.Counter, maxEcho))
	}
	out, err := a.assemble(ctx, in)
	if err != nil {
		return nil, err
	}
	return packets.Canonical(ctx, out)
}

// assemble shares the budget among the items in their order: the rest of one is for the next. None gets less than a true
// statement takes, and so the last of many may get nothing.
func (a Assembler) assemble(ctx context.Context, in inputs) (output, error) {
	out := output{Items: []Item{}}
	for i, it := range in.Items {
		left := in.MaxTokens - out.Tokens
		share := min(left, max(left/(len(in.Items)-i), MinTokens))
		framed, err := a.wrap(ctx, in, it, share, false)
		if ctxmcp.CodeOf(err) == ctxmcp.CodeInvalid {
			out.Skipped = append(out.Skipped, Skipped{it.URI, "over max_tokens: raise it, or name this alone"})
			continue
		}
		if err != nil {
			return output{}, err
		}
		bare, err := a.wrap(ctx, in, it, share, true)
		if err != nil {
			return output{}, err
		}
		out.Items = append(out.Items, Item{
			URI: it.URI, MediaType: it.MediaType, Content: framed.Content, Bare: bare.Content, Kind: framed.Kind, Tokens: framed.Tokens,
			Truncated: framed.Truncated, Warnings: append([]envelope.Warning{}, framed.Warnings...), Authority: ctxmcp.AuthorityRetrieved,
		})
		out.Tokens += framed.Tokens
	}
	return out, nil
}

// wrap takes one item through the envelope.
func (a Assembler) wrap(ctx context.Context, in inputs, it item, most int, bare bool) (envelope.Wrapped, error) {
	text, err := json.Marshal(it.Text)
	if err != nil {
		return envelope.Wrapped{}, err
	}
	e := &envelope.Service{
		Keeper: kept(in.Artifact), Ledger: nothing{}, Counter: a.Counter, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.Time{} }, Redact: redact.Nothing,
	}
	scheme, _, _ := strings.Cut(in.Directive, ":")
	return e.Wrap(ctx, ctxmcp.Caller{}, ctxmcp.Scope{}, envelope.Result{
		CallID: "retrieve", Tool: scheme, Value: text, MaxTokens: max(most, 1), Bare: bare,
	})
}

// kept stands for an artifact that was kept before, whose id is told to the model.
type kept string

func (k kept) Ready(context.Context, ctxmcp.Caller, ctxmcp.Scope, artifacts.Draft, artifacts.Original) (artifacts.Pending, error) {
	if k == "" {
		return artifacts.Pending{}, nil
	}
	a := ctxmcp.Artifact{ID: string(k)}
	return artifacts.Pending{Artifact: &a, Write: func() (artifacts.Change, error) { return artifacts.Change{Insert: []ctxmcp.Artifact{a}}, nil }}, nil
}

// nothing records nothing: the retrieval is recorded once, by who retrieves.
type nothing struct{}

func (nothing) ApplyArtifacts(context.Context, artifacts.Change) error { return nil }
