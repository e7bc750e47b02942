package upstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
)

// Options tunes a Pool. The zero value works.
type Options struct {
	Idle     time.Duration // after which a server that is not asked is stopped; default 5 minutes
	MaxBytes int64         // of one message of a server; default 8 MiB
	Version  string        // that the client names
	// Redact hides secrets in what a server says of its failures, which is logged; nil: it says nothing.
	Redact func(text string) string
}

// Pool holds the connections to upstream servers. It is made by New, and closed once.
type Pool struct {
	servers map[string]Server
	options Options
	logger  *slog.Logger

	mu     sync.Mutex // guards all below
	open   map[string]*connection
	closed bool

	ending sync.WaitGroup // connections that are being ended
}

// New returns a pool that has started nothing yet.
func New(servers map[string]Server, o Options, logger *slog.Logger) *Pool {
	if o.Idle == 0 {
		o.Idle = 5 * time.Minute
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 8 << 20
	}
	return &Pool{servers: servers, options: o, logger: logger, open: map[string]*connection{}}
}

// connection is a server that was started, or is being started.
type connection struct {
	name   string
	server Server
	life   context.Context // ends when the connection is given up
	giveUp context.CancelFunc
	ready  chan struct{} // closed once client or err is set
	client *client.Client
	err    error
	tools  map[string]mcp.Tool
	meter  *meter // of what a process writes; nothing passes it for an address

	users int         // guarded by the pool's mu
	idle  *time.Timer // runs while there are no users; guarded by the pool's mu
}

// with does something with a connection, which lives for as long as that at least. A connection that failed is given up;
// where it had gone since it was last used, there is a second attempt with a new one.
func (p *Pool) with(ctx context.Context, name string, do func(*connection) error) error {
	used, err := p.attempt(ctx, name, do)
	if used && errors.Is(err, transport.ErrTransportClosed) {
		_, err = p.attempt(ctx, name, do)
	}
	if _, told := errors.AsType[*ctxmcp.Error](err); err == nil || told {
		return err
	}
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the server %q did not answer", name).WithCause(errors.New(p.said(err))).
		WithHint("the operator finds the cause in the log")
}

// attempt does it once. Used says that the connection was there before.
func (p *Pool) attempt(ctx context.Context, name string, do func(*connection) error) (used bool, err error) {
	c, used, err := p.take(name)
	if err != nil {
		return used, err
	}
	failed := true // unless it is seen to end well
	defer func() { p.give(c, failed) }()
	select {
	case <-c.ready:
		err = c.err
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err == nil {
		err = do(c)
	}
	if errors.Is(err, errTooMuch) || err != nil && c.meter.over.Load() {
		err = fmt.Errorf("%w: %w", err, ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the server %q sent more than %d bytes", name, p.options.MaxBytes).
			WithHint("ask for a part of it"))
		return false, err
	}
	_, told := errors.AsType[*ctxmcp.Error](err)
	failed = err != nil && !told
	return used, err
}

// take returns the connection of a server, and starts it if there is none. Used says that there was one.
func (p *Pool) take(name string) (c *connection, used bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	server, known := p.servers[name]
	if !known {
		return nil, false, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no server %q", ctxmcp.Clip(name, ctxmcp.MaxIDLength)).
			WithHint("one of %s", strings.Join(slices.Sorted(maps.Keys(p.servers)), ", "))
	}
	if p.closed {
		return nil, false, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the server is stopping")
	}
	c, used = p.open[name]
	if !used {
		c = &connection{name: name, server: server, ready: make(chan struct{}), meter: &meter{most: p.options.MaxBytes}}
		c.life, c.giveUp = context.WithCancel(context.Background()) // it outlives the call that wanted it
		p.open[name] = c
		go p.connect(c)
	}
	if c.idle != nil {
		c.idle.Stop()
	}
	c.users++
	return c, used, nil
}

// give hands a connection back, and says whether it failed.
func (p *Pool) give(c *connection, failed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.users--
	if failed {
		p.drop(c)
		return
	}
	if c.users == 0 && p.open[c.name] == c {
		c.idle = time.AfterFunc(p.options.Idle, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			if c.users == 0 {
				p.drop(c)
			}
		})
	}
}

// drop gives a connection up. The lock is held.
func (p *Pool) drop(c *connection) {
	if p.open[c.name] == c {
		delete(p.open, c.name)
		c.giveUp()
		p.ending.Go(c.end)
	}
}

// end waits until the connection stands, and ends it.
func (c *connection) end() {
	<-c.ready
	if c.client != nil {
		_ = c.client.Close() // the server may have gone already
	}
}

// Close ends every connection and waits for the processes.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.closed = true
	for _, c := range p.open {
		p.drop(c)
	}
	p.mu.Unlock()
	p.ending.Wait()
	return nil
}

// startup bounds how long a server may take until it can be asked.
const startup = 30 * time.Second

// connect makes the connection.
func (p *Pool) connect(c *connection) {
	defer func() {
		if broken := recover(); broken != nil { // it runs on a goroutine of its own, where nobody else contains it
			c.err = fmt.Errorf("panic: %v", broken)
			p.logger.Error("start an upstream server", "server", c.name, "panic", broken, "stack", string(debug.Stack()))
		}
		close(c.ready)
	}()
	ctx, cancel := context.WithTimeout(c.life, startup)
	defer cancel()
	t, err := p.transport(c)
	if err != nil {
		c.err = err
		p.logger.Error("start an upstream server", "server", c.name, "error", p.said(err))
		return
	}
	c.client = client.NewClient(t)
	if c.err = c.client.Start(c.life); c.err == nil {
		var hello mcp.InitializeRequest
		hello.Params.ClientInfo = mcp.Implementation{Name: "ctx-mcp", Version: p.options.Version}
		_, c.err = c.client.Initialize(ctx, hello)
	}
	if c.err == nil {
		c.tools, c.err = listTools(ctx, c.client)
	}
	if c.err != nil {
		p.logger.Error("connect to an upstream server", "server", c.name, "error", p.said(c.err))
	}
}

// said returns the text of an error for the log: a server may have written it.
func (p *Pool) said(err error) string {
	if p.options.Redact == nil {
		return "not shown"
	}
	return p.options.Redact(err.Error())
}

// maxTools bounds the tools of a server that are known.
const maxTools = 1000

// listTools returns the tools of a server by name; none if it offers none.
func listTools(ctx context.Context, c *client.Client) (map[string]mcp.Tool, error) {
	tools := map[string]mcp.Tool{}
	if c.GetServerCapabilities().Tools == nil {
		return tools, nil
	}
	var request mcp.ListToolsRequest
	for pages := 0; pages < maxTools; pages++ {
		list, err := c.ListToolsByPage(ctx, request)
		if err != nil {
			return nil, err
		}
		for _, t := range list.Tools {
			tools[t.Name] = t
		}
		if list.NextCursor == "" || len(tools) > maxTools {
			break
		}
		request.Params.Cursor = list.NextCursor
	}
	return tools, nil
}
