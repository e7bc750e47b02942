package main

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/console"
	"github.com/ctx-mcp/ctx-mcp/gateway"
	"github.com/ctx-mcp/ctx-mcp/memory/audit"
	"github.com/ctx-mcp/ctx-mcp/serve"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/trail"
)

// looking is a console on the local data.
type looking struct {
	sys        *system
	config     *config.Config
	addr       string
	noOpen     bool
	allowErase bool
}

func uiCommand(sys *system, c *config.Config) *cobra.Command {
	l := &looking{sys: sys, config: c}
	cmd := &cobra.Command{
		Use:   "ui",
		Short: "Look at memories, contexts, actions and artifacts in a browser",
		Long: `Look at memories, contexts, actions and artifacts in a browser, and decide what waits for you.

The page is served to this machine alone, and ends with the command. The address that is printed lets one browser in, once. Servers may
run meanwhile: what agents do appears, and an action that you approve goes on.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withApp(cmd.Context(), sys, c, func(a *app) error { return l.serve(cmd.Context(), a) })
		},
	}
	cmd.Flags().StringVar(&l.addr, "addr", "127.0.0.1:0", "`address` of this machine to listen on; port 0 takes a free one")
	cmd.Flags().BoolVar(&l.noOpen, "no-open", false, "print the address, and open no browser")
	cmd.Flags().BoolVar(&l.allowErase, "allow-erase", false, "let memories be erased for good")
	return prints(aService, cmd)
}

// serve serves the pages until the context is done.
func (l *looking) serve(ctx context.Context, a *app) error {
	code, err := console.Code(l.sys.random)
	if err != nil {
		return err
	}
	o := a.console()
	o.Admit, o.Once, o.Secret, o.AllowErase = once(code, l.config.Person()), true, "code", l.allowErase
	o.Health = a.condition(owner)
	book, err := gateway.OpenBook(gatewayDir(l.config), l.sys.now)
	if err != nil {
		return err
	}
	o.Gateway = book
	listener, err := l.listen()
	if err != nil {
		return err
	}
	web := &http.Server{Handler: serve.ThisMachine(uiRoot(console.New(o))), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	address := "http://" + listener.Addr().String() + console.Base + "enter#" + code
	fmt.Fprintf(l.sys.out, "%s\nOpen it in a browser of this machine; Ctrl-C ends the page.\n", address)
	if !l.noOpen {
		openBrowser(address)
	}
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return web.Close()
	}
}

// listen opens the address, which must be of this machine.
func (l *looking) listen() (net.Listener, error) {
	host, _, err := net.SplitHostPort(l.addr)
	if err != nil {
		return nil, usage("--addr %s: give host and port, such as 127.0.0.1:8080; port 0 takes a free one", l.addr)
	}
	if !serve.Loopback(host) {
		return nil, usage("--addr %s: other machines could reach it; listen on 127.0.0.1, or serve people with tokens by ctx-mcp http, under /ui/", l.addr)
	}
	listener, err := net.Listen("tcp", l.addr)
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%v", err).WithHint("choose another address with --addr, such as 127.0.0.1:0")
	}
	return listener, nil
}

// uiRoot sends a visitor of the bare address on to the pages.
func uiRoot(pages http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", http.RedirectHandler(console.Base, http.StatusSeeOther))
	mux.Handle(console.Base, pages)
	return mux
}

// once admits who shows the code, the first time.
func once(code string, person ctxmcp.Caller) func(context.Context, string) (ctxmcp.Caller, error) {
	var used sync.Once
	return func(_ context.Context, shown string) (by ctxmcp.Caller, err error) {
		err = ctxmcp.Errorf(ctxmcp.CodeDenied, "the code is not known, or was used already").WithHint("run ctx-mcp ui again")
		if subtle.ConstantTimeCompare([]byte(code), []byte(shown)) == 1 {
			used.Do(func() { by, err = person, nil })
		}
		return by, err
	}
}

// console returns the options of a console on the data of the app, without who is let in.
func (a *app) console() console.Options {
	return console.Options{
		Memory: a.memory, Actions: a.actions, Receipts: a.receipts, Packets: a.packets, Compiles: a.compiler, Artifacts: a.artifacts,
		Entities: a.memory, Tasks: a.tasks, Trail: &trail.Service{Store: a.store}, Audit: a.lookingOver, Health: a.condition(anyone),
		ReadOnly: a.config.ReadOnly, Version: version, Now: a.sys.now, Random: a.sys.random, Logger: a.logger,
	}
}

// lookingOver returns how the memories of a store are looked over for faults.
func (a *app) lookingOver() audit.Options {
	o := audit.Defaults()
	o.Now, o.Redact, o.Coexists = ctxmcp.Instant(a.sys.now()), a.memories.now.Load().Text, a.config.MemoryOptions().Coexists
	return o
}

// condition returns how the state of the store, the findings of the doctor's checks and the quotas of the tenant are described to someone.
func (a *app) condition(to audience) func(context.Context) ([]console.Line, error) {
	return func(ctx context.Context) ([]console.Line, error) {
		p := &patient{config: a.config, sys: a.sys, store: a.store}
		quotas, err := a.quotaLines(ctx, p)
		return slices.Concat(a.storeLines(ctx, to), p.checkLines(ctx, to), quotas), err
	}
}

// storeLines describes the store and its surroundings.
func (a *app) storeLines(ctx context.Context, to audience) []console.Line {
	lines := []console.Line{{Name: "version", Text: fullVersion()}}
	if to != owner { // whose check says it
		lines = append(lines, console.Line{Name: "data directory", Text: a.config.DataDir})
	}
	ready := console.Line{Name: "store", Text: "answers"}
	if err := cmp.Or(a.store.Ping(ctx), a.store.PingKeys(ctx)); err != nil {
		ready.Text, ready.Bad = err.Error(), true
	}
	meaning := console.Line{Name: "embeddings", Text: "none: recall goes by words; embeddings.base_url adds meaning"}
	if a.config.EmbeddingsURL != "" {
		meaning.Text = a.config.EmbeddingsModel + " at " + a.config.EmbeddingsURL
	}
	lines = append(lines, ready)
	if a.config.Store == "" { // another database keeps its files itself
		lines = append(lines, a.sizeOfStore())
	}
	return append(lines, meaning, a.lastUpkeep())
}

// checkLines says what the checks find that the page shows to someone, and names those that ctx-mcp doctor runs besides.
func (p *patient) checkLines(ctx context.Context, to audience) (lines []console.Line) {
	var others []string
	for _, ck := range checks {
		if ck.page < to || ck.page == nobody {
			others = append(others, ck.name)
			continue
		}
		f := ck.look(ctx, p)
		line := console.Line{Name: f.Check, Text: f.Found, Bad: f.Status == "FAIL"}
		if f.Hint != "" {
			line.Text += ": " + f.Hint
		}
		lines = append(lines, line)
	}
	return append(lines, console.Line{Name: "not checked here", Text: strings.Join(others, ", ") + ": ctx-mcp doctor looks at them"})
}

// sizeOfStore says how large the files of the database are.
func (a *app) sizeOfStore() console.Line {
	line := console.Line{Name: "size of the store"}
	size := int64(0)
	for _, name := range []string{sqlite.FileName, sqlite.FileName + "-wal"} {
		info, err := os.Stat(filepath.Join(a.config.DataDir, name))
		if err == nil {
			size += info.Size()
		} else if !errors.Is(err, fs.ErrNotExist) {
			line.Bad = true
		}
	}
	line.Text = console.Bytes(size)
	return line
}

// quotaLines says how full the quotas of the tenant are.
func (a *app) quotaLines(ctx context.Context, p *patient) (lines []console.Line, err error) {
	held, err := a.store.Usage(ctx)
	if err != nil {
		return nil, err
	}
	for _, u := range held {
		if u.Tenant != a.config.Tenant {
			continue
		}
		text, over := p.fullness(u)
		if limit := a.config.Quotas.Limits(true)[u.Name]; limit > 0 && strings.HasSuffix(string(u.Name), "bytes") {
			text = console.Bytes(u.Used) + " of " + console.Bytes(limit)
		} else if limit > 0 {
			text = fmt.Sprintf("%d of %d", u.Used, limit)
		} else {
			_, text, _ = strings.Cut(text, ": ")
		}
		lines = append(lines, console.Line{Name: strings.ReplaceAll(string(u.Name), "_", " "), Text: text, Bad: over})
	}
	return lines, nil
}

// openBrowser opens an address with the program that the system has for it. Where there is none, the printed address is enough.
func openBrowser(address string) {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	cmd := exec.Command(command[0], append(command[1:], address)...)
	if err := cmd.Start(); err == nil {
		go func() { _ = cmd.Wait() }()
	}
}
