package containment

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// lookEvery is the number of bytes of a text that are worked on between two looks at the context.
const lookEvery = 32 << 10

// seekers look for the markers of each effect.
var seekers = map[effect][]seeker{}

// longestAnchor is in bytes.
var longestAnchor int

func init() {
	for i := range markers {
		m := &markers[i]
		for j := range m.forms {
			for _, anchor := range m.forms[j].anchors {
				seekers[m.effect] = append(seekers[m.effect], seeker{i, &m.forms[j], anchor})
				longestAnchor = max(longestAnchor, len(anchor))
			}
		}
	}
}

// A seeker finds the places of one form that begin with one of its anchors.
type seeker struct {
	marker int // of markers
	form   *form
	anchor string
}

// A finding is a place where a form of a marker matches.
type finding struct {
	hit
	marker int // of markers
}

// seek calls found with the places of a text that the forms of the markers with an effect match, a stretch of the text at a time: in order, and
// of two that begin alike the longer first. It returns the error of the context if that ends before.
func seek(ctx context.Context, text string, of effect, found func([]finding)) error {
	all := seekers[of]
	next := make([]int, len(all)) // where each seeker goes on
	var places []finding
	for begin := 0; begin < len(text); begin += lookEvery {
		if err := ctx.Err(); err != nil {
			return err
		}
		st := stretchOf(text, begin)
		places = places[:0]
		for i := range all {
			next[i] = all[i].within(st, max(next[i], begin), func(h hit) { places = append(places, finding{h, all[i].marker}) })
		}
		slices.SortStableFunc(places, func(a, b finding) int { return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(b.end, a.end)) })
		if len(places) > 0 {
			found(places)
		}
	}
	return nil
}

// A stretch is a part of a text, from begin to end.
type stretch struct {
	text       string // the whole
	lower      string // the part in lower case, with as many bytes behind it as an anchor can reach into
	begin, end int
}

func stretchOf(text string, begin int) stretch {
	end := min(len(text), begin+lookEvery)
	return stretch{text, lowered(text[begin:min(len(text), end+longestAnchor)]), begin, end}
}

// within calls found for the places of a stretch, from the given one on, that the form matches. It returns where to go on.
func (s *seeker) within(st stretch, from int, found func(hit)) int {
	for from < st.end {
		at := strings.Index(st.lower[from-st.begin:], s.anchor)
		if at < 0 {
			break
		}
		if at += from; at >= st.end {
			break
		}
		from = at + len(s.anchor)
		if h, is := s.form.at(st.text, at); is {
			found(h)
			from = max(from, h.end)
		}
	}
	return from
}

// lowered returns text with ASCII letters in lower case: as many bytes as before.
func lowered(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
