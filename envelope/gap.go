package envelope

import (
	"fmt"
	"strings"
)

// gaps writes what is said between the lines that are shown.
type gaps struct {
	*chosen
	out  strings.Builder
	told []int // how many of the first lines a fold tells of
	said bool  // the words of a gap were written once; after that its numbers do
}

func (c *chosen) gaps(folded []int) *gaps {
	g := &gaps{chosen: c, told: make([]int, len(c.all)+1)}
	for _, i := range folded {
		g.told[i+1] = 1
	}
	for i := range c.all {
		g.told[i+1] += g.told[i]
	}
	return g
}

// isTold reports whether a fold tells of a line.
func (g *gaps) isTold(i int) bool { return g.told[i+1] > g.told[i] }

// write says which of the lines from one to before another are left out. Those that a fold tells of are not. Where only blank lines are missing, one
// stands for them.
func (g *gaps) write(from, to int) {
	begin, end := from, to
	for ; begin < end && g.isTold(begin); begin++ {
	}
	for ; begin < end && g.isTold(end-1); end-- {
	}
	missing := end - begin - (g.told[end] - g.told[begin])
	switch {
	case missing == 0:
		return
	case g.blanks[end]-g.blanks[begin] == missing:
		if to < len(g.all) {
			g.out.WriteByte('\n')
		}
		return
	case !g.numbered:
		fmt.Fprintf(&g.out, "… %d %s left out", missing, plural(g.noun, missing))
	default:
		g.writeNumbers(begin, end, missing)
	}
	g.said = true
	if g.stat != nil {
		g.out.WriteString(g.stat(g.all[from:to]))
	}
	g.out.WriteByte('\n')
}

// writeNumbers says the numbers of a stretch of lines, and how many of them are missing if not all are.
func (g *gaps) writeNumbers(begin, end, missing int) {
	g.out.WriteString("… ")
	if missing < end-begin {
		fmt.Fprintf(&g.out, "%d of ", missing)
	}
	if !g.said {
		g.out.WriteString(plural("line", end-begin) + " ")
	}
	if fmt.Fprint(&g.out, g.before+begin+1); end > begin+1 {
		fmt.Fprintf(&g.out, "-%d", g.before+end)
	}
	if !g.said {
		g.out.WriteString(" left out")
	}
}
