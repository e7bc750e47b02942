package connect

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// edit is a change of one entry of a file.
type edit struct {
	at   []string       // the names of the objects around it, from the outermost
	name string         // its name; "" for an element of a list
	mine func(any) bool // whether an element of a list is the entry
	want any            // its value from now on; nil takes it out
}

// format is a kind of file.
type format interface {
	// read returns the values of a text, as a decoder of JSON would; of an empty text an empty object. Its errors name line and column.
	read(text string) (map[string]any, error)
	// apply returns the text with the edit made; it may fail on a form that it cannot edit.
	apply(text string, e edit) (string, error)
	// show returns a text that holds the entry and nothing else.
	show(e edit) string
	// begin returns the text that a new file begins with.
	begin() string
}

// revise returns a text with the edit made: the same text if there is nothing to do. The result is read again, and may differ from the text
// in the one entry only.
func revise(f format, text string, e edit) (string, error) {
	mark, body := cutMark(text)
	crlf := strings.Contains(body, "\r\n")
	body = strings.ReplaceAll(body, "\r\n", "\n")
	if strings.TrimSpace(body) == "" && e.want != nil {
		body = f.begin()
	}
	before, err := f.read(body)
	if err != nil {
		return "", err
	}
	held, there := find(before, e)
	if !there && e.want == nil || there && e.want != nil && reflect.DeepEqual(held, plain(e.want)) {
		return text, nil
	}
	out, err := f.apply(body, e)
	if err != nil {
		return "", err
	}
	after, err := f.read(out)
	if err != nil || !differOnly(before, after, e) {
		return "", ctxmcp.Errorf(ctxmcp.CodeConflict, "the entry is written in a form that cannot be changed without touching others").
			WithHint("edit the file by hand; ctx-mcp config prints the entry")
	}
	if crlf {
		out = strings.ReplaceAll(out, "\n", "\r\n")
	}
	return mark + out, nil
}

// reviseAll returns a text with the edits made, one after the other.
func reviseAll(f format, text string, edits []edit) (string, error) {
	for _, e := range edits {
		var err error
		if text, err = revise(f, text, e); err != nil {
			return "", err
		}
	}
	return text, nil
}

// cutMark parts a byte order mark from the text.
func cutMark(text string) (mark, body string) {
	const bom = "\ufeff"
	if body, ok := strings.CutPrefix(text, bom); ok {
		return bom, body
	}
	return "", text
}

// find returns the value of the entry.
func find(values map[string]any, e edit) (any, bool) {
	var in any = values
	for _, name := range e.at {
		object, _ := in.(map[string]any)
		in = object[name]
	}
	switch in := in.(type) {
	case map[string]any:
		v, ok := in[e.name]
		return v, ok && e.mine == nil
	case []any:
		if i := slices.IndexFunc(in, e.isMine); i >= 0 {
			return in[i], true
		}
	}
	return nil, false
}

func (e edit) isMine(v any) bool { return e.mine != nil && e.mine(v) }

// differOnly reports whether the entry is as wanted in the values after, and all else as before. Containers around the entry may be new.
func differOnly(before, after map[string]any, e edit) bool {
	got, there := find(after, e)
	if there != (e.want != nil) || there && !reflect.DeepEqual(got, plain(e.want)) {
		return false
	}
	return reflect.DeepEqual(without(before, e.at, e), without(after, e.at, e))
}

// without returns a value without the entry, and without the containers of it that are empty then.
func without(v any, at []string, e edit) any {
	switch v := v.(type) {
	case map[string]any:
		rest := map[string]any{}
		for name, inner := range v {
			switch {
			case len(at) > 0 && name == at[0]:
				if inner = without(inner, at[1:], e); inner != nil {
					rest[name] = inner
				}
			case len(at) > 0 || name != e.name:
				rest[name] = inner
			}
		}
		if len(rest) > 0 {
			return rest
		}
		return nil
	case []any:
		if rest := slices.DeleteFunc(slices.Clone(v), e.isMine); len(at) > 0 || len(rest) > 0 {
			return rest
		}
		return nil
	}
	return v
}

// broken returns the error for a text that cannot be read.
func broken(line, column int, why string) error {
	return ctxmcp.Errorf(ctxmcp.CodeInvalid, "line %d, column %d: %s", line, column, why).WithHint("mend the file first; it was not touched")
}

// lineColumn returns the position of an offset, from 1.
func lineColumn(text string, offset int) (line, column int) {
	head := text[:min(max(offset, 0), len(text))]
	return 1 + strings.Count(head, "\n"), len(head) - strings.LastIndexByte(head, '\n')
}

// unitOf returns the indentation by which a text indents, two spaces where nothing tells.
func unitOf(text string) string {
	for line := range bytes.Lines([]byte(text)) {
		rest := bytes.TrimLeft(line, " \t")
		if indent := line[:len(line)-len(rest)]; len(indent) > 0 && len(bytes.TrimSpace(rest)) > 0 && !bytes.HasPrefix(rest, []byte("*")) {
			return string(indent)
		}
	}
	return "  "
}

// indentAt returns the spaces and tabs at the beginning of the line of an offset.
func indentAt(text string, offset int) string {
	line := text[strings.LastIndexByte(text[:offset], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
