package entities

import (
	"cmp"
	"slices"
	"strings"
)

// Mention is a name in a text.
type Mention struct {
	Text       string
	Key        string // of KeyOf
	Form       Form
	Kind       Kind
	Purposes   []Purpose
	Start, End int // bytes of the text that was searched

	// Same is the place, among the mentions, of the first that the text says is of the same thing: its own if there is none.
	Same int
	// Tentative is a name only if it is known already: a word that may begin with a capital for another reason.
	Tentative bool
}

// span is a find of a detector.
type span struct {
	start, end int
	form       Form
	kind       Kind
	tentative  bool
	inner      bool // stands inside another
}

// Extract returns the names in a text, in order, each once. It is a pure function of the text.
func Extract(content string) []Mention {
	t := newText(content)
	var taken []span
	for _, d := range detectors {
		for _, s := range d.find(t) {
			if s.start < s.end && (s.inner || !overlaps(taken, s)) {
				taken = append(taken, s)
			}
		}
	}
	taken = slices.DeleteFunc(taken, func(s span) bool { return s.form == "" })
	slices.SortFunc(taken, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	mentions := make([]Mention, 0, len(taken))
	for _, s := range taken {
		name := strings.TrimSpace(content[s.start:s.end])
		if key := KeyOf(s.form, name); key != "" {
			mentions = append(mentions, Mention{
				Text: name, Key: key, Form: s.form, Kind: s.kind, Purposes: []Purpose{InContent},
				Start: s.start, End: s.end, Tentative: s.tentative,
			})
		}
	}
	kept, place := distinct(mentions)
	for _, pair := range declared(content, mentions) {
		join(kept, place[pair[0]], place[pair[1]])
	}
	return kept
}

func overlaps(taken []span, s span) bool {
	return slices.ContainsFunc(taken, func(o span) bool { return s.start < o.end && o.start < s.end })
}

// distinct keeps the first mention of each name, and says for each mention which one was kept. A name that is certain
// anywhere is certain.
func distinct(all []Mention) (kept []Mention, place []int) {
	first := map[string]int{}
	for _, m := range all {
		id := string(m.Form) + " " + m.Key
		at, seen := first[id]
		if !seen {
			at = len(kept)
			first[id] = at
			m.Same = at
			kept = append(kept, m)
		}
		k := &kept[at]
		k.Tentative = k.Tentative && m.Tentative
		if k.Kind == Unknown {
			k.Kind = m.Kind
		}
		place = append(place, at)
	}
	return kept, place
}

// join records that two mentions are of the same thing: of all that are, Same is the first.
func join(mentions []Mention, a, b int) {
	mentions[a].Tentative, mentions[b].Tentative = false, false
	first, other := mentions[a].Same, mentions[b].Same
	if first > other {
		first, other = other, first
	}
	for i := range mentions {
		if mentions[i].Same == other {
			mentions[i].Same = first
		}
	}
}
