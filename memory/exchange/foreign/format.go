package foreign

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Memory is one memory as another system wrote it, unredacted.
type Memory struct {
	Line       int    // on which it stands, from 1
	ID         string // its name within the file
	Owner      string // whose it is there; memories of two owners have nothing to do with each other
	Content    string
	Claim      ctxmcp.Claim
	Beside     bool // the claim is an edge of a graph, which stands beside others of its kind
	Author     string
	ObservedAt time.Time
	ValidUntil time.Time
	Place      string  // where it was kept: the name of an entity, an id
	Provenance []Field // other fields of the file about its origin
	Unkept     []string
}

// Field is a value under its name in the file. Memory.Unkept lists the names of those that a Memory has no place for.
type Field struct{ Name, Value string }

// Format is a form of file.
type Format struct {
	Name string // words are typed and printed: append only, never rename
	Doc  string
	// recognize reports whether a file of the form may begin so: with a value of the kind, '{' or '[', and if it is an
	// object with these members, whose values are those of texts, as far as they were looked at.
	recognize func(kind byte, members map[string]string) bool
	read      func(*values, func(Memory) bool) error
}

// formats lists the forms in the order in which they are tried.
var formats = []Format{
	serverMemory,
	mem0,
}

// Formats returns the forms.
func Formats() []Format { return slices.Clone(formats) }

// Find returns the form of the name.
func Find(name string) (Format, bool) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// Detect returns the form of a file by how it begins.
func Detect(head []byte) (Format, bool) {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte(byteOrderMark)))
	if len(head) == 0 {
		return Format{}, false
	}
	members := firstMembers(head)
	i := slices.IndexFunc(formats, func(f Format) bool { return f.recognize(head[0], members) })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// Read reads a file of the form. It ends with the first error: CodeInvalid, with the line and the field, for content that
// the form does not allow, without quoting the file; otherwise the error of the reader or of ctx.
func (f Format) Read(ctx context.Context, r io.Reader) iter.Seq2[Memory, error] {
	return func(yield func(Memory, error) bool) {
		going := true
		err := f.read(newValues(ctx, r), func(m Memory) bool {
			going = yield(m, nil)
			return going
		})
		if going && err != nil {
			yield(Memory{}, err)
		}
	}
}

// firstMembers returns the members of the object that a text begins with, with the values of texts. A member that is
// cut off, or is no JSON, ends the list.
func firstMembers(head []byte) map[string]string {
	members := map[string]string{}
	d := json.NewDecoder(bytes.NewReader(head))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return members
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return members
		}
		text, _ := name.(string)
		members[text] = ""
		var value any
		if d.Decode(&value) != nil {
			return members
		}
		members[text], _ = value.(string)
	}
	return members
}
