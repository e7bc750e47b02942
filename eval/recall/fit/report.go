package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// none leaves no feature out of a fit.
const none = -1

// inUse returns the weights in use.
func inUse() (weights []float64) {
	for _, w := range ranking.Weights() {
		weights = append(weights, w.Value)
	}
	return weights
}

// groups returns the distinct groups of the questions, in order.
func groups(all []question, groupOf func(question) string) []string {
	seen := map[string]bool{}
	for _, q := range all {
		seen[groupOf(q)] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// atLeastTwo returns an error unless something is left to fit to when one group is left out.
func atLeastTwo(all []question, groupOf func(question) string) error {
	if n := len(groups(all, groupOf)); n < 2 {
		return fmt.Errorf("%d conversations: a fit needs one to see and one to be judged by", n)
	}
	return nil
}

// heldOut scores every question by weights that were fitted without its group. It returns the mean scores by set.
func heldOut(all []question, groupOf func(question) string, without int) map[string]score {
	weights := inUse()
	var means = newMeans()
	for _, group := range groups(all, groupOf) {
		var seen []question
		for _, q := range all {
			if groupOf(q) != group {
				seen = append(seen, contending(q, weights))
			}
		}
		fitted := fit(seen, weights, without)
		for _, q := range all {
			if groupOf(q) == group {
				means.add(q.set, scoreOf(q, fitted))
			}
		}
	}
	return means.of()
}

// means adds up scores by set.
type means struct {
	sum   map[string]score
	count map[string]float64
}

func newMeans() *means { return &means{map[string]score{}, map[string]float64{}} }

func (m *means) add(set string, s score) {
	sum := m.sum[set]
	m.sum[set] = score{sum.recall + s.recall, sum.ndcg + s.ndcg}
	m.count[set]++
}

func (m *means) of() map[string]score {
	all := map[string]score{}
	for set, sum := range m.sum {
		all[set] = score{sum.recall / m.count[set], sum.ndcg / m.count[set]}
	}
	return all
}

// scored scores the questions by fixed weights.
func scored(all []question, weights []float64) map[string]score {
	m := newMeans()
	for _, q := range all {
		m.add(q.set, scoreOf(q, weights))
	}
	return m.of()
}

// reportFit prints the scores of the weights in use beside those of fits that did not see the conversation, or the set, and
// then the weights of a fit to everything, which it returns.
func reportFit(out io.Writer, all []question) []float64 {
	sets := groups(all, setOf)
	fmt.Fprintf(out, "%-34s", "")
	for _, set := range sets {
		fmt.Fprintf(out, " %20s", set)
	}
	fmt.Fprintf(out, "\n%-34s%s\n", "", strings.Repeat("  recall@10   nDCG@10", len(sets)))
	printScores(out, "weights in use", sets, scored(all, inUse()))
	printScores(out, "fitted, conversation left out", sets, heldOut(all, conversationOf, none))
	if len(sets) > 1 {
		printScores(out, "fitted, set left out", sets, heldOut(all, setOf, none))
	}
	var seen []question
	for _, q := range all {
		seen = append(seen, contending(q, inUse()))
	}
	fitted := fit(seen, inUse(), none)
	fmt.Fprintf(out, "\n%-22s %8s %8s\n", "feature", "in use", "fitted")
	for k, w := range ranking.Weights() {
		fmt.Fprintf(out, "%-22s %8.2f %8.2f\n", w.Name, w.Value, fitted[k])
	}
	return fitted
}

func printScores(out io.Writer, name string, sets []string, of map[string]score) {
	fmt.Fprintf(out, "%-34s", name)
	for _, set := range sets {
		fmt.Fprintf(out, " %10.4f %9.4f", of[set].recall, of[set].ndcg)
	}
	fmt.Fprintln(out)
}

// reportAblation prints what each feature is worth: what the held-out scores lose when the weights in use lack it, and when it
// is left out of a fit, so that the others may stand in for it.
func reportAblation(out io.Writer, all []question) {
	sets := groups(all, setOf)
	used, fitted := scored(all, inUse()), heldOut(all, conversationOf, none)
	fmt.Fprintf(out, "loss of nDCG@10 without the feature; in use: its weight set to 0; fitted: fits without it, judged by conversations left out\n%-22s", "feature")
	for _, set := range sets {
		fmt.Fprintf(out, " %21s", set)
	}
	fmt.Fprintf(out, "\n%-22s%s\n", "", strings.Repeat("     in use     fitted", len(sets)))
	for k, w := range ranking.Weights() {
		lacking := inUse()
		lacking[k] = 0
		usedLess, fittedLess := scored(all, lacking), heldOut(all, conversationOf, k)
		fmt.Fprintf(out, "%-22s", w.Name)
		for _, set := range sets {
			fmt.Fprintf(out, " %+10.4f %+10.4f", used[set].ndcg-usedLess[set].ndcg, fitted[set].ndcg-fittedLess[set].ndcg)
		}
		fmt.Fprintln(out)
	}
}

// writeWeights writes the fitted weights as the table of the ranking.
func writeWeights(path string, fitted []float64) error {
	var b strings.Builder
	b.WriteString("# The weights of the ranking: the name of a feature, its weight, and where the weight is from. make fit-recall compares them with a fit.\n")
	kinds := ""
	for k, w := range ranking.Weights() {
		row := fmt.Sprintf("%s\t%.2f\tfitted by make fit-recall\n", w.Name, fitted[k])
		if strings.HasPrefix(w.Name, "kind: ") {
			kinds += row
			continue
		}
		b.WriteString(row)
	}
	b.WriteString("kind\t1.0\tthe kinds have their own weights\n" + kinds)
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
