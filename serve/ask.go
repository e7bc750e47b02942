package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Asker puts questions to the user of the client that a call came from.
//
// In the older revisions the question is a request to the client, and the tool waits for its answer. Since 2026-07-28
// the question ends the call, and the client calls again with the answer and with the state that the first call kept,
// which is sealed: it counts only for the same caller, tool and arguments.
type Asker struct {
	Key     []byte        // of the seals, secret; the same for every process that serves the same clients
	Timeout time.Duration // how long a tool waits for an answer; 0: 2 minutes
	Off     bool          // nobody is asked
	Now     func() time.Time
}

// defaultAskTimeout leaves a person time to read, and ends before clients give up a response without any traffic.
const defaultAskTimeout = 2 * time.Minute

// Ask puts a question to the user and returns the outcome. A client that cannot ask, or gives no answer, is an outcome and
// no error. keep is the work of the call so far that must not be done again; Kept returns it when the client calls again.
//
// It returns ctxmcp.ErrAsking if the question ends the call, CodeInvalid for a seal that does not hold, and the context's
// error if the call was cancelled. A call asks one question.
func (a *Asker) Ask(ctx context.Context, q ctxmcp.Question, keep any) (ctxmcp.Answer, error) {
	round, ok := ctx.Value(roundKey{}).(*round)
	if !ok || a.Off || !canAsk(ctx) {
		return ctxmcp.Answer{Outcome: ctxmcp.Unsupported}, nil
	}
	if !server.IsModernRequest(ctx) {
		return a.await(ctx, q)
	}
	said, err := a.unseal(ctx, round)
	if err != nil {
		return ctxmcp.Answer{}, err
	}
	_, answered := round.call.InputResponses[formField]
	switch {
	case said.Question != digest(q) || !answered:
		return ctxmcp.Answer{}, a.asking(ctx, round, q, keep)
	case a.Now().After(said.Until):
		return ctxmcp.Answer{Outcome: ctxmcp.Unanswered}, nil
	default:
		return read(q, server.ElicitationResponse(round.call.InputResponses, formField)), nil
	}
}

// Kept reports whether the call continues one that asked, and reads the state that that one kept into into. It
// returns CodeInvalid for a seal that does not hold.
func (a *Asker) Kept(ctx context.Context, into any) (bool, error) {
	round, ok := ctx.Value(roundKey{}).(*round)
	if !ok || !server.IsModernRequest(ctx) || round.call.RequestState == "" {
		return false, nil
	}
	said, err := a.unseal(ctx, round)
	if err != nil || string(said.Kept) == "null" {
		return false, err
	}
	return true, json.Unmarshal(said.Kept, into)
}

// await sends the question and waits for the answer, for no longer than the server takes answers.
func (a *Asker) await(ctx context.Context, q ctxmcp.Question) (ctxmcp.Answer, error) {
	patience, cancel := context.WithTimeout(ctx, cmp.Or(a.Timeout, defaultAskTimeout))
	defer cancel()
	if stopping, ok := ctx.Value(stoppingKey{}).(context.Context); ok {
		if stopping.Err() != nil {
			return ctxmcp.Answer{Outcome: ctxmcp.Unanswered}, nil
		}
		defer context.AfterFunc(stopping, cancel)()
	}
	result, err := elicit(patience, q)
	switch {
	case ctx.Err() != nil:
		return ctxmcp.Answer{}, ctx.Err()
	case errors.Is(err, server.ErrElicitationNotSupported), errors.Is(err, server.ErrNoActiveSession):
		return ctxmcp.Answer{Outcome: ctxmcp.Unsupported}, nil
	case err != nil: // late, stopping, or no result: the client's reasons are nobody's business
		return ctxmcp.Answer{Outcome: ctxmcp.Unanswered}, nil
	default:
		return read(q, result), nil
	}
}

// elicit sends the question to the client of the call.
func elicit(ctx context.Context, q ctxmcp.Question) (*mcp.ElicitationResult, error) {
	if p, ok := ctx.Value(peerKey{}).(Peer); ok {
		return p.asks.elicit(ctx, p.Session, form(q, p.Version), p.send)
	}
	request := mcp.ElicitationRequest{Params: form(q, server.RequestProtocolVersion(ctx))}
	request.Method = string(mcp.MethodElicitationCreate)
	return server.ServerFromContext(ctx).RequestElicitation(ctx, request)
}

// canAsk reports whether the client has said that it can show a form. An empty capability means a form.
func canAsk(ctx context.Context) bool {
	var can mcp.ClientCapabilities
	if p, ok := ctx.Value(peerKey{}).(Peer); ok {
		can = p.Can
	} else if server.IsModernRequest(ctx) {
		can = *server.RequestProtocolInfoFromContext(ctx).ClientCapabilities // the library refuses a request without
	} else if session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok {
		can = session.GetClientCapabilities()
	}
	return can.Elicitation != nil && (can.Elicitation.Form != nil || can.Elicitation.URL == nil)
}

// round is one tool call, as far as a question in it needs to know. The library tells middleware of the call, and
// tells the functions that the handler calls nothing.
type round struct {
	call mcp.CallToolParams
}

type roundKey struct{}

// stoppingKey finds the context that is done once the server takes no more answers.
type stoppingKey struct{}

// asking is the error that ends a call with its question.
type asking struct {
	error
	result *mcp.CallToolResult
}

// Unwrap returns ctxmcp.ErrAsking.
func (e asking) Unwrap() error { return e.error }

func (a *Asker) asking(ctx context.Context, round *round, q ctxmcp.Question, keep any) error {
	state, err := a.seal(ctx, round, q, keep)
	if err != nil {
		return err
	}
	builder := server.NewInputRequestBuilder(state).Elicit(formField, form(q, server.RequestProtocolVersion(ctx)))
	return asking{ctxmcp.ErrAsking, builder.ToolResult()}
}

// rounds is tool middleware that tells a call's questions which call they belong to, and turns ctxmcp.ErrAsking into the
// result that carries the question.
func rounds(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := next(context.WithValue(ctx, roundKey{}, &round{request.Params}), request)
		if e, ok := errors.AsType[asking](err); ok {
			return e.result, nil
		}
		return result, err
	}
}
