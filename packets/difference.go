package packets

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// Difference is one place at which something is not as the packet says.
type Difference struct {
	Path string    `json:"path"` // JSON Pointer into the packet; empty: all of it
	Kind Deviation `json:"kind"`
	Want string    `json:"want,omitempty"` // as the packet has it, clipped
	Got  string    `json:"got,omitempty"`
}

// Deviation says what kind of difference it is. The words are sent to clients: append only.
type Deviation string

// The deviations.
const (
	Changed       Deviation = "changed"        // another value
	Missing       Deviation = "missing"        // the packet has it, and the other has not
	Added         Deviation = "added"          // the other way round
	Damaged       Deviation = "damaged"        // the bytes do not have their digest, or are gone
	Erased        Deviation = "erased"         // the content went with an object that was erased
	SourceChanged Deviation = "source_changed" // a source is held with another digest
	SourceGone    Deviation = "source_gone"    // a source is not held any longer
	NotRemade     Deviation = "not_remade"     // the inputs could not be compiled again
)

const (
	maxDifferences = 100
	maxShown       = 200 // characters of a value
)

// diffJSON returns where two JSON values of a member of the packet differ, want first, at most maxDifferences places in the order of their pointers.
func diffJSON(member string, want, got json.RawMessage) ([]Difference, error) {
	w, err := ijson.Parse(want)
	if err != nil {
		return nil, err
	}
	g, err := ijson.Parse(got)
	if err != nil {
		return nil, err
	}
	var d differ
	d.compare(&step{nil, member}, w, g)
	return d.found, nil
}

// differ collects differences up to their number.
type differ struct{ found []Difference }

// absent stands for a value that is not there.
type absent struct{}

func (d *differ) compare(at *step, want, got any) {
	if len(d.found) == maxDifferences {
		return
	}
	wantList, isList := want.([]any)
	gotList, bothLists := got.([]any)
	wantObject, isObject := want.(map[string]any)
	gotObject, bothObjects := got.(map[string]any)
	switch {
	case isList && bothLists:
		for i := range max(len(wantList), len(gotList)) {
			d.compare(&step{at, strconv.Itoa(i)}, element(wantList, i), element(gotList, i))
		}
	case isObject && bothObjects:
		names := slices.Concat(slices.Collect(maps.Keys(wantObject)), slices.Collect(maps.Keys(gotObject)))
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			d.compare(&step{at, name}, member(wantObject, name), member(gotObject, name))
		}
	default:
		d.scalar(at, want, got)
	}
}

func (d *differ) scalar(at *step, want, got any) {
	w, g := show(want), show(got)
	switch {
	case want == absent{}:
		d.found = append(d.found, Difference{Path: at.pointer(), Kind: Added, Got: ctxmcp.Clip(g, maxShown)})
	case got == absent{}:
		d.found = append(d.found, Difference{Path: at.pointer(), Kind: Missing, Want: ctxmcp.Clip(w, maxShown)})
	case w != g:
		d.found = append(d.found, Difference{at.pointer(), Changed, ctxmcp.Clip(w, maxShown), ctxmcp.Clip(g, maxShown)})
	}
}

func element(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return absent{}
}

func member(object map[string]any, name string) any {
	if v, ok := object[name]; ok {
		return v
	}
	return absent{}
}

// show returns a value as JSON.
func show(v any) string {
	raw, err := json.Marshal(v)
	if err != nil { // it was JSON
		panic(err)
	}
	return string(raw)
}
