package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestTwoProcessesCount has two processes make a directory at once and count in one object: no count is lost, and the only
// error that either sees is a conflict.
func TestTwoProcessesCount(t *testing.T) {
	for range 4 {
		dir := t.TempDir()
		counters := []*child{start(t, "increment", dir, "a"), start(t, "increment", dir, "b")}
		var told []string
		for _, c := range counters {
			for c.lines.Scan() {
				told = append(told, c.lines.Text())
			}
			c.finish(t)
		}
		q := everything()
		q.EveryVersion = true
		versions, err := openStore(t, dir).Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var held []string
		for _, v := range versions {
			held = append(held, v.Content)
		}
		slices.Sort(told)
		slices.Sort(held)
		if len(told) != 2*increments || !slices.Equal(told, held) {
			t.Fatalf("told of %d counts, %d are held, want %d of each, the same\n%v\n%v", len(told), len(held), 2*increments, told, held)
		}
	}
}

// increments is how often each process counts.
const increments = 50

// increment is a child that counts: it reads the number, and writes the next if no other has.
func increment(dir, name string) error {
	s, err := openDirectory(dir)
	if err != nil {
		return err
	}
	ctx := context.Background()
	for n := 0; n < increments; {
		open, err := s.Find(ctx, everything())
		if err != nil {
			return err
		}
		c, said := next(open, name)
		switch err := s.Apply(ctx, c); {
		case err == nil:
			fmt.Println(said)
			n++
		case ctxmcp.CodeOf(err) != ctxmcp.CodeConflict:
			return err
		}
	}
	return s.Close()
}

// next returns the change that counts on from the open version, and the text of the new one.
func next(open []ctxmcp.ContextObject, name string) (memory.Change, string) {
	o := note("counter")
	c := memory.Change{Expect: []memory.Expectation{{Query: everything()}}}
	for _, was := range open {
		o.Version, o.TxStart = was.Version+1, was.TxStart.Add(1000)
		c.Expect[0].Open = append(c.Expect[0].Open, ctxmcp.KeyOf(was))
		c.Close = append(c.Close, memory.Closing{Tenant: o.TenantID, Key: ctxmcp.KeyOf(was), TxEnd: o.TxStart})
	}
	o.Content = fmt.Sprintf("%04d %s", o.Version, name)
	c.Insert = []ctxmcp.ContextObject{o}
	return c, o.Content
}

// TestProcessesSeeEachOther: a write that one process has acknowledged is found by the other at once.
func TestProcessesSeeEachOther(t *testing.T) {
	dir := t.TempDir()
	s, c := openStore(t, dir), start(t, "serve", dir, "")
	for n := range 100 {
		theirs, ours := fmt.Sprintf("theirs%d", n), fmt.Sprintf("ours%d", n)
		if answer := c.ask(t, "put "+theirs); answer != "ok" {
			t.Fatalf("the other process cannot write %s: %s", theirs, answer)
		}
		if err := seen(t.Context(), s, theirs); err != nil {
			t.Fatal(err)
		}
		if err := s.Apply(t.Context(), insert(note(ours))); err != nil {
			t.Fatal(err)
		}
		if answer := c.ask(t, "get "+ours); answer != "ok" {
			t.Fatalf("the other process does not see %s: %s", ours, answer)
		}
	}
	if err := c.in.Close(); err != nil {
		t.Error(err)
	}
	c.finish(t)
}

// TestSecondStoreKeepsTheLocks: a process that opens a directory twice, even in vain, keeps its hold on the files. The locks
// of POSIX are lost when a process closes any descriptor of a file; a process that leaves would then take the log away.
func TestSecondStoreKeepsTheLocks(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	openStore(t, dir)
	c := start(t, "serve", dir, "")
	if answer := c.ask(t, "put theirs"); answer != "ok" {
		t.Fatal(answer)
	}
	if err := c.in.Close(); err != nil {
		t.Error(err)
	}
	c.finish(t)
	if err := s.Apply(t.Context(), insert(note("ours"))); err != nil {
		t.Fatal(err)
	}
	c = start(t, "serve", dir, "")
	if answer := c.ask(t, "get ours"); answer != "ok" {
		t.Errorf("an acknowledged write is lost: %s", answer)
	}
}

// ask sends a line to a serving child and returns the line that it answers.
func (c *child) ask(t *testing.T, line string) string {
	t.Helper()
	if _, err := fmt.Fprintln(c.in, line); err != nil {
		t.Fatal(err)
	}
	if !c.lines.Scan() {
		t.Fatalf("the child ended: %v\n%s", c.Wait(), &c.said)
	}
	return c.lines.Text()
}

// serve is a child that writes and reads notes as it is told, until its input ends.
func serve(dir, _ string) error {
	s, err := openDirectory(dir)
	if err != nil {
		return err
	}
	ctx, lines := context.Background(), bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		verb, id, _ := strings.Cut(lines.Text(), " ")
		do := map[string]func() error{
			"put": func() error { return s.Apply(ctx, insert(note(id))) },
			"get": func() error { return seen(ctx, s, id) },
		}
		if err := do[verb](); err != nil {
			fmt.Printf("%q\n", err.Error())
		} else {
			fmt.Println("ok")
		}
	}
	return s.Close()
}
