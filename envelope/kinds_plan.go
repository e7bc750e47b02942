package envelope

import (
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// The slowest nodes of a plan: their number, and their rank, which is above that of lines with words of the question.
const (
	mostSlow    = 2
	slowBeside  = 0.1 // of what the slowest takes, from which a second one is told as slow
	slowestRank = 4 * vital
)

var (
	planNode  = hint(`\(cost=[\d.]+\.\.[\d.]+ rows=\d+ width=\d+\)`, "(cost=")
	planTime  = language.NewPattern(`\(actual time=[\d.]+\.\.([\d.]+) rows=\d+ loops=(\d+)\)`)
	planCost  = language.NewPattern(`\(cost=[\d.]+\.\.([\d.]+) `)
	planTotal = language.NewPattern(`^ *(Planning|Execution) Time: `)
	planWhy   = language.NewPattern(`^ *(Filter|Rows Removed by |Index Cond|Hash Cond|Join Filter|Sort Method|Heap Fetches)`)

	queryPlan = kind{
		Name: "query_plan", Doc: "the nodes that take the longest by themselves with what they filter and the nodes above them, and the times of the whole",
		is: func(c *content) bool {
			return c.count(planNode.MatchString) >= 1 && c.share(planNode.MatchString) >= 0.2
		},
		keep: func(w *wrapping) string {
			lines := strings.Split(w.text, "\n")
			slow := slowest(lines)
			return w.keepLines(shape{
				rank: func(text string) int {
					switch {
					case slow[text]:
						return slowestRank
					case planTotal.MatchString(text):
						return vital
					case planNode.MatchString(text):
						return useful
					case planWhy.MatchString(text):
						return wanted
					}
					return plain
				},
				level: noHeading,
				with: func(all []string, i int) []int {
					if slow[all[i]] {
						return detailsOf(all, i)
					}
					return nil
				},
			})
		},
		Yes: []string{" Sort  (cost=1.10..2.11 rows=3 width=4) (actual time=9.1..9.2 rows=3 loops=1)\n   Sort Key: a\n   ->  Seq Scan on b  (cost=0.00..1.03 rows=3 width=4) (actual time=0.1..9.0 rows=3 loops=1)\n"},
		No:  []string{"It cost 3 euros (cost=high).\nAnd more.\n"},
	}
)

// slowest returns the lines of the nodes of a plan that take the most by themselves: time where the plan was run, and else the cost that was estimated.
func slowest(lines []string) map[string]bool {
	own := map[int]float64{}
	var open []int // nodes with those below them to come, the outermost first
	for i, text := range lines {
		if !planNode.MatchString(text) {
			continue
		}
		took := takenBy(text)
		for len(open) > 0 && indentOf(lines[open[len(open)-1]]) >= indentOf(text) {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			own[open[len(open)-1]] -= took
		}
		own[i] += took
		open = append(open, i)
	}
	slow := map[string]bool{}
	most := 0.0
	for range mostSlow {
		best := -1
		for i := range lines {
			if took, is := own[i]; is && !slow[lines[i]] && (best < 0 || took > own[best]) {
				best = i
			}
		}
		if best >= 0 && own[best] >= most*slowBeside {
			slow[lines[best]] = true
			most = max(most, own[best])
		}
	}
	return slow
}

// takenBy returns the time, or else the cost, of a node with those below it.
func takenBy(text string) float64 {
	if m := planTime.FindStringSubmatch(text); m != nil {
		each, _ := strconv.ParseFloat(m[1], 64)
		loops, _ := strconv.ParseFloat(m[2], 64)
		return each * loops
	}
	if m := planCost.FindStringSubmatch(text); m != nil {
		cost, _ := strconv.ParseFloat(m[1], 64)
		return cost
	}
	return 0
}

// detailsOf returns the lines below a node that are no nodes.
func detailsOf(lines []string, i int) (all []int) {
	for k := i + 1; k < len(lines) && !planNode.MatchString(lines[k]) && indentOf(lines[k]) > indentOf(lines[i]); k++ {
		all = append(all, k)
	}
	return all
}
