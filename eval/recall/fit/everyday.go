package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// everyday is the set of worlds in everyday words. Its statements are told as eval/everyday tells them.
const everyday = "everyday"

// openWorlds are the worlds that a fit may see: the others are held back.
var openWorlds = []string{"v01", "v02", "v03", "v04", "v05", "v06", "v07", "v08"}

// statement is a statement of a world, with the arguments of remember.
type statement struct {
	ID       string `json:"statement_id"`
	World    string `json:"world"`
	Remember struct {
		Content               string            `json:"content"`
		ObservedAt            string            `json:"observed_at"`
		Source                memory.Source     `json:"source"`
		ObjectType            ctxmcp.ObjectType `json:"object_type"`
		Level                 ctxmcp.Layer      `json:"level"`
		Claim                 ctxmcp.Claim      `json:"claim"`
		WhyItMatters          string            `json:"why_it_matters"`
		BehavioralImplication string            `json:"behavioral_implication"`
	} `json:"remember"`
}

// worldAsk is a question to a world. Relevant has 2 for a statement that answers it and 1 for one that helps.
type worldAsk struct {
	ID       string         `json:"ask_id"`
	World    string         `json:"world"`
	Query    string         `json:"query"`
	Kind     string         `json:"kind"`
	At       string         `json:"at"`
	Relevant map[string]int `json:"relevant"`
	Outdated []string       `json:"outdated"`
}

// ownLives has the lives of the repository: worlds like the others.
const ownLives = "memory/testdata/lives"

// kindsOfLives are the kinds of questions to worlds as lives name them.
var kindsOfLives = map[string]string{"other": "other_words", "same": "same_words", "start": "start_of_task", "none": "unanswerable"}

// askedOfLives is when the questions of lives are asked.
const askedOfLives = "2026-07-10T09:00:00Z"

// ofLife returns the statements and the questions of a life as those of a world.
func ofLife(l labelled.Life) (told []statement, asks []worldAsk) {
	id := func(name string) string { return l.Name + " " + name }
	for _, f := range l.Facts {
		s := statement{ID: id(f.Name), World: l.Name}
		s.Remember.Content, s.Remember.ObservedAt, s.Remember.Source.Kind = f.Text, f.Day.Format(time.RFC3339), ctxmcp.UserStatement
		told = append(told, s)
	}
	for n, a := range l.Asks {
		q := worldAsk{ID: id(fmt.Sprint(n)), World: l.Name, Query: a.Text, Kind: cmp.Or(kindsOfLives[a.Kind], a.Kind), At: askedOfLives, Relevant: map[string]int{}}
		for _, name := range a.Answers {
			q.Relevant[id(name)] = 2
		}
		for _, name := range a.Outdated {
			q.Outdated = append(q.Outdated, id(name))
		}
		asks = append(asks, q)
	}
	return told, asks
}

// composed are the kinds of questions that a brief or a list answers: no ranking is learned from them.
var composed = []string{"start_of_task", "listing"}

// question is a question to a world with the evidence of its candidates. One without an answer has no row that is.
type question struct {
	worldAsk
	fit.List
	ask    memory.Ask
	found  *ranking.Evidence
	untold *ranking.Evidence   // where nothing that answers or helps was told
	told   map[string][]string // statements of each object
}

// worlds are the open worlds in a memory, with their questions.
type worlds struct {
	memory    *memory.Service
	questions []question
	rivals    func(group string) []float64 // weights of rivals; nil: those in use
}

// readWorlds tells the open worlds to m and reads the evidence of their questions.
func readWorlds(ctx context.Context, m *memory.Service, data string) (*worlds, error) {
	told, err := labelled.Read[statement](filepath.Join(data, everyday, "memories.jsonl"))
	if err != nil {
		return nil, err
	}
	asks, err := labelled.Read[worldAsk](filepath.Join(data, everyday, "asks.jsonl"))
	if err != nil {
		return nil, err
	}
	held := func(world string) bool { return !slices.Contains(openWorlds, world) }
	told = slices.DeleteFunc(told, func(s statement) bool { return held(s.World) })
	asks = slices.DeleteFunc(asks, func(a worldAsk) bool { return held(a.World) })
	lives, err := labelled.ReadLives(ownLives)
	if err != nil {
		return nil, err
	}
	for _, l := range lives {
		facts, questions := ofLife(l)
		told, asks = append(told, facts...), append(asks, questions...)
	}
	statements := map[string][]string{} // object id -> statements
	for _, s := range told {
		id, err := tell(ctx, m, s)
		if err != nil {
			return nil, fmt.Errorf("statement %s: %w", s.ID, err)
		}
		statements[id] = append(statements[id], s.ID)
	}
	w := &worlds{memory: m}
	for _, a := range asks {
		q, err := askWorld(ctx, m, a, statements)
		if err != nil {
			return nil, fmt.Errorf("question %s: %w", a.ID, err)
		}
		w.questions = append(w.questions, q)
	}
	return w, nil
}

// userOf returns the user of a world: what one holds as their own is no other's.
func userOf(world string) ctxmcp.Caller {
	user := caller
	user.User += "-" + world
	return user
}

func inWorld(world string) ctxmcp.Scope {
	return ctxmcp.Scope{User: userOf(world).User, Project: "everyday-" + world}
}

// tell remembers a statement. One that the write gate turns away as an agent's own is told as the user's, as the gate's hint says.
func tell(ctx context.Context, m *memory.Service, s statement) (object string, err error) {
	r := s.Remember
	at, err := instant(r.ObservedAt)
	if err != nil {
		return "", err
	}
	d := memory.Draft{
		Content: r.Content, ObservedAt: at, Source: r.Source, ObjectType: r.ObjectType, Level: r.Level, Claim: r.Claim,
		WhyItMatters: r.WhyItMatters, BehavioralImplication: r.BehavioralImplication, Scope: inWorld(s.World),
	}
	done, err := m.Remember(ctx, userOf(s.World), d)
	if err == nil && done.Status == memory.Rejected {
		d.Source = memory.Source{Kind: ctxmcp.UserStatement}
		done, err = m.Remember(ctx, userOf(s.World), d)
	}
	return done.ObjectID, err
}

func askWorld(ctx context.Context, m *memory.Service, a worldAsk, statements map[string][]string) (question, error) {
	at, err := instant(a.At)
	if err != nil {
		return question{}, err
	}
	ask := memory.Ask{Query: a.Query, Limit: 10, ReferenceTime: at, Scope: inWorld(a.World)}
	e, err := m.Evidence(ctx, userOf(a.World), ask)
	if err != nil {
		return question{}, err
	}
	var answers []string
	for id, grade := range a.Relevant {
		if grade == 2 {
			answers = append(answers, id)
		}
	}
	q := question{worldAsk: a, List: labelledFeatures(e, statements, answers), ask: ask, found: e, told: statements}
	q.untold = e.Without(func(o ctxmcp.ContextObject) bool {
		return slices.ContainsFunc(statements[o.ObjectID], func(s string) bool { return a.Relevant[s] > 0 || slices.Contains(a.Outdated, s) })
	})
	q.Set, q.Group = everyday, everyday+" "+a.World
	return q, nil
}

// listsOf returns the questions from which a ranking is learned.
func listsOf(questions []question) []fit.List {
	var lists []fit.List
	for _, q := range questions {
		if slices.Contains(q.Answers, true) && !slices.Contains(composed, q.Kind) {
			lists = append(lists, q.List)
		}
	}
	return lists
}
