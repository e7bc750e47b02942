package serve

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/allowance"
	"github.com/mark3labs/mcp-go/server"
)

// HTTPOptions configures HTTP and NewHandler. The zero value serves the local machine without authentication.
type HTTPOptions struct {
	Addr           string      // the address that HTTP listens on; default 127.0.0.1:8080
	Path           string      // of the MCP endpoint; default /mcp
	TLS            *tls.Config // with which HTTP serves; nil: without TLS
	PublicURL      string      // scheme://host that clients use, if a proxy changes it; default from the request
	AllowedOrigins []string    // besides loopback origins and the server's own: exact, scheme://host[:port]
	CORSOrigins    []string    // allowed origins whose pages a browser lets call and read the answers; exact; default none
	AllowedHosts   []string    // besides loopback names, the listening address and PublicURL; without a port, any port

	// Authenticate returns who holds a bearer token. An error means that nobody does, one with CodeUnavailable that the
	// token could not be checked; errors are logged and must not quote the token. The same token must give equal callers,
	// because protocol sessions are bound to the Caller. Without Authenticate, every request is Anonymous, and HTTP
	// listens on loopback addresses only.
	Authenticate func(ctx context.Context, bearer string) (ctxmcp.Caller, error)
	Anonymous    ctxmcp.Caller
	// Open reports whether nobody needs a token yet, although Authenticate is set: it is asked for every request until it
	// says no, which is for good. HTTP then listens on loopback addresses only. nil: everybody needs one.
	Open func(ctx context.Context) (bool, error)
	// OAuth makes access tokens of an authorization server count beside those of Authenticate. It needs PublicURL, and Open is nil:
	// what a client asks a token for must not depend on the Host of a request.
	OAuth                *OAuth
	AuthorizationServers []string // issuer URLs in the protected resource metadata; none by default
	ResourceName         string   // in the same place; default ctx-mcp

	RateLimit float64 // messages of one caller a second, on average; 0 for any number
	RateBurst int     // messages of one caller at once; default the number that RateLimit allows in 10 seconds
	// Allowances counts the messages of a caller together with other servers; nil: there are none. While it cannot be asked, each counts alone.
	Allowances allowance.Store

	Sessions     int // protocol sessions that are kept, of the older revisions; default 4096
	SessionsEach int // of one caller; default 256

	MaxBodyBytes  int64         // of one message; default 32 MiB
	Front         Front         // stands before the server; nil: nobody does
	Messages      Messages      // bounds the memory of messages under way; nil: nothing does
	ReadTimeout   time.Duration // for a whole request to arrive; default 1 minute; HTTP only
	ShutdownGrace time.Duration // for running calls when the server stops; default 10 seconds; HTTP only

	Needs    []Dependency   // /readyz asks each of them
	Metrics  http.Handler   // answers /metrics; nil is 404
	Kept     bool           // /metrics needs a token where the MCP endpoint does; else anyone who can connect reads it
	Console  http.Handler   // answers below /ui/ and lets nobody in without a token; nil is 404
	Logger   *slog.Logger   // default none
	OnListen func(net.Addr) // called once with the address that HTTP listens on
}

// The limits of a connection that no option changes. There is no limit on writing: it would cut long streams.
const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10
	cancelGrace       = time.Second // for a call to notice that it was cancelled
)

func (o HTTPOptions) withDefaults() HTTPOptions {
	o.Addr = cmp.Or(o.Addr, "127.0.0.1:8080")
	o.Path = cmp.Or(o.Path, "/mcp")
	o.ResourceName = cmp.Or(o.ResourceName, "ctx-mcp")
	o.MaxBodyBytes = cmp.Or(o.MaxBodyBytes, 32<<20)
	o.ReadTimeout = cmp.Or(o.ReadTimeout, time.Minute)
	o.ShutdownGrace = cmp.Or(o.ShutdownGrace, 10*time.Second)
	o.Sessions = cmp.Or(o.Sessions, defaultSessions)
	o.SessionsEach = min(cmp.Or(o.SessionsEach, defaultSessionsEach), o.Sessions)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	o.AllowedOrigins = slices.Concat(o.AllowedOrigins, o.CORSOrigins)
	if public, err := url.Parse(o.PublicURL); err == nil && public.Host != "" {
		o.AllowedHosts = append(slices.Clip(o.AllowedHosts), public.Host)
	}
	return o
}

// HTTP serves s on o.Addr until ctx is done, then stops: it accepts nothing new, ends the open streams, and gives running
// calls o.ShutdownGrace to finish. It returns nil if they did, and an error if they had to be cancelled, if o.Addr can be
// reached from other machines without authentication, or if listening fails.
func HTTP(ctx context.Context, s *server.MCPServer, o HTTPOptions) error {
	o = o.withDefaults()
	listener, err := listen(o)
	if err != nil {
		return err
	}
	calls, cancelCalls := context.WithCancel(context.WithoutCancel(ctx))
	defer cancelCalls()
	handler := NewHandler(s, o)
	defer handler.Close()
	web := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       o.ReadTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return calls },
		ErrorLog:          slog.NewLogLogger(o.Logger.Handler(), slog.LevelWarn),
	}
	web.Protocols = new(http.Protocols)
	web.Protocols.SetHTTP1(true)
	bound := listener.Addr()
	if o.TLS != nil {
		listener = tls.NewListener(listener, o.TLS)
	} else if o.inTheClear(bound) {
		o.Logger.Warn("tokens and content travel in the clear to other machines: configure http.tls or http.acme, or put a proxy with TLS in front and name it in http.public_url",
			"addr", bound.String())
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	if o.OnListen != nil {
		o.OnListen(bound)
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve %s: %w", bound, err)
	case <-ctx.Done():
	}
	handler.Close()
	return shutdown(web, &handler.posts, o.ShutdownGrace, cancelCalls)
}

// listen opens o.Addr, unless that would let other machines in without authentication.
func listen(o HTTPOptions) (net.Listener, error) {
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return nil, fmt.Errorf("%q is no address to listen on: give host and port, such as 127.0.0.1:8080: %w", o.Addr, err)
	}
	if o.open() && !Loopback(host) {
		return nil, exposed(o.Addr)
	}
	if o.OAuth != nil && (o.PublicURL == "" || o.open()) {
		return nil, errors.New("listen: a protected resource needs its public URL, and tokens from the start")
	}
	listener, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, err
	}
	if bound := listener.Addr(); o.open() && !Loopback(hostname(bound.String())) {
		_ = listener.Close()
		return nil, exposed(bound.String())
	}
	return listener, nil
}

// open reports whether callers without a token may be let in.
func (o HTTPOptions) open() bool { return o.Authenticate == nil || o.Open != nil }

// inTheClear reports whether other machines can reach addr, and no proxy with TLS is named.
func (o HTTPOptions) inTheClear(addr net.Addr) bool {
	return !Loopback(hostname(addr.String())) && !strings.HasPrefix(o.PublicURL, "https://")
}

func exposed(addr string) error {
	return fmt.Errorf("listen on %s: other machines could reach it and there is no authentication; "+
		"configure tokens, or listen on 127.0.0.1", addr)
}

// shutdown waits for running calls, cancels them after grace, and closes every connection. A connection that no call runs
// on, such as one that has sent half a request, holds it up for cancelGrace at most.
func shutdown(web *http.Server, calls *sync.WaitGroup, grace time.Duration, cancelCalls func()) error {
	patience, stop := context.WithCancel(context.Background())
	defer stop()
	closed, finished := make(chan error, 1), make(chan struct{})
	go func() { closed <- web.Shutdown(patience) }()
	go func() { calls.Wait(); close(finished) }()
	var err error
	select {
	case <-finished:
	case <-time.After(grace):
		cancelCalls()
		err = fmt.Errorf("stop: calls still ran after %s and were cancelled", grace)
	}
	select {
	case failed := <-closed:
		return cmp.Or(err, failed)
	case <-time.After(cancelGrace):
		_ = web.Close()
		return err
	}
}
