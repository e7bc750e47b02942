package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// forgetting is a command that forgets everything about people or things.
type forgetting struct {
	reading
	named      []string
	except     []string
	everywhere bool
	dryRun     bool
}

// forgottenReport lists the things that go with an entity, as JSON.
type forgottenReport struct {
	Entities  []listedEntity    `json:"entities"`
	Names     []string          `json:"names"`
	Memories  []forgottenMemory `json:"memories"`
	Artifacts int               `json:"artifacts"`           // that say a name: they end by their age
	Elsewhere int               `json:"elsewhere,omitempty"` // memories of other projects
	Beyond    int               `json:"beyond,omitempty"`    // memories that the caller may not end
	Mode      memory.Mode       `json:"mode"`
	Forgotten int               `json:"forgotten"`            // memories that are forgotten now
	Left      []string          `json:"left_names,omitempty"` // that other memories still give, or that stay with the history
}

// forgottenMemory is a memory that goes, as JSON.
type forgottenMemory struct {
	ID      string `json:"object_id"`
	Content string `json:"content"`
	Project string `json:"project,omitempty"`
	Ended   bool   `json:"ended,omitempty"`
}

func entityForget(sys *system, c *config.Config) *cobra.Command {
	f := &forgetting{reading: reading{sys: sys, config: c}}
	cmd := &cobra.Command{
		Use: "forget NAME|ID...", Short: "Forget everything about a person or thing, ended memories too, once you have seen what goes",
		Long: `Forget everything about a person or thing: every memory that names them, by any of their names, in any version, ended ones too. What would go is shown first.

With --mode hard_delete it is erased for good, with the contexts and artifacts that were made of it and the names that nothing else gives. Artifacts that say
a name are counted: they end by their age.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("usage: ctx-mcp entity forget NAME|ID...; ctx-mcp entity list has them")
			}
			return nil
		},
		ValidArgsFunction: completingEntities(sys, c),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.ReadOnly && !f.dryRun {
				return usage("read_only is set: this would change memory")
			}
			if err := ctxmcp.CheckWord("--mode", memory.Mode(f.mode), memory.Modes()); err != nil {
				return err
			}
			f.named = args
			return withApp(cmd.Context(), sys, c, func(a *app) error { return f.run(cmd.Context(), a) })
		},
	}
	cmd.Flags().StringVar(&f.mode, "mode", string(memory.Retire), "retire (the history stays), archive, or hard_delete (gone for good)")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "only show what would go")
	cmd.Flags().BoolVar(&f.everywhere, "everywhere", false, "in every project of yours, not only here")
	cmd.Flags().StringSliceVar(&f.except, "except", nil, "`ids` of memories that stay, separated by commas: those that mean somebody else")
	jsonFlag(cmd, &f.asJSON)
	return mayTakeLong(cmd, nothingChanged)
}

func (f *forgetting) run(ctx context.Context, a *app) error {
	ask := memory.AboutAsk{Named: f.named, Project: f.place().Project, Everywhere: f.everywhere}
	about, err := a.memory.About(ctx, f.config.Person(), ask)
	if err != nil {
		return err
	}
	if err := f.spare(&about); err != nil {
		return err
	}
	report := f.report(about)
	if report.Artifacts, err = artifactsSaying(ctx, a, ask, about.Names); err != nil {
		return err
	}
	if f.dryRun {
		if f.asJSON {
			return writeJSON(f.sys.out, report)
		}
		f.show(f.sys.out, about, report)
		_, err := fmt.Fprintln(f.sys.out, "nothing is forgotten: this was a dry run")
		return err
	}
	f.show(f.sys.err, about, report)
	if sure, err := f.sure(about); !sure || err != nil {
		return err
	}
	return f.carryOut(ctx, a, ask, about, report)
}

// spare takes the memories that stay out of those that go.
func (f *forgetting) spare(about *memory.About) error {
	for _, id := range f.except {
		n := len(about.Memories)
		bare := strings.Trim(strings.TrimSpace(id), "[]")
		about.Memories = slices.DeleteFunc(about.Memories, func(o ctxmcp.ContextObject) bool { return bare != "" && strings.HasSuffix(o.ObjectID, bare) })
		if len(about.Memories) == n {
			return usage("--except %s: no memory that would go has this id", oneLine(id))
		}
	}
	return nil
}

func (f *forgetting) report(about memory.About) forgottenReport {
	r := forgottenReport{Entities: []listedEntity{}, Names: about.Names, Memories: []forgottenMemory{}, Elsewhere: about.Elsewhere, Beyond: about.Beyond, Mode: memory.Mode(f.mode)}
	for _, e := range about.Entities {
		r.Entities = append(r.Entities, listedEntity{e.Root.ID, e.Root.Name, string(e.Root.Kind), string(e.Root.State), projectOfHome(e.Root.Home)})
	}
	for _, o := range about.Memories {
		r.Memories = append(r.Memories, forgottenMemory{o.ObjectID, o.Content, o.Home().Project, !o.TxEnd.IsZero()})
	}
	return r
}

// show prints the things that would go.
func (f *forgetting) show(w io.Writer, about memory.About, r forgottenReport) {
	for _, e := range r.Entities {
		fmt.Fprintf(w, "%s  %s (%s%s)\n", e.ID, oneLine(e.Name), e.Kind, inProject(e.Project))
	}
	fmt.Fprintf(w, "names: %s\n", oneLine(strings.Join(r.Names, ", ")))
	ended := 0
	for _, o := range about.Memories {
		mark := ""
		if !o.TxEnd.IsZero() {
			mark, ended = " (ended)", ended+1
		}
		fmt.Fprintf(w, "%s%s\n", brief.Entry(ctxmcp.ShortID(o.ObjectID), o), mark)
	}
	fmt.Fprintf(w, "%s, %d of them ended\n", numbered(len(about.Memories), "memory", "memories"), ended)
	for _, line := range []struct {
		n    int
		text string
	}{
		{r.Artifacts, "artifacts that say a name: %d; they end by their age, ctx-mcp artifact list has them"},
		{r.Elsewhere, "memories of other projects that say a name: %d; --everywhere takes them too"},
		{r.Beyond, "memories that belong to everybody or stand above you: %d; they stay"},
	} {
		if line.n > 0 {
			fmt.Fprintf(w, line.text+"\n", line.n)
		}
	}
}

func inProject(project string) string {
	if project == "" {
		return ""
	}
	return ", project " + oneLine(project)
}

func numbered(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// sure reports whether the person means it. Unasked, one name stands for one entity only.
func (f *forgetting) sure(about memory.About) (bool, error) {
	switch {
	case len(about.Memories) == 0:
		return false, usage("no memory is left to forget")
	case !f.yes:
		return confirmed(f.sys, fmt.Sprintf("Forget %s (%s)?", theseMemories(len(about.Memories)), f.mode))
	}
	bearers := map[string]int{}
	for _, e := range about.Entities {
		for _, n := range e.Names {
			bearers[n.Key]++
		}
	}
	for _, e := range about.Entities {
		if bearers[e.Root.Key] > 1 && !f.byIDs(about) {
			return false, usage("%d entities go by that name: say which by their ids, as they are listed above", bearers[e.Root.Key])
		}
	}
	return true, nil
}

// byIDs reports whether each entity was named by an id.
func (f *forgetting) byIDs(about memory.About) bool {
	return !slices.ContainsFunc(about.Entities, func(e memory.Entity) bool {
		return !slices.ContainsFunc(e.Names, func(n entities.Entity) bool { return slices.Contains(f.named, n.ID) })
	})
}

func (f *forgetting) carryOut(ctx context.Context, a *app, ask memory.AboutAsk, about memory.About, r forgottenReport) error {
	var ids []string
	for _, o := range about.Memories {
		if o.TxEnd.IsZero() || r.Mode == memory.Erase { // only an erasure ends again
			ids = append(ids, o.ObjectID)
		}
	}
	if len(ids) == 0 {
		return usage("all of these have ended: only --mode hard_delete takes them further")
	}
	all, err := a.memory.ForgetAll(ctx, f.config.Person(), ids, r.Mode, "everything about a person or thing, asked for at the command line")
	if err != nil {
		return err
	}
	r.Forgotten = len(all)
	left, err := a.memory.About(ctx, f.config.Person(), ask)
	if err != nil && ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		return err
	}
	for _, e := range left.Entities {
		r.Left = append(r.Left, e.Root.Name)
	}
	if f.asJSON {
		return writeJSON(f.sys.out, r)
	}
	_, err = fmt.Fprintf(f.sys.out, "%s: %s%s\n", numbered(len(all), "memory", "memories"), outcome[r.Mode], namesLeft(r))
	return err
}

// outcome tells the fate of the memories.
var outcome = map[memory.Mode]string{
	memory.Retire: "no longer recalled; the history stays, and ctx-mcp review restore takes it back", memory.Archive: "in the archive", memory.Erase: "erased for good",
}

func namesLeft(r forgottenReport) string {
	switch {
	case r.Mode != memory.Erase:
		return ""
	case len(r.Left) == 0:
		return "; no name is left here"
	default:
		return "; names that other memories give stay: " + oneLine(strings.Join(r.Left, ", "))
	}
}
