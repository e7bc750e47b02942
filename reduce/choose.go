package reduce

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/containment"
)

// item is something that a digest can hold: a line, or a name on its own.
type item struct {
	line  int32 // -1: a name
	name  name
	worth float64 // of the line itself, without its names
	cost  float64
	gain  float64 // worth by cost, when it was last looked at
}

// The cost of an item is its bytes and something for the line feed and its share of a heading, to a power below 1: between two
// items of the same worth for each byte the longer one is taken.
const (
	costPower  = 0.85
	nameShare  = 0.5 // of the worth of a name counts: names of one line are not worth more than the line by their number
	itemExtra  = 5
	leastWorth = 1e-4
	nameExtra  = 1 // the blank between names in a list
)

// chooser picks items until the budget of bytes is used: always the one with the most worth for its cost, counting each name
// once, whichever line or list brings it.
type chooser struct {
	c         *corpus
	budget    int
	names     []float64 // worth of each name that is not covered yet
	items     []item
	picks     []item // in the order in which they were chosen
	linesOnly bool
	asked     map[int32]bool // lines of the user that were taken first
}

// newChooser returns a chooser of what a digest of so many bytes says.
func newChooser(c *corpus, budget int) *chooser {
	statement := c.statementsFor(budget)
	ch := &chooser{c: c, budget: budget, names: make([]float64, len(c.names))}
	for i := range c.names {
		n := &c.names[i]
		if !n.kept {
			ch.names[i] = nameShare * c.worthOfName(n)
		}
		if ch.names[i] > leastWorth {
			cost := math.Pow(float64(len(n.text)+nameExtra), costPower)
			ch.items = append(ch.items, item{line: -1, name: name(i), cost: cost, gain: ch.names[i] / cost})
		}
	}
	for i := range c.lines {
		if c.over() {
			break
		}
		l := &c.lines[i]
		if st := c.speech.of[int32(i)]; c.kept[l.text] || st != nil && st.revised && !c.segs[l.seg].source.instructs() {
			continue
		}
		it := item{line: int32(i), worth: c.worthOfLine(l) + statement*c.worthOfStatement(int32(i)), cost: math.Pow(float64(len(l.text)+itemExtra), costPower)}
		it.gain = ch.gain(&it)
		ch.items = append(ch.items, it)
	}
	heap.Init(ch)
	return ch
}

// gain is what an item is worth now, for its cost.
func (ch *chooser) gain(it *item) float64 {
	if it.line < 0 {
		return ch.names[it.name] / it.cost
	}
	sum := it.worth
	for _, n := range ch.c.lines[it.line].names {
		sum += ch.names[n]
	}
	return sum / it.cost
}

// choose takes items until the budget of bytes is used: what the user said last, within its share, and then by gain.
func (ch *chooser) choose() {
	budget := ch.budget
	budget -= ch.takeAsked(int(max(float64(budget)*userShare, min(float64(budget)*mostUser, leastAsked))))
	for len(ch.items) > 0 && budget > leastWorthBytes && !ch.c.over() {
		it := &ch.items[0]
		if now := ch.gain(it); now < it.gain {
			it.gain = now
			heap.Fix(ch, 0)
			continue
		}
		took := *it
		heap.Pop(ch)
		n := ch.bytes(took)
		if took.gain <= 0 || n > budget || took.line >= 0 && ch.asked[took.line] || took.line < 0 && ch.linesOnly || took.line >= 0 && ch.hostile(took.line) {
			continue
		}
		budget -= n
		ch.take(took)
	}
}

// What people want and conclude is weighed against facts by hand: they have no common measure. The less room there is the more a
// conclusion counts, since facts can be fetched by whoever knows that they exist.
const (
	statementWorth = 0.085 // of a conclusion, where a line that is used again is worth 1 and there is room for all
	statementPower = 1.5   // of the share of all that there is room for
	mostStatement  = 3
	// What the user and the developer said is few lines, seldom said again, and what all the work is for: they come first, up to this
	// share of a budget, or so many bytes up to the larger one.
	userShare  = 0.16
	mostUser   = 0.35
	leastAsked = 3000
)

// statementsFor returns what a conclusion is worth where there is room for so many bytes.
func (c *corpus) statementsFor(budget int) float64 {
	return math.Min(statementWorth*math.Pow(float64(c.bytes())/float64(max(budget, 1)), statementPower), mostStatement)
}

// takeAsked takes lines of the user and the developer, those first that matter most, and returns their bytes.
func (ch *chooser) takeAsked(budget int) int {
	var all []int32
	worth := map[int32]float64{}
	for i := range ch.c.lines {
		if l := &ch.c.lines[i]; ch.c.segs[l.seg].source.instructs() && !ch.c.kept[l.text] {
			all = append(all, int32(i))
			worth[int32(i)] = ch.c.worthOfStatement(int32(i))
		}
	}
	slices.SortFunc(all, func(a, b int32) int {
		x, y := &ch.c.lines[a], &ch.c.lines[b]
		return cmp.Or(cmp.Compare(y.seg, x.seg), cmp.Compare(x.row, y.row), cmp.Compare(a, b))
	})
	ch.asked = make(map[int32]bool, len(all))
	used := 0
	for _, id := range all {
		it := item{line: id}
		if n := ch.bytes(it); used+n <= budget {
			used += n
			ch.asked[id] = true
			ch.take(it)
		}
	}
	return used
}

// leastWorthBytes is the budget below which nothing is looked for.
const leastWorthBytes = 8

func (ch *chooser) bytes(it item) int {
	if it.line < 0 {
		return len(ch.c.names[it.name].text) + nameExtra
	}
	return len(ch.c.lines[it.line].text) + itemExtra
}

// hostile reports whether a line speaks to a model, or would pass for a part of the digest's form. A digest is a turn of the user:
// only what the user and the developer said may instruct in it.
func (ch *chooser) hostile(id int32) bool {
	l := &ch.c.lines[id]
	return imitates(l.text) || !ch.c.segs[l.seg].source.instructs() && len(containment.Orders(l.text)) > 0
}

func (ch *chooser) take(it item) {
	ch.picks = append(ch.picks, it)
	if it.line < 0 {
		ch.names[it.name] = 0
		return
	}
	for _, n := range ch.c.lines[it.line].names {
		ch.names[n] = 0
	}
}

// first returns the first n picks: lines as they stood, and the names of no chosen line, by where they were seen last.
func (ch *chooser) first(n int) (lines []int32, names []name) {
	has := map[name]bool{}
	for _, p := range ch.picks[:n] {
		if p.line >= 0 {
			lines = append(lines, p.line)
			for _, id := range ch.c.lines[p.line].names {
				has[id] = true
			}
		}
	}
	for _, p := range ch.picks[:n] {
		if p.line < 0 && !has[p.name] {
			names = append(names, p.name)
		}
	}
	slices.SortFunc(lines, func(a, b int32) int {
		x, y := &ch.c.lines[a], &ch.c.lines[b]
		return cmp.Or(cmp.Compare(x.seg, y.seg), cmp.Compare(x.row, y.row), cmp.Compare(x.col, y.col), cmp.Compare(a, b))
	})
	slices.SortFunc(names, func(a, b name) int {
		return cmp.Or(cmp.Compare(ch.c.names[a].lastSeg, ch.c.names[b].lastSeg), cmp.Compare(a, b))
	})
	return lines, names
}

// inOrder returns the chosen lines as they stood.
func (ch *chooser) inOrder() []int32 {
	lines, _ := ch.first(len(ch.picks))
	return lines
}

// Len implements heap.Interface.
func (ch *chooser) Len() int { return len(ch.items) }

// Less puts the item with the most gain first; among equals the later one, so that the order is settled.
func (ch *chooser) Less(i, j int) bool {
	a, b := &ch.items[i], &ch.items[j]
	if a.gain != b.gain {
		return a.gain > b.gain
	}
	return cmp.Or(cmp.Compare(b.line, a.line), cmp.Compare(b.name, a.name)) < 0
}

// Swap implements heap.Interface.
func (ch *chooser) Swap(i, j int) { ch.items[i], ch.items[j] = ch.items[j], ch.items[i] }

// Push implements heap.Interface.
func (ch *chooser) Push(x any) { ch.items = append(ch.items, x.(item)) }

// Pop implements heap.Interface.
func (ch *chooser) Pop() any {
	last := ch.items[len(ch.items)-1]
	ch.items = ch.items[:len(ch.items)-1]
	return last
}
