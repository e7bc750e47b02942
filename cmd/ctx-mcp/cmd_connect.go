package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/connect"
	"github.com/ctx-mcp/ctx-mcp/hook"
)

// connecting is one call of the command connect.
type connecting struct {
	sys    *system
	config *config.Config
	scope  string
	dryRun bool
	undo   bool
	list   bool
	asJSON bool
	url    string
	token  string
	hooks  bool
	behind bool // the client's other servers move behind the gateway
}

func connectCommand(sys *system, c *config.Config) *cobra.Command {
	k := &connecting{sys: sys, config: c}
	cmd := &cobra.Command{
		Use:   "connect [client]",
		Short: "Write ctx-mcp into an MCP client's configuration, or take it out",
		Long: "Write ctx-mcp into the configuration of an MCP client, or take it out again: " + connect.Names() + `.

The one entry is changed, all else in the file stays as it is; the change is shown, with secrets masked, and a backup lies beside the file. A second
run changes nothing. Without a client, the clients that are found here are listed, and on a terminal you choose among them. Flags and CTX_MCP_ variables that are set now are carried over, but
for secrets.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("%s takes one client", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completingClients,
		RunE:              func(_ *cobra.Command, args []string) error { return k.run(args) },
	}
	f := cmd.Flags()
	f.StringVar(&k.scope, "for", string(connect.User), "user (all projects) or project (this folder's)")
	f.BoolVar(&k.dryRun, "dry-run", false, "show the change, write nothing")
	f.BoolVar(&k.undo, "undo", false, "take ctx-mcp out again")
	f.BoolVar(&k.list, "list", false, "list where ctx-mcp is connected")
	f.BoolVar(&k.asJSON, "json", false, "print what --list lists as JSON, for programs")
	f.BoolVar(&k.hooks, "hooks", false, "install the client's hooks too: calls are judged before and recorded after, without the agent's help")
	f.BoolVar(&k.behind, "gateway", false, "move the client's other servers behind ctx-mcp: their calls are judged and their results redacted")
	f.StringVar(&k.url, "url", "", "connect to a server at this `URL` instead of starting one")
	f.StringVar(&k.token, "token", "env", "where the client takes the token of --url from: env (its variable "+connect.TokenVariable+
		"), clear (the variable's value of now, written into the file), none")
	return cmd
}

func (k *connecting) run(args []string) error {
	if k.asJSON && !k.list {
		return usage("--json goes with --list")
	}
	place, err := placeHere(k.sys)
	if err != nil {
		return err
	}
	server, err := k.server()
	if err != nil {
		return err
	}
	if len(args) == 0 && k.undo {
		return usage("name the client to undo: ctx-mcp connect --list shows where ctx-mcp is connected")
	}
	switch {
	case k.list, len(args) == 0 && !k.sys.attended():
		return k.printStates(place, server)
	case len(args) == 0:
		return k.askWhich(place, server)
	}
	c, err := connect.Find(args[0])
	if err != nil {
		return err
	}
	return k.one(place, server, c)
}

// one connects a client, or takes ctx-mcp out of its configuration.
func (k *connecting) one(place connect.Place, server connect.Server, c connect.Client) (err error) {
	scope := connect.Scope(k.scope)
	if scope != connect.User && scope != connect.Project {
		return usage("--for is %q: use user or project", k.scope)
	}
	if k.openly() && !k.undo {
		fmt.Fprintf(k.sys.out, "nothing is encrypted on the way to %s: whoever stands there reads what is sent%s; use an address of https\n", plainLine(k.url),
			map[bool]string{true: ", the token too"}[k.token != "none"])
	}
	var hooks *connect.Hooks
	if k.hooks || k.undo {
		if hooks, err = k.hooksOf(c); err != nil {
			return err
		}
	}
	moved, err := k.moved(place, c, scope)
	if err != nil {
		return err
	}
	if moved != nil && !k.undo {
		server = throughGateway(server, moved)
	}
	changes, err := place.Connect(c, scope, server, hooks, moved)
	if k.undo {
		changes, err = place.Undo(c, scope, hooks, moved)
	}
	if err == nil && moved != nil && !k.undo {
		err = k.seal(place, c, moved)
	}
	if err == nil && moved != nil && !k.undo && !k.dryRun {
		err = moved.Write()
	}
	for i := 0; i < len(changes) && err == nil; i++ {
		if k.undo && i > 0 && changes[i].None() && changes[i].New() { // the client has never had such a file, as one of hooks
			continue
		}
		err = k.carryOut(place, c, changes[i])
	}
	if err == nil && moved != nil && k.undo && !k.dryRun {
		err = k.bringBack(place, c, moved, changes[0])
	}
	if err == nil && k.hooks && !k.undo && !k.dryRun {
		fmt.Fprintf(k.sys.out, "next for the hooks: %s\n", c.NextHooks())
	}
	return err
}

// throughGateway returns the server that stands between the client and its other servers.
func throughGateway(server connect.Server, b *connect.Behind) connect.Server {
	server.Args = slices.Concat([]string{"gateway"}, server.Args, []string{"--servers", b.File})
	return server
}

// behindOf reads the client's servers that stand behind the gateway.
func (k *connecting) behindOf(c connect.Client) (*connect.Behind, error) {
	return connect.ReadBehind(filepath.Join(gatewayDir(k.config), "servers-"+c.Name+".json"))
}

// moved returns the client's servers that stand behind the gateway, or are to; nil where there are none.
func (k *connecting) moved(place connect.Place, c connect.Client, scope connect.Scope) (*connect.Behind, error) {
	if k.behind && (k.url != "" || scope != connect.User) {
		return nil, usage("--gateway moves the user's servers on this machine: leave out --url and --for project, whose file others share")
	}
	if k.url != "" || scope != connect.User {
		return nil, nil
	}
	b, err := k.behindOf(c)
	if err != nil || len(b.Servers) == 0 && !k.behind {
		return nil, err
	}
	if k.undo {
		return b, nil
	}
	stay, err := b.Take(place, c, scope)
	for _, name := range slices.Sorted(maps.Keys(stay)) {
		fmt.Fprintf(k.sys.out, "%s stays with %s: %s\n", name, c.Title, stay[name])
	}
	if err == nil && len(b.Servers) > 0 {
		would := map[bool]string{true: "would stand "}[k.dryRun]
		fmt.Fprintf(k.sys.out, would+"behind the gateway: %s (%s)\n", strings.Join(slices.Sorted(maps.Keys(b.Servers)), ", "), place.Shown(b.File))
	}
	return b, err
}

// hooksOf returns the command that answers the client's hooks. They are answered here, also where the server is elsewhere.
func (k *connecting) hooksOf(c connect.Client) (*connect.Hooks, error) {
	if k.url != "" && k.hooks {
		return nil, usage("--hooks are answered on this machine: connect them without --url")
	}
	local, err := serverEntry(k.config)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(k.config.DataDir)
	if err != nil {
		return nil, err
	}
	command := []string{local.Command, "hook", c.Name, "--data-dir=" + dir}
	for i := 1; i < len(local.Args); i++ {
		switch arg := local.Args[i]; {
		case strings.HasPrefix(arg, "--toolsets="): // hooks offer none
		case arg == "--data-dir":
			i++
		case arg == "--config":
			i++
			command = append(command, "--config="+local.Args[i])
		default:
			command = append(command, arg)
		}
	}
	return &connect.Hooks{Command: command, Events: hook.Events(c.Name)}, nil
}

// placeHere returns this machine, user and project.
func placeHere(sys *system) (connect.Place, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return connect.Place{}, fmt.Errorf("find the home folder: %w", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return connect.Place{}, fmt.Errorf("find the folder: %w", err)
	}
	if top := config.WorkTree(dir); top != "" {
		dir = top
	}
	return connect.Place{
		OS: runtime.GOOS, Home: home, Project: dir, Getenv: sys.getenv,
		Program: func(name string) bool { _, err := exec.LookPath(name); return err == nil },
	}, nil
}

// carryOut shows the change and, unless it is a dry run, makes it.
func (k *connecting) carryOut(place connect.Place, c connect.Client, ch connect.Change) error {
	out, path := k.sys.out, place.Shown(ch.Path)
	if ch.None() {
		state := "is connected already"
		if k.undo && ch.New() {
			_, err := fmt.Fprintf(out, "%s is not connected: there is no %s\n", c.Title, path)
			return err
		}
		if k.undo {
			state = "is not connected"
		}
		_, err := fmt.Fprintf(out, "%s %s: %s stays as it is\n", c.Title, state, path)
		return err
	}
	text, err := k.difference(path, c, ch)
	if err != nil {
		return err
	}
	fmt.Fprint(out, text)
	if ch.Real != ch.Path {
		fmt.Fprintf(out, "%s is a link: the file behind it is %s\n", path, place.Shown(ch.Real))
	}
	if k.dryRun {
		fmt.Fprintln(out, "nothing was written: this was a dry run")
		return nil
	}
	if err := ch.Write(); err != nil {
		return err
	}
	k.report(place, c, ch)
	return nil
}

// report says what was written, and what comes next.
func (k *connecting) report(place connect.Place, c connect.Client, ch connect.Change) {
	out, path := k.sys.out, place.Shown(ch.Path)
	switch {
	case ch.Removes():
		fmt.Fprintf(out, "removed %s, which connect had made\n", path)
	case k.undo:
		fmt.Fprintf(out, "took ctx-mcp out of %s\n", path)
	default:
		fmt.Fprintf(out, "connected %s: wrote %s\n", c.Title, path)
		if !ch.New() {
			fmt.Fprintf(out, "what it held before is in %s\n", place.Shown(ch.Backup))
		}
		fmt.Fprintf(out, "take it back: ctx-mcp connect %s --for %s --undo\n", c.Name, k.scope)
	}
	if k.url != "" && k.token == "clear" && !k.undo {
		fmt.Fprintf(out, "the token stands in %s in the clear: whoever reads the file can use it\n", path)
	}
	if k.url != "" && k.token == "env" && !k.undo {
		fmt.Fprintf(out, "%s takes the token from the variable %s of its environment\n", c.Title, connect.TokenVariable)
	}
	if !k.undo {
		fmt.Fprintf(out, "next: %s\n", c.Next)
	}
}

// difference returns the change as a unified diff without secrets.
func (k *connecting) difference(path string, c connect.Client, ch connect.Change) (string, error) {
	r, err := newRedactor(nil, k.config)
	if err != nil {
		return "", err
	}
	text := string(diff.Diff(path, []byte(ch.Before), path, []byte(ch.After)))
	if _, body, cut := strings.Cut(text, "\n"); cut { // the first line names a program
		text = body
	}
	if token := k.sys.getenv(connect.TokenVariable); len(token) >= 8 { // what is shorter is no token, and stands in other words
		text = strings.ReplaceAll(text, token, "[the token]")
	}
	text, _ = r.Text(text)
	is := tells(r)
	return connect.Hidden(text, slices.Concat(c.Private(ch.Before), c.Private(ch.After), c.Outside(ch.Before, is), c.Outside(ch.After, is))), nil
}

func (k *connecting) printStates(place connect.Place, server connect.Server) error {
	w := tabwriter.NewWriter(k.sys.out, 0, 0, 2, ' ', 0)
	shown, free := 0, ""
	reports := []clientReport{}
	for _, s := range place.States(server) {
		if k.list && s.Target == "" && s.Err == nil {
			continue
		}
		if s.Target == "" && s.Err == nil && free == "" {
			free = s.Client.Name
		}
		shown++
		state := k.stateOf(place, server, s)
		reports = append(reports, clientReport{s.Client.Name, string(s.Scope), state, s.Path})
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Client.Name, s.Scope, state, place.Shown(s.Path))
	}
	if k.asJSON {
		return writeJSON(k.sys.out, reports)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	switch {
	case shown == 0 && k.list:
		fmt.Fprintln(k.sys.out, "ctx-mcp is connected nowhere: ctx-mcp connect lists the clients that are found here")
	case shown == 0:
		fmt.Fprintf(k.sys.out, "no client is found here; name one all the same: ctx-mcp connect CLIENT, one of %s\n", connect.Names())
	case free != "" && !k.list:
		fmt.Fprintf(k.sys.out, "next: ctx-mcp connect %s (--dry-run shows the change first)\n", free)
	}
	return nil
}

// stateOf tells how a client stands to the server.
func (k *connecting) stateOf(place connect.Place, server connect.Server, s connect.State) string {
	switch {
	case s.Err != nil:
		return "cannot be read: " + strings.TrimPrefix(s.Err.Error(), s.Path+": ")
	case s.Target == "":
		return "not connected"
	case s.Same:
		return "connected"
	case k.guarded(place, server, s):
		return "connected, gateway"
	}
	return "connected with other settings, to " + s.Target
}

// guarded reports whether the entry of a client is that of the gateway to its other servers.
func (k *connecting) guarded(place connect.Place, server connect.Server, s connect.State) bool {
	b, err := k.behindOf(s.Client)
	if err != nil || len(b.Servers) == 0 {
		return false
	}
	return slices.ContainsFunc(place.States(throughGateway(server, b)), func(t connect.State) bool {
		return t.Same && t.Client.Name == s.Client.Name && t.Scope == s.Scope
	})
}

// completingClients offers a shell the names of the clients.
func completingClients(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	for _, c := range connect.Clients() {
		if len(args) == 0 {
			names = append(names, c.Name+"\t"+c.Title)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
