package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// adopting is a command that makes a folder another project.
type adopting struct {
	*reading
	undo, replace bool
}

// adoptedReport says which project the folder is now, as JSON.
type adoptedReport struct {
	Project  string `json:"project"`
	Was      string `json:"was"`
	Memories int    `json:"memories"` // that are seen here now
	Hidden   int    `json:"hidden"`   // that were seen here before
}

// adoptCommand returns the command by which a folder takes over the project of another.
func adoptCommand(sys *system, c *config.Config) *cobra.Command {
	d := &adopting{reading: &reading{sys: sys, config: c}}
	cmd := &cobra.Command{
		Use: "adopt PROJECT|FOLDER", Short: "Make this folder the same project as another, such as the one that it was before it was moved",
		Long: `Make this folder, and every other clone of its repository that has no memories yet, the same project as another one. No memory is changed: both folders see the
same ones from then on. --undo takes it back.`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case d.undo && len(args) > 0:
				return usage("--undo takes back what this folder adopted: it names no project")
			case !d.undo && len(args) != 1:
				return usage("usage: ctx-mcp memory adopt PROJECT|FOLDER; ctx-mcp memory list names the projects that hold memories, where a folder has none")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case c.ReadOnly:
				return usage("read_only is set: this would change which memories are seen here")
			case c.Project != "":
				return usage("a project is configured (%s), which stands above the folder's: leave --project and scope.project out", oneLine(c.Project))
			}
			return withApp(cmd.Context(), sys, c, func(a *app) error { return d.run(cmd.Context(), a, args) })
		},
	}
	cmd.Flags().BoolVar(&d.undo, "undo", false, "make this folder the project that it was before")
	cmd.Flags().BoolVar(&d.replace, "replace", false, "also where this folder has memories of its own, which are then seen under their id alone")
	cmd.Flags().BoolVar(&d.yes, "yes", false, "do not ask")
	jsonFlag(cmd, &d.asJSON)
	return cmd
}

func (d *adopting) run(ctx context.Context, a *app, args []string) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	path, repository := config.ProjectOf(dir), config.RepositoryOf(dir)
	if path == "" {
		return usage("a home or root folder is no project: run this in the project's folder")
	}
	if d.undo {
		return d.takeBack(ctx, a, path, repository)
	}
	from, err := d.meantProject(ctx, a, args[0])
	if err != nil {
		return err
	}
	r := adoptedReport{Project: from, Was: d.place().Project}
	if from == r.Was {
		return usage("this folder is the project %s already", oneLine(from))
	}
	if err := d.weigh(ctx, a, &r); err != nil {
		return err
	}
	question := fmt.Sprintf("Make this folder the project %s, with %s?", oneLine(from), numbered(r.Memories, "memory", "memories"))
	if sure, err := d.agreed(question, "nothing is changed"); !sure || err != nil {
		return err
	}
	err = a.changePlaces(func(p *places) (bool, error) {
		p.Folders[path] = folderPlace{Repository: repository, Project: from, Adopted: true, Was: r.Was, RepositoryWas: p.Repositories[repository]}
		if repository != "" {
			p.Repositories[repository] = from
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	return answer(d.sys, d.asJSON, r, "this folder is the project %s now, with %s; ctx-mcp memory adopt --undo takes it back. A server that runs counts it from its next start",
		oneLine(from), numbered(r.Memories, "memory", "memories"))
}

// weigh counts the memories on both sides, and refuses to hide any unasked.
func (d *adopting) weigh(ctx context.Context, a *app, r *adoptedReport) (err error) {
	if r.Memories, err = d.heldIn(ctx, a, r.Project); err != nil {
		return err
	}
	if r.Hidden, err = d.heldIn(ctx, a, r.Was); err != nil {
		return err
	}
	if r.Memories == 0 {
		others, err := d.otherProjects(ctx, a)
		if err != nil {
			return err
		}
		none := ctxmcp.Errorf(ctxmcp.CodeNotFound, "the project %s holds no memories of yours", oneLine(r.Project))
		if len(others) == 0 {
			return none.WithHint("no other project holds any")
		}
		return none.WithHint("these do: %s", oneLine(strings.Join(slices.Sorted(maps.Keys(others)), ", ")))
	}
	if r.Hidden > 0 && !d.replace {
		return usage("this folder's project %s holds %s, which would be seen under --project %s alone: say --replace if that is meant",
			oneLine(r.Was), numbered(r.Hidden, "memory", "memories"), oneLine(r.Was))
	}
	return nil
}

// heldIn counts the memories that are held in a project.
func (d *adopting) heldIn(ctx context.Context, a *app, project string) (int, error) {
	page, err := a.memory.Browse(ctx, d.config.Person(), memory.Browsing{Project: project, Limit: 1})
	return page.Held, err
}

// agreed asks, unless the person said that they agree.
func (d *adopting) agreed(question, otherwise string) (bool, error) {
	if d.yes {
		return true, nil
	}
	return asked(d.sys, question, otherwise)
}

// meantProject returns the project of a folder, or the one with the id, or the only one that holds memories and whose id begins so.
func (d *adopting) meantProject(ctx context.Context, a *app, named string) (string, error) {
	if info, err := os.Stat(named); err == nil && info.IsDir() && strings.ContainsAny(named, `/\.`) {
		return a.resolve(ctx, named)
	}
	others, err := d.otherProjects(ctx, a)
	if err != nil || others[named] > 0 {
		return named, err
	}
	var like []string
	for _, id := range slices.Sorted(maps.Keys(others)) {
		if strings.HasPrefix(id, named) {
			like = append(like, id)
		}
	}
	switch len(like) {
	case 0:
		return named, nil // which holds nothing, and is told so
	case 1:
		return like[0], nil
	}
	return "", usage("several projects begin so: %s", oneLine(strings.Join(like, ", ")))
}

// takeBack makes the folder the project that it was.
func (d *adopting) takeBack(ctx context.Context, a *app, path, repository string) error {
	r := adoptedReport{}
	err := a.changePlaces(func(p *places) (bool, error) {
		at := p.Folders[path]
		if !at.Adopted || at.Repository != repository {
			return false, ctxmcp.Errorf(ctxmcp.CodeNotFound, "this folder has adopted no project").WithHint("--undo is for the folder in which memory adopt ran")
		}
		r = adoptedReport{Project: at.Was, Was: at.Project}
		p.Folders[path] = folderPlace{Repository: repository, Project: at.Was}
		if at.RepositoryWas != "" {
			p.Repositories[repository] = at.RepositoryWas
		} else {
			delete(p.Repositories, repository)
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	if r.Memories, err = d.heldIn(ctx, a, r.Project); err != nil {
		return err
	}
	if r.Hidden, err = d.heldIn(ctx, a, r.Was); err != nil {
		return err
	}
	return answer(d.sys, d.asJSON, r, "this folder is the project %s again, with %s", oneLine(r.Project), numbered(r.Memories, "memory", "memories"))
}

// digestEnd matches the digest at the end of a project's id.
var digestEnd = regexp.MustCompile(`-(?:[0-9a-f]{8}|[0-9a-f]{16})$`)

// sameNamed returns the project that goes by the same name as the one of the place, if there is one only.
func sameNamed(here string, others map[string]int) string {
	name, found := digestEnd.ReplaceAllString(here, ""), ""
	for id := range others {
		if digestEnd.MatchString(id) && digestEnd.ReplaceAllString(id, "") == name {
			if found != "" {
				return ""
			}
			found = id
		}
	}
	return found
}
