package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

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

// composed are the kinds of questions that a brief or a list answers: no ranking is learned from them.
var composed = []string{"start_of_task", "listing"}

// question is a question to a world with the evidence of its candidates. One without an answer has no row that is.
type question struct {
	worldAsk
	fit.List
	found    *ranking.Evidence
	outdated []bool // of each row
}

// readWorlds tells the open worlds to m and reads the evidence of their questions.
func readWorlds(ctx context.Context, m *memory.Service, data string) ([]question, error) {
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
	statements := map[string][]string{} // object id -> statements
	for _, s := range told {
		id, err := tell(ctx, m, s)
		if err != nil {
			return nil, fmt.Errorf("statement %s: %w", s.ID, err)
		}
		statements[id] = append(statements[id], s.ID)
	}
	var all []question
	for _, a := range asks {
		q, err := askWorld(ctx, m, a, statements)
		if err != nil {
			return nil, fmt.Errorf("question %s: %w", a.ID, err)
		}
		all = append(all, q)
	}
	return all, nil
}

func inWorld(world string) ctxmcp.Scope {
	return ctxmcp.Scope{User: by.User, Project: "everyday-" + world}
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
	done, err := m.Remember(ctx, by, d)
	if err == nil && done.Status == memory.Rejected {
		d.Source = memory.Source{Kind: ctxmcp.UserStatement}
		done, err = m.Remember(ctx, by, d)
	}
	return done.ObjectID, err
}

func askWorld(ctx context.Context, m *memory.Service, a worldAsk, statements map[string][]string) (question, error) {
	at, err := instant(a.At)
	if err != nil {
		return question{}, err
	}
	e, err := m.Evidence(ctx, by, memory.Ask{Query: a.Query, Limit: 10, ReferenceTime: at, Scope: inWorld(a.World)})
	if err != nil {
		return question{}, err
	}
	var answers []string
	for id, grade := range a.Relevant {
		if grade == 2 {
			answers = append(answers, id)
		}
	}
	q := question{worldAsk: a, List: labelledFeatures(e, statements, answers), found: e}
	q.Set, q.Group = everyday, everyday+" "+a.World
	for i := range e.Len() {
		isOutdated := func(s string) bool { return slices.Contains(a.Outdated, s) }
		q.outdated = append(q.outdated, slices.ContainsFunc(statements[e.Object(i).ObjectID], isOutdated))
	}
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

// worldScore is how well questions to worlds are answered.
type worldScore struct {
	asks, first, three, ten  float64 // hit@1, hit@3 and recall@10 of those that have an answer
	changed, outdated        float64 // of those with outdated statements: how many, and those whose first answer is outdated
	unanswerable, false, cut float64 // those without an answer, those of them at a relevance of 0.5 or more, and the answerable ones below the default threshold
}

// depth is how far down an answer is looked for, and the relevances from which it counts: by default, and as sure.
const (
	depth     = 10
	shown     = 0.15
	confident = 0.5
)

// add adds a question, as it was ranked.
func (s *worldScore) add(q question, ranked []ranking.Ranked) {
	number := map[ctxmcp.VersionKey]int{}
	for i := range q.found.Len() {
		number[ctxmcp.KeyOf(q.found.Object(i))] = i
	}
	if q.Expected == 0 {
		s.unanswerable++
		if len(ranked) > 0 && ranked[0].Relevance >= confident {
			s.false++
		}
		return
	}
	s.asks++
	found, current, old := 0.0, -1, -1
	for place, r := range ranked[:min(len(ranked), depth)] {
		if r.Relevance < shown {
			break
		}
		i := number[ctxmcp.KeyOf(*r.Object)]
		if q.Answers[i] {
			found++
			if current < 0 {
				current = place
			}
		}
		if q.outdated[i] && old < 0 {
			old = place
		}
	}
	s.ten += found / float64(min(depth, q.Expected))
	if current == 0 {
		s.first++
	}
	if current >= 0 && current < 3 {
		s.three++
	}
	if len(q.Outdated) > 0 {
		s.changed++
		if old >= 0 && (current < 0 || old < current) {
			s.outdated++
		}
	}
	if len(ranked) == 0 || ranked[0].Relevance < shown {
		s.cut++
	}
}

func (s worldScore) String() string {
	share := func(a, of float64) float64 { return a / max(1, of) }
	return fmt.Sprintf("%4.0f  %5.3f %5.3f %5.3f  %4.0f %5.3f  %3.0f %5.3f  %5.3f", s.asks, share(s.first, s.asks), share(s.three, s.asks), share(s.ten, s.asks),
		s.changed, share(s.outdated, s.changed), s.unanswerable, share(s.false, s.unanswerable), share(s.cut, s.asks))
}

// worldHead heads a table of worldScore.
const worldHead = "asks  hit@1 hit@3 rec10  old  first none  false  empty"

// reportWorlds prints how the questions are answered by kind: by the weights of each world, which may be those of a fit that did not
// see it.
func reportWorlds(out io.Writer, title string, questions []question, weights func(group string) (features, signs []float64)) {
	of, kinds := map[string]*worldScore{"all": {}}, []string{}
	for _, q := range questions {
		if of[q.Kind] == nil {
			of[q.Kind], kinds = &worldScore{}, append(kinds, q.Kind)
		}
		ranked := q.found.RankBy(weights(q.Group))
		of[q.Kind].add(q, ranked)
		of["all"].add(q, ranked)
	}
	fmt.Fprintf(out, "\n%s\n%-16s %s\n", title, "", worldHead)
	for _, kind := range append(kinds, "all") {
		fmt.Fprintf(out, "%-16s %s\n", kind, of[kind])
	}
}

// unansweredCounts is how much more a question without an answer counts than one with an answer: to be sure of nothing is the worse fault.
const unansweredCounts = 8

// outcomesOf returns the outcomes of the first places as the weights of each world rank them.
func outcomesOf(questions []question, weights func(group string) []float64) []fit.Outcome {
	var all []fit.Outcome
	for _, q := range questions {
		signs, first := q.found.SignsBy(weights(q.Group))
		if first < 0 || slices.Contains(composed, q.Kind) {
			continue
		}
		o := fit.Outcome{Group: q.Group, Signs: signs, Right: q.Answers[first], Counts: 1}
		if q.Expected == 0 {
			o.Counts = unansweredCounts
		}
		all = append(all, o)
	}
	return all
}
