package reduce

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
)

// item is something that a digest can hold: a line, or a name on its own.
type item struct {
	line int32 // -1: a name
	name name
	gain float64 // worth for its cost, when it was last looked at
}

// The cost of an item is what it takes, with the heading of a segment that has none yet, to a power below 1: between two
// items of the same worth for each token the longer one is taken.
const (
	costPower  = 0.95
	nameShare  = 0.65 // of the worth of a name counts: names of one line are not worth more than the line by their number
	leastWorth = 1e-4
)

// room is the space that a choice fills: its size, and the parts of it that a text and the heading of a segment take.
type room struct {
	size    int
	of      func(text string) int
	heading int
	stays   float64 // the share of the whole conversation that stays
	lines   bool    // no names on their own
}

// chooser picks items until the room is used: always the one with the most worth for its cost, counting each name once, whichever
// line or list brings it, and the heading of a segment for the first line of it.
type chooser struct {
	c     *corpus
	room  room
	names []float64 // worth of each name that is not covered yet
	sizes []int     // of names on their own
	lines []weighed
	in    map[int][]int32 // the lines of a segment that has no heading yet
	items []item
	picks []item // in the order in which they were chosen
}

// weighed is a line with its worth, without its names, and its size, without a heading.
type weighed struct {
	worth float64
	size  int
	done  bool // taken, or not to be taken
}

// lineExtra is the cost of the line feed.
const lineExtra = 1

// newChooser returns a chooser of what a digest says in some room.
func newChooser(c *corpus, r room) *chooser {
	ch := &chooser{c: c, room: r, names: make([]float64, len(c.names)), sizes: make([]int, len(c.names)), lines: make([]weighed, len(c.lines)), in: map[int][]int32{}}
	for i := range c.names {
		n := &c.names[i]
		if !n.kept && !ordinary(n) {
			ch.names[i] = nameShare * c.worthOfName(n)
		}
		if ch.names[i] > leastWorth && !r.lines {
			ch.sizes[i] = r.of(" " + n.text)
			ch.items = append(ch.items, ch.look(item{line: -1, name: name(i)}))
		}
	}
	statement := statementsFor(r.stays)
	for i := range c.lines {
		if c.over() {
			break
		}
		id, l := int32(i), &c.lines[i]
		if st := c.speech.of[id]; c.kept[l.text] || st != nil && c.givesWay(l, st) {
			ch.lines[i].done = true
			continue
		}
		ch.lines[i] = weighed{worth: c.worthOfLine(l) + statement*math.Pow(c.worthOfStatement(id), sureness), size: r.of(l.text) + lineExtra}
		ch.in[l.seg] = append(ch.in[l.seg], id)
		ch.items = append(ch.items, ch.look(item{line: id}))
	}
	heap.Init(ch)
	return ch
}

// ordinary reports whether a name is a word of every day, which tells nobody anything on its own and makes no line worth more.
func ordinary(n *nameInfo) bool {
	return n.shape == plainWord && lexicon.Commonness(n.text) >= everyDay
}

// everyDay is the commonness of a word of every day, in [0, 1].
const everyDay = 0.5

// look returns an item with what it is worth now, for its cost.
func (ch *chooser) look(it item) item {
	sum := 0.0
	if it.line < 0 {
		sum = ch.names[it.name]
	} else {
		sum = ch.lines[it.line].worth
		for _, n := range ch.c.lines[it.line].names {
			sum += ch.names[n]
		}
	}
	it.gain = sum / math.Pow(float64(ch.takes(it)), costPower)
	return it
}

// takes returns the room that an item takes now.
func (ch *chooser) takes(it item) int {
	if it.line < 0 {
		return ch.sizes[it.name]
	}
	n := ch.lines[it.line].size
	if ch.in[ch.c.lines[it.line].seg] != nil {
		n += ch.room.heading
	}
	return n
}

// choose takes items until the room is used: lines of the user, within their share, and then by gain.
func (ch *chooser) choose() {
	left := ch.room.size
	left -= ch.takeAsked(int(max(float64(left)*userShare, min(float64(left)*mostUser, leastAsked))))
	for len(ch.items) > 0 && left > 0 && !ch.c.over() {
		now := ch.look(ch.items[0])
		if now.gain < ch.items[0].gain {
			ch.items[0] = now
			heap.Fix(ch, 0)
			continue
		}
		heap.Pop(ch)
		now = ch.withValue(now, left)
		n := ch.takes(now)
		if now.gain <= 0 || n > left || now.line >= 0 && (ch.lines[now.line].done || ch.hostile(now.line)) {
			continue
		}
		left -= n
		ch.take(now)
	}
}

// withValue returns the line that gives a name its value in the place of the name alone, where it is not much longer and there is room.
func (ch *chooser) withValue(it item, left int) item {
	if it.line >= 0 || ch.c.names[it.name].setting == 0 {
		return it
	}
	line := ch.look(item{line: ch.c.names[it.name].setting - 1})
	if n := ch.takes(line); ch.lines[line.line].done || n > left || n > ch.takes(it)+valueRoom || ch.hostile(line.line) {
		return it
	}
	return line
}

// valueRoom is how many tokens more than a name its value may take.
const valueRoom = 10

// hostile reports whether a line speaks to a model, or would pass for a part of the digest's form. A digest is a turn of the user:
// only what the user and the developer said may instruct in it.
func (ch *chooser) hostile(id int32) bool {
	l := &ch.c.lines[id]
	return imitates(l.text) || !ch.c.segs[l.seg].source.instructs() && len(containment.Orders(l.text)) > 0
}

func (ch *chooser) take(it item) {
	ch.picks = append(ch.picks, it)
	if it.line < 0 {
		ch.c.inside(it.name, func(n name) { ch.names[n] = 0 })
		return
	}
	ch.lines[it.line].done = true
	for _, n := range ch.c.lines[it.line].names {
		ch.names[n] = 0
	}
	seg := ch.c.lines[it.line].seg
	others := ch.in[seg]
	delete(ch.in, seg)
	for _, id := range others { // they gain: the heading is there
		if !ch.lines[id].done && ch.room.heading > 0 {
			heap.Push(ch, ch.look(item{line: id}))
		}
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
			continue
		}
		ch.c.inside(p.name, func(id name) { has[id] = has[id] || id != p.name })
	}
	for _, p := range ch.picks[:n] {
		if p.line < 0 && !has[p.name] {
			names = append(names, p.name)
		}
	}
	lines = ch.c.withLater(lines)
	slices.SortFunc(lines, ch.c.compareLines)
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
