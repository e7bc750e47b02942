package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

func entityCommand(sys *system, c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "entity",
		Short: "Show the people and things that memory knows, correct their names, and forget them",
		Long: `Show the people and things that memory knows, correct which names are one, and forget everything about one. The project is that of the folder, as over
stdio; --project names another.

Every decision about names can be taken back: a merge by split or undo, a split by undo.`,
		Args: subcommandOnly,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	asJSON := false
	show := entityVerb(sys, c, "show NAME", "Show an entity by its id, a name or an alias, with its names and relations", 1, func(ctx context.Context, sys *system, a *app, args []string) error {
		return showEntity(ctx, sys, a, args, asJSON)
	})
	jsonFlag(show, &asJSON)
	show.ValidArgsFunction = completingEntities(sys, c)
	cmd.AddCommand(
		entityList(sys, c),
		show,
		entityForget(sys, c),
		entityChange(sys, c, "merge NAME INTO", "Make two entities one, by their names or ids", "%s is one with %s", func(ctx context.Context, a *app, ids []string) error {
			return a.memory.MergeEntities(ctx, a.config.Person(), placeOf(a.config), ids[0], ids[1], "decided at the command line")
		}),
		entityChange(sys, c, "split NAME", "Take a name out of the entity that it is one with", "%s stands for itself", func(ctx context.Context, a *app, ids []string) error {
			return a.memory.SplitEntity(ctx, a.config.Person(), placeOf(a.config), ids[0], "decided at the command line")
		}),
		entityChange(sys, c, "undo NAME", "Take the last decision about a name back", "the last decision about %s is taken back", func(ctx context.Context, a *app, ids []string) error {
			return a.memory.UndoEntity(ctx, a.config.Person(), placeOf(a.config), ids[0], "taken back at the command line")
		}),
	)
	return cmd
}

// entityChange returns a command that changes the entities that its arguments name. It prints effect, a format for the arguments.
func entityChange(sys *system, c *config.Config, use, short, effect string, do func(context.Context, *app, []string) error) *cobra.Command {
	asJSON := false
	verb, arguments, _ := strings.Cut(use, " ")
	cmd := entityVerb(sys, c, use, short, len(strings.Fields(arguments)), func(ctx context.Context, sys *system, a *app, given []string) error {
		var ids []string
		var names []any
		for _, name := range given {
			id, err := named(ctx, a, name)
			if err != nil {
				return inTerms(err, "entity list")
			}
			ids, names = append(ids, id), append(names, oneLine(name))
		}
		if err := do(ctx, a, ids); err != nil {
			return inTerms(err, "entity list")
		}
		said := fmt.Sprintf(effect, names...)
		return answer(sys, asJSON, decided{ID: given[0], Decision: verb, Effect: said}, "%s", said)
	})
	jsonFlag(cmd, &asJSON)
	cmd.ValidArgsFunction = completingEntities(sys, c)
	return cmd
}

// entityVerb returns a command that takes so many arguments. All but show change memory.
func entityVerb(sys *system, c *config.Config, use, short string, args int, do func(context.Context, *system, *app, []string) error) *cobra.Command {
	return &cobra.Command{
		Use:   use,
		Short: short,
		Args: func(cmd *cobra.Command, given []string) error {
			if len(given) != args {
				return usage("usage: ctx-mcp entity %s", cmd.Use)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, given []string) error {
			if c.ReadOnly && cmd.Name() != "show" {
				return usage("read_only is set: this would change memory")
			}
			return withApp(cmd.Context(), sys, c, func(a *app) error { return do(cmd.Context(), sys, a, given) })
		},
	}
}

func showEntity(ctx context.Context, sys *system, a *app, args []string, asJSON bool) error {
	found, err := a.memory.FindEntities(ctx, a.config.Person(), placeOf(a.config), args[0])
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return ctxmcp.Errorf(ctxmcp.CodeNotFound, "nothing here goes by that name").
			WithHint("ctx-mcp entity list has those of this folder; entities live where they were named: look from that folder, or give its --project")
	}
	reports := []entityReport{}
	for _, e := range found {
		relations, err := a.memory.Relations(ctx, a.config.Person(), placeOf(a.config), e.Root.ID)
		if err != nil {
			return err
		}
		if reports = append(reports, reportOfEntity(e, relations)); !asJSON {
			printEntity(sys, e, relations)
		}
	}
	if asJSON {
		return writeJSON(sys.out, reports)
	}
	return nil
}

// named returns the id of the name that an id or a name stands for. It returns CodeNotFound for none, and CodeConflict where several go by the name.
func named(ctx context.Context, a *app, given string) (string, error) {
	found, err := a.memory.FindEntities(ctx, a.config.Person(), placeOf(a.config), given)
	if err != nil {
		return "", err
	}
	var ids []string
	for _, e := range found {
		for _, n := range e.Names {
			if n.ID == given {
				return given, nil
			}
			hidden := len(redact.Placeholders(n.Name)) > 0 // by settings of today; the name is known all the same
			if ctxmcp.Normalize(n.Name) == ctxmcp.Normalize(given) || hidden && n.Key == entities.KeyOf(n.Form, given) {
				ids = append(ids, n.ID)
			}
		}
	}
	switch len(ids) {
	case 0:
		return "", ctxmcp.Errorf(ctxmcp.CodeNotFound, "nothing here goes by the name %s", oneLine(given))
	case 1:
		return ids[0], nil
	}
	return "", ctxmcp.Errorf(ctxmcp.CodeConflict, "%d go by the name %s", len(ids), oneLine(given)).WithHint("name one of them by its id: %s", strings.Join(ids, ", "))
}

func printEntity(sys *system, e memory.Entity, relations []memory.Relation) {
	fmt.Fprintf(sys.out, "%s  %s (%s, %s)\n", e.Root.ID, oneLine(e.Root.Name), e.Root.Kind, e.Root.State)
	for _, n := range e.Names {
		if n.ID != e.Root.ID {
			fmt.Fprintf(sys.out, "  also %s  %s\n", n.ID, oneLine(n.Name))
		}
	}
	for _, r := range relations {
		fmt.Fprintf(sys.out, "  %s: %s\n", oneLine(r.Predicate), oneLine(r.Object.Content))
	}
}
