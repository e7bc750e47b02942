package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// Limits bounds what is held of servers. The zero value works.
type Limits struct {
	Connections int           // in all; default 256. The one that was used longest ago gives way
	Idle        time.Duration // after which a connection that is not used is ended, unless its client lasts; default 10 minutes
	Startup     time.Duration // for a server to start and to say what it is; default 1 minute
	Message     int           // bytes of one message of a server; default 32 MiB
}

func (l Limits) withDefaults() Limits {
	l.Connections = cmp.Or(l.Connections, 256)
	l.Idle = cmp.Or(l.Idle, 10*time.Minute)
	l.Startup = cmp.Or(l.Startup, time.Minute)
	l.Message = cmp.Or(l.Message, 32<<20)
	return l
}

// pool holds the connections.
type pool struct {
	servers map[string]Server
	limits  Limits
	logger  *slog.Logger
	redact  redact.Func
	warden  *warden
	opens   Credentials // nil: there are none but those of the file

	changed  func(server, method string)
	notified func(c *connection, method string, params json.RawMessage, to []serve.Peer)

	mu     sync.Mutex
	open   map[key]*connection
	failed map[key]failure
	closed bool
	ending sync.WaitGroup
}

// failure is why a server could not be reached, and when it may be tried again.
type failure struct {
	times int
	until time.Time
	why   error
}

// The wait after a failure doubles from the first to the last.
const (
	firstWait = time.Second
	lastWait  = time.Minute
)

// keyOf returns whom a connection for a client serves.
func (p *pool) keyOf(name string, peer serve.Peer) key {
	if p.servers[name].Shared {
		return key{server: name}
	}
	k := key{server: name, tenant: peer.Caller.Tenant, user: peer.Caller.User}
	if slices.ContainsFunc(questions, func(q string) bool { return canBeAsked(peer, q) }) {
		k.session = peer.Session
	}
	return k
}

// take returns the connection of a client to a server, which is made if there is none. It waits until it is ready or ctx is done.
func (p *pool) take(ctx context.Context, name string, peer serve.Peer) (*connection, error) {
	c, err := p.find(name, peer)
	if err != nil {
		return nil, err
	}
	select {
	case <-c.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c.err != nil {
		return nil, unavailable(name, "did not start", c.err.Error())
	}
	return c, nil
}

func unavailable(name, what, why string) *ctxmcp.Error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the server %q %s: %s", name, what, why).WithHint("ctx-mcp gateway status shows the servers")
}

func (p *pool) find(name string, peer serve.Peer) (*connection, error) {
	s, known := p.servers[name]
	if !known {
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no server %q", ctxmcp.Clip(name, ctxmcp.MaxIDLength))
	}
	k := p.keyOf(name, peer)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the server is stopping")
	}
	if c := p.open[k]; c != nil {
		return c, nil
	}
	if f, ok := p.failed[k]; ok && time.Now().Before(f.until) {
		return nil, unavailable(name, fmt.Sprintf("is tried again in %s", time.Until(f.until).Round(time.Second)), f.why.Error())
	}
	if err := p.makeRoom(); err != nil {
		return nil, err
	}
	c := &connection{key: k, server: s, ready: make(chan struct{}), changed: p.changed, notified: p.notified, used: time.Now(), tail: &notes{}}
	if peer.Lasting {
		c.lasting = &peer
	}
	c.life, c.giveUp = context.WithCancel(context.Background()) // it outlives the call that wanted it
	p.open[k] = c
	p.ending.Go(func() { p.connect(c, peer) })
	return c, nil
}

// makeRoom ends the connection that was used longest ago, where there are too many.
func (p *pool) makeRoom() error {
	if len(p.open) < p.limits.Connections {
		return nil
	}
	var oldest *connection
	var since time.Time
	for _, c := range p.open {
		if used, idle := c.idle(); idle && (oldest == nil || used.Before(since)) {
			oldest, since = c, used
		}
	}
	if oldest == nil {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "all %d connections to servers are in use", p.limits.Connections).WithHint("try again later")
	}
	p.drop(oldest)
	return nil
}

// connect makes the wire of a connection, greets the server, and waits for its end.
func (p *pool) connect(c *connection, peer serve.Peer) {
	err := p.reach(c, peer)
	wanting, signIn := errors.AsType[wantsSignIn](err)
	switch {
	case signIn:
		c.err = wanting
	case err != nil:
		c.err = errors.New(p.said(c, err))
	}
	if err != nil {
		if c.life.Err() == nil {
			p.logger.Warn("a server could not be reached", "server", c.key.server, "error", c.err)
		}
	}
	p.mu.Lock()
	if err == nil {
		delete(p.failed, c.key)
	} else {
		p.note(c.key, c.err)
		p.remove(c)
	}
	p.mu.Unlock()
	close(c.ready)
	if err != nil {
		return
	}
	select {
	case <-c.link.gone():
	case <-c.life.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open[c.key] == c { // it ended by itself
		p.logger.Warn("a server has ended", "server", c.key.server)
		p.drop(c)
	}
}

func (p *pool) reach(c *connection, peer serve.Peer) (err error) {
	defer func() {
		if broken := recover(); broken != nil { // it runs on a goroutine of its own, where nobody else contains it
			p.logger.Error("panic", "in", "connect to a server", "server", c.key.server, "panic", broken, "stack", string(debug.Stack()))
			err = errors.New("internal error")
		}
		if err != nil && c.link != nil {
			c.link.close()
		}
	}()
	ctx, cancel := context.WithTimeout(c.life, p.limits.Startup)
	defer cancel()
	if c.link, err = p.wire(c); err != nil {
		return err
	}
	return c.greet(ctx, peer)
}

// wire starts the process of a server, or makes ready to ask its address.
func (p *pool) wire(c *connection) (link, error) {
	s, err := p.filled(c.server)
	if err != nil {
		return nil, err
	}
	if s.URL != "" {
		w, err := newWeb(c.life, s.URL, s.Headers, p.opener(c.key, c.server.ID(c.key.server), s), int64(p.limits.Message), c.ears())
		if err != nil {
			return nil, err
		}
		return w, nil
	}
	run, err := startProcess(s.Server, c.tail, p.warden.keep)
	if err != nil {
		return nil, err
	}
	l := newLines(run.out, run.stdin, p.limits.Message, c.ears())
	p.ending.Go(func() {
		<-l.gone()
		run.stop()
	})
	return l, nil
}

// said is what a failure tells, without secrets, with the end of what the process wrote beside the protocol.
func (p *pool) said(c *connection, err error) string {
	text := err.Error()
	if wanting, ok := errors.AsType[wantsSignIn](err); ok {
		return wanting.Error()
	}
	if tail := c.tail.String(); tail != "" {
		text += "; it wrote: " + tail
	}
	clean, _, failed := p.redact(context.Background(), c.key.tenant, text)
	if failed != nil {
		return "its error is not shown"
	}
	return ctxmcp.Clip(clean, 600)
}

// note keeps a failure, and forgets old ones.
func (p *pool) note(k key, why error) {
	maps.DeleteFunc(p.failed, func(_ key, f failure) bool { return time.Since(f.until) > lastWait })
	f := p.failed[k]
	wait := min(firstWait<<min(f.times, 10), lastWait)
	if _, ok := errors.AsType[wantsSignIn](why); ok {
		wait = firstWait // the user may be about to
	}
	p.failed[k] = failure{f.times + 1, time.Now().Add(wait), why}
}

// drop ends a connection.
func (p *pool) drop(c *connection) {
	p.remove(c)
	p.ending.Go(func() {
		<-c.ready
		if c.link != nil {
			c.link.close()
		}
	})
}

func (p *pool) remove(c *connection) {
	if p.open[c.key] == c {
		delete(p.open, c.key)
	}
	c.giveUp()
}

// sweep ends the connections that nobody has used for long.
func (p *pool) sweep(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range slices.Collect(maps.Values(p.open)) {
		used, idle := c.idle()
		if idle && c.lasting == nil && now.Sub(used) >= p.limits.Idle {
			p.drop(c)
		}
	}
}

// each calls do for the connections that are ready and match.
func (p *pool) each(match func(*connection) bool, do func(*connection)) {
	p.mu.Lock()
	all := slices.Collect(maps.Values(p.open))
	p.mu.Unlock()
	for _, c := range all {
		select {
		case <-c.ready:
			if c.err == nil && match(c) {
				do(c)
			}
		default:
		}
	}
}

// close ends all connections, and returns once their processes are gone.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	for _, c := range slices.Collect(maps.Values(p.open)) {
		p.drop(c)
	}
	p.mu.Unlock()
	p.ending.Wait()
	p.warden.close()
}

// notes keeps the end of what a process writes to standard error.
type notes struct {
	mu   sync.Mutex
	text []byte
}

const maxNotes = 2000 // bytes

// Write keeps the end of what was written.
func (n *notes) Write(text []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text = append(n.text, text...)
	n.text = n.text[max(0, len(n.text)-maxNotes):]
	return len(text), nil
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(n.text), "?")), " ")
}
