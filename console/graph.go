package console

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
)

// graph draws one entity in the middle, and around it those that claims name with it.
type graph struct {
	Width, Height int
	Nodes         []graphNode
	Lines         []graphLine
	More          int // neighbours that have no room
}

// graphNode is a box with a name; its link goes to the page of the entity.
type graphNode struct {
	X, Y, Width, Height int
	Text, Link          string
	Middle              bool
}

// graphLine is an arrow between two boxes with the words of the claims. Head is the points of its head.
type graphLine struct {
	X1, Y1, X2, Y2 int
	TextX, TextY   int
	Text, Head     string
}

// The measures of a drawing.
const (
	graphWidth   = 860
	graphBox     = 30 // height
	graphLetter  = 8
	graphMargin  = 10
	mostAround   = 16
	arrowLength  = 9.0
	arrowOpening = 0.42 // radians
)

// graphOf draws the neighbours in the order in which the edges name them, clockwise from the top.
func graphOf(root entityRow, edges []entityEdge) graph {
	var around []entityRow
	for _, e := range edges {
		for _, end := range []entityRow{e.From, e.To} {
			if end.ID != "" && end.ID != root.ID && !slices.ContainsFunc(around, func(n entityRow) bool { return n.ID == end.ID }) {
				around = append(around, end)
			}
		}
	}
	g := graph{Width: graphWidth, Height: graphHeight(len(around)), More: max(len(around)-mostAround, 0)}
	if len(around) == 0 {
		return graph{}
	}
	around = around[:min(len(around), mostAround)]
	center := nodeAt(graphWidth/2, g.Height/2, root, true)
	g.Nodes = append(g.Nodes, center)
	for i, n := range around {
		angle := 2*math.Pi*float64(i)/float64(len(around)) - math.Pi/2
		if len(around) == 2 { // beside each other reads better than above each other
			angle += math.Pi / 2
		}
		x := graphWidth/2 + int(float64(graphWidth/2-110)*math.Cos(angle))
		y := g.Height/2 + int(float64(g.Height/2-graphBox)*math.Sin(angle))
		node := nodeAt(x, y, n, false)
		g.Nodes = append(g.Nodes, node)
		g.Lines = append(g.Lines, linesBetween(center, node, root.ID, n.ID, edges)...)
	}
	return g
}

// graphHeight leaves room for so many neighbours: two stand beside the middle, more around it.
func graphHeight(around int) int {
	if around <= 2 {
		return 4 * graphBox
	}
	return 150 + 50*min(around, 6)
}

func nodeAt(x, y int, e entityRow, middle bool) graphNode {
	text := ctxmcp.Clip(e.Name, 22)
	width := graphLetter*utf8.RuneCountInString(text) + 2*graphMargin
	return graphNode{x - width/2, y - graphBox/2, width, graphBox, text, Base + "entities/" + e.ID, middle}
}

// linesBetween returns an arrow for each direction that claims go in.
func linesBetween(center, node graphNode, centerID, nodeID string, edges []entityEdge) (all []graphLine) {
	var out, in []string
	for _, e := range edges {
		switch {
		case e.From.ID == centerID && e.To.ID == nodeID:
			out = append(out, words(e.Predicate))
		case e.From.ID == nodeID && e.To.ID == centerID:
			in = append(in, words(e.Predicate))
		}
	}
	aside := 0.0
	if len(out) > 0 && len(in) > 0 {
		aside = 7
	}
	if len(out) > 0 {
		all = append(all, arrow(center, node, -aside, out))
	}
	if len(in) > 0 {
		all = append(all, arrow(node, center, -aside, in))
	}
	return all
}

// arrow returns the arrow from the border of one box to that of another, moved aside by so much.
func arrow(from, to graphNode, aside float64, says []string) graphLine {
	x1, y1 := leaving(from, to)
	x2, y2 := leaving(to, from)
	length := max(math.Hypot(x2-x1, y2-y1), 1)
	sideX, sideY := -(y2-y1)/length*aside, (x2-x1)/length*aside
	x1, y1, x2, y2 = x1+sideX, y1+sideY, x2+sideX, y2+sideY
	slices.Sort(says)
	text := ctxmcp.Clip(strings.Join(slices.Compact(says), ", "), 34)
	textY := (y1+y2)/2 - 5
	if sideY > 0 { // below the line, where the other one is above
		textY += 20
	}
	return graphLine{int(x1), int(y1), int(x2), int(y2), int((x1 + x2) / 2), int(textY), text, arrowHead(x1, y1, x2, y2)}
}

// leaving returns where the line from the middle of a box to the middle of another one crosses the border of the first.
func leaving(box, to graphNode) (x, y float64) {
	x, y = float64(box.X)+float64(box.Width)/2, float64(box.Y)+float64(box.Height)/2
	dx, dy := float64(to.X)+float64(to.Width)/2-x, float64(to.Y)+float64(to.Height)/2-y
	share := 1.0
	if dx != 0 {
		share = min(share, (float64(box.Width)/2+3)/math.Abs(dx))
	}
	if dy != 0 {
		share = min(share, (float64(box.Height)/2+3)/math.Abs(dy))
	}
	return x + dx*share, y + dy*share
}

// arrowHead returns the points of a triangle at the end of a line.
func arrowHead(x1, y1, x2, y2 float64) string {
	angle := math.Atan2(y2-y1, x2-x1)
	point := func(turn float64) string {
		return fmt.Sprintf("%.1f,%.1f", x2-arrowLength*math.Cos(angle+turn), y2-arrowLength*math.Sin(angle+turn))
	}
	return fmt.Sprintf("%.1f,%.1f %s %s", x2, y2, point(arrowOpening), point(-arrowOpening))
}
