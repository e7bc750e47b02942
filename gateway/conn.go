package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// connection is a server at work for one client, for one user, or, where the configuration says so, for all.
type connection struct {
	key    key
	server Server
	ready  chan struct{} // closed once link or err is set
	life   context.Context
	giveUp context.CancelFunc
	link   link
	err    error
	hello  hello
	modern bool   // the server speaks the revision without sessions
	tail   *notes // of what a process says beside the protocol

	changed  func(server, method string) // told that a list of the server has changed
	notified func(c *connection, method string, params json.RawMessage, to []serve.Peer)

	mu      sync.Mutex
	calls   []*call // under way, the last at the end
	lasting *serve.Peer
	used    time.Time
	tokens  atomic.Int64
}

// key says whom a connection serves.
type key struct {
	server       string
	tenant, user string
	session      string // of the client, where the server may ask it
}

// hello is a server's description of itself.
type hello struct {
	Version      string          `json:"protocolVersion"`
	Capabilities json.RawMessage `json:"capabilities"`
	Info         json.RawMessage `json:"serverInfo"`
	Instructions string          `json:"instructions"`
}

// call is a request of a client that a server is answering.
type call struct {
	peer  serve.Peer
	token string          // of progress, as the server has it; "" without
	as    json.RawMessage // as the client has it
}

// current returns the client that the server can ask and tell: that of the last call under way, else one that lasts.
func (c *connection) current() (serve.Peer, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.calls) > 0 {
		return c.calls[len(c.calls)-1].peer, true
	}
	if c.lasting != nil {
		return *c.lasting, true
	}
	return serve.Peer{}, false
}

func (c *connection) begin(p serve.Peer, token string, as json.RawMessage) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	this := &call{p, token, as}
	c.calls = append(c.calls, this)
	if p.Lasting {
		c.lasting = &p
	}
	return this
}

func (c *connection) end(this *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = slices.DeleteFunc(c.calls, func(o *call) bool { return o == this })
	c.used = time.Now()
}

// idle reports whether no call is under way, and since when.
func (c *connection) idle() (since time.Time, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used, len(c.calls) == 0
}

// request sends a request of a client. Its token of progress becomes one that no other call has.
func (c *connection) request(ctx context.Context, p serve.Peer, method string, params json.RawMessage) (serve.Reply, error) {
	params, token, as, err := c.outgoing(params)
	if err != nil {
		return serve.Reply{}, err
	}
	this := c.begin(p, token, as)
	defer c.end(this)
	return c.link.request(ctx, method, params)
}

// outgoing returns the params as the server gets them.
func (c *connection) outgoing(params json.RawMessage) (out json.RawMessage, token string, as json.RawMessage, err error) {
	var parts map[string]json.RawMessage
	if len(params) > 0 {
		if err := json.Unmarshal(params, &parts); err != nil {
			return nil, "", nil, err
		}
	}
	var meta map[string]json.RawMessage
	if raw := parts["_meta"]; raw != nil {
		if err := json.Unmarshal(raw, &meta); err != nil {
			return nil, "", nil, err
		}
	}
	before := len(meta)
	for _, name := range []string{mcp.MetaKeyProtocolVersion, mcp.MetaKeyClientInfo, mcp.MetaKeyClientCapabilities, mcp.MetaKeyLogLevel} {
		delete(meta, name)
	}
	if as = meta["progressToken"]; as != nil {
		token = "p" + strconv.FormatInt(c.tokens.Add(1), 10)
		meta["progressToken"] = json.RawMessage(strconv.Quote(token))
	}
	if c.modern {
		if meta == nil {
			meta = map[string]json.RawMessage{}
		}
		for name, value := range modernMeta() {
			meta[name] = value
		}
	} else if as == nil && before == len(meta) {
		return params, "", nil, nil
	}
	if parts == nil {
		parts = map[string]json.RawMessage{}
	}
	delete(parts, "_meta")
	if len(meta) > 0 {
		if parts["_meta"], err = ijson.Compact(meta); err != nil {
			return nil, "", nil, err
		}
	}
	out, err = ijson.Compact(parts)
	return out, token, as, err
}

// version is told to the servers; cmd sets it.
var self = json.RawMessage(`{"name":"ctx-mcp","version":"1"}`)

const modernVersion = "2026-07-28"

func modernMeta() map[string]json.RawMessage {
	return map[string]json.RawMessage{
		mcp.MetaKeyProtocolVersion: json.RawMessage(strconv.Quote(modernVersion)), mcp.MetaKeyClientInfo: self,
		mcp.MetaKeyClientCapabilities: json.RawMessage(`{}`),
	}
}

// ears returns what takes in the server's own messages.
func (c *connection) ears() ears { return ears{notified: c.hear, asked: c.ask} }

// hear takes in a notification of the server.
func (c *connection) hear(method string, params json.RawMessage) {
	switch method {
	case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed":
		c.changed(c.key.server, method)
		return
	case "notifications/progress":
		c.progress(params)
		return
	}
	if p, ok := c.current(); ok {
		c.notified(c, method, params, []serve.Peer{p})
	}
}

// progress tells the client of the call, by the token that it has given.
func (c *connection) progress(params json.RawMessage) {
	var parts map[string]json.RawMessage
	var token string
	if json.Unmarshal(params, &parts) != nil || json.Unmarshal(parts["progressToken"], &token) != nil {
		return
	}
	c.mu.Lock()
	i := slices.IndexFunc(c.calls, func(o *call) bool { return o.token == token && token != "" })
	var of call
	if i >= 0 {
		of = *c.calls[i]
	}
	c.mu.Unlock()
	if i < 0 {
		return
	}
	parts["progressToken"] = of.as
	if text, err := ijson.Compact(parts); err == nil {
		c.notified(c, "notifications/progress", text, []serve.Peer{of.peer})
	}
}

// questions are the requests of a server that a client may be asked.
var questions = []string{"sampling/createMessage", "elicitation/create", "roots/list"}

// ask answers a request of the server: itself, or by the client that the connection serves.
func (c *connection) ask(ctx context.Context, method string, params json.RawMessage) serve.Reply {
	if method == string(mcp.MethodPing) {
		return serve.Reply{Result: json.RawMessage(`{}`)}
	}
	p, ok := c.current()
	if !ok || c.server.Shared || !slices.Contains(questions, method) || !canBeAsked(p, method) {
		return serve.Failed(mcp.METHOD_NOT_FOUND, "the client of this server does not take "+method)
	}
	reply, err := p.Request(ctx, method, params)
	if err != nil {
		return serve.Failed(mcp.INTERNAL_ERROR, "the client gave no answer")
	}
	return reply
}

// canBeAsked reports whether a client takes a request of a server.
func canBeAsked(p serve.Peer, method string) bool {
	if p.Modern || p.Session == "" {
		return false
	}
	switch method {
	case "sampling/createMessage":
		return p.Can.Sampling != nil
	case "elicitation/create":
		return p.Can.Elicitation != nil
	}
	return p.Can.Roots != nil
}

// abilities returns the capabilities that a server is told of: those of the client, where it can be asked.
func abilities(p serve.Peer, shared bool) json.RawMessage {
	can := map[string]any{}
	if !shared {
		if canBeAsked(p, "sampling/createMessage") {
			can["sampling"] = p.Can.Sampling
		}
		if canBeAsked(p, "elicitation/create") {
			can["elicitation"] = p.Can.Elicitation
		}
		if canBeAsked(p, "roots/list") {
			can["roots"] = p.Can.Roots
		}
	}
	text, err := json.Marshal(can)
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return text
}

// greet agrees with the server on the protocol: by the handshake of the older revisions, else without one.
func (c *connection) greet(ctx context.Context, p serve.Peer) error {
	params := fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"clientInfo":%s}`, mcp.LATEST_LEGACY_PROTOCOL_VERSION, abilities(p, c.server.Shared), self)
	reply, err := c.link.request(ctx, string(mcp.MethodInitialize), json.RawMessage(params))
	if err != nil {
		return err
	}
	if reply.Error != nil {
		return c.discover(ctx, reply)
	}
	if err := json.Unmarshal(reply.Result, &c.hello); err != nil {
		return fmt.Errorf("its initialize: %w", err)
	}
	c.link.agreed(c.hello.Version)
	return c.link.notify(ctx, "notifications/initialized", nil)
}

// discover asks a server that has no handshake for its capabilities.
func (c *connection) discover(ctx context.Context, refused serve.Reply) error {
	c.modern = true
	c.link.agreed(modernVersion)
	params, _, _, err := c.outgoing(nil)
	if err != nil {
		return err
	}
	reply, err := c.link.request(ctx, string(mcp.MethodServerDiscover), params)
	if wants, ok := errors.AsType[wantsSignIn](err); ok {
		return wants
	}
	if err != nil || reply.Error != nil {
		return fmt.Errorf("it refused initialize: %s", refused.Error)
	}
	return json.Unmarshal(reply.Result, &c.hello)
}
