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
	program.Main("clients", func(ctx context.Context) error {
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
		for _, hooks := range []bool{false, true} {
			if hooks && !c.hooks.some {
				continue
			}
			h := &home{client: c, program: path, node: s.node, server: server}
			n, err := s.hold(ctx, h, hooks)
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

// hold connects a client in a new home and holds the promises to it. It returns how many were not kept.
func (s suite) hold(ctx context.Context, h *home, hooks bool) (failed int, err error) {
	if h.dir, err = os.MkdirTemp("", "clients-"); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, h.leave(context.WithoutCancel(ctx), s.keep || failed > 0)) }()
	if err := errors.Join(h.build(), h.aim("http://127.0.0.1:9")); err != nil {
		return 0, err
	}
	args, promises := []string{"connect", h.client.name}, withoutHooks
	if hooks {
		args, promises = append(args, "--hooks"), withHooks
	}
	if _, err := h.ctxmcp(ctx, args...); err != nil {
		return 0, err
	}
	if hooks {
		if _, err := h.talk(ctx, "Remember the port.", step{Tool: "remember", Args: object{"content": fact}}); err != nil {
			return 0, err
		}
	}
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
	return failed, nil
}
