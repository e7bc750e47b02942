package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

var _ serve.Front = (*Gateway)(nil)

// request is a request of a client.
type request struct {
	peer   serve.Peer
	method string
	params json.RawMessage
	own    func(params json.RawMessage) serve.Reply
	sent   json.RawMessage // the params as the client sent them
}

// answers are the methods that the gateway answers, or has a hand in. Each reports false for what is the server's own.
var answers = map[string]func(*Gateway, context.Context, request) (serve.Reply, bool){
	"initialize":               (*Gateway).introduce,
	"server/discover":          (*Gateway).introduce,
	"tools/list":               (*Gateway).listTools,
	"tools/call":               (*Gateway).callTool,
	"prompts/list":             list("prompts", func(v *view) []json.RawMessage { return v.prompts }),
	"prompts/get":              (*Gateway).getPrompt,
	"resources/list":           list("resources", func(v *view) []json.RawMessage { return v.resources }),
	"resources/templates/list": list("resourceTemplates", func(v *view) []json.RawMessage { return v.templates }),
	"resources/read":           (*Gateway).readResource,
	"resources/subscribe":      (*Gateway).subscribe,
	"resources/unsubscribe":    (*Gateway).subscribe,
	"completion/complete":      (*Gateway).complete,
	"logging/setLevel":         (*Gateway).setLevel,
}

// onlyOlder are the methods that the revision without sessions does not have: the server refuses them.
var onlyOlder = []string{"initialize", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"}

// Answer answers a request that is for the servers, or has to do with them.
func (g *Gateway) Answer(ctx context.Context, peer serve.Peer, method string, params json.RawMessage, own func(json.RawMessage) serve.Reply) (serve.Reply, bool) {
	answer, known := answers[method]
	if !known || peer.Modern && slices.Contains(onlyOlder, method) {
		return serve.Reply{}, false
	}
	if peer.Lasting && method != "initialize" {
		g.warm(peer)
	}
	reply, mine := answer(g, ctx, request{peer, method, params, own, params})
	if mine && peer.Modern {
		reply = completed(method, reply)
	}
	return reply, mine
}

// Notice takes in a notification of a client.
func (g *Gateway) Notice(ctx context.Context, peer serve.Peer, method string, params json.RawMessage) {
	switch method {
	case "notifications/initialized":
		if peer.Lasting {
			g.warm(peer)
		}
	case "notifications/roots/list_changed":
		mine := func(c *connection) bool {
			return c.key.session == peer.Session && g.pool.keyOf(c.key.server, peer) == c.key
		}
		g.pool.each(mine, func(c *connection) { _ = c.link.notify(ctx, method, params) }) // a server that has gone need not know
	}
}

// introduce adds to the server's own description of itself the abilities of the gateway, and the words of the servers.
func (g *Gateway) introduce(ctx context.Context, r request) (serve.Reply, bool) {
	reply := r.own(r.params)
	if reply.Error != nil {
		return reply, true
	}
	var can map[string]json.RawMessage
	if json.Unmarshal(orEmpty(member(reply.Result, "capabilities")), &can) != nil {
		return reply, true
	}
	for name, ability := range abilitiesOfGateway {
		can[name] = json.RawMessage(ability)
	}
	all, err := ijson.Compact(can)
	if err == nil {
		said := nameOf(reply.Result, "instructions") + g.instructions(ctx)
		reply.Result, err = with(reply.Result, map[string]json.RawMessage{"capabilities": all, "instructions": textOf(said)})
	}
	if err != nil {
		return internal(), true
	}
	return reply, true
}

var abilitiesOfGateway = map[string]string{
	"tools": `{"listChanged":true}`, "prompts": `{"listChanged":true}`, "resources": `{"listChanged":true,"subscribe":true}`,
	"logging": `{}`, "completions": `{}`,
}

// The room of the servers' own instructions, in bytes.
const (
	roomEach = 600
	roomAll  = 3000
)

// instructions returns what the servers say of themselves, but for those whose words would instruct a model beyond their own use.
func (g *Gateway) instructions(ctx context.Context) string {
	var b strings.Builder
	for _, o := range g.view.Load().offers {
		text := strings.TrimSpace(o.Instructions)
		warnings, err := containment.Report(ctx, text)
		if text == "" || err != nil || len(warnings) > 0 || b.Len() > roomAll {
			continue
		}
		named := ", whose tools begin with " + o.Server + "__,"
		if g.Options.Servers[o.Server].Plain {
			named = ""
		}
		b.WriteString("\n\nThe server " + o.Server + named + " says of itself: " + ctxmcp.Clip(text, roomEach))
	}
	return b.String()
}

// list returns the answer to a list: the server's own items, and behind them those of the servers. It has one page.
func list(name string, of func(*view) []json.RawMessage) func(*Gateway, context.Context, request) (serve.Reply, bool) {
	return func(g *Gateway, ctx context.Context, r request) (serve.Reply, bool) {
		g.awaitUnseen(ctx)
		reply := r.own(r.params)
		if reply.Error != nil { // the server has no such list
			var refusal struct{ Code int }
			if json.Unmarshal(reply.Error, &refusal) != nil || refusal.Code != mcp.METHOD_NOT_FOUND {
				return reply, true
			}
			reply = serve.Reply{Result: json.RawMessage(`{}`)}
		}
		out, err := merged(reply.Result, name, of(g.view.Load()))
		if err != nil {
			return internal(), true
		}
		return serve.Reply{Result: out}, true
	}
}

func (g *Gateway) listTools(ctx context.Context, r request) (serve.Reply, bool) {
	return list("tools", func(v *view) (all []json.RawMessage) {
		if g.Options.Lazy {
			return lazyTools
		}
		for _, t := range v.tools {
			if t.refused == "" {
				all = append(all, t.listed)
			}
		}
		return all
	})(g, ctx, r)
}

func internal() serve.Reply {
	return serve.Failed(mcp.INTERNAL_ERROR, "internal error; the details are in the server's log")
}

// failed is a reply that says why a request was not carried out.
func (g *Gateway) failed(err error) serve.Reply {
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok {
		code := mcp.INTERNAL_ERROR
		if e.Code == ctxmcp.CodeNotFound || e.Code == ctxmcp.CodeInvalid {
			code = mcp.INVALID_PARAMS
		}
		return serve.Failed(code, words(e))
	}
	if errors.Is(err, context.Canceled) {
		return serve.Failed(mcp.INTERNAL_ERROR, "cancelled")
	}
	g.Logger.Warn("a request was not carried out", "error", err)
	return internal()
}

func words(e *ctxmcp.Error) string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; " + e.Hint
}

func (g *Gateway) getPrompt(ctx context.Context, r request) (serve.Reply, bool) {
	of, ok := g.view.Load().promptOf[nameOf(r.params, "name")]
	if !ok {
		return serve.Reply{}, false
	}
	params, err := with(r.params, map[string]json.RawMessage{"name": textOf(of.name)})
	if err != nil {
		return g.failed(err), true
	}
	return g.forward(ctx, r, of.server, params), true
}

func (g *Gateway) complete(ctx context.Context, r request) (serve.Reply, bool) {
	ref := member(r.params, "ref")
	of, ok := g.view.Load().promptOf[nameOf(ref, "name")]
	change := "name"
	if uri := nameOf(ref, "uri"); uri != "" {
		of, ok = unwrapURI(uri)
		change = "uri"
	}
	if !ok {
		return serve.Reply{}, false
	}
	ref, err := withText(ref, change, func(string) string { return of.name })
	if err != nil {
		return g.failed(err), true
	}
	params, err := with(r.params, map[string]json.RawMessage{"ref": ref})
	if err != nil {
		return g.failed(err), true
	}
	return g.forward(ctx, r, of.server, params), true
}

func (g *Gateway) subscribe(ctx context.Context, r request) (serve.Reply, bool) {
	of, ok := unwrapURI(nameOf(r.params, "uri"))
	if !ok {
		return serve.Reply{}, false
	}
	params, err := with(r.params, map[string]json.RawMessage{"uri": textOf(of.name)})
	if err != nil {
		return g.failed(err), true
	}
	return g.forward(ctx, r, of.server, params), true
}

// setLevel sets the level of the log of the server itself, and of all that the client is connected to.
func (g *Gateway) setLevel(ctx context.Context, r request) (serve.Reply, bool) {
	if r.peer.Lasting {
		g.level.Store(&r.params)
	}
	g.pool.each(func(c *connection) bool {
		return g.pool.keyOf(c.key.server, r.peer) == c.key && Offer{Capabilities: c.hello.Capabilities}.has("logging")
	},
		func(c *connection) {
			go func() { _, _ = c.request(g.life, r.peer, r.method, r.params) }() // nobody waits for a server
		})
	reply := r.own(r.params)
	if reply.Error != nil {
		reply = serve.Reply{Result: json.RawMessage(`{}`)}
	}
	return reply, true
}

// forward sends a request to a server, and returns its reply redacted and with the URIs that the clients know.
func (g *Gateway) forward(ctx context.Context, r request, server string, params json.RawMessage) serve.Reply {
	reply, err := g.send(ctx, r.peer, server, r.method, params)
	if err != nil {
		return g.failed(err)
	}
	s := shaping{server: server, tenant: r.peer.Caller.Tenant}
	for _, part := range []*json.RawMessage{&reply.Result, &reply.Error} {
		if *part == nil {
			continue
		}
		if *part, err = g.clean(ctx, s, *part); err != nil {
			return g.failed(err)
		}
	}
	return reply
}

// notSent is the failure of a request that no server got.
type notSent struct{ error }

func (e notSent) Unwrap() error { return e.error }

// send sends a request over the client's connection to a server. A connection that had ended before the request went out is made anew, once.
func (g *Gateway) send(ctx context.Context, peer serve.Peer, server, method string, params json.RawMessage) (serve.Reply, error) {
	for again := false; ; again = true {
		c, err := g.pool.take(ctx, server, peer)
		if err != nil {
			return serve.Reply{}, notSent{err}
		}
		reply, err := c.request(ctx, peer, method, params)
		switch {
		case errors.Is(err, errUnsent) && !again:
			g.pool.mu.Lock()
			if g.pool.open[c.key] == c {
				g.pool.drop(c)
			}
			g.pool.mu.Unlock()
			continue
		case err != nil && ctx.Err() == nil:
			if wanting, ok := errors.AsType[wantsSignIn](err); ok {
				return reply, unavailable(server, "refused the request", wanting.Error()).WithCause(wanting)
			}
			why := unavailable(server, "gave no answer", g.pool.said(c, err))
			if errors.Is(err, errUnsent) {
				return reply, notSent{why}
			}
			return reply, why
		}
		return reply, err
	}
}
