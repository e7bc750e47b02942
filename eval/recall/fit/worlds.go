package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// worldScore is how well questions to worlds are answered.
type worldScore struct {
	asks, first, three, ten  float64 // hit@1, hit@3 and recall@10 of those that have an answer
	changed, outdated        float64 // of those with outdated statements: how many, and those whose first answer is outdated
	unanswerable, false, cut float64 // those without an answer, those of them at a relevance of 0.5 or more, and the answerable ones of which nothing came
}

// depth is how far down an answer is looked for, and confident the relevance from which an answer counts as sure.
const (
	depth     = 10
	confident = 0.5
)

// add adds a question with its answer.
func (s *worldScore) add(q question, answer []memory.Memory) {
	if q.Expected == 0 {
		s.unanswerable++
		if len(answer) > 0 && answer[0].Relevance >= confident {
			s.false++
		}
		return
	}
	s.asks++
	found, current, old := map[string]bool{}, -1, -1
	for place, m := range answer[:min(len(answer), depth)] {
		for _, id := range q.told[m.Object.ObjectID] {
			if q.Relevant[id] == 2 {
				found[id] = true
				if current < 0 {
					current = place
				}
			}
			if slices.Contains(q.Outdated, id) && old < 0 {
				old = place
			}
		}
	}
	s.ten += float64(len(found)) / float64(min(depth, q.Expected))
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
	if len(answer) == 0 {
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

// judgement is how the weights of each world, which may be those of a fit that did not see it, answer its questions.
type judgement func(group string) (features, signs []float64)

// answers returns the answers to the questions, as a caller gets them.
func (w *worlds) answers(ctx context.Context, by judgement) ([][]memory.Memory, error) {
	defer func() { w.memory.Rank = nil }()
	var all [][]memory.Memory
	for _, q := range w.questions {
		w.memory.Rank = func(e *ranking.Evidence) []ranking.Ranked {
			if w.rivals != nil {
				e.JudgeRivalsBy(w.rivals(q.Group))
			}
			return e.RankBy(by(q.Group))
		}
		r, err := w.memory.Recall(ctx, userOf(q.World), q.ask)
		if err != nil {
			return nil, fmt.Errorf("question %s: %w", q.ID, err)
		}
		all = append(all, r.Memories)
	}
	return all, nil
}

// score returns how the questions are answered by kind, and of all of them.
func (w *worlds) score(ctx context.Context, by judgement) (of map[string]*worldScore, kinds []string, err error) {
	answers, err := w.answers(ctx, by)
	of = map[string]*worldScore{allKinds: {}}
	for i, answer := range answers {
		q := w.questions[i]
		if of[q.Kind] == nil {
			of[q.Kind], kinds = &worldScore{}, append(kinds, q.Kind)
		}
		of[q.Kind].add(q, answer)
		of[allKinds].add(q, answer)
	}
	return of, append(kinds, allKinds), err
}

const allKinds = "all"

// report prints how the questions are answered by kind.
func (w *worlds) report(ctx context.Context, out io.Writer, title string, by judgement) error {
	of, kinds, err := w.score(ctx, by)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s\n%-16s %s\n", title, "", worldHead)
	for _, kind := range kinds {
		fmt.Fprintf(out, "%-16s %s\n", kind, of[kind])
	}
	return nil
}

// The weight of an outcome beside that of a question with an answer: to be sure of nothing is the worse fault.
const (
	unansweredCounts = 4 // of a question that nobody can answer
	untoldCounts     = 2 // of one that had an answer
)

// outcomesOf returns what came of the first places as the weights of each world rank them: of the questions as they are, and of those with
// an answer once more where nothing that answers or helps was told.
func outcomesOf(questions []question, weights func(group string) []float64) []fit.Outcome {
	var all []fit.Outcome
	add := func(q question, e *ranking.Evidence, counts float64, right func(first int) bool) {
		if signs, first := e.SignsBy(weights(q.Group)); first >= 0 {
			all = append(all, fit.Outcome{Group: q.Group, Signs: signs, Right: right(first), Counts: counts})
		}
	}
	never := func(int) bool { return false }
	for _, q := range questions {
		switch {
		case slices.Contains(composed, q.Kind):
		case q.Expected == 0:
			add(q, q.found, unansweredCounts, never)
		default:
			add(q, q.found, 1, func(first int) bool { return q.Answers[first] })
			add(q, q.untold, untoldCounts, never)
		}
	}
	return all
}

// judge prints how the questions are answered by the weights in use, and by those that were fitted without the world, and returns the
// weights of the signs of relevance that are fitted to the outcomes of the latter.
func (w *worlds) judge(ctx context.Context, out io.Writer, weights []float64) ([]float64, error) {
	_, inUse := signsInUse()
	err := w.report(ctx, out, "everyday worlds by the weights in use", func(string) ([]float64, []float64) { return weights, inUse })
	if err != nil {
		return nil, err
	}
	if err := w.judgeRivals(ctx, out, weights); err != nil {
		return nil, err
	}
	start := unfitted(weights)
	held := fit.HeldOutLists(listsOf(w.questions), start, toldOnly())
	signs := w.heldOutSigns(start)
	by := func(group string) ([]float64, []float64) { return held[group], signs[group] }
	if err := w.report(ctx, out, "everyday worlds by fits that did not see the world", by); err != nil {
		return nil, err
	}
	return fit.Calibrate(outcomesOf(w.questions, func(group string) []float64 { return held[group] })), nil
}

// heldOutSigns returns for every world the weights of the signs of relevance as fits of the other worlds alone give them: each of the
// rankings that they are calibrated on has seen neither the world that it ranks nor the one that is left out.
func (w *worlds) heldOutSigns(weights []float64) map[string][]float64 {
	signs := map[string][]float64{}
	for _, q := range w.questions {
		if signs[q.Group] != nil {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(w.questions), func(other question) bool { return other.Group == q.Group })
		held := fit.HeldOutLists(listsOf(rest), weights, toldOnly())
		signs[q.Group] = fit.Calibrate(outcomesOf(rest, func(group string) []float64 { return held[group] }))
	}
	return signs
}

// ablate prints what each feature of statements is worth: the hit@1, hit@3 and recall@10 of fits with it less those of fits without
// it, of worlds that they did not see.
func (w *worlds) ablate(ctx context.Context, out io.Writer, weights []float64) error {
	_, signs := signsInUse()
	scoreOf := func(without int) (worldScore, error) {
		free, lacking := toldOnly(), slices.Clone(weights)
		if without >= 0 {
			free[without], lacking[without] = false, 0
		}
		held := fit.HeldOutLists(listsOf(w.questions), lacking, free)
		of, _, err := w.score(ctx, func(group string) ([]float64, []float64) { return held[group], signs })
		return *of[allKinds], err
	}
	whole, err := scoreOf(-1)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nloss on everyday worlds without the feature, fitted without the world\n%-22s %8s %8s %8s\n", "feature", "hit@1", "hit@3", "rec@10")
	for k, f := range ranking.Weights() {
		if !f.Told {
			continue
		}
		s, err := scoreOf(k)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-22s %+8.3f %+8.3f %+8.3f\n", f.Name, (whole.first-s.first)/whole.asks, (whole.three-s.three)/whole.asks, (whole.ten-s.ten)/whole.asks)
	}
	return nil
}
