package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/tools"
	"github.com/ctx-mcp/ctx-mcp/trail"
)

// wordsOfFlags returns the words that the values of flags are made of, by the name of the flag.
func wordsOfFlags() map[string][]string {
	return map[string][]string{
		"toolsets": append(spelledOut(tools.Toolsets()), append(spelledOut(tools.Profiles()), "all")...), "type": spelledOut(ctxmcp.ObjectTypes()),
		"mode": spelledOut(memory.Modes()), "level": {"user", "project"}, "caller": {"agent", "harness"},
		"log-level": {"debug", "info", "warn", "error"}, "log-format": {"text", "json"}, "for": {"user", "project"},
	}
}

func spelledOut[T ~string](words []T) []string {
	var all []string
	for _, w := range words {
		if !slices.Contains(all, string(w)) {
			all = append(all, string(w))
		}
	}
	return all
}

// completeFlags offers a shell the values of the flags of all commands that are words or ids.
func completeFlags(sys *system, c *config.Config, root *cobra.Command) {
	words, r := wordsOfFlags(), &reading{sys: sys, config: c}
	ids := map[string]lister{"session": sessionsOf, "of": sessionsOf, "except": r.memories}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		own := func(f *pflag.Flag) {
			switch {
			case words[f.Name] != nil:
				_ = cmd.RegisterFlagCompletionFunc(f.Name, completingWords(words[f.Name])) // one of two of a name is enough
			case ids[f.Name] != nil:
				_ = cmd.RegisterFlagCompletionFunc(f.Name, completingValue(completing(sys, c, ids[f.Name])))
			}
		}
		cmd.LocalFlags().VisitAll(own)
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// completingWords offers words; behind a comma, one more.
func completingWords(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) (all []string, _ cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		for _, w := range words {
			all = append(all, before+w)
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

// completingValue offers the ids of a kind as the value of a flag, whatever arguments there are.
func completingValue(ids cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return ids(cmd, nil, typed)
	}
}

// completingSettings offers the keys of the settings.
func completingSettings(*cobra.Command, []string, string) (keys []string, _ cobra.ShellCompDirective) {
	for _, s := range config.Settings() {
		keys = append(keys, s.Key+"\t"+ctxmcp.Clip(s.Doc, 60))
	}
	return keys, cobra.ShellCompDirectiveNoFileComp
}

// completingDecisions offers a shell the reviews, and then the decisions on the one that is named.
func completingDecisions(sys *system, c *config.Config) cobra.CompletionFunc {
	ids := completing(sys, c, decisionsOf)
	return func(cmd *cobra.Command, args []string, typed string) (all []string, _ cobra.ShellCompDirective) {
		if len(args) != 1 {
			return ids(cmd, args, typed)
		}
		of := completing(sys, c, func(ctx context.Context, a *app, _ ctxmcp.Scope, limit int) (all []entry, err error) {
			items, err := a.memory.Reviews(ctx, a.config.Person(), limit)
			for _, i := range items {
				if !strings.HasSuffix(i.ID, strings.Trim(args[0], "[]")) {
					continue
				}
				for _, d := range i.Decisions {
					all = append(all, entry{ID: d, About: i.Question})
				}
			}
			if len(all) == 0 {
				for _, choice := range spelledOut(actions.Choices()) {
					all = append(all, entry{ID: choice})
				}
			}
			return all, err
		})
		return of(cmd, nil, typed)
	}
}

// endedMemories lists the memories that were forgotten and can be taken back, the latest first.
func endedMemories(ctx context.Context, a *app, _ ctxmcp.Scope, limit int) (all []entry, err error) {
	by := a.config.Person()
	found, err := a.store.Events(ctx, trail.Query{Tenant: by.Tenant, User: by.User, Action: "forget", Limit: limit})
	for _, e := range found {
		if e.Action != "forget."+string(memory.Erase) {
			all = append(all, entry{ctxmcp.ShortID(e.ObjectID), e.At, e.Detail})
		}
	}
	return all, err
}
