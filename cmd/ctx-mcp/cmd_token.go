package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
)

func tokenCommand(sys *system, c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Create, list and revoke the bearer tokens of the HTTP server",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(tokenCreateCommand(sys, c), tokenListCommand(sys, c), tokenRevokeCommand(sys, c))
	return cmd
}

func tokenCreateCommand(sys *system, c *config.Config) *cobra.Command {
	var d access.Draft
	clearance, authority, expires := config.Clearance(ctxmcp.Restricted), config.Authority(ctxmcp.AuthorityUser), "90d"
	var roles, projects config.List
	asJSON := false
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Create a token and print it, once",
		Long: `Create a token and print it, once. It is bound to the tenant and user that --tenant and --user name, and to what the
other flags say. Only a hash of it is stored.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d.Tenant, d.User, d.Roles, d.Projects = c.Tenant, c.User, roles, projects
			level := ctxmcp.Authority(authority)
			d.Clearance, d.Authority = ctxmcp.Classification(clearance), &level
			if err := setExpiry(&d, expires, sys.now()); err != nil {
				return err
			}
			return createToken(cmd.Context(), sys, c, d, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&d.Name, "name", "", "a label for people")
	f.Var(&roles, "roles", "roles of the holder, separated by commas; operator may write what holds for the tenant, harness speaks for the user")
	f.Var(&projects, "projects", "the only projects that the holder may name; default any")
	f.Var(&clearance, "clearance", "most sensitive class that the holder may see")
	f.Var(&authority, "authority", "most authority that the holder may assert: 0 platform to 4 retrieved")
	jsonFlag(cmd, &asJSON)
	f.StringVar(&expires, "expires", expires, "how long it counts, such as 12h or 90d; or the day, month or year with whose beginning it ends; or never")
	return cmd
}

// setExpiry reads a number of hours or days, a date or a time to come, or never.
func setExpiry(d *access.Draft, text string, now time.Time) error {
	if text == "never" {
		d.Endless = true
		return nil
	}
	if at, err := ctxmcp.ParseInstant(text); err == nil && at.After(now) {
		d.Expires = at
		return nil
	}
	life, err := time.ParseDuration(text)
	if n := len(text); err != nil && n > 1 && text[n-1] == 'd' {
		var days int
		days, err = strconv.Atoi(text[:n-1])
		life = time.Duration(days) * 24 * time.Hour
	}
	if err != nil || life <= 0 {
		if stretch, ok := ranking.StretchIn(text, now); ok && stretch.From.After(now) {
			d.Expires = stretch.From
			return nil
		}
		return usage("--expires %q is not a duration such as 12h or 90d, nor a date to come such as 2027-03-01 or 2027-03, nor never", text)
	}
	d.Expires = now.Add(life)
	return nil
}

func createToken(ctx context.Context, sys *system, c *config.Config, d access.Draft, asJSON bool) (err error) {
	a, err := openApp(ctx, sys, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	t, text, err := a.access.Create(ctx, d)
	if err != nil {
		return err
	}
	for _, role := range t.Caller.Roles {
		if !slices.Contains([]string{ctxmcp.Operator, ctxmcp.Harness}, role) {
			fmt.Fprintf(sys.err, "the role %q means something to rules of your own policy alone; ctx-mcp itself knows %s and %s\n", role, ctxmcp.Operator, ctxmcp.Harness)
		}
	}
	fmt.Fprintf(sys.err, "token %s of %s/%s, %s. It is shown this once; servers on %s ask for tokens from now on.\n",
		t.ID, t.Caller.Tenant, t.Caller.User, expiry(t), map[bool]string{true: "this data directory", false: "this database"}[c.Store == ""])
	return answer(sys, asJSON, createdToken{reportOfToken(t, sys.now()), text}, "%s", text)
}

func expiry(t access.Token) string {
	if t.Expires.IsZero() {
		return "never expires"
	}
	return "expires " + t.Expires.Format(time.RFC3339)
}

func tokenListCommand(sys *system, c *config.Config) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tokens, without their secrets",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, err := openApp(cmd.Context(), sys, c)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, a.close()) }()
			issued, err := a.access.List(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				all := []tokenReport{}
				for _, t := range issued {
					all = append(all, reportOfToken(t, sys.now()))
				}
				return writeJSON(sys.out, all)
			}
			w := tabwriter.NewWriter(sys.out, 0, 4, 2, ' ', 0)
			fmt.Fprintln(w, "ID\tSTATE\tTENANT\tUSER\tROLES\tCLEARANCE\tAUTHORITY\tPROJECTS\tEXPIRES\tNAME")
			for _, t := range issued {
				roles, projects := config.List(t.Caller.Roles), config.List(t.Caller.Projects)
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", t.ID, t.State(sys.now()), t.Caller.Tenant, t.Caller.User,
					&roles, t.Caller.Clearance, t.Caller.Authority, &projects, strings.TrimPrefix(expiry(t), "expires "), t.Name)
			}
			return w.Flush()
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func tokenRevokeCommand(sys *system, c *config.Config) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "revoke ID",
		Short: "Revoke a token at once",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("%s takes the id of one token, as ctx-mcp token list shows it", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completing(sys, c, tokensOf),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			a, err := openApp(cmd.Context(), sys, c)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, a.close()) }()
			if err := a.access.Revoke(cmd.Context(), args[0]); err != nil {
				return err
			}
			return answer(sys, asJSON, decided{ID: args[0], Decision: "revoke"}, "revoked %s", args[0])
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
