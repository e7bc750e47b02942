package fields

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/spec"

	"github.com/ctx-mcp/ctx-mcp"
)

// Limits of one selection, in bytes of JSON.
const (
	maxSubtree  = 64 << 20 // held to evaluate a filter, a descendant segment and the like
	maxSelected = 16 << 20
)

// Value is what a selector found.
type Value struct {
	JSON json.RawMessage // compact; for a path that can select several nodes, the array of them
	Path string          // of the value, or of the first node, normalised as RFC 9535 says
}

// Document opens a JSON text from its beginning. Each call opens it anew.
type Document func() io.Reader

// Lines returns the document whose elements are the records of JSON Lines.
func Lines(d Document) Document { return func() io.Reader { return &recordReader{r: d()} } }

// Select returns what s selects of the document, or nil if it selects nothing. A name is looked for first; what looks like
// a path is then followed as one. It returns CodeInvalid if the document is not JSON as far as it was read, CodeTooLarge
// over a limit.
func (s Selector) Select(d Document) (*Value, error) {
	if s.name != "" {
		v, err := s.byName(d())
		if v != nil || err != nil || s.path == nil {
			return v, explain(err)
		}
	}
	v, err := s.byPath(d())
	return v, explain(err)
}

// explain words what the decoder says.
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
func (s Selector) byName(r io.Reader) (*Value, error) {
	w := walker{dec: json.NewDecoder(r)}
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
	return &Value{JSON: w.found[0].json, Path: w.found[0].path}, nil
}

func (s Selector) byPath(r io.Reader) (*Value, error) {
	list, rest := s.steps()
	w := walker{dec: json.NewDecoder(r), rest: rest, first: s.single()}
	w.dec.UseNumber()
	if err := w.walk(list, "$"); err != nil {
		return nil, err
	}
	if len(w.found) == 0 {
		return nil, nil
	}
	v := &Value{JSON: w.found[0].json, Path: w.found[0].path}
	if !s.single() {
		var all []json.RawMessage
		for _, n := range w.found {
			all = append(all, n.json)
		}
		var err error
		if v.JSON, err = json.Marshal(all); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// node is one part that was found.
type node struct {
	json json.RawMessage
	path string
}

// walker follows steps through a stream of tokens.
type walker struct {
	dec   *json.Decoder
	rest  *jsonpath.Path // evaluated on what the steps lead to; nil: that itself is wanted
	first bool           // one node is enough
	found []node
	size  int
}

// open reads a token and returns the bracket that it is, or 0 for a scalar.
func (w *walker) open() (json.Delim, error) {
	t, err := w.dec.Token()
	d, _ := t.(json.Delim)
	return d, err
}

// walk goes through one value.
func (w *walker) walk(list []step, path string) error {
	if len(list) == 0 {
		return w.take(path)
	}
	d, err := w.open()
	if err != nil || d == 0 {
		return err
	}
	return w.within(d, list, path)
}

// within goes through an object or an array whose bracket has been read, to its end unless what was wanted is found.
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

// take keeps one value, or what the rest of the path selects of it.
func (w *walker) take(path string) error {
	var raw json.RawMessage
	if err := w.dec.Decode(&raw); err != nil {
		return err
	}
	if w.rest == nil {
		return w.keep(raw, path)
	}
	if len(raw) > maxSubtree {
		return tooLarge()
	}
	var value any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return err
	}
	nodes := w.rest.SelectLocated(value)
	if strings.ContainsAny(w.rest.String(), "*?") || strings.Contains(w.rest.String(), "..") {
		nodes.Sort() // the members of a map come in any order
	}
	for n := range nodes.All() {
		part, err := json.Marshal(n.Node)
		if err != nil {
			return err
		}
		if err := w.keep(part, path+n.Path.String()[1:]); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) keep(raw json.RawMessage, path string) error {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return err
	}
	if w.size += b.Len(); w.size > maxSelected {
		return tooLarge()
	}
	w.found = append(w.found, node{json: b.Bytes(), path: path})
	return nil
}

func tooLarge() error {
	return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the path selects more than can be held").
		WithHint("name fewer parts, such as $.items[0:10].name")
}
