package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// caller stores and asks: it may see all of its own.
var caller = ctxmcp.Caller{Tenant: "eval", User: "eval", Clearance: ctxmcp.HighlyRestricted, Authority: ctxmcp.AuthorityUser}

// withMemory calls do with a memory that holds nothing yet, on a store of its own.
func withMemory(ctx context.Context, do func(*memory.Service) error) error {
	dir, err := os.MkdirTemp("", "ctx-mcp-fit-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	logger := slog.New(slog.DiscardHandler)
	store, err := sqlite.Open(ctx, dir, logger)
	if err != nil {
		return err
	}
	defer store.Close()
	n := 0
	return do(memory.New(memory.Core{
		Store: store, Entities: store, Counter: tokens.Approximate{}, Redact: redact.New([]byte("eval")).Func(), Now: time.Now,
		NewID: func() string { n++; return fmt.Sprintf("00000000-0000-7000-8000-%012d", n) }, Logger: logger,
	}))
}

// readSet stores the conversations of a set, each in a project, and reads the features of its questions.
func readSet(ctx context.Context, data, set string) (all []fit.List, err error) {
	convs, err := conversations(filepath.Join(data, set))
	if err != nil {
		return nil, err
	}
	err = withMemory(ctx, func(m *memory.Service) error {
		for _, c := range convs {
			if err := remember(ctx, m, c); err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			for _, q := range c.Queries {
				read, err := ask(ctx, m, c, q)
				if err != nil {
					return fmt.Errorf("question %s: %w", q.ID, err)
				}
				read.Set, read.Group = set, set+" "+c.Name
				if slices.Contains(read.Answers, true) {
					all = append(all, read)
				}
			}
		}
		return nil
	})
	return all, err
}

// conversations reads the files of a set, without the questions that have no answer.
func conversations(dir string) ([]*labelled.Conversation, error) {
	var paths [2]string
	for i, name := range []string{"corpus", "queries"} {
		found, err := filepath.Glob(filepath.Join(dir, name+".jsonl*"))
		if err != nil || len(found) != 1 {
			return nil, fmt.Errorf("there is no %s.jsonl in %s: name the folder of the evaluation data with -data", name, dir)
		}
		paths[i] = found[0]
	}
	turns, err := labelled.Read[labelled.Turn](paths[0])
	if err != nil {
		return nil, err
	}
	queries, err := labelled.Read[labelled.Query](paths[1])
	if err != nil {
		return nil, err
	}
	unanswered := func(q labelled.Query) bool { return q.Category == "adversarial" || q.Category == "abstention" }
	return labelled.Group(turns, slices.DeleteFunc(queries, unanswered), false), nil
}

// remember stores the turns as eval/recall does.
func remember(ctx context.Context, m *memory.Service, c *labelled.Conversation) error {
	for _, t := range c.Turns {
		if strings.TrimSpace(t.Content()) == "" {
			continue
		}
		d := memory.Draft{
			Content: t.Content(), Author: t.Speaker, Level: ctxmcp.ProjectLayer, Source: memory.Source{Kind: ctxmcp.UserStatement},
			Scope: ctxmcp.Scope{User: caller.User, Project: labelled.ID(c.Name), Session: labelled.ID(t.Session)},
		}
		if t.Speaker == "assistant" {
			d.Source.Kind = ctxmcp.Document
		}
		at, err := instant(t.Datetime)
		if err != nil {
			return err
		}
		d.ObservedAt = at
		done, err := m.Remember(ctx, caller, d)
		if err != nil {
			return fmt.Errorf("turn %s: %w", t.ID, err)
		}
		c.TurnsOf[done.ObjectID] = append(c.TurnsOf[done.ObjectID], t.ID)
	}
	return nil
}

func ask(ctx context.Context, m *memory.Service, c *labelled.Conversation, q labelled.Query) (fit.List, error) {
	at, err := instant(q.Datetime)
	if err != nil {
		return fit.List{}, err
	}
	e, err := m.Evidence(ctx, caller, memory.Ask{
		Query: q.Question, Limit: 100, ReferenceTime: at, Scope: ctxmcp.Scope{User: caller.User, Project: labelled.ID(c.Name)},
	})
	if err != nil {
		return fit.List{}, err
	}
	return labelledFeatures(e, c.TurnsOf, q.Evidence), nil
}

// labelledFeatures returns the features of the candidates with their labels.
func labelledFeatures(e *ranking.Evidence, turnsOf map[string][]string, evidence []string) fit.List {
	read := fit.List{Expected: len(evidence)}
	for i := range e.Len() {
		isEvidence := func(turn string) bool { return slices.Contains(evidence, turn) }
		read.Rows = append(read.Rows, e.Features(i))
		read.Answers = append(read.Answers, slices.ContainsFunc(turnsOf[e.Object(i).ObjectID], isEvidence))
	}
	return read
}

// instant reads a time of the data, which names no zone.
func instant(text string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02T15:04:05", time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	if text == "" {
		return time.Time{}, nil
	}
	return time.Time{}, fmt.Errorf("%q is no time", text)
}
