package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

func demoCommand(sys *system) *cobra.Command {
	return prints(aTalk, &cobra.Command{
		Use:   "demo",
		Short: "Play a short story: a memory that changes, a log with a secret, a context explained, an action stopped",
		Long: `Play a short story: a memory that changes, a log with a secret, a context explained, an action stopped.

Every answer is of the real tools, on a store that is thrown away at the end. Your own data are neither read nor changed, nothing leaves the machine, and
the clock of the story is its own, so that it goes the same way each time.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return playDemo(cmd.Context(), sys) },
	})
}

// demoBegins is when the story begins.
var demoBegins = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// stage is where the story plays.
type stage struct {
	sys      *system
	services *tools.Services
	now      time.Time
	last     map[string]any // the structure of the last answer
}

// playDemo opens a store of its own, with a clock, ids and keys that are the same in every run.
func playDemo(ctx context.Context, sys *system) (err error) {
	dir, err := os.MkdirTemp("", "ctx-mcp-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demo: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s := &stage{sys: sys, now: demoBegins}
	own, made := *sys, 0
	own.now = func() time.Time { return s.now }
	own.newID = func() string {
		made++
		return fmt.Sprintf("0195d0a0-0000-7000-8000-%06x%06x", 0, 0x3a7c1f*made&0xffffff)
	}
	own.random = rand.NewChaCha8([32]byte{})
	own.getenv, own.environ = func(string) string { return "" }, func() []string { return nil }
	c := config.New()
	c.DataDir, c.Tenant, c.User, c.LogLevel, c.CallerKind = dir, "demo", "you", "error", ctxmcp.Harness
	return withApp(ctx, &own, c, func(a *app) error {
		if err := a.govern(ctx); err != nil {
			return err
		}
		s.services = a.services(ctxmcp.Scope{Project: "shop"}, "pipe")
		s.services.Caller, s.services.Asker = func(context.Context) (ctxmcp.Caller, bool) { return c.Person(), true }, nil
		return s.play(ctx)
	})
}

// line is one step of the story: a heading, words, or a call with its answer.
type line struct {
	heading, words string
	days           int // that pass before
	tool           string
	arguments      any
	show           func(text string, answer map[string]any) string // what is printed of the answer; nil: its text
}

func (s *stage) play(ctx context.Context) error {
	for _, l := range story() {
		s.now = s.now.Add(time.Duration(l.days)*24*time.Hour + time.Second)
		switch {
		case l.heading != "":
			fmt.Fprintf(s.sys.out, "\n%s\n%s\n", l.heading, strings.Repeat("─", len([]rune(l.heading))))
			continue
		case l.tool == "":
			fmt.Fprintln(s.sys.out, l.words)
			continue
		}
		if err := s.call(ctx, l); err != nil {
			return fmt.Errorf("the story ends at %s: %w", l.tool, err)
		}
	}
	return nil
}

func (s *stage) call(ctx context.Context, l line) error {
	if of, ok := l.arguments.(func(map[string]any) any); ok {
		l.arguments = of(s.last)
	}
	text, structure, err := s.services.Call(ctx, l.tool, l.arguments)
	if err != nil {
		return err
	}
	s.last = map[string]any{}
	if err := json.Unmarshal(structure, &s.last); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if l.words != "" {
		fmt.Fprintf(s.sys.out, "%s  %s\n", s.now.Format(time.DateOnly), l.words)
	}
	if l.show != nil {
		text = l.show(text, s.last)
	}
	if text = strings.TrimRight(text, "\n"); text != "" {
		fmt.Fprintf(s.sys.out, "  %s\n", strings.ReplaceAll(text, "\n", "\n  "))
	}
	return nil
}
