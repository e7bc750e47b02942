package main

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/bucket"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/console"
	"github.com/ctx-mcp/ctx-mcp/gateway"
	"github.com/ctx-mcp/ctx-mcp/serve"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

func httpCommand(sys *system, c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "http",
		Short: "Serve many agents over Streamable HTTP",
		Long: `Serve many agents over Streamable HTTP, at /mcp.

By default the server listens on this machine only and every caller is the configured user. As soon as a token exists
(ctx-mcp token create), with --auth token, or where auth.oauth.issuer names an authorization server, every call needs one. An address that other machines
can reach always needs tokens.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serveHTTP(cmd.Context(), sys, c, false) },
	}
	addFlags(cmd.Flags(), c, "http")
	return prints(aService, cmd)
}

// serveHTTP serves many clients, behind a gateway to other servers if that is wanted.
func serveHTTP(ctx context.Context, sys *system, c *config.Config, behind bool) (err error) {
	c.Quotas.OverHTTP = true
	a, err := openApp(ctx, sys, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	a.metrics.registry.MustRegister(newQuotaMetrics(a.store, c.Quotas.Limits(true)))
	if err := a.serveUpkeep(ctx); err != nil {
		return err
	}
	open, err := a.openUntilToken(ctx)
	if err != nil {
		return err
	}
	s := tools.NewServer(a.services(ctxmcp.Scope{Project: c.Project, Session: c.Session}, "tcp"), a.toolOptions(), serve.Options(a.logger)...)
	front, closeFront, err := a.front(behind, s, a.toolOptions(), c.Project)
	if err != nil {
		return err
	}
	defer closeFront()
	if gw, ok := front.(*gateway.Gateway); ok {
		gw.Refresh()
	}
	secure, err := a.tls()
	if err != nil {
		return err
	}
	scheme := "http://"
	if secure != nil {
		scheme = "https://"
	}
	pages := a.console()
	pages.Admit, pages.Secret = a.access.Authenticate, "token"
	pages.SignIn, pages.Secure = a.signIn(), secure != nil || strings.HasPrefix(c.PublicURL, "https://")
	if pages.Visits, err = a.visits(); err != nil {
		return err
	}
	err = serve.HTTP(ctx, s, serve.HTTPOptions{
		OAuth:   a.resource(behind),
		Console: console.New(pages), Front: front,
		Addr: c.Addr, TLS: secure, PublicURL: c.PublicURL, AllowedOrigins: c.AllowedOrigins, CORSOrigins: c.CORSOrigins,
		AllowedHosts: slices.Concat(c.AllowedHosts, c.TLS.Hosts), RateLimit: c.RateLimit, RateBurst: c.RateBurst, Allowances: a.store.Allowances(),
		Authenticate: a.access.Authenticate, Open: open, Kept: c.MetricsToken, Anonymous: c.Caller(), MaxBodyBytes: int64(c.MaxBodyBytes),
		Messages: a.messages("tcp"), Sessions: c.Sessions, SessionsEach: c.SessionsEach,
		ShutdownGrace: c.ShutdownGrace, Needs: a.needs(), Metrics: a.metrics.handler(), Logger: a.logger,
		OnListen: func(addr net.Addr) {
			a.logger.Info("serving http", append([]any{"version", version, "url", scheme + addr.String() + "/mcp", "data_dir", c.DataDir,
				"tokens_required", open == nil}, elsewhere(c)...)...)
		},
	})
	if errors.Is(err, syscall.EADDRINUSE) {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s is in use", c.Addr).
			WithHint("another server listens there; choose another address with --addr, such as 127.0.0.1:8081")
	}
	return err
}

// needs returns the dependencies of the server.
func (a *app) needs() []serve.Dependency {
	all := []serve.Dependency{{Name: "database", Reach: a.store.Ping}}
	if a.store.Sealed() {
		all = append(all, serve.Dependency{Name: "keys", Reach: a.store.PingKeys})
	}
	if b, is := a.files.(*bucket.Store); is {
		all = append(all, serve.Dependency{Name: "bucket", Partial: true, Reach: b.Reach})
	}
	return all
}

// openUntilToken returns a function that tells whether callers without a token are the configured user: they are until any
// process makes a token. It returns nil if every call needs one from the start.
func (a *app) openUntilToken(ctx context.Context) (func(context.Context) (bool, error), error) {
	if a.config.Auth == "token" || a.config.OAuth.Issuer != "" {
		return nil, nil
	}
	open := func(ctx context.Context) (bool, error) {
		issued, err := a.access.List(ctx)
		return len(issued) == 0, err
	}
	if still, err := open(ctx); !still || err != nil {
		return nil, err
	}
	return open, nil
}

// elsewhere returns the addresses of rows and bytes outside of the data directory, for the log.
func elsewhere(c *config.Config) (names []any) {
	if c.Store != "" {
		names = append(names, "store", nameOf(c.Store))
	}
	if c.Blobs != "" {
		names = append(names, "blobs", nameOf(c.Blobs))
	}
	return names
}
