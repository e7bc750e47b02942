package directives

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Keeper keeps text that has been redacted.
type Keeper interface {
	Keep(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d artifacts.Draft, o artifacts.Original) (ctxmcp.Artifact, error)
}

// Sealer makes packets.
type Sealer interface {
	Admit(ctx context.Context, by ctxmcp.Caller, inputs json.RawMessage, metadata map[string]json.RawMessage) (packets.Admitted, error)
	Seal(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d packets.Draft) (packets.Sealed, error)
	Promote(ctx context.Context, by ctxmcp.Caller, name string, sources []packets.Source, derived []packets.Derivative) (packets.Sealed, error)
}

// Options tunes a Service. The zero value works.
type Options struct {
	MaxBytes  int64         // of all that a directive brings; default 1 MiB
	MaxItems  int           // default 20
	Timeout   time.Duration // default 15 s
	MaxTokens int           // shown, where the caller names no number; default 2000
}

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 1<<20)
	o.MaxItems = cmp.Or(o.MaxItems, 20)
	o.Timeout = cmp.Or(o.Timeout, 15*time.Second)
	o.MaxTokens = cmp.Or(o.MaxTokens, 2000)
	return o
}

// Service carries out directives. Its fields are set once, before use.
type Service struct {
	Providers map[string]Provider // by scheme; a nil one is known, and off
	Keeper    Keeper
	Sealer    Sealer
	Assembler Assembler
	// Redact hides the secrets of a text of the tenant.
	Redact  redact.Func
	Now     func() time.Time
	Logger  *slog.Logger
	Options Options
}

// Ask is a directive with its budget.
type Ask struct {
	Directive string
	MaxTokens int    // of all items together, from MinTokens to MaxTokens; zero: the default
	Keep      bool   // keep what was found as an artifact, where it is not held here already
	Parent    string // context_ref of the packet that it is promoted into; empty: a packet of its own
}

// The bounds of a budget. The least has room for a true statement about any document.
const (
	MinTokens = 80
	MaxTokens = 1_000_000
)

// Retrieved is the answer to a directive.
type Retrieved struct {
	Directive string
	Items     []Item
	Skipped   []Skipped
	Artifact  *ctxmcp.Artifact // all of it; nil: nothing was kept
	Sources   []packets.Source // of a packet that shows it
	Derived   []packets.Derivative
	Tokens    int
	Counter   string
	Ref       string // context_ref; empty: there is no packet
}

// Fetch brings what a directive names, for a compile: it is kept, and nothing is sealed, for the compile's own packet holds it.
// Of maxTokens the nearest number from MinTokens to MaxTokens counts. The errors are those of the provider, CodeInvalid for a
// directive that is none, CodeDenied for a scheme that is off, and CodeNotFound where there is no item to show.
func (s *Service) Fetch(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, directive string, maxTokens int) (Retrieved, error) {
	r, _, err := s.fetch(ctx, by, at, Ask{Directive: directive, MaxTokens: min(max(maxTokens, MinTokens), MaxTokens), Keep: true})
	switch {
	case err != nil:
		return Retrieved{}, err
	case len(r.Items) == 0 && len(r.Skipped) > 0:
		return Retrieved{}, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is nothing to show of it: %s", r.Skipped[0].Reason)
	case len(r.Items) == 0:
		return Retrieved{}, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is nothing that it names")
	}
	return r, nil
}

// Classification returns that of the most sensitive source; a source outside is public.
func (r Retrieved) Classification() ctxmcp.Classification {
	class := ctxmcp.Public
	for _, o := range r.Sources {
		if o.Classification.Rank() > class.Rank() {
			class = o.Classification
		}
	}
	return class
}

// Retrieve brings what a directive names and, if it is kept, promotes it: into the parent, of which a new version is
// minted, or into a packet of its own.
func (s *Service) Retrieve(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ask Ask) (Retrieved, error) {
	if ask.Parent != "" && !ask.Keep {
		return Retrieved{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "what is not promoted goes into no packet").WithHint("leave context_ref out, or promote")
	}
	ask.Keep = ask.Keep && !strings.HasPrefix(ask.Directive, listScheme+":") // a list is of today, and no source
	r, in, err := s.fetch(ctx, by, at, ask)
	if err != nil || !ask.Keep || len(r.Items) == 0 {
		return r, err
	}
	if ask.Parent != "" && r.Artifact == nil {
		return Retrieved{}, ctxmcp.Errorf(ctxmcp.CodeDenied, "only some roles may see what was found, and an artifact knows no roles").
			WithHint("leave context_ref out: it then gets a packet of its own")
	}
	var sealed packets.Sealed
	if ask.Parent != "" {
		sealed, err = s.Sealer.Promote(ctx, by, ask.Parent, r.Sources, r.Derived)
	} else {
		sealed, err = s.seal(ctx, by, at, r, in)
	}
	r.Ref = sealed.Ref
	return r, err
}

// seal makes a packet of its own.
func (s *Service) seal(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, r Retrieved, in packets.Admitted) (packets.Sealed, error) {
	output, err := s.Assembler.Recompile(ctx, in.Inputs, time.Time{})
	if err != nil {
		return packets.Sealed{}, err
	}
	return s.Sealer.Seal(ctx, by, at, packets.Draft{
		Kind: packets.Retrieval, At: s.Now(), Inputs: in.Inputs, Admitted: true, Output: output, Sources: r.Sources, Derived: r.Derived, Metadata: in.Metadata,
	})
}

// fetch brings what a directive names, with the inputs of a packet for it.
func (s *Service) fetch(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ask Ask) (Retrieved, packets.Admitted, error) {
	none := packets.Admitted{}
	if ask.MaxTokens == 0 {
		ask.MaxTokens = s.Options.withDefaults().MaxTokens
	}
	if ask.MaxTokens < MinTokens || ask.MaxTokens > MaxTokens {
		return Retrieved{}, none, ctxmcp.Errorf(ctxmcp.CodeInvalid, "max_tokens is not between %d and %d", MinTokens, MaxTokens)
	}
	got, err := s.bring(ctx, by, at, ask)
	if err != nil {
		return Retrieved{}, none, s.veiled(ctx, by, ask.Directive, err)
	}
	in := inputs{MaxTokens: ask.MaxTokens, Counter: s.Assembler.Counter.Name()}
	if in.Directive, _, err = s.Redact(ctx, by.Tenant, ask.Directive); err != nil {
		return Retrieved{}, none, err
	}
	hidden, err := s.redact(ctx, by.Tenant, &got, &in)
	if err != nil {
		return Retrieved{}, none, err
	}
	admitted, err := s.admit(ctx, by, &in)
	if err != nil {
		return Retrieved{}, none, err
	}
	r := Retrieved{Directive: in.Directive, Skipped: got.Skipped, Counter: in.Counter, Artifact: got.Held}
	r.Sources = s.sources(by, got, in, hidden)
	if ask.Keep && r.Artifact == nil && len(in.Items) > 0 && !guarded(r.Sources) {
		if r.Artifact, err = s.keep(ctx, by, at, in, r.Sources, hidden); err != nil {
			return Retrieved{}, none, err
		}
		r.Derived = []packets.Derivative{{ID: r.Artifact.ID, Digest: "sha256:" + r.Artifact.Digest}}
	}
	if r.Artifact != nil {
		in.Artifact = r.Artifact.ID
		if admitted.Inputs, err = packets.Canonical(ctx, in); err != nil {
			return Retrieved{}, none, err
		}
	}
	out, err := s.Assembler.assemble(ctx, in)
	r.Items, r.Skipped, r.Tokens = out.Items, slices.Concat(r.Skipped, out.Skipped), out.Tokens
	return r, admitted, err
}

// veiled returns an error that quotes nothing secret of the directive: a compile shows it to a model, and keeps it.
func (s *Service) veiled(ctx context.Context, by ctxmcp.Caller, directive string, err error) error {
	hide := s.Redact.Pass(ctx, by.Tenant)
	veiled := ctxmcp.Reworded(err, func(text string) string { return hide.Echo(text, directive) })
	if err := hide.Err(); err != nil {
		return err
	}
	return veiled
}

// bring asks the provider of the scheme, within the time.
func (s *Service) bring(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ask Ask) (Fetched, error) {
	scheme, rest, err := s.parse(ask.Directive)
	if err != nil {
		return Fetched{}, err
	}
	if scheme == listScheme {
		within, cancel := context.WithTimeout(ctx, s.Options.withDefaults().Timeout)
		defer cancel()
		return s.list(within, rest)
	}
	p, known := s.Providers[scheme]
	switch {
	case !known:
		return Fetched{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "there is no scheme %q", ctxmcp.Clip(scheme, maxEcho)).
			WithHint("such as %s", strings.Join(s.examples(), ", "))
	case p == nil:
		return Fetched{}, ctxmcp.Errorf(ctxmcp.CodeDenied, "directives with %s: are off", scheme).
			WithHint("the operator opens them in the section context of the configuration")
	}
	o := s.Options.withDefaults()
	within, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	got, err := p.Fetch(within, Call{by, at, scheme, rest, Budget{o.MaxBytes, o.MaxItems, ask.MaxTokens}})
	if within.Err() != nil && ctx.Err() == nil {
		return Fetched{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s: took longer than %s", scheme, o.Timeout).WithCause(err)
	}
	if err != nil {
		if _, told := errors.AsType[*ctxmcp.Error](err); !told {
			err = ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s: could not be asked", scheme).WithCause(err)
		}
		return Fetched{}, err
	}
	return got, got.check(o)
}

// check holds a provider to its budget, whatever it says of it.
func (f Fetched) check(o Options) error {
	var bytes int64
	for _, one := range f.Found {
		bytes += int64(len(one.Text))
		if !utf8.ValidString(one.Text) {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "what it names is not text").WithHint("put_artifact keeps bytes of any kind")
		}
	}
	if bytes > o.MaxBytes || len(f.Found) > o.MaxItems {
		return TooLarge(o.MaxBytes, o.MaxItems)
	}
	return nil
}

// TooLarge is the Error for what does not fit the budget as a whole: to cut it before it is redacted could leave half of a
// secret.
func TooLarge(bytes int64, items int) error {
	return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "what it names has more than %d bytes, or more than %d items", bytes, items).
		WithHint("name a part of it, or have the operator raise context.max_bytes or context.max_items")
}
