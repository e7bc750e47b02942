package tools

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/directives"
	"github.com/ctx-mcp/ctx-mcp/envelope"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/reduce"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
	"github.com/ctx-mcp/ctx-mcp/serve/admission"
	"github.com/ctx-mcp/ctx-mcp/tasks"
)

// Services are the services that the tools call.
type Services struct {
	Memory     *memory.Service
	Artifacts  *artifacts.Service
	Envelope   *envelope.Service
	Tasks      *tasks.Service
	Compiler   *compiler.Service
	Packets    *packets.Service
	Directives *directives.Service
	Reduce     *reduce.Service
	Actions    *actions.Service
	Defaults   ctxmcp.Scope // project and session of a call that names none
	// Caller returns who calls. Without an answer the call is denied.
	Caller func(context.Context) (ctxmcp.Caller, bool)
	Asker  Asker // nil: nobody is asked
	// Redact hides the secrets of a text of the tenant: errors quote what they are about.
	Redact redact.Func
	Logger *slog.Logger
	// Observe is told of every call that ended: the tool, the error code, "ok" or "asking", and how long it took.
	Observe func(tool, outcome string, took time.Duration)
	// Working is told that a call, or the read of a resource, begins its work, and what it returns that the work has ended; also
	// where nobody waits for it any more. nil: nobody is told.
	Working func() (end func())
	// Trace begins the span of a call; meta is the _meta of its request. The function that it returns is told how the
	// call ended. nil: none.
	Trace func(ctx context.Context, tool string, meta map[string]any) (context.Context, func(outcome string, took time.Duration))
	Now   func() time.Time
	// CallTimeout bounds every call, and every reading of a resource or prompt; waiting for the user's answer does not
	// count. 0: nothing does.
	CallTimeout time.Duration
	Heavy       Gate // nil: any number of heavy calls may run
}

// Options chooses the tools that a server offers.
type Options struct {
	Version  string
	Toolsets []Toolset // empty: the default ones
	ReadOnly bool      // only tools that change nothing
	// Introduction is the text that a client gives its model about the server; "": the Instructions.
	Introduction string
}

// NewServer returns an MCP server with the tools that the options choose. more are options of the transport.
func NewServer(s *Services, o Options, more ...server.ServerOption) *server.MCPServer {
	all := append([]server.ServerOption{
		server.WithTitle("ctx-mcp"),
		server.WithDescription("Governed memory and context for AI agents"),
		server.WithInstructions(cmp.Or(o.Introduction, Instructions(o))),
		server.WithToolCapabilities(false),
	}, more...)
	all = append(all, server.WithResourceHandlerMiddleware(s.boundResource), server.WithPromptHandlerMiddleware(s.boundPrompt))
	chosen := Select(o)
	all = append(all, server.WithToolFilter(withSchemas(chosen)))
	m := server.NewMCPServer("ctx-mcp", o.Version, all...)
	for _, t := range chosen {
		m.AddTool(t.unread(), s.handler(t))
	}
	offers := func(set Toolset) bool {
		return slices.ContainsFunc(chosen, func(t Tool) bool { return t.Toolset == set })
	}
	if offers(ArtifactTools) {
		s.addArtifactResource(m)
	}
	if offers(MemoryTools) {
		s.addBrief(m)
	}
	return m
}

// unreadSchema stands for the schema of the arguments of a tool where nobody looks.
var unreadSchema = json.RawMessage(`{"type":"object"}`)

// unread returns the tool as the library keeps it. The library reads the schema of the arguments anew at each call over HTTP, for arguments that stand
// in headers too: a tool that has none is kept without it, and gets it back in the list.
func (t Tool) unread() mcp.Tool {
	kept := t.MCP
	if !bytes.Contains(kept.RawInputSchema, []byte("x-mcp-header")) {
		kept.RawInputSchema = unreadSchema
	}
	return kept
}

// withSchemas returns the filter that gives the tools of a list the schemas of their arguments.
func withSchemas(chosen []Tool) server.ToolFilterFunc {
	schemas := map[string]json.RawMessage{}
	for _, t := range chosen {
		schemas[t.Name] = t.MCP.RawInputSchema
	}
	return func(_ context.Context, listed []mcp.Tool) []mcp.Tool {
		for i := range listed {
			if schema := schemas[listed[i].Name]; schema != nil {
				listed[i].RawInputSchema = schema
			}
		}
		return listed
	}
}

// handler is the one way from the protocol to a tool and back: it checks the arguments, names the caller, and gives every
// error the same shape, without the secrets in what it quotes. The one Go error that it returns is ctxmcp.ErrAsking, out of which the Asker makes a result.
func (s *Services) handler(t Tool) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		began := s.Now()
		ctx, end := s.trace(ctx, t.Name, request)
		out, err := admission.Within(ctx, s.CallTimeout, func(ctx context.Context) (any, error) {
			defer s.working()()
			return s.redactedAnswer(ctx, t, request)
		})
		took := s.Now().Sub(began)
		end(outcome(err), took)
		s.Observe(t.Name, outcome(err), took)
		switch {
		case err == nil:
			r, err := result(out)
			if err == nil && byHook(request) {
				forHook(t.Name, out, r)
			}
			return r, err
		case errors.Is(err, ctxmcp.ErrAsking):
			return nil, err
		}
		s.report(ctx, t.Name, err)
		return failure(err), nil
	}
}

// working tells that the work of a call begins, and returns what tells that it has ended.
func (s *Services) working() (end func()) {
	if s.Working == nil {
		return func() {}
	}
	return s.Working()
}

// trace begins the span of a call, as part of the client's where the request names that.
func (s *Services) trace(ctx context.Context, tool string, request mcp.CallToolRequest) (context.Context, func(string, time.Duration)) {
	if s.Trace == nil {
		return ctx, func(string, time.Duration) {}
	}
	var meta map[string]any
	if request.Params.Meta != nil {
		meta = request.Params.Meta.AdditionalFields
	}
	return s.Trace(ctx, tool, meta)
}

// outcome returns how a call ended, in one word.
func outcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, ctxmcp.ErrAsking):
		return "asking"
	default:
		return string(ctxmcp.CodeOf(err))
	}
}

// redactedAnswer is answer, with an error that quotes no secret. The redaction is work on all of the arguments, and so part of
// the call; once the call has ended, an error says no more than that.
func (s *Services) redactedAnswer(ctx context.Context, t Tool, request mcp.CallToolRequest) (any, error) {
	out, err := s.answer(ctx, t, request)
	switch _, coded := errors.AsType[*ctxmcp.Error](err); {
	case err == nil || errors.Is(err, ctxmcp.ErrAsking):
		return out, err
	case !coded && ctx.Err() != nil:
		return nil, ctx.Err()
	}
	by, _ := s.Caller(ctx)
	arguments, _ := argumentsOf(request) // nil where they cannot be read, and then they are not quoted
	if len(arguments) > maxArguments && !t.content {
		return nil, err // they were not looked at, and are not quoted
	}
	return nil, s.redactError(ctx, by.Tenant, argumentText(ctx, arguments), err)
}

func (s *Services) answer(ctx context.Context, t Tool, request mcp.CallToolRequest) (any, error) {
	by, ok := s.Caller(ctx)
	if !ok {
		return nil, ctxmcp.Errorf(ctxmcp.CodeDenied, "the caller is not known")
	}
	arguments, err := argumentsOf(request)
	if err != nil {
		return nil, err
	}
	if len(arguments) > maxArguments && !t.content {
		return nil, oversized(t.Name)
	}
	if err := t.checker().Check(ctx, arguments); err != nil {
		return nil, err
	}
	return t.run(ctx, call{by: by, Services: s}, arguments)
}

// oversized is the error for arguments that are not even looked at.
func oversized(tool string) error {
	return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the arguments of %s have more than %d bytes", tool, maxArguments).
		WithHint("keep what is large with put_artifact, and name it")
}

// secret reports whether a text has the look of a secret. A name of a person is none: a name may name somebody.
func (s *Services) secret(ctx context.Context, tenant, text string) (bool, error) {
	_, found, err := s.Redact(ctx, tenant, text)
	return slices.ContainsFunc(found, func(f redact.Finding) bool { return !redact.Personal(f.Label) }), err
}

// argumentsOf returns the arguments as JSON, {} where there are none.
func argumentsOf(request mcp.CallToolRequest) (json.RawMessage, error) {
	if raw := request.Params.RawArguments; len(raw) > 0 && string(raw) != "null" {
		return raw, nil
	}
	if request.Params.Arguments == nil {
		return json.RawMessage("{}"), nil
	}
	raw, err := json.Marshal(request.Params.Arguments)
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the arguments cannot be read").WithCause(err)
	}
	return raw, nil
}

// report logs what the caller is not told. Arguments are never logged, and so neither is the text of an error that is about
// them: it quotes what the caller wrote, which may be a secret.
func (s *Services) report(ctx context.Context, tool string, err error) {
	level, code := slog.LevelDebug, ctxmcp.CodeOf(err)
	about := []any{"tool", tool, "code", code}
	if code == ctxmcp.CodeInternal || code == ctxmcp.CodeUnavailable {
		about = append(about, "error", err)
	}
	switch {
	case errors.Is(err, admission.ErrAbandoned):
		level = slog.LevelWarn
	case code == ctxmcp.CodeInternal && !errors.Is(err, context.Canceled):
		level = slog.LevelError
	}
	s.Logger.Log(ctx, level, "call failed", about...)
}

// result returns a value as structured content and as lines of text. Clients show a model the one, the other or both, so each
// says all.
func result(out any) (*mcp.CallToolResult, error) {
	raw, err := ijson.Compact(out)
	if err != nil {
		return nil, err
	}
	said, err := inLines(out, raw)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultStructured(json.RawMessage(raw), said), nil
}

// errorBody is the shape of every error.
type errorBody struct {
	Error struct {
		Code    ctxmcp.Code `json:"code"`
		Message string      `json:"message"`
		Hint    string      `json:"hint"`
	} `json:"error"`
}

// failure returns an error in its shape. Only the texts that are meant for the caller are in it.
func failure(err error) *mcp.CallToolResult {
	var body errorBody
	body.Error.Code = ctxmcp.CodeOf(err)
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok && e.Code != ctxmcp.CodeInternal {
		body.Error.Message, body.Error.Hint = e.Message, e.Hint
	} else if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		body.Error.Code, body.Error.Message, body.Error.Hint = ctxmcp.CodeUnavailable, "the call was cancelled", "call again"
	} else {
		body.Error.Message, body.Error.Hint = "internal error", "the operator finds the details in the server's log"
	}
	raw, err := ijson.Compact(body)
	if err != nil { // three strings
		panic(err)
	}
	said := fmt.Sprintf("error %s: %s", body.Error.Code, body.Error.Message)
	if body.Error.Hint != "" {
		said += "\n" + body.Error.Hint
	}
	r := mcp.NewToolResultStructured(json.RawMessage(raw), said)
	r.IsError = true
	return r
}
