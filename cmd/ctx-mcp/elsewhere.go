package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/memory"
)

// mostNamed is how many other projects a note names.
const mostNamed = 5

// noting runs a command, and then tells the person of their other projects, if the place that they look from holds nothing of its own: memories of a
// folder that was moved belong to the project of its old path.
func (r *reading) noting(do func(context.Context, *app, []string) error) func(context.Context, *app, []string) error {
	return func(ctx context.Context, a *app, args []string) error {
		if err := do(ctx, a, args); err != nil {
			return err
		}
		empty, err := r.emptyHere(ctx, a)
		if err != nil || !empty {
			return err
		}
		others, err := r.otherProjects(ctx, a)
		if err == nil && len(others) > 0 {
			fmt.Fprintln(r.sys.err, noteOn(others)+adoptable(r.place().Project, others))
		}
		return err
	}
}

// emptyHere reports whether no memory lives in the project of the place, or, where there is no project, none is seen from it.
func (r *reading) emptyHere(ctx context.Context, a *app) (bool, error) {
	at := r.place()
	if at.Project == "" {
		q := a.memory.Reach(r.config.Person(), at)
		q.EveryVersion, q.Archived = false, false
		held, err := a.store.Count(ctx, q)
		return held == 0, err
	}
	page, err := a.memory.Browse(ctx, r.config.Person(), memory.Browsing{Project: at.Project, Limit: 1})
	return page.Held == 0, err
}

// otherProjects counts the person's memories by project, without those of the place and those of no project.
func (r *reading) otherProjects(ctx context.Context, a *app) (map[string]int, error) {
	by, all := map[string]int{}, memory.Browsing{Limit: mostWatched}
	for {
		page, err := a.memory.Browse(ctx, r.config.Person(), all)
		if err != nil {
			return nil, err
		}
		for _, o := range page.Objects {
			if p := o.Home().Project; p != "" && p != r.place().Project {
				by[p]++
			}
		}
		if all.Cursor = page.Next; page.Next == "" {
			return by, nil
		}
	}
}

// adoptable proposes the project of the same name.
func adoptable(here string, others map[string]int) string {
	if same := sameNamed(here, others); same != "" {
		return "; ctx-mcp memory adopt " + oneLine(same) + " makes this folder the same project"
	}
	return ""
}

// noteOn names the projects, those with most memories first.
func noteOn(others map[string]int) string {
	total, names := 0, slices.SortedFunc(maps.Keys(others), func(a, b string) int {
		if d := others[b] - others[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		total += others[name]
		names[i] = fmt.Sprintf("%s (%d)", oneLine(name), others[name])
	}
	what, more := "other projects hold", ""
	if len(names) == 1 {
		what = "other project holds"
	}
	if n := len(names) - mostNamed; n > 0 {
		names, more = names[:mostNamed], fmt.Sprintf(" and %d more", n)
	}
	memories := "1 memory"
	if total > 1 {
		memories = fmt.Sprintf("%d memories", total)
	}
	return fmt.Sprintf("this folder has no memories of its own yet; %d %s %s: %s%s. --project ID shows one", len(others), what, memories, strings.Join(names, ", "), more)
}
