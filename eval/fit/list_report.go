package fit

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

func groupOf(l List) string { return l.Group }

func setOf(l List) string { return l.Set }

// groupsOf returns the distinct groups of the lists, in order.
func groupsOf(lists []List, by func(List) string) []string {
	seen := map[string]bool{}
	for _, l := range lists {
		seen[by(l)] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// heldOutLists scores every list by weights that were fitted without its group. It returns the mean scores by set.
func heldOutLists(lists []List, inUse []float64, by func(List) string, without int) map[string]score {
	m := newMeans()
	for _, group := range groupsOf(lists, by) {
		seen := slices.DeleteFunc(allContending(lists, inUse), func(l List) bool { return by(l) == group })
		fitted := fitLists(seen, inUse, nil, without)
		for _, l := range lists {
			if by(l) == group {
				m.add(l.Set, scoreOf(l, fitted))
			}
		}
	}
	return m.of()
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

// scored scores the lists by fixed weights.
func scored(lists []List, weights []float64) map[string]score {
	m := newMeans()
	for _, l := range lists {
		m.add(l.Set, scoreOf(l, weights))
	}
	return m.of()
}

// ReportLists prints the scores of the weights in use beside those of fits that did not see the group, or the set, and then the
// weights of a fit to everything, which it returns. It returns an error unless there are two groups: one to see and one to be judged
// by.
func ReportLists(out io.Writer, names []string, lists []List, inUse []float64) ([]float64, error) {
	if n := len(groupsOf(lists, groupOf)); n < 2 {
		return nil, fmt.Errorf("%d conversations: a fit needs one to see and one to be judged by", n)
	}
	sets := groupsOf(lists, setOf)
	fmt.Fprintf(out, "%-34s", "")
	for _, set := range sets {
		fmt.Fprintf(out, " %20s", set)
	}
	fmt.Fprintf(out, "\n%-34s%s\n", "", strings.Repeat("  recall@10   nDCG@10", len(sets)))
	printScores(out, "weights in use", sets, scored(lists, inUse))
	printScores(out, "fitted, conversation left out", sets, heldOutLists(lists, inUse, groupOf, none))
	if len(sets) > 1 {
		printScores(out, "fitted, set left out", sets, heldOutLists(lists, inUse, setOf, none))
	}
	fitted := FitLists(lists, inUse)
	fmt.Fprintf(out, "\n%-22s %8s %8s\n", "feature", "in use", "fitted")
	for k, name := range names {
		fmt.Fprintf(out, "%-22s %8.2f %8.2f\n", name, inUse[k], fitted[k])
	}
	return fitted, nil
}

func printScores(out io.Writer, name string, sets []string, of map[string]score) {
	fmt.Fprintf(out, "%-34s", name)
	for _, set := range sets {
		fmt.Fprintf(out, " %10.4f %9.4f", of[set].recall, of[set].ndcg)
	}
	fmt.Fprintln(out)
}

// ReportListAblation prints what each feature is worth: the loss of the held-out scores when the weights in use lack it, and when
// it is left out of a fit, so that the others may stand in for it.
func ReportListAblation(out io.Writer, names []string, lists []List, inUse []float64) {
	sets := groupsOf(lists, setOf)
	used, fitted := scored(lists, inUse), heldOutLists(lists, inUse, groupOf, none)
	fmt.Fprintf(out, "loss of nDCG@10 without the feature; in use: its weight set to 0; fitted: fits without it, judged by conversations left out\n%-22s", "feature")
	for _, set := range sets {
		fmt.Fprintf(out, " %21s", set)
	}
	fmt.Fprintf(out, "\n%-22s%s\n", "", strings.Repeat("     in use     fitted", len(sets)))
	for k, name := range names {
		lacking := slices.Clone(inUse)
		lacking[k] = 0
		usedLess, fittedLess := scored(lists, lacking), heldOutLists(lists, inUse, groupOf, k)
		fmt.Fprintf(out, "%-22s", name)
		for _, set := range sets {
			fmt.Fprintf(out, " %+10.4f %+10.4f", used[set].ndcg-usedLess[set].ndcg, fitted[set].ndcg-fittedLess[set].ndcg)
		}
		fmt.Fprintln(out)
	}
}
