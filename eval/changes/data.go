package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/later"
)

// world is the statements of one person or team, as pairs.
type world struct {
	name     string
	examples []fit.Outcome // by the features of a change
	later    []fit.Outcome // by the signs of what is left behind
}

// statement is a line of memories.jsonl.
type statement struct {
	ID       string `json:"statement_id"`
	World    string `json:"world"`
	Remember struct {
		Content    string                           `json:"content"`
		ObservedAt time.Time                        `json:"observed_at"`
		Claim      ctxmcp.Claim                     `json:"claim"`
		Source     struct{ Kind ctxmcp.SourceKind } `json:"source"`
	} `json:"remember"`
}

// question is a line of asks.jsonl.
type question struct {
	World    string         `json:"world"`
	Kind     string         `json:"kind"`
	Relevant map[string]int `json:"relevant"`
	Outdated []string       `json:"outdated"`
}

// open are the worlds that may be looked at; the others are scored only.
var open = []string{"v01", "v02", "v03", "v04", "v05", "v06", "v07", "v08"}

// mostCurrent is how many current answers a question may have to label pairs.
const mostCurrent = 2

// ownLives has the lives of the repository: worlds like the others.
const ownLives = "memory/testdata/lives"

// readLives returns the lives as worlds: where a question has outdated facts, those of its answers that were told later changed them.
func readLives() ([]world, error) {
	lives, err := labelled.ReadLives(ownLives)
	if err != nil {
		return nil, err
	}
	var worlds []world
	for _, l := range lives {
		var of []statement
		day := map[string]time.Time{}
		for _, f := range l.Facts {
			s := statement{ID: f.Name, World: l.Name}
			s.Remember.Content, s.Remember.ObservedAt, s.Remember.Source.Kind = f.Text, f.Day, ctxmcp.UserStatement
			of, day[f.Name] = append(of, s), f.Day
		}
		current := map[[2]string]bool{}
		for _, a := range l.Asks {
			for _, old := range a.Outdated {
				for _, answer := range a.Answers {
					if day[old].Before(day[answer]) {
						current[[2]string{old, answer}] = true
					}
				}
			}
		}
		worlds = append(worlds, worldOf(l.Name, of, current))
	}
	return worlds, nil
}

func readWorlds(dir string) ([]world, error) {
	statements, err := labelled.Read[statement](filepath.Join(dir, "memories.jsonl"))
	if err != nil {
		return nil, err
	}
	questions, err := labelled.Read[question](filepath.Join(dir, "asks.jsonl"))
	if err != nil {
		return nil, err
	}
	current := map[[2]string]bool{}
	for _, q := range questions {
		var answers []string
		for id, grade := range q.Relevant {
			if grade == 2 {
				answers = append(answers, id)
			}
		}
		if len(answers) > mostCurrent || q.Kind == "listing" || q.Kind == "start_of_task" {
			continue
		}
		for _, id := range answers {
			for _, old := range q.Outdated {
				current[[2]string{old, id}] = true
			}
		}
	}
	var worlds []world
	for _, name := range open {
		of := slices.DeleteFunc(slices.Clone(statements), func(s statement) bool { return s.World != name })
		worlds = append(worlds, worldOf(name, of, current))
	}
	return worlds, nil
}

// worldOf returns all pairs of statements that the rules let stand, the older first.
func worldOf(name string, of []statement, current map[[2]string]bool) world {
	frequency := map[string]int{}
	readings := make([]*change.Reading, len(of))
	for i, s := range of {
		terms := language.Terms(s.Remember.Content)
		slices.Sort(terms)
		for _, t := range slices.Compact(terms) {
			frequency[t]++
		}
		readings[i] = change.Read(change.Statement{
			Text: s.Remember.Content, Claim: s.Remember.Claim, At: s.Remember.ObservedAt, Kind: s.Remember.Source.Kind,
			Authority: authorities[s.Remember.Source.Kind],
		})
	}
	weigh := change.Rarity(len(of), func(t string) int { return frequency[t] })
	all := make([]*later.Statement, len(of))
	for i, s := range of {
		all[i] = later.New(s.Remember.Content, change.Weigh(readings[i], weigh))
	}
	w := world{name: name}
	for i := range of {
		for j := range of {
			if i != j && of[i].Remember.ObservedAt.Before(of[j].Remember.ObservedAt) && change.Comparable(readings[i], readings[j]) {
				right := current[[2]string{of[i].ID, of[j].ID}]
				w.examples = append(w.examples, fit.Outcome{Signs: change.Features(readings[i], readings[j], weigh), Right: right, Counts: 1})
				if signs := later.Signs(all[i], all[j], weigh); signs != nil {
					w.later = append(w.later, fit.Outcome{Group: name, Signs: signs, Right: right, Counts: 1})
				}
			}
		}
	}
	return w
}

var authorities = map[ctxmcp.SourceKind]ctxmcp.Authority{
	ctxmcp.UserStatement: ctxmcp.AuthorityUser, ctxmcp.Inference: ctxmcp.AuthorityInferred, "": ctxmcp.AuthorityInferred,
	ctxmcp.ToolOutput: ctxmcp.AuthorityRetrieved, ctxmcp.Document: ctxmcp.AuthorityRetrieved, ctxmcp.Web: ctxmcp.AuthorityRetrieved,
}

// readPairs reads the pairs of the repository, by half.
func readPairs(path string) (map[string][]fit.Outcome, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	of := map[string][]fit.Outcome{}
	for line := range strings.Lines(string(text)) {
		head, rest, isPair := strings.Cut(strings.TrimSpace(line), " | ")
		if !isPair || line[0] == '#' {
			continue
		}
		half, kind, _ := strings.Cut(head, " ")
		older, newer, found := strings.Cut(rest, " | ")
		if !found {
			return nil, fmt.Errorf("%q is no pair", line)
		}
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		said := func(text string, at time.Time) *change.Reading {
			return change.Read(change.Statement{Text: text, At: at, Kind: ctxmcp.UserStatement, Authority: ctxmcp.AuthorityUser})
		}
		features := change.Features(said(older, at), said(newer, at.AddDate(0, 1, 0)), nil)
		of[half] = append(of[half], fit.Outcome{Signs: features, Right: kind != "none", Counts: ownWeight})
	}
	return of, nil
}

// ownWeight is how much a pair of the repository counts beside one of a world.
const ownWeight = 2

func cases(worlds []world) []fit.Outcome {
	var all []fit.Outcome
	for _, w := range worlds {
		all = append(all, w.examples...)
	}
	return all
}
