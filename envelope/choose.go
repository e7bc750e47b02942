package envelope

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

const (
	gapCost      = 6   // tokens of the line about a gap
	ofRepeated   = 1.5 // that a line is worth less of which another stands for it
	mostMissed   = 50  // candidates that do not fit, after which nothing is likely to
	mostUnfolded = 20  // lines of a fold, of which each is shown by itself if there is room
	mostFailures = 10  // lines of a fold that speak of a failure, of which each is shown before the fold is
	mostHeads    = 4   // lines above a chosen one that come along
)

// candidate is a line that can be shown, or a fold of several.
type candidate struct {
	line  int
	fold  bool
	score float64
	edge  int
}

// chosen is a choice of lines: those shown by themselves, and folds by their first member.
type chosen struct {
	*lined
	shown map[int]bool
	folds map[*fold]bool
	room  int
}

// choose shows the lines that are worth the most within the room.
func (t *lined) choose() string {
	order := t.candidates()
	best := ""
	low, high := 8, 2*t.room()
	for room := t.room(); low <= high && t.ctx.Err() == nil; room = (low + high) / 2 {
		c := &chosen{lined: t, shown: map[int]bool{}, folds: map[*fold]bool{}, room: room}
		all := c.take(order)
		out := c.render()
		if used := t.Counter.Count(out); out != "" && used <= t.room() {
			best, low = out, room+max(1, room/16)
			if all || used >= t.room()*19/20 {
				break
			}
		} else {
			high = room - max(1, room/16)
		}
	}
	return best
}

// candidates returns what can be shown, the best first.
func (t *lined) candidates() []candidate {
	var list []candidate
	for i, text := range t.all {
		if i%lookEvery == 0 && t.ctx.Err() != nil {
			return nil
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		c := candidate{line: i, score: t.scores[i], edge: min(i, 2*(len(t.all)-1-i))}
		if f := t.foldOf(i); f != nil {
			typical := t.scores[f.typical(t.scores)]
			few := t.ranks[i] >= vital && len(f.members) <= mostFailures
			if i == f.members[0] {
				best := t.bestOf(f)
				if few && !f.alike {
					best -= 0.1 // after its members
				}
				list = append(list, candidate{line: i, fold: true, score: best, edge: c.edge})
			}
			usual := c.score <= typical+0.5
			if f.alike || usual && len(f.members) > mostUnfolded && t.ranks[i] < vital {
				continue
			}
			if usual && !few {
				c.score = min(c.score, typical) - ofRepeated
			}
		}
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b candidate) int {
		switch {
		case a.score != b.score:
			return cmp.Compare(b.score, a.score)
		case a.edge != b.edge:
			return a.edge - b.edge
		case a.line != b.line:
			return a.line - b.line
		case a.fold:
			return -1
		}
		return 1
	})
	return list
}

// foldOf returns the fold of a line; nil if it stands for itself.
func (t *lined) foldOf(i int) *fold {
	if t.folds == nil || t.folds[i] == nil || len(t.folds[i].members) == 1 {
		return nil
	}
	return t.folds[i]
}

// typical returns a member whose worth is in the middle.
func (f *fold) typical(scores []float64) int {
	if f.middle < 0 {
		sorted := slices.Clone(f.members)
		slices.SortFunc(sorted, func(a, b int) int { return cmp.Or(cmp.Compare(scores[a], scores[b]), a-b) })
		f.middle = sorted[len(sorted)/2]
	}
	return f.middle
}

func (t *lined) bestOf(f *fold) (best float64) {
	best = t.scores[f.members[0]]
	for _, m := range f.members {
		best = max(best, t.scores[m])
	}
	return best
}

// take takes candidates until the room is used up, and reports whether it took all.
func (c *chosen) take(order []candidate) (all bool) {
	for i := range c.head {
		c.add(i)
	}
	missed := 0
	for n, it := range order {
		if n%lookEvery == 0 && c.ctx.Err() != nil {
			return false
		}
		if !c.takeOne(it) {
			if missed++; missed > mostMissed {
				return false
			}
		}
	}
	return missed == 0
}

// takeOne takes a candidate with the lines above it, if there is room.
func (c *chosen) takeOne(it candidate) bool {
	if it.fold {
		f := c.lined.folds[it.line]
		if f.cost == 0 {
			f.cost = c.Counter.Count(f.told(c.all, c.long, c.noun)) + 1 + gapCost
		}
		cost := f.cost
		if cost > c.room {
			return false
		}
		c.room -= cost
		c.folds[f] = true
		return true
	}
	if c.shown[it.line] {
		return true
	}
	var with []int
	if c.with != nil {
		with = c.with(c.all, it.line)
	}
	for _, beside := range [][]int{slices.Concat(with, c.outline.above(it.line, mostHeads)), with, nil} { // as many of them as there is room for
		cost := c.cost(it.line)
		for _, l := range beside {
			cost += c.cost(l)
		}
		if cost > c.room {
			continue
		}
		for _, l := range append(beside, it.line) {
			c.add(l)
		}
		return true
	}
	return false
}

// cost returns the tokens that a line takes; none if it is shown already.
func (c *chosen) cost(i int) int {
	if c.shown[i] {
		return 0
	}
	cost, known := c.costs[i]
	if !known {
		cost = c.Counter.Count(c.excerpt(i)) + 1
		c.costs[i] = cost
	}
	if !c.shown[i-1] && !c.shown[i+1] {
		cost += gapCost
	}
	return cost
}

func (c *chosen) add(i int) {
	c.room -= c.cost(i)
	c.shown[i] = true
}

// piece is a line of the outcome.
type piece struct {
	line  int
	text  string
	folds bool // it tells of several lines
}

// foldsIn returns how many of the pieces tell of several lines.
func foldsIn(pieces []piece) (n int) {
	for _, p := range pieces {
		if p.folds {
			n++
		}
	}
	return n
}

// pieces returns the lines of the outcome in their order, and the lines of the text that the folds among them tell of. A fold tells of those of its
// members that are not shown by themselves: one alone is shown as it is.
func (c *chosen) pieces() (list []piece, folded []int) {
	for i := range c.shown {
		list = append(list, piece{i, c.excerpt(i), false})
	}
	for f := range c.folds {
		switch hidden := c.hiddenOf(f); {
		case len(hidden) == len(f.members):
			list = append(list, piece{hidden[0], f.told(c.all, c.long, c.noun), true})
			folded = append(folded, hidden...)
		case len(hidden) > 1:
			list = append(list, piece{hidden[0], f.tellOf(hidden, c.all, c.long, c.noun), true})
			folded = append(folded, hidden...)
		case len(hidden) == 1:
			list = append(list, piece{hidden[0], c.excerpt(hidden[0]), false})
		}
	}
	slices.SortFunc(list, func(a, b piece) int { return cmp.Compare(a.line, b.line) })
	return list, folded
}

// hiddenOf returns the members of a fold that are not shown by themselves.
func (c *chosen) hiddenOf(f *fold) []int {
	hidden := make([]int, 0, len(f.members))
	for _, m := range f.members {
		if !c.shown[m] {
			hidden = append(hidden, m)
		}
	}
	return hidden
}

// render writes the lines in their order, with a line for each gap, and how to get the rest where no frame says it.
func (c *chosen) render() string {
	pieces, folded := c.pieces()
	if len(pieces) == 0 {
		return ""
	}
	g := c.gaps(folded)
	last := -1
	for _, p := range pieces {
		g.write(last+1, p.line)
		g.out.WriteString(p.text + "\n")
		last = p.line
	}
	g.write(last+1, len(c.all))
	for _, said := range []string{c.total, c.columnsShown} {
		if said != "" {
			g.out.WriteString("… " + said + "\n")
		}
	}
	fmt.Fprintf(&g.out, "… %d of %d %s shown", len(pieces)-foldsIn(pieces), len(c.all), plural(c.noun, len(c.all)))
	if len(folded) > 0 {
		fmt.Fprintf(&g.out, ", %d folded", len(folded))
	}
	return g.out.String() + c.recovery()
}

// plural returns a noun for a number of things.
func plural(noun string, n int) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// excerpt returns a line as it is shown: of a long one the part that says most of what is asked, or its beginning.
func (t *lined) excerpt(i int) string { return t.need.excerpt(t.all[i], t.long) }

// excerpt returns the part of a text of at most most bytes that says most of what is asked, and how much is left out before and behind
// it; the beginning where nothing is asked.
func (n *need) excerpt(text string, most int) string {
	if len(text) <= most {
		return text
	}
	begin := n.window(text, most)
	if begin == 0 {
		return clipped(text, most)
	}
	cut := text[begin:]
	kept := first(cut, most)
	out := fmt.Sprintf("(%d bytes+) …", begin) + kept
	if len(kept) < len(cut) {
		out += fmt.Sprintf("… (+%d bytes)", len(cut)-len(kept))
	}
	return out
}

// window returns where the stretch of most bytes begins that has the most terms of the question, at the beginning of a word.
func (n *need) window(text string, most int) int {
	if n == nil {
		return 0
	}
	type place struct{ at, term int }
	var places []place
	eachWord(text, func(form []byte, at int) bool {
		for _, h := range n.hitsOfWord(form) {
			if h.strength >= 0.5 {
				places = append(places, place{at, h.term})
			}
		}
		return len(places) < 2000
	})
	best, begin := 0, 0
	counts := make([]int, len(n.terms))
	distinct, from := 0, 0
	for to, p := range places {
		if counts[p.term]++; counts[p.term] == 1 {
			distinct++
		}
		for p.at-places[from].at > most*2/3 {
			if counts[places[from].term]--; counts[places[from].term] == 0 {
				distinct--
			}
			from++
		}
		if distinct > best {
			best, begin = distinct, max(0, (places[from].at+places[to].at)/2-most/2)
		}
	}
	if begin < most/4 {
		return 0
	}
	begin = aside(text, min(begin, len(text)-most))
	if blank := strings.IndexAny(text[begin:begin+min(most/4, 60)], " \t,;"); blank >= 0 {
		begin += blank + 1
	}
	for begin < len(text) && text[begin]&0xc0 == 0x80 {
		begin++
	}
	return begin
}
