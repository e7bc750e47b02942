package envelope

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// wholeAt is the member that says how to get the whole.
const wholeAt = "_whole"

// countedAs is the member with the number of elements that match.
const countedAs = "_counted"

// keepJSON shows the structure with samples of what repeats, and before them what answers the question or stands out.
func (w *wrapping) keepJSON() string {
	tree := readJSON(watching(w.ctx), w.text)
	if total := tree.counted(w.need()); total != "" {
		said, _ := json.Marshal(total) // a string has its JSON
		w.total = `"` + countedAs + `":` + string(said)
	}
	units := w.weigh(tree)
	if len(units) == 0 {
		return w.fitJSON(tree, nil)
	}
	chars := min(max(w.room(), 150), 1500)
	shown := &bright{limits{10, 60, chars, maxDepth, math.MaxInt}, w.need()}
	most := w.mostUnits(tree, units, shown)
	light(units, most)
	return w.fitJSON(tree, shown)
}

// dimmest is how the rest of a tree is written while it is not known what there is room for.
var dimmest = limits{0, 2, 20, 0, math.MaxInt}

// mostUnits returns how many units there is room for.
func (w *wrapping) mostUnits(tree *node, units []unit, shown *bright) int {
	low, high := 0, len(units)
	for low < high && w.ctx.Err() == nil {
		middle := (low + high + 1) / 2
		light(units, middle)
		if _, fits := w.writeTree(tree, dimmest, shown); fits {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// fitJSON writes the tree under the loosest limits that fit the room, and then as many elements more as fit.
func (w *wrapping) fitJSON(tree *node, shown *bright) string {
	for i, l := range append(slices.Clone(ladder), dimmest) {
		if w.ctx.Err() != nil {
			break
		}
		text, fits := w.writeTree(tree, l, shown)
		if !fits {
			continue
		}
		low, high := l.items, l.items
		if i > 0 && i < len(ladder) {
			high = min(ladder[i-1].items, 4*l.items+8)
		}
		for low < high && w.ctx.Err() == nil {
			l.items = (low + high + 1) / 2
			if more, fits := w.writeTree(tree, l, shown); fits {
				text, low = more, l.items
			} else {
				high = l.items - 1
			}
		}
		return text
	}
	return w.least()
}

// firstOfJSON shows the beginning of the tree, closed.
func (w *wrapping) firstOfJSON() string {
	tree := readJSON(watching(w.ctx), w.text)
	l, best := unlimited(), ""
	for low, high := 0, min(len(w.text), w.room()*32); low <= high && w.ctx.Err() == nil; {
		l.bytes = (low + high) / 2
		if text, fits := w.writeTree(tree, l, nil); fits {
			best, low = text, l.bytes+1
		} else {
			high = l.bytes - 1
		}
	}
	if best == "" {
		return w.least()
	}
	return best
}

// writeTree writes the tree with, where no frame says it, how to get what was left out. It reports whether the text fits
// the room; one that does not is not written to its end.
func (w *wrapping) writeTree(tree *node, l limits, shown *bright) (text string, fits bool) {
	room := w.room()
	tree.pathless = w.within > 0
	text, whole := tree.write(l, tokens.Longest(room), shown)
	if whole {
		text = w.withRecovery(tree, text)
	}
	return text, whole && tokens.Fits(w.Counter, text, room)
}

// withRecovery adds to the JSON of a tree how to get what was left out, as a member.
func (w *wrapping) withRecovery(tree *node, text string) string {
	var members []string
	for _, m := range []string{w.total, w.wholeMember()} {
		if m != "" {
			members = append(members, m)
		}
	}
	member := strings.Join(members, ",")
	if member == "" {
		return text
	}
	separator := ","
	switch body := strings.TrimSpace(text[:max(0, len(text)-1)]); {
	case tree.kind == jsonLines:
		return strings.TrimSuffix(text, "\n") + "\n{" + member + "}"
	case tree.kind != object && tree.kind != array:
		return text
	case tree.len() == 0:
		separator = ""
		fallthrough
	default:
		if tree.kind == array {
			member = "{" + member + "}"
		}
		return body + separator + member + text[len(text)-1:]
	}
}

// wholeMember is how to get the rest as a member of an object; "" where the frame says it.
func (w *wrapping) wholeMember() string {
	if w.recovery() == "" {
		return ""
	}
	note, _ := json.Marshal(w.getWhole()) // a string has its JSON
	return `"` + wholeAt + `":` + string(note)
}

// least is the shortest true thing to say of a content of which nothing is shown: that all is left out, and how to get it.
func (w *wrapping) least() string {
	chars := utf8.RuneCountInString(w.text)
	if !w.kind.JSON {
		return w.missing(chars, chars, "")
	}
	member := `{"` + leftOut + `":"all"}`
	if how := w.wholeMember(); how != "" {
		member = `{"` + leftOut + `":"all",` + how + `}`
	}
	if strings.HasPrefix(strings.TrimSpace(w.text), "[") {
		return "[" + member + "]"
	}
	return member
}
