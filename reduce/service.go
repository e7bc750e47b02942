package reduce

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// Keeper keeps text that has been redacted, and gives it back.
type Keeper interface {
	// KeepOnce stores a draft as an artifact of the scope, unless it is there already.
	KeepOnce(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d artifacts.Draft, o artifacts.Original) (ctxmcp.Artifact, error)
	// Text returns all of an artifact that the caller can see.
	Text(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id string) (string, error)
	// Hold keeps artifacts from being retired until an instant.
	Hold(ctx context.Context, by ctxmcp.Caller, holder string, ids []string, until time.Time) error
}

// Summarizer writes prose about a text. It may fail, and take its time: the digest stands in for it.
type Summarizer interface {
	// Summarize returns at most so many tokens about a text that has been redacted.
	Summarize(ctx context.Context, text string, most int) (string, error)
}

// Service reduces conversations. Its fields are set once, before use.
type Service struct {
	Keeper     Keeper
	Models     *tokens.Models
	Summarizer Summarizer // nil: none
	// Redact hides the secrets of a text of the tenant.
	Redact redact.Func
	// Key is of the installation: with it a state is known to be one that was returned here, and the delimiters of a digest cannot be foreseen.
	Key    []byte
	Now    func() time.Time
	Logger *slog.Logger
	// Observe is told of every layer that acted, with the tokens that it saved; nil: nobody is told.
	Observe func(layer string, saved int)
	// Note writes a reduction to the audit trail, as counts and ids without content; nil: it is not written. Its failure is logged, and is no
	// reason to give the conversation up.
	Note    func(ctx context.Context, e ctxmcp.Event) error
	Options Options
}

// Request is a conversation to reduce.
type Request struct {
	Messages      []json.RawMessage
	Format        conversation.Format // empty: OpenAI
	Model         string
	Limit         int // tokens; 0: the model's
	Target        int // tokens to come down to, whatever the trigger; 0: by the limit
	Window        int // messages; 0: the default, which counts only when there are too many tokens
	PreserveFirst *int
	PreserveLast  *int
	PromptCache   *bool
	State         *State // of the call before; nil: none
	LastInput     int    // tokens of the prompt that the last call returned, as the provider reported them; 0: not known
	DryRun        bool   // explain, and keep nothing
}

func (r Request) cached(o Options) bool {
	if r.PromptCache != nil {
		return *r.PromptCache
	}
	return o.CacheHint
}

// Reduced is a conversation that fits.
type Reduced struct {
	Messages  []json.RawMessage
	Removed   int // messages since the beginning of the conversation that a digest stands for
	Before    int // tokens
	After     int
	Limit     int
	Counter   string
	Steps     []Step
	Artifacts []ctxmcp.Artifact
	State     State
	Warnings  []string
}

// Step says what a layer did, or would do.
type Step struct {
	Layer   int
	Name    string
	Applied bool
	Before  int // tokens
	After   int
	Detail  string
}

// errNoKey is a fault of the program: without a key anybody could make a state.
var errNoKey = errors.New("a reduce.Service needs a Key")

// Reduce carries a conversation through the layers. It returns CodeInvalid for messages, a state or figures that cannot be meant, CodeConflict for a
// state that was changed or is of another conversation, release or installation. A failure on the way (an artifact that cannot be kept, a model that
// does not answer) leaves the conversation as the other layers made it, with a warning.
func (s *Service) Reduce(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, r Request) (Reduced, error) {
	j, err := s.newJob(ctx, by, at, r)
	if err != nil {
		return Reduced{}, err
	}
	j.out.Before = j.tokens().Value
	for i := range layers {
		if i > 0 {
			j.begin()
		}
		j.run(&layers[i])
		if err := cmp.Or(ctx.Err(), j.hidden.Err()); err != nil {
			return Reduced{}, err
		}
	}
	j.clearThinking()
	return j.finish()
}
