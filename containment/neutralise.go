package containment

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Neutralise returns a text that can neither close the delimiters that are put around it nor imitate another speaker nor hide
// something, in valid UTF-8, and how many places of it were changed. Of a bracket or colon one sign is put in the place of another, so that a
// reader still sees what was there, and JSON stays JSON; invisible characters go, and line breaks stay where they are.
func Neutralise(text string) (string, int) {
	valid := strings.ToValidUTF8(text, "\ufffd")
	clean, gone := strip(valid)
	n := gone.total
	if valid != text {
		n++
	}
	for {
		hits := changes(clean)
		if len(hits) == 0 {
			return clean, n
		}
		clean, n = replaced(clean, hits), n+len(hits) // what is left has fewer signs that a form begins or ends with: it comes to an end
	}
}

// changes returns what is to be replaced in a text, in order and apart from each other.
func changes(text string) []hit {
	if !strings.ContainsAny(text, signs) {
		return nil
	}
	var hits []hit
	lower := lowered(text)
	for i := range markers {
		if markers[i].effect == changed {
			markers[i].each(text, lower, func(h hit) { hits = append(hits, h) })
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(b.end, a.end)) })
	apart, end := hits[:0], 0
	for _, h := range hits {
		if h.begin >= end {
			apart, end = append(apart, h), h.end
		}
	}
	return apart
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

// each calls found for every place of a text that the forms of the marker match.
func (m *marker) each(text, lower string, found func(hit)) {
	for i := range m.forms {
		m.forms[i].hits(text, lower, found)
	}
}

// Warning is something that whoever builds a prompt should know.
type Warning struct {
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
}

// Report says what in a text speaks to a model, or passes for what it is not: each kind once, with the line where it stands first, how
// often it was found, and what Neutralise does to it. The text itself is not quoted.
func Report(text string) []Warning {
	warnings := []Warning{}
	look(text, func(*marker) bool { return true }, func(m *marker, text string, places []int) {
		line := strings.Count(text[:slices.Min(places)], "\n") + 1
		warnings = append(warnings, Warning{m.Kind, fmt.Sprintf("line %d, %d in all: %s%s", line, len(places), m.Doc, said[m.effect])})
	})
	return warnings
}

// Orders returns the rows of a text, from 0 and in order, that give orders to a model in plain words, which Neutralise leaves as
// they are.
func Orders(text string) []int {
	rows := map[int]bool{}
	look(text, func(m *marker) bool { return m.effect == reported }, func(_ *marker, text string, places []int) {
		slices.Sort(places)
		row, from := 0, 0
		for _, at := range places {
			row, from = row+strings.Count(text[from:at], "\n"), at
			rows[row] = true
		}
	})
	return slices.Sorted(maps.Keys(rows))
}

// Speaks reports whether a warning of the kind says that a text speaks to a model.
func Speaks(kind string) bool {
	return slices.ContainsFunc(markers, func(m marker) bool { return m.Kind == kind && !m.mute })
}

// look calls found for every marker that is asked for and that a text has, with the places where it stands, as offsets in a text that has the same rows.
// What is invisible hides nothing from it.
func look(text string, asked func(*marker) bool, found func(m *marker, text string, places []int)) {
	clean, gone := strip(text)
	lower := lowered(clean)
	for i := range markers {
		m := &markers[i]
		if !asked(m) {
			continue
		}
		var places []int
		m.each(clean, lower, func(h hit) { places = append(places, h.begin) })
		if len(places) > 0 {
			found(m, clean, places)
		}
		if m.find == nil {
			continue
		}
		if places = m.find(gone); len(places) > 0 {
			found(m, text, places)
		}
	}
}
