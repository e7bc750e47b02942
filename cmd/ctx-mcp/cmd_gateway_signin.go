package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/gateway"
	"github.com/ctx-mcp/ctx-mcp/gateway/credentials"
)

// signInTime is how long a user has to sign in.
const signInTime = 10 * time.Minute

// signIn is what a sign-in is asked for.
type signIn struct {
	sys    *system
	c      *config.Config
	shared bool
	noOpen bool
	paste  bool
}

func gatewaySignInCommand(sys *system, c *config.Config) *cobra.Command {
	s := signIn{sys: sys, c: c}
	cmd := &cobra.Command{
		Use:   "signin SERVER",
		Short: "Sign in to a server behind the gateway, with a browser",
		Long: `Sign in to a server behind the gateway, with a browser of this machine, or with --paste of another.

Where a server has refused a call for want of scopes, the sign-in asks for these too.
The tokens are kept sealed, for the user of --user alone, and are renewed. It needs an encryption key. A gateway that runs takes the sign-in up by itself.`,
		Args: oneServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			server, err := s.server(args[0])
			if err != nil {
				return err
			}
			return withApp(cmd.Context(), sys, c, func(a *app) error { return s.run(cmd.Context(), a, args[0], server) })
		},
	}
	cmd.Flags().BoolVar(&s.shared, "shared", false, "for the gateway itself: a server that is shared, and the lists over HTTP")
	cmd.Flags().BoolVar(&s.noOpen, "no-open", false, "print the address, and open no browser")
	cmd.Flags().BoolVar(&s.paste, "paste", false, "for a browser on another machine: read the address at which it ended from standard input")
	return prints(aTalk, cmd)
}

func oneServer(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usage("%s takes one server of the file that --servers names", cmd.CommandPath())
	}
	return nil
}

// server returns a server of the file, which must be one with an address.
func (s signIn) server(name string) (gateway.Server, error) {
	if err := s.c.LoadGateway(s.sys.getenv); err != nil {
		return gateway.Server{}, err
	}
	server, known := s.c.GatewayServers[name]
	switch {
	case !known:
		return server, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no server %q in %s", name, s.c.GatewayFile)
	case server.URL == "":
		return server, usage("the server %q is started here, by a command: give it its credentials in env", name)
	}
	return server, nil
}

func (s signIn) holder() credentials.Holder {
	if s.shared {
		return credentials.Holder{}
	}
	by := s.c.Caller()
	return credentials.Holder{Tenant: by.Tenant, User: by.User}
}

// run signs in. It looks for the key first, so that nobody signs in for nothing.
func (s signIn) run(ctx context.Context, a *app, name string, server gateway.Server) error {
	k := a.credentials()
	if k.Wallet.Sealer == nil {
		return credentials.NoKey()
	}
	t := credentials.Target{URL: server.URL, ClientID: server.OAuth.ClientID, Scopes: server.OAuth.Scopes, Port: server.OAuth.Port}
	var err error
	if t.ClientSecret, err = k.Fill(server.OAuth.ClientSecret); err != nil {
		return err
	}
	if t.URL, err = k.Fill(server.URL); err != nil {
		return err
	}
	if t.More, err = k.Wants(s.holder(), server.ID(name)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, signInTime)
	defer cancel()
	going, err := credentials.Begin(ctx, t)
	if err != nil {
		return err
	}
	grant, err := s.wait(ctx, going, name)
	if err != nil {
		return err
	}
	if err := k.SignedIn(ctx, s.holder(), server.ID(name), grant); err != nil {
		return err
	}
	fmt.Fprintf(s.sys.out, "signed in to %q by %s\n", name, plainLine(grant.Issuer))
	return nil
}

// wait says where to sign in, and waits until that is done.
func (s signIn) wait(ctx context.Context, going *credentials.SignIn, name string) (credentials.Grant, error) {
	where := "in a browser of this machine"
	if s.paste {
		where = "in a browser of any machine"
	}
	fmt.Fprintf(s.sys.out, "%s\nSign in to %q there, %s; Ctrl-C gives up.\n", plainLine(going.Address), name, where)
	if scopes := going.Scopes(); len(scopes) > 0 {
		fmt.Fprintf(s.sys.out, "It asks for: %s\n", plainLine(strings.Join(scopes, " ")))
	}
	if s.paste {
		return s.pasted(ctx, going)
	}
	if !s.noOpen {
		openBrowser(going.Address)
	}
	return going.Wait(ctx, s.sys.now)
}

// pasted reads addresses until one is the answer. Those that are not are named, and may be tried again.
func (s signIn) pasted(ctx context.Context, going *credentials.SignIn) (credentials.Grant, error) {
	defer going.Close()
	fmt.Fprintln(s.sys.out, "The browser ends at an address that it cannot show. Paste that address here, whole:")
	lines := make(chan string)
	go func() { // it ends with the program, should nothing come
		defer close(lines)
		for in := bufio.NewScanner(io.LimitReader(s.sys.in, 1<<20)); in.Scan(); {
			lines <- in.Text()
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return credentials.Grant{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "nobody has signed in").WithHint("run the command again")
		case line, more := <-lines:
			if !more {
				return credentials.Grant{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "standard input ended before the address came")
			}
			grant, err := going.Pasted(ctx, line, s.sys.now)
			if ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
				return grant, err
			}
			fmt.Fprintf(s.sys.out, "%v; try again:\n", err)
		}
	}
}

func gatewaySignOutCommand(sys *system, c *config.Config) *cobra.Command {
	asJSON := false
	s := signIn{sys: sys, c: c}
	cmd := &cobra.Command{
		Use: "signout SERVER", Short: "End the sign-in to a server: revoke its tokens there, and forget them", Args: oneServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			server, err := s.server(args[0])
			if err != nil {
				return err
			}
			k := &credentials.Keeper{Wallet: credentials.Wallet{Dir: gatewayDir(c)}}
			if a, err := openApp(cmd.Context(), sys, c); err == nil { // else the tokens cannot be opened, and are forgotten all the same
				defer a.close()
				k = a.credentials()
			}
			ended, err := k.SignOut(cmd.Context(), s.holder(), server.ID(args[0]))
			if err == nil && !ended.Was {
				err = ctxmcp.Errorf(ctxmcp.CodeNotFound, "nobody has signed in to %q", args[0])
			}
			if err != nil {
				return err
			}
			words := revokedWords(ended)
			return answer(sys, asJSON, signedOutReport{args[0], words}, "signed out of %q: its tokens are forgotten here, %s", args[0], words)
		},
	}
	cmd.Flags().BoolVar(&s.shared, "shared", false, "the sign-in of the gateway itself")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// revokedWords says which tokens count no more at the authorization server.
func revokedWords(e credentials.Ended) string {
	issuer := plainLine(e.Issuer)
	switch e.There {
	case credentials.RevokedAll:
		return "and " + issuer + " has revoked them"
	case credentials.RevokedRefresh:
		return "and " + issuer + " has revoked the sign-in; the access token counts there until it ends"
	case credentials.RevokedNone:
		return "but " + issuer + " has not revoked them: they count there until they end"
	case credentials.RevokedSealed:
		return "but no key here opens them to have them revoked: they count at the authorization server until they end"
	}
	return "and count at the authorization server until they end: where to revoke them is not known"
}

func gatewaySecretCommand(sys *system, c *config.Config) *cobra.Command {
	var remove, list, asJSON bool
	cmd := &cobra.Command{
		Use:   "secret NAME",
		Short: "Keep a secret for the servers behind the gateway, from standard input",
		Long: `Keep a secret for the servers behind the gateway, from standard input. It is sealed, and needs an encryption key.

In the file of the servers ${vault:NAME} in a value of headers or env, in args or in url stands for it. A gateway that runs gives it to the connections that it makes from then on.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 && !(list && len(args) == 0) {
				return usage("%s takes one name, or --list", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return withApp(cmd.Context(), sys, c, func(a *app) error {
				w := a.credentials().Wallet
				switch {
				case list:
					names, err := w.Names()
					if asJSON && err == nil {
						return writeJSON(sys.out, append([]string{}, names...))
					}
					for _, name := range names {
						fmt.Fprintln(sys.out, name)
					}
					return err
				case remove:
					return w.SetSecret(cmd.Context(), args[0], "")
				}
				text, err := io.ReadAll(io.LimitReader(sys.in, 64<<10))
				value := strings.TrimRight(string(text), "\r\n")
				if err == nil && value == "" {
					err = errors.New("standard input holds no secret")
				}
				if err == nil {
					err = w.SetSecret(cmd.Context(), args[0], value)
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "list the names")
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&remove, "remove", false, "remove the secret")
	return cmd
}
