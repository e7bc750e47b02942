package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/guard"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// maxArguments is how large the arguments of a call may be, in bytes, as actions has it.
const maxArguments = 1 << 20

// callTool answers tools/call: refused, decided, sent, recorded.
func (g *Gateway) callTool(ctx context.Context, r request) (serve.Reply, bool) {
	name := nameOf(r.params, "name")
	if g.Options.Lazy && slices.Contains(lazyNames, name) {
		return g.lazily(ctx, r, name), true
	}
	t, known := g.view.Load().byName[name]
	if !known && g.mayBeUnseen(name) {
		g.awaitUnseen(ctx)
		t, known = g.view.Load().byName[name]
	}
	if !known && !slices.Contains(g.Options.Taken, name) {
		if meant := g.view.Load().called(name); len(meant) > 0 {
			return errorResult(saidAmbiguous.With(name, strings.Join(meant, " or "))), true
		}
	}
	if !known || g.Options.Lazy {
		return serve.Reply{}, false
	}
	return g.carryOut(ctx, r, t), true
}

// mayBeUnseen reports whether a name that is not known may be that of a tool whose server has not been seen yet.
func (g *Gateway) mayBeUnseen(name string) bool {
	if strings.Contains(name, "__") {
		return true
	}
	plain := func(server string) bool { return g.Options.Servers[server].Plain }
	return !slices.Contains(g.Options.Taken, name) && slices.ContainsFunc(g.unanswered(), plain)
}

// carryOut makes the call of a tool, if that is decided.
func (g *Gateway) carryOut(ctx context.Context, r request, t tool) serve.Reply {
	if t.refused != "" {
		return errorResult(saidRefused.With(t.as, t.refused))
	}
	a := act{Gateway: g, request: r, bound: r.params, tool: t}
	a.call = guard.Call{Tool: t.server, Operation: t.name, Arguments: orEmpty(member(r.params, "arguments"))}
	if len(a.call.Arguments) > maxArguments {
		return errorResult(saidTooLarge.With())
	}
	var done func()
	a.conversation, done = g.conversationOf(ctx, r)
	defer func() { a.whenRecorded(done) }()
	if allowed, reply := a.decide(ctx); !allowed {
		return reply
	}
	return a.take(ctx)
}

// act is a call of a tool on its way.
type act struct {
	*Gateway
	request
	bound        json.RawMessage // the params to which a question is bound
	tool         tool
	conversation guard.Conversation
	call         guard.Call
	arguments    json.RawMessage // that the server gets
	note         string          // what the client is told beside the result
	recorded     func()          // returns once the result is recorded; nil: there is none
}

// whenRecorded calls done once the result of the call, if there is one, is recorded.
func (a *act) whenRecorded(done func()) {
	switch {
	case done == nil:
	case a.recorded == nil:
		done()
	default:
		go func() { a.recorded(); done() }()
	}
}

// kept is what a call that ended with a question keeps for the one that brings the answer.
type kept struct {
	Call string `json:"call"`
}

// decide reports whether the call may go out, and else the reply that says why not, or asks.
func (a *act) decide(ctx context.Context) (ok bool, reply serve.Reply) {
	var was kept
	if again, err := a.Asker.KeptByPeer(ctx, a.peer, a.params, &was); err == nil && again {
		a.call.ID = was.Call
		a.params, _ = with(a.params, map[string]json.RawMessage{"requestState": nil, "inputResponses": nil})
	} else {
		a.call.ID = a.waits.idOf(a.content(), "gw-"+a.NewID())
	}
	v, err := a.before(ctx)
	if err == nil && (v.Verdict == ctxmcp.StepUp || v.Verdict == ctxmcp.Defer) {
		var question json.RawMessage
		if v, question, err = a.ask(ctx, v); question != nil {
			return false, serve.Reply{Result: question}
		}
	}
	a.waits.note(a.content(), a.call.ID, err == nil && (v.Verdict == ctxmcp.StepUp || v.Verdict == ctxmcp.Defer))
	switch {
	case err != nil:
		return false, a.refusal(err)
	case v.Verdict == ctxmcp.Allow:
		a.arguments = a.call.Arguments
		return true, reply
	case v.Verdict == ctxmcp.Modify:
		a.arguments, a.note = v.Arguments, saidChanged.With(why(v.Decision), string(v.Arguments))
		return true, reply
	case v.Verdict == ctxmcp.Deny:
		return false, errorResult(saidDenied.With(why(v.Decision)))
	}
	return false, errorResult(saidAskUser.With(why(v.Decision), a.reviewID(ctx, v.Action)))
}

// content tells the call from others of its conversation.
func (a *act) content() string {
	return ctxmcp.Digest(strings.Join([]string{
		a.peer.Caller.Tenant, a.peer.Caller.User, a.conversation.ID, a.call.Tool, a.call.Operation, string(a.call.Arguments),
	}, "\x00"))
}

// waits are the calls that wait for a person: the same call made again is the same action, which may have been decided by then.
type waits struct {
	mu  sync.Mutex
	ids map[string]string // of actions, by content
}

// maxWaits is the number of calls that are remembered; one that is forgotten is another action when it is made again.
const maxWaits = 1024

func (w *waits) idOf(content, fresh string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return cmp.Or(w.ids[content], fresh)
}

func (w *waits) note(content, id string, waiting bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !waiting:
		delete(w.ids, content)
	case w.ids == nil || len(w.ids) >= maxWaits:
		w.ids = map[string]string{content: id}
	default:
		w.ids[content] = id
	}
}

func why(d ctxmcp.Decision) string {
	return strings.TrimSuffix(d.Why, ".") + " (rule " + d.Rule + ")."
}

// before asks for the decision. A conversation that has as many actions as one may have goes on in another session.
func (a *act) before(ctx context.Context) (guard.Verdict, error) {
	v, err := a.Guard.Before(ctx, a.peer.Caller, a.conversation, a.call)
	if ctxmcp.CodeOf(err) != ctxmcp.CodeTooLarge {
		return v, err
	}
	if err := a.Guard.End(ctx, a.peer.Caller, a.conversation); err != nil {
		return v, err
	}
	return a.Guard.Before(ctx, a.peer.Caller, a.conversation, a.call)
}

// ask has the user decide, where the client can ask, and returns the decision then. Where it cannot, the call waits. A client without
// sessions gets the question as the result of the call.
func (a *act) ask(ctx context.Context, v guard.Verdict) (guard.Verdict, json.RawMessage, error) {
	if a.peer.Caller.Authority > ctxmcp.AuthorityUser {
		return v, nil, nil
	}
	pending, ok, err := a.waiting(ctx, v.Action)
	if !ok || err != nil {
		return v, nil, err
	}
	answer, question, err := a.Asker.AskPeer(ctx, a.peer, a.bound, pending.Asked(), kept{a.call.ID})
	if err != nil || question != nil || answer.Outcome != ctxmcp.Accepted {
		return v, question, err
	}
	if _, err := a.Reviews.Resolve(ctx, a.peer.Caller, pending.ID, actions.Choice(answer.Value), "", true); err != nil {
		return v, nil, err
	}
	v, err = a.before(ctx)
	return v, nil, err
}

func (a *act) waiting(ctx context.Context, action string) (actions.Pending, bool, error) {
	all, err := a.Reviews.Pending(ctx, a.peer.Caller, 0)
	i := slices.IndexFunc(all, func(p actions.Pending) bool { return p.Action == action })
	if i < 0 || err != nil {
		return actions.Pending{}, false, err
	}
	return all[i], true, nil
}

// reviewID returns the id by which a person decides on an action, else the action.
func (a *act) reviewID(ctx context.Context, action string) string {
	if p, ok, err := a.waiting(ctx, action); err == nil && ok {
		return p.ID
	}
	return action
}

// refusal says why nothing was decided. The call does not go out then.
func (a *act) refusal(err error) serve.Reply {
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok {
		return errorResult(saidUnjudged.With(words(e)))
	}
	a.Logger.Warn("a call was not judged", "server", a.tool.server, "tool", a.tool.name, "error", err)
	return errorResult(saidUnjudgedHere.With())
}

// errorResult is the result of a call that failed, as its model reads it.
func errorResult(text string) serve.Reply {
	raw, err := ijson.Compact(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}, "isError": true})
	if err != nil {
		panic(err) // texts are always JSON
	}
	return serve.Reply{Result: raw}
}

// take makes the call, and hands on what came back once guard has seen it.
func (a *act) take(ctx context.Context) serve.Reply {
	params, err := with(a.params, map[string]json.RawMessage{"name": textOf(a.tool.name), "arguments": a.arguments})
	if err != nil {
		return a.failed(err)
	}
	if member(a.params, "arguments") == nil && string(a.arguments) == "{}" {
		params, err = with(params, map[string]json.RawMessage{"arguments": nil})
	}
	var reply serve.Reply
	if err == nil {
		reply, err = a.send(ctx, a.peer, a.tool.server, a.method, params)
	}
	if err != nil {
		failed := a.failed(err)
		a.record(ctx, failed.Error, true)
		if ctx.Err() != nil {
			return failed
		}
		_, refused := errors.AsType[wantsSignIn](err)
		if _, kept := errors.AsType[notSent](err); refused || kept {
			return errorResult(saidNotMade.With(nameOf(failed.Error, "message")))
		}
		return errorResult(saidNotKnown.With(nameOf(failed.Error, "message")))
	}
	return a.show(ctx, reply)
}

// record hands a result to guard that nobody reads.
func (a *act) record(ctx context.Context, whole json.RawMessage, isError bool) {
	_, wait, err := a.Guard.After(context.WithoutCancel(ctx), a.peer.Caller, a.conversation, guard.Result{Call: a.call, Whole: whole, IsError: isError})
	a.recorded = wait
	if err != nil {
		a.Logger.Warn("a result was not recorded", "server", a.tool.server, "tool", a.tool.name, "error", err)
	}
}

// show returns the reply of a server as the client gets it. Where it cannot be made fit, the client gets nothing of it.
func (a *act) show(ctx context.Context, reply serve.Reply) serve.Reply {
	s := shaping{server: a.tool.server, tenant: a.peer.Caller.Tenant, by: a.peer.Caller, conversation: a.conversation, call: a.call, note: a.note, guarded: true, recorded: &a.recorded}
	out := reply
	var err error
	if reply.Error != nil {
		s.isError = true
		out.Error, err = a.clean(ctx, s, reply.Error)
	} else {
		out.Result, err = a.clean(ctx, s, reply.Result)
	}
	if err != nil {
		if ctx.Err() != nil {
			a.record(ctx, json.RawMessage(`"the client has gone"`), true)
			return a.failed(ctx.Err())
		}
		a.Logger.Warn("a result could not be made fit", "server", a.tool.server, "tool", a.tool.name, "error", err)
		return errorResult(saidNotShown.With())
	}
	return out
}

// readResource answers resources/read of a server's resource: decided and recorded like a call.
func (g *Gateway) readResource(ctx context.Context, r request) (serve.Reply, bool) {
	of, ok := unwrapURI(nameOf(r.params, "uri"))
	if !ok {
		return serve.Reply{}, false
	}
	params, err := with(r.params, map[string]json.RawMessage{"uri": textOf(of.name)})
	if err != nil {
		return g.failed(err), true
	}
	a := act{Gateway: g, request: r, tool: tool{origin: origin{of.server, "read_resource"}}, conversation: g.talks.of(r.peer, g.Options.Project)}
	a.call = guard.Call{ID: "gw-" + g.NewID(), Tool: of.server, Operation: "read_resource", Arguments: json.RawMessage(`{"uri":` + string(textOf(of.name)) + `}`)}
	v, err := a.before(ctx)
	switch {
	case err != nil:
		return g.failed(err), true
	case v.Verdict != ctxmcp.Allow:
		return serve.Failed(deniedCode, saidNotRead.With(why(v.Decision))), true
	}
	reply, err := g.send(ctx, r.peer, of.server, r.method, params)
	if err != nil {
		reply = g.failed(err)
	}
	return a.show(ctx, reply), true
}

// deniedCode is the JSON-RPC code of a refusal that is not about the message itself.
const deniedCode = -32000
