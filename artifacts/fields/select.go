package fields

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/theory/jsonpath/spec"

	"github.com/ctx-mcp/ctx-mcp"
)

// Value is a value that a selector found.
type Value struct {
	JSON json.RawMessage // compact; for a path that can select several nodes, the array of them
	Path string          // of the value, or of the first node, normalised as RFC 9535 says
}

// Document opens a JSON text from its beginning. Each call opens it anew.
type Document func() io.Reader

// Lines returns the document whose elements are the records of JSON Lines.
func Lines(d Document) Document { return func() io.Reader { return &recordReader{r: d()} } }

// Select returns what s selects of the document, or nil if it selects nothing. A name is looked for first; a selector that
// looks like a path is then followed as one. It returns CodeInvalid if the document is not JSON as far as it was read,
// CodeTooLarge over a limit, before it holds more than that, and the error of ctx soon after that has ended.
func (s Selector) Select(ctx context.Context, d Document) (*Value, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.name != "" {
		v, err := s.byName(newWalker(ctx, d))
		if v != nil || err != nil || s.path == nil {
			return v, explain(err)
		}
	}
	v, err := s.byPath(newWalker(ctx, d))
	return v, explain(err)
}

// explain words the error of the decoder.
func explain(err error) error {
	if err == nil || ctxmcp.CodeOf(err) != ctxmcp.CodeInternal {
		return err
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, errShape) {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the artifact is not JSON").WithCause(err).WithHint("read it by lines or by a pattern")
	}
	return err
}

var errShape = errors.New("the tokens of the document do not nest")

// byName looks for a member of the document, or of the first element of the document that has it.
func (s Selector) byName(w *walker) (*Value, error) {
	open, err := w.open()
	if err != nil {
		return nil, err
	}
	member := []step{{name: s.name, kind: byName}}
	switch open {
	case '{':
		err = w.within('{', member, "$")
	case '[':
		for i := 0; w.dec.More() && err == nil && len(w.found) == 0; i++ {
			err = w.walk(member, "$["+strconv.Itoa(i)+"]")
		}
	}
	if err != nil || len(w.found) == 0 {
		return nil, err
	}
	return &Value{JSON: w.found[0], Path: w.path}, nil
}

func (s Selector) byPath(w *walker) (*Value, error) {
	var list []step
	list, w.rest = s.steps()
	w.first = s.path.single()
	if err := w.walk(list, "$"); err != nil {
		return nil, err
	}
	if len(w.found) == 0 {
		return nil, nil
	}
	v := &Value{JSON: w.found[0], Path: w.path}
	if !w.first {
		v.JSON = w.array()
	}
	return v, nil
}

// walker follows steps through a stream of tokens.
type walker struct {
	*meter
	dec   *json.Decoder
	rest  []segment // followed from the value that the steps lead to; none: that value is selected
	first bool      // one node is enough
	found []json.RawMessage
	path  string // of the first
}

func newWalker(ctx context.Context, d Document) *walker {
	w := &walker{meter: &meter{ctx: ctx, most: maxWork}, dec: json.NewDecoder(watched{ctx, d()})}
	w.dec.UseNumber()
	return w
}

// array returns all that was found as one JSON array.
func (w *walker) array() json.RawMessage {
	all := make([]byte, 0, w.size+len(w.found)+1)
	for i, one := range w.found {
		all = append(append(all, "[,"[min(i, 1)]), one...)
	}
	return append(all, ']')
}

// open reads a token and returns the bracket that it is, or 0 for a scalar.
func (w *walker) open() (json.Delim, error) {
	if err := w.spend(1); err != nil {
		return 0, err
	}
	t, err := w.dec.Token()
	d, _ := t.(json.Delim)
	return d, err
}

// walk goes through one value.
func (w *walker) walk(list []step, path string) error {
	if len(list) == 0 {
		return w.keepAll(path)
	}
	d, err := w.open()
	if err != nil || d == 0 {
		return err
	}
	return w.within(d, list, path)
}

// within goes through an object or an array whose bracket has been read, to its end unless the wanted value is found.
func (w *walker) within(d json.Delim, list []step, path string) error {
	st := list[0]
	for i := 0; w.dec.More(); i++ {
		here, at := st.kind == every || d == '[' && st.kind == byIndex && st.index == i, path+"["+strconv.Itoa(i)+"]"
		if d == '{' {
			key, err := w.dec.Token()
			if err != nil {
				return err
			}
			name, ok := key.(string)
			if !ok {
				return errShape
			}
			here = st.kind == every || st.kind == byName && st.name == name
			at = path + spec.Normalized(spec.Name(name)).String()[1:]
		}
		var err error
		if here {
			err = w.walk(list[1:], at)
		} else {
			err = w.skip()
		}
		if err != nil || here && st.kind != every && len(list) == 1 && w.first {
			return err
		}
		if w.first && len(w.found) > 0 {
			return nil
		}
	}
	_, err := w.dec.Token()
	return err
}

// skip passes over one value.
func (w *walker) skip() error {
	for depth := 0; ; {
		d, err := w.open()
		if err != nil {
			return err
		}
		switch d {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// keepAll keeps one value, or the values that the rest of the path selects of it.
func (w *walker) keepAll(path string) error {
	var raw json.RawMessage
	if err := w.dec.Decode(&raw); err != nil {
		return err
	}
	if len(w.rest) == 0 {
		return w.keep(raw, path)
	}
	if len(raw) > maxSubtree {
		return tooLarge()
	}
	t, err := newTree(w.meter, raw)
	if err != nil {
		return err
	}
	var some []int32
	e := &evaluation{meter: w.meter, tree: t}
	err = e.follow(w.rest, 0, func(at int32) error {
		some = append(some, at)
		return w.take(len(t.raw(at)))
	})
	if err == nil && !ordered(w.rest) { // the members of an object come in the order of their names
		err = t.sort(w.meter, some)
	}
	if err != nil {
		return err
	}
	for _, at := range some {
		if len(w.found) == 0 {
			w.path = path + t.path(at)
		}
		w.add(t.raw(at))
	}
	return w.ctx.Err()
}

// keep adds a value, if there is room for it.
func (w *walker) keep(raw json.RawMessage, path string) error {
	if err := w.take(len(raw)); err != nil {
		return err
	}
	if len(w.found) == 0 {
		w.path = path
	}
	w.add(raw)
	return nil
}

// add takes down a value that is valid JSON, without its blanks.
func (w *walker) add(raw json.RawMessage) {
	b := bytes.NewBuffer(make([]byte, 0, len(raw)))
	_ = json.Compact(b, raw)
	w.found = append(w.found, b.Bytes())
}
