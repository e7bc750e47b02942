package guard

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/envelope"
)

// Judge keeps the sessions and decides their actions, as actions.Service does.
type Judge interface {
	Start(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, o actions.Opening) (actions.Document, error)
	Context(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, id string) (actions.Document, error)
	Hear(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, id string, messages []string) error
	Record(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, in actions.Intent) (actions.Answer, error)
	Result(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, o actions.Outcome) (actions.ResultAnswer, error)
	End(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, id string) (actions.Closing, error)
}

// Wrapper makes a text of a result fit for a model, as envelope.Service does.
type Wrapper interface {
	Wrap(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, in envelope.Result) (envelope.Wrapped, error)
}

// Options tunes a Guard. The zero value works.
type Options struct {
	MaxTokens   int  // of one text of a result; default 8000
	Frame       bool // every text is framed as data, and not only one that speaks to a model
	MaxSessions int  // that are held in memory; default 1000. The least recent gives way, and is found again on disk
}

func (o Options) withDefaults() Options {
	o.MaxTokens = cmp.Or(o.MaxTokens, 8000)
	o.MaxSessions = cmp.Or(o.MaxSessions, 1000)
	return o
}

// Guard decides calls and takes in their results. Its fields are set once, before use.
type Guard struct {
	Judge   Judge
	Wrapper Wrapper
	Key     []byte // of the nonces of the delimiters
	Logger  *slog.Logger
	Options Options

	live sessions
}

// Conversation is a session as a front end names it: the front end, its own id, and the project of its folder.
type Conversation struct {
	Front   string // the client, or the gateway
	ID      string // unique within the front end
	Project string // empty: none
	Folder  string // that the agent works in, absolute; empty: not known
}

// Same reports whether two values name one conversation, whose agent may have changed its folder.
func (c Conversation) Same(other Conversation) bool {
	return c.Front == other.Front && c.ID == other.ID
}

// Call is a call of a tool that an agent is about to make.
type Call struct {
	ID        string // of the call, as the front end has it; empty: none
	Tool      string // the server or the tool
	Operation string // the tool of a server, or the tool again
	Arguments json.RawMessage
}

// Verdict is the decision about a call.
type Verdict struct {
	ctxmcp.Decision
	Action    string          // its id in the record
	Arguments json.RawMessage // with Modify: the changed ones
}

// Result is a tool's answer to a call. The texts are parts of one answer.
type Result struct {
	Call
	Whole   json.RawMessage // the answer as it came, for the record
	Texts   []string        // of it, which a model would read
	IsError bool
}

// Shown is a result as a model may see it: a text for each that was given.
type Shown struct {
	Texts   []string
	Changed bool // some text is another one: redacted, trimmed or framed
}

// speaker returns the caller as one whose word for the user counts: a front end hears the user, and sees the results, where no model comes between.
func speaker(by ctxmcp.Caller) ctxmcp.Caller { return by.With(ctxmcp.Harness) }
