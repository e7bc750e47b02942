package console

import (
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
)

// arrows draws where the values of an action come from: the sentences of results, and the user's words, on the left; the arguments on the
// right; an arrow from each value back to the text that it is from.
type arrows struct {
	Width, Height int
	Sources       []arrowBox
	Values        []arrowBox
	Lines         []arrowLine
}

// arrowBox is a text with the place that it is from, or the argument that it stands in.
type arrowBox struct {
	X, Y, Width, Height int
	Head, Text, Link    string
}

// arrowLine is a curve from a value to its source. Path is its shape, Head the points of its head.
type arrowLine struct{ Path, Head string }

// origin is a value of an action with the text that it is from: a row of the table beside the drawing.
type origin struct {
	Argument string   `json:"argument,omitempty"`
	Value    string   `json:"value,omitempty"`
	Source   string   `json:"source"`
	From     string   `json:"origin,omitempty"`
	Quote    string   `json:"quote,omitempty"`
	Link     string   `json:"-"`
	Signals  []string `json:"signals"`
}

// The measures of a drawing.
const (
	arrowsWidth = 1000
	arrowsBox   = 400
	arrowsRow   = 50
	arrowsGap   = 12
	arrowsText  = 46 // characters of a box
	mostArrows  = 24
)

// originsOf returns the evidence of an action's findings, each value and text once, with the signals that rest on it.
func originsOf(e actions.Entry) []origin {
	var all []origin
	for _, f := range e.Findings {
		for _, ev := range f.Evidence {
			o := origin{Argument: ev.Argument, Value: ev.Value, Source: ev.Source, From: ev.Origin, Quote: ev.Quote, Link: "#action-" + ev.Source}
			if ev.Source == ctxmcp.SourceRequest {
				o.Link = "#request"
			}
			i := slices.IndexFunc(all, func(x origin) bool {
				return x.Argument == o.Argument && x.Value == o.Value && x.Source == o.Source && x.Quote == o.Quote
			})
			if i < 0 {
				i = len(all)
				all = append(all, o)
			}
			if !slices.Contains(all[i].Signals, words(f.Signal)) {
				all[i].Signals = append(all[i].Signals, words(f.Signal))
			}
		}
	}
	return all
}

// arrowsOf draws origins; those without an argument have no arrow, and stand in the table alone.
func arrowsOf(origins []origin) arrows {
	a := arrows{Width: arrowsWidth}
	box := func(boxes *[]arrowBox, x int, b arrowBox) arrowBox {
		i := slices.IndexFunc(*boxes, func(o arrowBox) bool { return o.Head == b.Head && o.Text == b.Text })
		if i < 0 {
			i = len(*boxes)
			b.X, b.Y, b.Width, b.Height = x, arrowsGap+i*(arrowsRow+arrowsGap), arrowsBox, arrowsRow
			*boxes = append(*boxes, b)
		}
		return (*boxes)[i]
	}
	for _, o := range origins {
		if o.Argument == "" || len(a.Lines) == mostArrows {
			continue
		}
		from := o.Source
		if o.From != "" {
			from += ", " + o.From
		}
		source := box(&a.Sources, 0, arrowBox{Head: ctxmcp.Clip(from, arrowsText), Text: ctxmcp.Clip(o.Quote, arrowsText), Link: o.Link})
		value := box(&a.Values, arrowsWidth-arrowsBox, arrowBox{Head: ctxmcp.Clip(o.Argument, arrowsText), Text: ctxmcp.Clip(o.Value, arrowsText)})
		a.Lines = append(a.Lines, curve(value, source))
	}
	if len(a.Lines) == 0 {
		return arrows{}
	}
	a.Height = arrowsGap + max(len(a.Sources), len(a.Values))*(arrowsRow+arrowsGap)
	return a
}

// curve returns the arrow from the left side of a value to the right side of its source.
func curve(value, source arrowBox) arrowLine {
	x1, y1 := float64(value.X), float64(value.Y+value.Height/2)
	x2, y2 := float64(source.X+source.Width)+2, float64(source.Y+source.Height/2)
	middle := (x1 + x2) / 2
	path := fmt.Sprintf("M%.0f %.0f C%.0f %.0f %.0f %.0f %.0f %.0f", x1, y1, middle, y1, middle, y2, x2+arrowLength, y2)
	return arrowLine{path, arrowHead(middle, y2, x2, y2)}
}
