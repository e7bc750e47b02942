package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
	"github.com/ctx-mcp/ctx-mcp/memory/exchange"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

// reading is a command about the user's own memories.
type reading struct {
	sys    *system
	config *config.Config
	asJSON bool
	limit  int
	types  []string
	mode   string
	yes    bool
	force  bool
	out    string
	count  int
	all    bool
	asOf   string
	cursor string
	level  string
}

func memoryCommand(sys *system, c *config.Config) *cobra.Command {
	r := &reading{sys: sys, config: c}
	cmd := &cobra.Command{
		Use:   "memory",
		Short: "List, search, correct and forget your memories and those of this folder's project",
		Long: `List, search, correct and forget your memories and those of this folder's project, as an agent sees them here.

A memory is named by its id or the short form in brackets. The project is that of the folder, as over stdio; --project names another.
Servers may run meanwhile.`,
		Args: subcommandOnly,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	add := func(use, short string, least int, do func(context.Context, *app, []string) error) *cobra.Command {
		sub := &cobra.Command{Use: use, Short: short,
			Args: func(cmd *cobra.Command, args []string) error {
				if len(args) < least || least == 0 && len(args) > 0 {
					return usage("usage: ctx-mcp memory %s", cmd.Use)
				}
				return nil
			},
			RunE: func(cmd *cobra.Command, args []string) error {
				return withApp(cmd.Context(), sys, c, func(a *app) error { return inTerms(do(cmd.Context(), a, args), "memory list") })
			}}
		jsonFlag(sub, &r.asJSON)
		cmd.AddCommand(sub)
		return sub
	}
	tell := add("add TEXT...", "Add a memory that you state yourself, - for standard input", 1, r.state)
	tell.Flags().StringVar(&r.level, "level", "", "user: in every project of yours; project: in this one alone; default: this one, where the folder is a project")
	add("brief", "Print the memories that matter for you and the project, in short", 0, r.noting(r.brief))
	list := add("list", "List the memories, the newest first", 0, r.noting(r.list))
	list.Flags().IntVar(&r.limit, "limit", 20, "memories to print")
	list.Flags().StringVar(&r.cursor, "cursor", "", "where the `page` begins, as the end of the page before it says")
	r.asOfFlag(list)
	list.Flags().StringSliceVar(&r.types, "type", nil, "`types` of objects, separated by commas: "+ctxmcp.Words(ctxmcp.ObjectTypes()))
	search := add("search WORDS...", "Search, as an agent does", 1, r.noting(r.search))
	search.Flags().IntVar(&r.limit, "limit", 10, "memories to print")
	r.asOfFlag(search)
	show := add("show ID", "Show a memory as an agent sees it, and all its fields", 1, r.show)
	history := add("history ID|NAME", "Show every version of a memory, or of the memories of a person or thing", 1, r.history)
	correct := add("correct ID TEXT...", "Replace a memory by a corrected text, - for standard input; the old text stays in its history", 2, r.correct)
	forget := add("forget ID...|WORDS...", "Forget memories, by their ids or by words that describe them", 1, r.forget)
	for _, named := range []*cobra.Command{show, history, correct, forget} {
		named.ValidArgsFunction = completing(sys, c, r.memories)
	}
	forget.Flags().StringVar(&r.mode, "mode", string(memory.Retire), "retire (its history stays, and review restore takes it back), archive, or hard_delete (gone for good)")
	forget.Flags().BoolVar(&r.yes, "yes", false, "do not ask")
	export := add("export", "Write every version of the memories here as JSON Lines", 0, r.export)
	export.Flags().StringVar(&r.out, "out", "-", "`file` to write, - for standard output")
	export.Flags().BoolVar(&r.force, "force", false, "write over a file that exists")
	prints(aDocument, mayTakeLong(export, nothingWritten))
	mayTakeLong(forget, nothingChanged)
	cmd.AddCommand(adoptCommand(sys, c))
	watch := add("watch", "Follow what agents store, until interrupted", 0, r.watch)
	annotated(watch, endless, "yes")
	watch.Flags().IntVar(&r.count, "count", 0, "end after so many memories; 0: never")
	watch.Flags().BoolVar(&r.all, "all", false, "begin with what is held already")
	return cmd
}

// subcommandOnly refuses an unknown subcommand, and suggests the nearest one.
func subcommandOnly(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usage("unknown command %q: did you mean %q?", args[0], cmd.CommandPath()+" "+cmp.Or(config.Nearest(args[0], near), near[0]))
	}
	return usage("unknown command %q: see %s --help", args[0], cmd.CommandPath())
}

// services returns the tools as the person uses them in the place of the command.
func (r *reading) services(a *app) *tools.Services {
	s := a.services(r.place(), "pipe")
	s.Caller = func(context.Context) (ctxmcp.Caller, bool) { return r.config.Person(), true }
	s.Asker = nil
	return s
}

func (r *reading) place() ctxmcp.Scope { return placeOf(r.config) }

// placeOf returns the scope that a command about what is held looks from: the project of the folder, unless one is configured.
func placeOf(c *config.Config) ctxmcp.Scope {
	at := c.Place()
	at.Project = cmp.Or(at.Project, c.Here)
	return at
}

// tell calls a tool and prints its answer.
func (r *reading) tell(ctx context.Context, a *app, tool string, arguments map[string]any) error {
	text, structure, err := r.services(a).Call(ctx, tool, arguments)
	if err != nil {
		return err
	}
	if r.asJSON {
		return writeJSON(r.sys.out, json.RawMessage(structure))
	}
	_, err = fmt.Fprintln(r.sys.out, coloured(r.sys.out, r.sys.getenv, inShell(text)))
	return err
}

// wide is the max_tokens of an answer to a person: a terminal has no budget.
const wide = 1_000_000

func (r *reading) brief(ctx context.Context, a *app, _ []string) error {
	return r.tell(ctx, a, "recall", map[string]any{})
}

// checkLimit refuses to list nothing.
func (r *reading) checkLimit() error {
	if r.limit < 1 {
		return usage("--limit %d: list at least one", r.limit)
	}
	return nil
}

func (r *reading) list(ctx context.Context, a *app, _ []string) error {
	if err := r.checkLimit(); err != nil {
		return err
	}
	arguments, err := r.held(map[string]any{"order": "newest", "limit": r.limit, "max_tokens": wide})
	if err != nil {
		return err
	}
	if r.cursor != "" {
		arguments["cursor"] = r.cursor
	}
	if len(r.types) > 0 {
		for _, name := range r.types {
			if err := ctxmcp.CheckWord("--type", ctxmcp.ObjectType(name), ctxmcp.ObjectTypes()); err != nil {
				return err
			}
		}
		arguments["object_types"] = r.types
	}
	return r.tell(ctx, a, "recall", arguments)
}

func (r *reading) search(ctx context.Context, a *app, args []string) error {
	if err := r.checkLimit(); err != nil {
		return err
	}
	arguments, err := r.held(map[string]any{"query": strings.Join(args, " "), "limit": r.limit, "max_tokens": wide})
	if err != nil {
		return err
	}
	return r.tell(ctx, a, "recall", arguments)
}

// asOfFlag has a command show what held at an earlier time.
func (r *reading) asOfFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.asOf, "as-of", "", "`time` at which it held, such as 2026-04-01T15:00:00Z, or a day, week, month or year, such as 2026-04-01, 2026-04 or \"last week\", for its end; default now")
}

// held returns the arguments with the time of --as-of.
func (r *reading) held(arguments map[string]any) (map[string]any, error) {
	if r.asOf == "" {
		return arguments, nil
	}
	at, err := heldAt(r.asOf, r.sys.now())
	arguments["as_of"] = at
	return arguments, err
}

// heldAt reads the time of --as-of. A day or longer stands for its last instant, or for now while it lasts.
func heldAt(text string, now time.Time) (time.Time, error) {
	if stretch, ok := ranking.StretchIn(text, now); ok {
		if stretch.Contains(now) {
			return now, nil
		}
		return stretch.To.Add(-time.Microsecond), nil
	}
	at, err := ctxmcp.ParseInstant(text)
	if err != nil {
		return at, usage("--as-of %q is no time: write it as 2026-04-01, 2026-04 or \"last week\"", oneLine(text))
	}
	return at, nil
}

// history goes by an id where the words are one, else by a name.
func (r *reading) history(ctx context.Context, a *app, args []string) error {
	words := strings.Join(args, " ")
	err := ctxmcp.Errorf(ctxmcp.CodeNotFound, "")
	if len(args) == 1 {
		if failed := r.tell(ctx, a, "memory_history", map[string]any{"object_id": words}); ctxmcp.CodeOf(failed) != err.Code || failed == nil {
			return failed
		}
	}
	return r.tell(ctx, a, "memory_history", map[string]any{"entity": words})
}

func (r *reading) show(ctx context.Context, a *app, args []string) error {
	o, err := r.find(ctx, a, args[0])
	if ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound {
		return ctxmcp.Errorf(ctxmcp.CodeNotFound, "no memory has the id %s", oneLine(args[0]))
	}
	if err != nil {
		return err
	}
	structure, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if r.asJSON {
		return writeJSON(r.sys.out, json.RawMessage(structure))
	}
	text, err := tools.Lines(structure)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.sys.out, "%s\n\n%s\n", coloured(r.sys.out, r.sys.getenv, brief.Entry(ctxmcp.ShortID(o.ObjectID), o)), text)
	return err
}

// find returns the last version of the object with the id.
func (r *reading) find(ctx context.Context, a *app, id string) (found ctxmcp.ContextObject, err error) {
	versions, err := a.memory.History(ctx, r.config.Person(), memory.HistoryAsk{ObjectID: id, Scope: r.place()})
	if err != nil {
		return found, err
	}
	for _, o := range versions {
		if strings.HasSuffix(o.ObjectID, strings.Trim(id, "[]")) {
			found = o
		}
	}
	return found, nil
}

func (r *reading) correct(ctx context.Context, a *app, args []string) error {
	if r.config.ReadOnly {
		return usage("read_only is set: this would change memory")
	}
	text, err := r.stated(args[1:])
	if err != nil {
		return err
	}
	if o, err := r.find(ctx, a, args[0]); err == nil && o.TxEnd.IsZero() && o.Content == text {
		return usage("[%s] says so already", ctxmcp.ShortID(o.ObjectID))
	}
	return r.tell(ctx, a, "remember", map[string]any{
		"content": text, "supersedes": args[0], "source": map[string]any{"kind": ctxmcp.UserStatement},
	})
}

// state adds a memory in the words of the person.
func (r *reading) state(ctx context.Context, a *app, args []string) error {
	if r.config.ReadOnly {
		return usage("read_only is set: this would change memory")
	}
	text, err := r.stated(args)
	if err != nil {
		return err
	}
	arguments := map[string]any{"content": text, "source": map[string]any{"kind": ctxmcp.UserStatement}}
	if r.level != "" {
		arguments["level"] = r.level
	}
	return r.tell(ctx, a, "remember", arguments)
}

// stated returns the words that arguments give, or standard input where they are -.
func (r *reading) stated(args []string) (string, error) {
	text := strings.Join(args, " ")
	if text != stdin {
		return text, nil
	}
	piped, err := readInput(r.sys, stdin)
	return strings.TrimSpace(string(piped)), err
}

func (r *reading) export(ctx context.Context, a *app, _ []string) error {
	write := func(w io.Writer) error {
		_, err := exchange.ExportOf(ctx, a.store, a.memory.Reach(r.config.Person(), r.place()), w)
		return err
	}
	if err := freeToWrite(r.out, r.force); err != nil {
		return err
	}
	if r.out == "-" {
		return write(r.sys.out)
	}
	return writeWhole(r.out, write)
}
