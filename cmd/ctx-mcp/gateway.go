package main

import (
	"context"
	"os"

	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/gateway"
	"github.com/ctx-mcp/ctx-mcp/gateway/credentials"
	"github.com/ctx-mcp/ctx-mcp/guard"
	"github.com/ctx-mcp/ctx-mcp/serve"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

// credentials returns the secrets and tokens of the servers behind the gateway.
func (a *app) credentials() *credentials.Keeper {
	k := &credentials.Keeper{Wallet: credentials.Wallet{Dir: gatewayDir(a.config)}, Now: a.sys.now, Hide: a.secrets.hide}
	if a.vault != nil {
		k.Wallet.Sealer = a.vault
	}
	return k
}

// front returns the gateway of the configuration, and what ends it; nothing where none is wanted.
func (a *app) front(wanted bool, s *server.MCPServer, o tools.Options, project string) (serve.Front, func(), error) {
	if !wanted {
		return nil, func() {}, nil
	}
	key, err := a.derive(keyOfFrames)
	if err != nil {
		return nil, nil, err
	}
	path, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	c := a.config
	g := &gateway.Gateway{
		Guard: &guard.Guard{
			Judge: a.actions, Wrapper: a.envelope, Key: key, Logger: a.logger,
			Options: guard.Options{MaxTokens: c.GatewayMaxTokens, Frame: c.GatewayFrame == config.FrameAlways},
		},
		Reviews: a.actions, Asker: a.asker, Hooks: hookClaims{c.DataDir}, Opens: a.credentials(), Redact: a.redactResult, Logger: a.logger, Now: a.sys.now, NewID: a.sys.newID,
		Options: gateway.Options{
			Servers: c.GatewayServers, Dir: gatewayDir(c), Project: project, Lazy: c.GatewayLazy, Allow: c.GatewayAllow, Deny: c.GatewayDeny,
			ReadOnly: c.ReadOnly, Warden: []string{path, "gateway", "warden"},
			Announce: func(method string) { s.SendNotificationToAllClients(method, nil) },
		},
	}
	for _, t := range tools.Select(o) {
		g.Options.Taken = append(g.Options.Taken, t.MCP.Name)
	}
	if err := g.Start(); err != nil {
		return nil, nil, err
	}
	return g, func() {
		ctx, cancel := context.WithTimeout(context.Background(), c.ShutdownGrace)
		defer cancel()
		g.Close(ctx)
	}, nil
}
