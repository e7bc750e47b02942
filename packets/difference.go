package packets

import (
	"context"
	"encoding/json"
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
func diffJSON(ctx context.Context, member string, want, got json.RawMessage) ([]Difference, error) {
	w, err := ijson.Decode(ctx, want)
	if err != nil {
		return nil, err
	}
	g, err := ijson.Decode(ctx, got)
	if err != nil {
		return nil, err
	}
	d := differ{looks: looks{ctx: ctx}}
	d.compare(&step{nil, member}, w, g)
	return d.found, d.err
}

// differ collects differences up to their number.
type differ struct {
	looks
	found []Difference
}

// absent stands for a value that is not there.
type absent struct{}

func (d *differ) compare(at *step, want, got any) {
	if len(d.found) == maxDifferences || d.ended(stepOf) {
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
		for _, name := range d.names(wantObject, gotObject) {
			d.compare(&step{at, name}, member(wantObject, name), member(gotObject, name))
		}
	default:
		d.scalar(at, want, got)
	}
}

// scalar compares values that are not both lists or both objects.
func (d *differ) scalar(at *step, want, got any) {
	switch {
	case want == absent{}:
		d.found = append(d.found, Difference{Path: at.pointer(), Kind: Added, Got: d.show(got)})
	case got == absent{}:
		d.found = append(d.found, Difference{Path: at.pointer(), Kind: Missing, Want: d.show(want)})
	case !comparable(want) || !comparable(got) || want != got:
		d.found = append(d.found, Difference{at.pointer(), Changed, d.show(want), d.show(got)})
	}
}

// comparable reports whether a value is no list and no object: those are of two kinds here, and differ.
func comparable(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return false
	}
	return true
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

// show returns the beginning of a value as JSON.
func (d *differ) show(v any) string {
	return ctxmcp.Clip(string(d.write(nil, v)), maxShown)
}

// write appends a value as JSON, or so much of it that more would not be shown.
func (d *differ) write(out []byte, v any) []byte {
	const most = 4 * maxShown // bytes that so many characters have at most
	if len(out) > most {
		return out
	}
	switch v := v.(type) {
	case []any:
		out = append(out, '[')
		for i, element := range v[:min(len(v), most)] {
			if i > 0 {
				out = append(out, ',')
			}
			out = d.write(out, element)
		}
		return append(out, ']')
	case map[string]any:
		out = append(out, '{')
		names := d.names(v)
		for i, name := range names[:min(len(names), most)] {
			if i > 0 {
				out = append(out, ',')
			}
			out = d.write(append(d.write(out, name), ':'), v[name])
		}
		return append(out, '}')
	case string:
		return append(out, quoted(ctxmcp.Clip(v, most))...)
	default:
		return append(out, quoted(v)...)
	}
}

// quoted returns a scalar as JSON.
func quoted(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil { // it was JSON
		panic(err)
	}
	return raw
}
