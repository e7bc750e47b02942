package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/gateway"
	"github.com/ctx-mcp/ctx-mcp/gateway/credentials"
)

func gatewayStatusCommand(sys *system, c *config.Config) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "status", Short: "Show the servers behind the gateway, as they were seen last", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			book, err := gateway.OpenBook(gatewayDir(c), sys.now)
			if err != nil {
				return err
			}
			all, err := book.Status(cmd.Context())
			if err != nil {
				return err
			}
			dues, err := signInsDue(cmd.Context(), sys, c, all)
			if err != nil {
				fmt.Fprintf(sys.err, "whether a sign-in has to be made again is not known: %v\n", err)
			}
			if asJSON {
				reports := []serverReport{}
				for _, s := range all {
					reports = append(reports, reportOfServer(s, dues[s.ID]))
				}
				return writeJSON(sys.out, reports)
			}
			return printServers(sys, all, dues)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// printServers prints a table, and a line for each thing that a person can mend.
func printServers(sys *system, all []gateway.Status, dues map[string][]credentials.Due) error {
	w := tabwriter.NewWriter(sys.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SERVER\tTOOLS\tHELD BACK\tPROMPTS\tRESOURCES\tSEEN\tERROR")
	for _, s := range all {
		seen := "never"
		if !s.Seen.IsZero() {
			seen = s.Seen.Format("2006-01-02 15:04:05")
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\t%s\n", s.Server, s.Tools, s.HeldBack, s.Prompts, s.Resources, seen, s.Error)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range all {
		for _, tool := range s.Prefixed {
			fmt.Fprintf(sys.out, "%s: %s cannot keep its own name, which another tool has or wants; deny one of them with gateway.deny\n", s.Server, plainLine(tool))
		}
		for _, d := range dues[s.ID] {
			fmt.Fprintf(sys.out, "%s: %s; run %s\n", s.Server, dueWords(d), d.Holder.SignIn(s.Server))
		}
	}
	return nil
}

// signInsDue returns the sign-ins that have to be made again, by the id of the server. The store is opened only where somebody has signed in: its keys open the tokens.
func signInsDue(ctx context.Context, sys *system, c *config.Config, all []gateway.Status) (map[string][]credentials.Due, error) {
	dues, wallet := map[string][]credentials.Due{}, credentials.Wallet{Dir: gatewayDir(c)}
	var signedInto []string
	for _, s := range all {
		if wallet.SignedInto(s.ID) {
			signedInto = append(signedInto, s.ID)
		}
	}
	if len(signedInto) == 0 {
		return dues, nil
	}
	return dues, withApp(ctx, sys, c, func(a *app) (err error) {
		for _, id := range signedInto {
			if dues[id], err = a.credentials().Dues(id); err != nil {
				return err
			}
		}
		return nil
	})
}

// dueWords says whose sign-in does not suffice, and why.
func dueWords(d credentials.Due) string {
	whose := "the gateway's own sign-in"
	if d.Holder != (credentials.Holder{}) {
		whose = "the sign-in of " + plainLine(d.Holder.User)
	}
	var why []string
	if d.Over {
		why = append(why, "has run out")
	}
	if len(d.Wanted) > 0 {
		why = append(why, "does not allow "+strings.Join(d.Wanted, " ")+", which a call needed")
	}
	return whose + " " + strings.Join(why, " and ")
}
