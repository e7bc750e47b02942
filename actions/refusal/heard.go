package refusal

import (
	"slices"
)

// maxRefusals bounds the refusals of a session. The newest are kept.
const maxRefusals = 64

// Heard holds the refusals of the user of a session. The zero value refuses nothing.
type Heard struct {
	refusals   []Refusal
	kinds      []string // of all acts that the user asked for
	extent     extent
	audience   audience
	statements int
}

// Take takes in a statement. Its requests end earlier refusals of the same acts. It returns the statement without the words that refuse something.
func (h *Heard) Take(text string) (wanted string) {
	sentences := sentencesOf(text)
	for _, s := range sentences {
		if t := tongueOf(s); t != nil {
			h.extent.takeForeign(t, s)
			h.audience.takeForeign(t, s)
			continue
		}
		h.extent.take(s)
		h.audience.take(s)
	}
	refusals, asks, rest := read(sentences)
	if wanted = text; len(refusals) > 0 {
		wanted = rest
	}
	for _, a := range asks {
		h.lift(a)
		if a.goes && h.statements > 0 {
			h.extent = extent{} // the go-ahead is for what was proposed
		}
		h.kinds = append(h.kinds, a.kinds...)
	}
	for i := range refusals {
		one := &refusals[i]
		for _, a := range asks {
			if slices.Contains(one.kinds, allKinds) && len(one.objects) == 0 && !one.ends {
				one.excused = append(one.excused, a.kinds...)
			}
		}
	}
	h.statements++
	h.refusals = append(h.refusals, refusals...)
	h.refusals = h.refusals[max(0, len(h.refusals)-maxRefusals):]
	return wanted
}

// lift ends the refusals that a later order takes back: of its kind, and of its object where the refusal has one.
func (h *Heard) lift(a ask) {
	for i := range h.refusals {
		r := &h.refusals[i]
		switch {
		case slices.Contains(r.kinds, allKinds) && len(r.objects) == 0 && !a.goes:
			r.excused = append(slices.Clone(r.excused), a.kinds...)
		case a.goes && (r.waits || slices.Contains(r.kinds, allKinds) && len(r.objects) == 0), r.takenBack(a):
			r.kinds = nil
		}
	}
	h.refusals = slices.DeleteFunc(h.refusals, func(r Refusal) bool { return len(r.kinds) == 0 })
}

// takenBack reports whether an order is of the kind that is refused, and of its object.
func (r *Refusal) takenBack(a ask) bool {
	all := slices.Contains(r.kinds, allKinds)
	if !all && !sharesKind(r.kinds, a.kinds) || all && len(a.kinds) == 0 {
		return false
	}
	if len(r.objects) == 0 || r.only {
		r.kinds = slices.DeleteFunc(r.kinds, func(k string) bool { return !all && slices.Contains(a.kinds, k) })
		return len(r.kinds) == 0 || r.only
	}
	return a.pronoun && !all || slices.ContainsFunc(a.objects, func(asked []string) bool {
		return slices.ContainsFunc(r.objects, func(o []string) bool { return sharesKind(asked, o) })
	}) || !all && len(a.objects) == 0
}

// Any reports whether anything is refused.
func (h *Heard) Any() bool { return len(h.refusals) > 0 }

// Bounded reports whether anything is refused, or asked for in a way that bounds it.
func (h *Heard) Bounded() bool { return h.Any() || len(h.extent.less) > 0 || h.audience.said != "" }

// Against returns the sentence that an act goes against, "" for none. about reports whether a value of the act stands in a record that has the word too:
// of the sender of a message. It may be nil.
func (h *Heard) Against(acts []Act, about func(value, word string) bool) string {
	for i := len(h.refusals) - 1; i >= 0; i-- {
		for _, a := range acts {
			if h.refusals[i].covers(a, about) {
				return h.refusals[i].Said
			}
		}
	}
	return ""
}

// covers reports whether a refusal is about an act.
func (r *Refusal) covers(a Act, about func(value, word string) bool) bool {
	if r.dry && a.Tries || !r.ofKind(a) {
		return false
	}
	if len(r.objects) == 0 {
		return true
	}
	match := slices.ContainsFunc(r.objects, func(o []string) bool { return a.isAbout(o, about) })
	if !r.only {
		return match
	}
	return !match && a.isElsewhere(r.kinds, r.objects)
}

// ofKind reports whether an act is of a kind that is refused.
func (r *Refusal) ofKind(a Act) bool {
	if !slices.Contains(r.kinds, allKinds) {
		return sharesKind(r.kinds, a.Kinds) || sharesKind(r.kinds, a.Stems)
	}
	if len(r.objects) == 0 && (a.Temporary || sharesKind(r.excused, a.Kinds) || sharesKind(r.excused, a.Stems)) {
		return false
	}
	return a.Changes
}
