package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// listedEntity is a row of the list, as JSON.
type listedEntity struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	State   string `json:"state"`
	Project string `json:"project,omitempty"`
}

// entityList returns the command that lists the people and things that memory knows here.
func entityList(sys *system, c *config.Config) *cobra.Command {
	r, everywhere, kind := &reading{sys: sys, config: c}, false, ""
	cmd := &cobra.Command{
		Use: "list [PART]", Short: "List who and what memory knows, the latest first; PART is a part of the name",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("usage: ctx-mcp entity list [PART]")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.checkLimit(); err != nil {
				return err
			}
			if kind != "" {
				if err := ctxmcp.CheckWord("--kind", entities.Kind(kind), entities.Kinds()); err != nil {
					return err
				}
			}
			return withApp(cmd.Context(), sys, c, func(a *app) error {
				found, err := listEntities(cmd.Context(), a, strings.Join(args, ""), entities.Kind(kind), everywhere, r.limit)
				if err != nil {
					return err
				}
				return r.printEntities(found)
			})
		},
	}
	cmd.Flags().IntVar(&r.limit, "limit", 50, "how many to print")
	cmd.Flags().StringVar(&kind, "kind", "", "only this `kind`: "+ctxmcp.Words(entities.Kinds()))
	cmd.Flags().BoolVar(&everywhere, "everywhere", false, "those of every project of yours")
	jsonFlag(cmd, &r.asJSON)
	return cmd
}

// entitiesAtOnce is how many rows one look at the registry brings.
const entitiesAtOnce = 200

// listEntities returns the entities of the folder's project and of no project, or of everywhere.
func listEntities(ctx context.Context, a *app, part string, kind entities.Kind, everywhere bool, limit int) (all []entities.Entity, err error) {
	by := a.config.Person()
	if !everywhere {
		by.Projects = []string{placeOf(a.config).Project}
	}
	for behind := ""; ; {
		page, err := a.memory.ListEntities(ctx, by, part, behind, entitiesAtOnce)
		if err != nil {
			return nil, err
		}
		for _, e := range page {
			if kind == "" || e.Kind == kind {
				all = append(all, e)
			}
		}
		if len(page) < entitiesAtOnce || len(all) >= limit {
			return all[:min(limit, len(all))], nil
		}
		behind = page[len(page)-1].ID
	}
}

func (r *reading) printEntities(found []entities.Entity) error {
	if r.asJSON {
		rows := []listedEntity{}
		for _, e := range found {
			rows = append(rows, listedEntity{e.ID, e.Name, string(e.Kind), string(e.State), projectOfHome(e.Home)})
		}
		return writeJSON(r.sys.out, rows)
	}
	w := tabwriter.NewWriter(r.sys.out, 0, 4, 2, ' ', 0)
	for _, e := range found {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", e.ID, ctxmcp.Clip(containment.OneLine(e.Name), 60), e.Kind, e.State, projectOfHome(e.Home))
	}
	if len(found) == 0 {
		fmt.Fprintln(r.sys.err, "there is none here yet")
	}
	return w.Flush()
}

// projectOfHome returns the project of a namespace, or "".
func projectOfHome(home string) string {
	at, err := ctxmcp.ParseNamespace(home)
	if err != nil {
		return ""
	}
	return at.Project
}

// completingEntities offers a shell the ids of the entities of the place. Where they cannot be read, it offers none.
func completingEntities(sys *system, c *config.Config) cobra.CompletionFunc {
	return completing(sys, c, func(ctx context.Context, a *app, _ ctxmcp.Scope, limit int) (all []entry, err error) {
		found, err := listEntities(ctx, a, "", "", false, limit)
		for _, e := range found {
			all = append(all, entry{ID: e.ID, Time: e.TxStart, About: e.Name})
		}
		return all, err
	})
}
