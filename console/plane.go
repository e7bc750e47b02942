package console

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// plane draws the versions of a fact over two time lines: across, when they are true; upwards, when they were held. The scale is by
// rank: each instant at which something begins or ends has a column or a row of its own, so that a day and a year are both seen. Lengths
// are in the units of the drawing.
type plane struct {
	Width, Height int
	Boxes         []planeBox
	Columns, Rows []planeTick
	Cells         []planeCell
	Points        []planePoint
}

// planeBox is the text of one version, and its times.
type planeBox struct {
	X, Y, Width, Height int
	Shade               int // 0 to 3, by turns
	Text                string
	Now                 bool // it is held
}

// planePoint is a question: true at an instant, as it was held at another one.
type planePoint struct {
	X, Y   int
	Label  int
	Column int // of the cell that it stands in, from the left
	Row    int // from below
	Text   string
}

// planeTick is an instant on one of the lines.
type planeTick struct {
	At   int
	Text string
}

// planeCell is a place that a point can be moved to: its link moves the first one there.
type planeCell struct {
	X, Y, Width, Height int
	Column, Row         int
	True, Held          string // its instants
	Link, Text          string
}

// The measures of a drawing.
const (
	planeTop    = 12
	planeLetter = 7 // of the instants beside the rows
	planeFoot   = 44
	planeColumn = 148
	planeRow    = 58
	planePoints = 24 // from point to point in one cell
	mostCells   = 14 // columns and rows each; what is further back shares the first
)

// planeOf draws the versions, with the points that are asked about. Ask has the places of the points, as the address of the page names them.
func planeOf(versions []ctxmcp.ContextObject, questions []question, now time.Time, page string, ask url.Values) plane {
	var valid, held []time.Time
	for _, o := range versions {
		valid, held = append(valid, o.ValidFrom, o.ValidUntil), append(held, o.TxStart, o.TxEnd)
	}
	across, up := axisOf(valid, now), axisOf(held, now)
	left := planeLetter
	for _, t := range up.marks {
		left = max(left, planeLetter*(len(up.text(t))+2))
	}
	p := plane{Width: left + planeColumn*across.cells(), Height: planeTop + planeRow*up.cells() + planeFoot}
	x := func(cell int) int { return left + planeColumn*cell }
	y := func(cell int) int { return planeTop + planeRow*(up.cells()-cell) }
	for i, o := range versions {
		from, until := across.at(o.ValidFrom), across.end(o.ValidUntil)
		low, high := up.at(o.TxStart), up.end(o.TxEnd)
		p.Boxes = append(p.Boxes, planeBox{x(from) + 2, y(high) + 2, max(planeColumn*(until-from)-4, 4), max(planeRow*(high-low)-4, 4), i % 4,
			fmt.Sprintf("%s, %d", ctxmcp.ShortID(o.ObjectID), o.Version), o.TxEnd.IsZero()})
	}
	for i, t := range across.marks {
		p.Columns = append(p.Columns, planeTick{x(i), across.text(t)})
	}
	for i, t := range up.marks {
		p.Rows = append(p.Rows, planeTick{y(i), up.text(t)})
	}
	for i := range across.cells() {
		for j := range up.cells() {
			isTrue, isHeld := across.inside(i, now), up.inside(j, now)
			link := maps.Clone(ask)
			link.Set("as_of", instantText(isTrue, now))
			link.Set("believed_at", instantText(isHeld, now))
			p.Cells = append(p.Cells, planeCell{x(i), y(j + 1), planeColumn, planeRow, i, j, link.Get("as_of"), link.Get("believed_at"),
				page + "?" + link.Encode(), "what was held at " + when(isHeld) + " to be true at " + when(isTrue)})
		}
	}
	here := map[[2]int]int{} // points that share a cell stand beside each other
	for i, q := range questions {
		at := [2]int{across.cell(q.AsOf), up.cell(q.BelievedAt)}
		p.Points = append(p.Points, planePoint{x(at[0]) + planeColumn/2 + planePoints*here[at], y(at[1]+1) + planeRow/2 + planePoints/4, i + 1, at[0], at[1],
			"true " + when(q.AsOf) + ", held " + when(q.BelievedAt)})
		here[at]++
	}
	return p
}

// axis is the instants of one line, in order. The last cell is open towards the future.
type axis struct{ marks []time.Time }

func axisOf(times []time.Time, now time.Time) axis {
	times = slices.DeleteFunc(times, time.Time.IsZero)
	slices.SortFunc(times, time.Time.Compare)
	times = slices.CompactFunc(times, time.Time.Equal)
	if len(times) > mostCells {
		times = times[len(times)-mostCells:]
	}
	return axis{times}
}

func (a axis) cells() int { return max(len(a.marks), 1) }

// text writes an instant of the line, as finely as it takes to tell two of them apart.
func (a axis) text(t time.Time) string {
	for _, form := range []string{minuteForm, time.DateTime, time.DateTime + ".000"} {
		if !slices.ContainsFunc(a.marks, func(m time.Time) bool { return !m.Equal(t) && m.UTC().Format(form) == t.UTC().Format(form) }) {
			return t.UTC().Format(form)
		}
	}
	return t.UTC().Format(time.DateTime + ".000000")
}

// at returns the line of the drawing on which an instant stands.
func (a axis) at(t time.Time) int {
	i, _ := slices.BinarySearchFunc(a.marks, t, time.Time.Compare)
	return i
}

// end returns the line on which something ends; the zero time is the end of the drawing.
func (a axis) end(t time.Time) int {
	if t.IsZero() {
		return a.cells()
	}
	return a.at(t)
}

// cell returns the cell that an instant lies in.
func (a axis) cell(t time.Time) int {
	i, exact := slices.BinarySearchFunc(a.marks, t, time.Time.Compare)
	if exact {
		return min(i, a.cells()-1)
	}
	return max(i-1, 0)
}

// inside returns an instant within a cell: its middle, and in the last one now, or its beginning where that is to come.
func (a axis) inside(cell int, now time.Time) time.Time {
	if len(a.marks) == 0 {
		return now
	}
	from := a.marks[cell]
	if cell+1 < len(a.marks) {
		return from.Add(a.marks[cell+1].Sub(from) / 2).Truncate(time.Microsecond)
	}
	if now.After(from) {
		return now
	}
	return from
}
