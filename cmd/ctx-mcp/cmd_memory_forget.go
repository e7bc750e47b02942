package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
)

// forget ends the memories that the arguments name, by ids or by words, once the person has seen and confirmed them.
func (r *reading) forget(ctx context.Context, a *app, args []string) error {
	if r.config.ReadOnly {
		return usage("read_only is set: this would change memory")
	}
	if err := ctxmcp.CheckWord("--mode", memory.Mode(r.mode), memory.Modes()); err != nil {
		return err
	}
	m, err := r.meant(ctx, a, args)
	if err != nil {
		return err
	}
	meant, over := m.found, m.over
	for _, o := range over {
		fmt.Fprintln(r.sys.err, brief.Entry(ctxmcp.ShortID(o.ObjectID), o))
	}
	switch {
	case len(over) > 0 && len(meant) == 0:
		return ctxmcp.Errorf(ctxmcp.CodeConflict, "%s ended before, and no other is described by these words", theseMemories(len(over))).
			WithHint("--mode hard_delete erases from the history too")
	case len(over) > 0:
		fmt.Fprintf(r.sys.err, "%s ended before: --mode hard_delete erases from the history too\n", theseMemories(len(over)))
	}
	if len(meant) == 0 {
		return r.tell(ctx, a, "recall", map[string]any{"query": strings.Join(args, " ")}) // it tells how to find them
	}
	var ids []string
	for _, o := range meant {
		ids = append(ids, o.ObjectID)
		fmt.Fprintln(r.sys.err, brief.Entry(ctxmcp.ShortID(o.ObjectID), o))
	}
	switch {
	case m.byWords && r.yes && len(ids)+len(over) > 1:
		return usage("%d memories are described by these words: name those that are meant by their ids", len(ids)+len(over))
	case m.unsure && r.yes:
		return usage("it is not sure that this memory is meant: name it by its id")
	case !r.yes:
		if sure, err := confirmed(r.sys, fmt.Sprintf("Forget %s (%s)?", theseMemories(len(ids)), r.mode)); !sure || err != nil {
			return err
		}
	}
	return r.tell(ctx, a, "forget", map[string]any{"object_ids": ids, "mode": r.mode, "reason": "asked for at the command line"})
}

func theseMemories(n int) string {
	if n == 1 {
		return "this memory"
	}
	return fmt.Sprintf("these %d memories", n)
}

// naming holds the names in the arguments of a command.
type naming struct {
	found, over     []ctxmcp.ContextObject // over have ended, and the mode erases nothing
	byWords, unsure bool                   // unsure: the words may mean none of them
}

// meant returns the memories that are named: by ids, if each argument is one, else by the words of all of them.
func (r *reading) meant(ctx context.Context, a *app, args []string) (m naming, err error) {
	for _, id := range args {
		o, err := r.find(ctx, a, id)
		if ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound {
			return r.meantByWords(ctx, a, strings.Join(args, " "))
		}
		if err != nil {
			return m, err
		}
		m.found = append(m.found, o)
	}
	return m, nil
}

func (r *reading) meantByWords(ctx context.Context, a *app, words string) (naming, error) {
	mode := memory.Mode(r.mode)
	answer, err := a.memory.Meant(ctx, r.config.Person(), memory.Ask{Query: words, Scope: r.place(), MaxTokens: wide}, mode)
	m := naming{byWords: true, unsure: answer.Unsure}
	for _, one := range answer.Memories {
		if one.Ended && mode != memory.Erase {
			m.over = append(m.over, one.Object)
		} else {
			m.found = append(m.found, one.Object)
		}
	}
	return m, err
}

// confirmed asks at the terminal before something is forgotten. Without a terminal it returns a usage error.
func confirmed(sys *system, question string) (bool, error) {
	return asked(sys, question, "nothing is forgotten")
}

// asked asks at the terminal; otherwise is the consequence of a no. Without a terminal it returns a usage error.
func asked(sys *system, question, otherwise string) (bool, error) {
	if f, ok := sys.in.(*os.File); !ok || !isTerminal(f) {
		return false, usage("there is no terminal to ask at: say --yes")
	}
	defer sys.pulse.hold()()
	fmt.Fprint(sys.err, question+" [y/N] ")
	line, err := bufio.NewReader(sys.in).ReadString('\n')
	if err != nil && err != io.EOF {
		return false, err
	}
	said := strings.ToLower(strings.TrimSpace(line))
	if said != "y" && said != "yes" {
		fmt.Fprintln(sys.err, otherwise)
		return false, nil
	}
	return true, nil
}

// isTerminal reports whether a file is a terminal. /dev/null is a device of characters, too, and nobody sits there.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// shortForm matches the short form of an id where a line begins.
var shortForm = regexp.MustCompile(`(?m)^\[[A-Za-z0-9_.-]+\]`)

// coloured returns a text with the ids in it dimmed, if it goes to a terminal that may show colours (no-color.org).
func coloured(w io.Writer, getenv func(string) string, text string) string {
	if f, ok := w.(*os.File); !ok || !isTerminal(f) || getenv("NO_COLOR") != "" || getenv("TERM") == "dumb" {
		return text
	}
	return shortForm.ReplaceAllString(text, "\x1b[2m$0\x1b[0m")
}

// watchEvery is the time between two looks for new memories.
const watchEvery = 500 * time.Millisecond

// mostWatched is how many memories one look prints.
const mostWatched = 1000

// watch prints each new memory, oldest first, whichever process stores it.
func (r *reading) watch(ctx context.Context, a *app, _ []string) error {
	if r.count < 0 {
		return usage("--count %d: 0 is for ever, a number ends after so many", r.count)
	}
	q := a.memory.Reach(r.config.Person(), r.place())
	q.EveryVersion, q.Newest, q.Limit = false, true, mostWatched
	seen := map[ctxmcp.VersionKey]bool{}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for first, told := true, 0; ; first = false {
		found, err := a.store.Find(ctx, q)
		if ctx.Err() != nil {
			return nil // interrupted, as it is meant to be
		}
		if err == nil {
			err = a.memory.Shown(ctx, r.config.Person(), found)
		}
		if err != nil {
			return err
		}
		for i := len(found) - 1; i >= 0; i-- {
			o := found[i]
			known := seen[ctxmcp.KeyOf(o)]
			seen[ctxmcp.KeyOf(o)] = true
			if known || first && !r.all {
				continue
			}
			if err := r.printStored(o); err != nil {
				return err
			}
			if told++; told == r.count {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func (r *reading) printStored(o ctxmcp.ContextObject) error {
	if r.asJSON {
		e := json.NewEncoder(r.sys.out)
		e.SetEscapeHTML(false)
		return e.Encode(o)
	}
	_, err := fmt.Fprintln(r.sys.out, coloured(r.sys.out, r.sys.getenv, brief.Entry(ctxmcp.ShortID(o.ObjectID), o)))
	return err
}
