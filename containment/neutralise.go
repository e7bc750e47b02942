package containment

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Neutralise returns a text that can neither close the delimiters that are put around it nor imitate another speaker nor hide something, in valid
// UTF-8, and how many places of it were changed. Of a bracket or colon one sign is put in the place of another, so that a reader still sees what
// was there, and JSON stays JSON; invisible characters go, and line breaks stay where they are. It is for short texts, such as a line or a part
// that a model will be shown; Contain is for those of any length.
func Neutralise(text string) (string, int) {
	clean, n, _ := Contain(context.Background(), text) // this context does not end
	return clean, n
}

// Contain is Neutralise for a text of any length. It returns the error of the context if that ends before, and no text.
func Contain(ctx context.Context, text string) (string, int, error) {
	valid := strings.ToValidUTF8(text, "\ufffd")
	clean, gone, err := strip(ctx, valid)
	n := gone.total
	if valid != text {
		n++
	}
	for err == nil {
		var hits []hit
		if hits, err = changes(ctx, clean); err == nil && len(hits) == 0 {
			return clean, n, nil
		}
		clean, n = replaced(clean, hits), n+len(hits) // fewer signs are left that a form begins or ends with: it comes to an end
	}
	return "", 0, err
}

// changes returns the places of a text to be replaced, in order and apart from each other.
func changes(ctx context.Context, text string) (apart []hit, err error) {
	if !strings.ContainsAny(text, signs) {
		return nil, ctx.Err()
	}
	end := 0
	err = changeSeekers.seek(ctx, text, func(places []finding) {
		for _, f := range places {
			if f.begin >= end {
				apart, end = append(apart, f.hit), f.end
			}
		}
	})
	return apart, err
}

// signs are those of which every form that is changed has one.
const signs = openers + "<＜:："

func replaced(text string, hits []hit) string {
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for _, h := range hits {
		b.WriteString(text[at:h.begin])
		b.WriteString(h.with)
		at = h.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// Warning is something that the builder of a prompt should know.
type Warning struct {
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
}

// Changes reports whether Neutralise changes the marker, or takes it out. It changes no valid UTF-8 of which Report has no such warning.
func (w Warning) Changes() bool {
	return slices.ContainsFunc(markers, func(m marker) bool { return m.Kind == w.Kind && m.effect != reported })
}

// Report returns the markers in a text, each kind once, with the line where it stands first, how often it was found, and the effect of
// Neutralise on it. The text itself is not quoted. It returns the error of the context if that ends before.
func Report(ctx context.Context, text string) ([]Warning, error) {
	clean, gone, err := strip(ctx, text)
	if err != nil {
		return nil, err
	}
	first, times := make([]int, len(markers)), make([]int, len(markers))
	if err := allSeekers.seek(ctx, clean, func(places []finding) { tally(places, first, times) }); err != nil {
		return nil, err
	}
	warnings := []Warning{}
	for i, m := range markers {
		switch {
		case times[i] > 0:
			warnings = append(warnings, m.warning(clean, first[i], times[i]))
		case m.find != nil && len(m.find(gone)) > 0:
			warnings = append(warnings, m.warning(text, m.find(gone)[0], len(m.find(gone))))
		}
	}
	return warnings, nil
}

// tally counts findings by marker, and keeps where the first of each stands.
func tally(places []finding, first, times []int) {
	for _, f := range places {
		if times[f.marker] == 0 {
			first[f.marker] = f.begin
		}
		times[f.marker]++
	}
}

// warning says that a marker stands in a text so often, and first at a place.
func (m *marker) warning(text string, at, times int) Warning {
	return Warning{m.Kind, fmt.Sprintf("line %d, %d in all: %s%s", strings.Count(text[:at], "\n")+1, times, m.Doc, said[m.effect])}
}

// Orders returns the rows of a text, from 0 and in order, that give orders to a model in plain words, which Neutralise leaves as
// they are. It is for short texts.
func Orders(text string) (rows []int) {
	ctx := context.Background()     // it does not end
	clean, _, _ := strip(ctx, text) // invisible characters hide nothing, and no row
	row, from := 0, 0
	_ = orderSeekers.seek(ctx, clean, func(places []finding) {
		for _, f := range places {
			row, from = row+strings.Count(clean[from:f.begin], "\n"), f.begin
			if len(rows) == 0 || rows[len(rows)-1] != row {
				rows = append(rows, row)
			}
		}
	})
	return rows
}

// Speaks reports whether a warning of the kind says that a text speaks to a model.
func Speaks(kind string) bool {
	return slices.ContainsFunc(markers, func(m marker) bool { return m.Kind == kind && !m.mute })
}
