package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp/eval/program"
)

func main() {
	server := flag.String("server", "bin/ctx-mcp", "the binary of ctx-mcp")
	modules := flag.String("modules", "", "folders of the clients' npm packages, with commas")
	node := flag.String("node", "node", "the program that runs the clients that are scripts")
	only := flag.String("only", "", "clients to run, with commas; default all whose packages are there")
	keep := flag.Bool("keep", false, "keep the homes, with every request of the models")
	office := flag.String("office", "", "serve the tools of the office instead, with its mail in this folder")
	program.Main("clients", func(ctx context.Context) error {
		if *office != "" {
			return serveOffice(*office)
		}
		return suite{*server, strings.Split(*modules, ","), *node, *only, *keep}.run(ctx)
	})
}

// suite says what is run.
type suite struct {
	server  string
	modules []string
	node    string
	only    string
	keep    bool
}

func (s suite) run(ctx context.Context) error {
	server, err := filepath.Abs(s.server)
	if err != nil {
		return err
	}
	ran, failed := 0, 0
	for _, c := range clients() {
		if s.only != "" && !slices.Contains(strings.Split(s.only, ","), c.name) {
			continue
		}
		path, found := s.find(c)
		if !found {
			continue
		}
		ran++
		for _, w := range ways() {
			if w.hooks && !c.hooks.some || w.office && w.hooks && !c.hooks.names {
				continue
			}
			n, err := s.hold(ctx, &home{client: c, program: path, node: s.node, server: server}, w)
			if err != nil {
				return fmt.Errorf("%s: %w", c.title, err)
			}
			failed += n
		}
	}
	if ran == 0 {
		return errors.New("no client is installed in the folders of -modules")
	}
	if failed > 0 {
		return fmt.Errorf("%d promises were not kept", failed)
	}
	fmt.Printf("%d clients: every promise was kept\n", ran)
	return nil
}

func (s suite) find(c client) (string, bool) {
	for _, dir := range s.modules {
		if path, found := c.find(dir); found {
			path, err := filepath.Abs(path)
			return path, err == nil
		}
	}
	return "", false
}

// way is a way in which a client is connected, and the promises that are held to it.
type way struct {
	flags    []string
	hooks    bool
	office   bool // the client has a server beside ctx-mcp
	promises []promise
}

func ways() []way {
	return []way{
		{promises: append(slices.Clone(withoutHooks), direct...), office: true},
		{flags: []string{"--hooks"}, hooks: true, promises: withHooks},
		{flags: []string{"--gateway"}, office: true, promises: behindGateway},
		{flags: []string{"--gateway", "--hooks"}, hooks: true, office: true, promises: append(slices.Clone(withBoth), behindGateway...)},
	}
}

// hold connects a client in a new home and holds the promises to it. It returns how many were not kept.
func (s suite) hold(ctx context.Context, h *home, w way) (failed int, err error) {
	if h.dir, err = os.MkdirTemp("", "clients-"); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, h.leave(context.WithoutCancel(ctx), s.keep || failed > 0)) }()
	if err := errors.Join(h.build(), h.aim("http://127.0.0.1:9")); err != nil {
		return 0, err
	}
	if w.office {
		if err := h.employ(); err != nil {
			return 0, err
		}
	}
	if _, err := h.ctxmcp(ctx, append([]string{"connect", h.client.name}, w.flags...)...); err != nil {
		return 0, err
	}
	if w.hooks {
		if _, err := h.talk(ctx, "Remember the port.", step{Tool: "remember", Args: object{"content": fact}}); err != nil {
			return 0, err
		}
	}
	return h.hear(ctx, w.promises), nil
}

// hear holds promises to the home, and prints how each went. It returns how many were not kept.
func (h *home) hear(ctx context.Context, promises []promise) (failed int) {
	for _, p := range promises {
		if !p.of(h.client.hooks) {
			continue
		}
		began := time.Now()
		err := p.keep(ctx, h)
		took := time.Since(began).Round(100 * time.Millisecond)
		if err != nil {
			failed++
			fmt.Printf("FAILED  %-30s %6s  %s: %v\n", h.client.title, took, p.name, err)
			continue
		}
		fmt.Printf("ok      %-30s %6s  %s\n", h.client.title, took, p.name)
	}
	return failed
}
