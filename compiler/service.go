package compiler

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/envelope"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/tasks"
)

// Memory finds memories that may bear on a task.
type Memory interface {
	Candidates(ctx context.Context, by ctxmcp.Caller, ask memory.Ask, beside []memory.Need, most int) (memory.Candidates, error)
	Shown(ctx context.Context, by ctxmcp.Caller, list []ctxmcp.ContextObject) error
	Coexists(c ctxmcp.Claim) bool
	// Bearings returns how much of a question each of some texts speaks of, in [0, 1].
	Bearings(ctx context.Context, question string, texts []string) ([]float64, error)
	// Contradict puts claims before a person that nothing tells apart.
	Contradict(ctx context.Context, by ctxmcp.Caller, ids []string) error
}

// Tasks reads the state that tasks hand on.
type Tasks interface {
	Get(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id string) (tasks.View, error)
	Declare(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ask tasks.Ask) (tasks.Declared, error)
}

// Results makes the results of tools fit for a model, in their order.
type Results interface {
	WrapAll(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, in []envelope.Result) ([]envelope.Wrapped, error)
	// Shorten brings a text that is kept already within the budget of the result.
	Shorten(ctx context.Context, in envelope.Result, text string, whole ctxmcp.Artifact) (string, error)
}

// Shelf finds the artifacts of earlier calls.
type Shelf interface {
	// Told returns the newest artifacts that somebody put and that the caller may see from at, of at most so many.
	Told(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, most int) ([]ctxmcp.Artifact, error)
}

// Keeper keeps what finds no room in a prompt.
type Keeper interface {
	// KeepOnce stores a draft that has been redacted as an artifact of the scope, unless it is there already.
	KeepOnce(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d artifacts.Draft, o artifacts.Original) (ctxmcp.Artifact, error)
}

// Directives fetches the documents that a directive names, through the envelope.
type Directives interface {
	// Fetch returns documents of authority 4. An error of one directive is a warning and an omission, never the end of a
	// compile.
	Fetch(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, directive string, maxTokens int) ([]Document, error)
}

// Document is a text that a directive brought.
type Document struct {
	ID, Origin, Content string
	Artifact            *ctxmcp.Artifact
	Truncated           bool // Content is not the whole of it
	Classification      ctxmcp.Classification
	Redactions          []Redaction
	Warnings            []Warning
	// Sources are the objects of this store that it was made of; none: it comes from outside. Derived says that the artifact was made of
	// them, and so goes with them.
	Sources []packets.Source
	Derived []packets.Derivative
}

// Packets keeps the inputs and the output of a compile.
type Packets interface {
	CheckMetadata(ctx context.Context, metadata map[string]json.RawMessage) error
	Admit(ctx context.Context, by ctxmcp.Caller, inputs json.RawMessage, metadata map[string]json.RawMessage) (packets.Admitted, error)
	Seal(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d packets.Draft) (packets.Sealed, error)
	Named(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, name string) (packets.Sealed, error)
	Shown(ctx context.Context, tenant string, canonical json.RawMessage) (json.RawMessage, error)
}

// Prefixes keeps the static prefix of a session, which holds ids and no content.
type Prefixes interface {
	// FindPrefix returns the prefix under the key, or nil.
	FindPrefix(ctx context.Context, key ctxmcp.PrefixKey) (*Prefix, error)
	// SavePrefix keeps a prefix in place of the one under the key.
	SavePrefix(ctx context.Context, key ctxmcp.PrefixKey, p Prefix, at time.Time) error
}

// Service gathers, compiles and keeps. Its fields are set once, before use.
type Service struct {
	Memory     Memory
	Tasks      Tasks
	Results    Results
	Keeper     Keeper     // nil: items that find no room are not kept
	Shelf      Shelf      // nil: no artifact is named
	Directives Directives // nil: a directive is a warning
	Packets    Packets
	Prefixes   Prefixes
	// Counter returns the counter of a model's tokens, and the default one for a model that is not known.
	Counter func(model string) Counter
	// Redact hides the secrets of a text of the tenant. It is asked before anything is looked at.
	Redact redact.Func
	Now    func() time.Time
	Policy func() Policy // nil: DefaultPolicy
	Logger *slog.Logger
	// Observe is told of every compile; it may be nil.
	Observe func(r Result)
	// Step begins a span of a part of a compile, and returns what ends it, with figures by name; it may be nil.
	Step func(ctx context.Context, name string) (context.Context, func(figures map[string]int))
}

// Result is a compile that was made, kept, and can be asked about.
type Result struct {
	TraceID string
	Ref     string // context_ref
	Output  Output
	Took    time.Duration
	Stages  []Timing // gather, admit, the ten stages, seal
	Request Request
}

// Timing is how long a stage took.
type Timing struct {
	Stage string
	Took  time.Duration
}

// Compile gathers what the ask needs, compiles it, and keeps both as a packet. It returns CodeInvalid for an ask that cannot
// be meant, CodeTooLarge where what is critical is over the budget, CodeNotFound for a task that does not exist for the
// caller, and the errors of the packets. Nothing is kept then.
func (s *Service) Compile(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ask Ask) (Result, error) {
	began := s.Now()
	var r Result
	if err := s.Packets.CheckMetadata(ctx, ask.Metadata); err != nil {
		return Result{}, err
	}
	end := s.begin(ctx, "gather", &r)
	in, from, err := s.gather(ctx, by, at, ask)
	if err != nil {
		return Result{}, err
	}
	end(Step{Out: len(in.Candidates)})
	instant := in.Instant
	raw, err := json.Marshal(in.Undated())
	if err != nil {
		return Result{}, fmt.Errorf("inputs: %w", err)
	}
	end = s.begin(ctx, "admit", &r)
	admitted, err := s.Packets.Admit(ctx, by, raw, ask.Metadata)
	if err != nil {
		return Result{}, err
	}
	if in, err = readInputs(admitted.Inputs, len(in.Candidates)); err != nil {
		return Result{}, err
	}
	in = in.Dated(instant)
	end(Step{Out: len(in.Candidates)})
	c := Compiler{Counter: s.Counter(in.Request.Model), Ended: ctx.Err, Begin: func(stage string) func(Step) { return s.begin(ctx, stage, &r) }}
	if r.Output, err = c.Compile(in); err != nil {
		return Result{}, err
	}
	end = s.begin(ctx, "seal", &r)
	if err := s.seal(ctx, by, at, in, admitted, from, &r); err != nil {
		return Result{}, err
	}
	end(Step{Out: len(r.Output.Trace.Compiled)})
	s.putBefore(ctx, by, in, r.Output.Trace.Conflicts)
	r.Took, r.Request = s.Now().Sub(began), in.Request
	if s.Observe != nil {
		s.Observe(r)
	}
	return r, s.keepPrefix(ctx, by, at, in, r.Output)
}

// putBefore puts the contradictions that nothing told apart before a person. A question about another time settles nothing now.
func (s *Service) putBefore(ctx context.Context, by ctxmcp.Caller, in Inputs, conflicts []Conflict) {
	if !in.Request.BelievedAt.IsZero() || !in.Request.AsOf.Equal(in.Instant) {
		return
	}
	for _, c := range conflicts {
		if err := s.Memory.Contradict(ctx, by, c.Objects); err != nil {
			s.Logger.Warn("a contradiction could not be put before a person", "error", err)
		}
	}
}

// begin times a part of a compile, and puts a span around it.
func (s *Service) begin(ctx context.Context, stage string, r *Result) (end func(Step)) {
	began := s.Now()
	span := func(map[string]int) {}
	if s.Step != nil {
		_, span = s.Step(ctx, "compile "+stage)
	}
	return func(step Step) {
		r.Stages = append(r.Stages, Timing{stage, s.Now().Sub(began)})
		span(map[string]int{"in": step.In, "out": step.Out})
	}
}

// seal keeps the compile as a packet. The id of the trace is derived from the inputs.
func (s *Service) seal(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, in Inputs, admitted packets.Admitted, from provenance, r *Result) error {
	out, err := json.Marshal(r.Output)
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	policy, err := json.Marshal(in.Policy)
	if err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	r.TraceID = traceID(by, admitted.Inputs)
	sealed, err := s.Packets.Seal(ctx, by, at, packets.Draft{
		Kind: packets.Compile, Schema: admitted.Schema, Parent: from.parent, Trace: r.TraceID, At: in.Instant, Inputs: admitted.Inputs, Admitted: true, Output: out, Policy: policy,
		Sources: from.sources, Derived: from.derived, Metadata: admitted.Metadata,
	})
	r.Ref = sealed.Ref
	return err
}

// traceID derives the id of a trace from the caller and the inputs.
func traceID(by ctxmcp.Caller, inputs json.RawMessage) string {
	return "tr-" + ctxmcp.Digest(append([]byte(by.Tenant+"\x00"+by.User+"\x00"), inputs...))[:16]
}

// ReadInputs reads inputs in canonical form: the compiled value is the kept one, to the byte.
func ReadInputs(raw json.RawMessage) (Inputs, error) { return readInputs(raw, 0) }

// readInputs is ReadInputs, with room for so many candidates from the beginning.
func readInputs(raw json.RawMessage, candidates int) (Inputs, error) {
	var in Inputs
	if candidates > 0 {
		in.Candidates = make([]Candidate, 0, candidates)
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return in, ctxmcp.Errorf(ctxmcp.CodeInvalid, "these are no inputs of a compile").WithCause(err)
	}
	return in, nil
}

// Recompiler compiles stored inputs again, without a store: it is all that a replay needs.
type Recompiler struct {
	// Counters returns the counters that may have counted for a model: the inputs name the one that did.
	Counters func(model string) []Counter
}

// Recompile implements packets.Recompiler.
func (r Recompiler) Recompile(_ context.Context, inputs json.RawMessage, created time.Time) (json.RawMessage, error) {
	in, err := ReadInputs(inputs)
	if err != nil {
		return nil, err
	}
	in = in.Dated(created)
	counter, err := r.counter(in)
	if err != nil {
		return nil, err
	}
	out, err := Compiler{Counter: counter}.Compile(in)
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// counter returns the counter that the inputs name.
func (r Recompiler) counter(in Inputs) (Counter, error) {
	for _, counter := range r.Counters(in.Request.Model) {
		if counter.Name() == in.Counter {
			return counter, nil
		}
	}
	return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the inputs were counted by %q, which this program does not have", in.Counter)
}

// prefixKey returns where the prefix of the session is kept; false without a session.
func prefixKey(by ctxmcp.Caller, at ctxmcp.Scope, r Request) (ctxmcp.PrefixKey, bool) {
	digest := ctxmcp.Digest(strings.Join([]string{r.SystemPrompt, string(r.Format), string(r.TaskType)}, "\x00"))
	return ctxmcp.PrefixKey{Tenant: by.Tenant, Namespace: at.Namespace(), Digest: digest[:32]}, at.Session != ""
}

// keepPrefix keeps the static prefix that was sent, unless it is kept already.
func (s *Service) keepPrefix(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, in Inputs, out Output) error {
	key, within := prefixKey(by, at, in.Request)
	if !within || s.Prefixes == nil || in.Prefix != nil && out.Trace.Cache.Rebuilt == "" {
		return nil
	}
	return s.Prefixes.SavePrefix(ctx, key, Prefix{Pins: out.Pins}, in.Instant)
}
