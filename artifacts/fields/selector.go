package fields

import (
	"encoding/json"
	"strings"

	"github.com/theory/jsonpath"

	"github.com/ctx-mcp/ctx-mcp"
)

// maxSelector bounds the text of a selector, in bytes: the parser of paths recurses.
const maxSelector = 1000

// Selector says which parts of a document are wanted.
type Selector struct {
	text string
	name string // as a field: a member of the document, or of the first record of an array that has it
	path *query // nil: the text is a name only
}

// Parse reads a selector: $.items[*].url, the same without its "$.", or the name of a field. It returns CodeInvalid
// for any other text.
func Parse(text string) (Selector, error) {
	s := Selector{text: text, name: text}
	switch {
	case text == "" || len(text) > maxSelector:
		return s, ctxmcp.Errorf(ctxmcp.CodeInvalid, "a field has no name, or one of more than %d bytes", maxSelector)
	case strings.HasPrefix(text, "$"):
		if _, err := jsonpath.Parse(text); err != nil {
			return s, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the JSONPath cannot be read: %v", err).WithCause(err).
				WithHint("write it as RFC 9535 says, such as $.items[*].url or $['first name']")
		}
		s.name, s.path = "", readQuery(text)
	case strings.ContainsAny(text, ".[*"):
		if _, err := jsonpath.Parse(rooted(text)); err == nil { // a name may look like a path, and be none
			s.path = readQuery(rooted(text))
		}
	}
	return s, nil
}

func rooted(text string) string {
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, ".") {
		return "$" + text
	}
	return "$." + text
}

// Anywhere returns the selector of the members of the same name at any depth; false for what is written as a path from the root.
func (s Selector) Anywhere() (Selector, bool) {
	if s.name == "" {
		return s, false
	}
	quoted, err := json.Marshal(s.name)
	if err != nil { // a string
		panic(err)
	}
	deep, err := Parse("$..[" + string(quoted) + "]")
	return deep, err == nil
}

// String returns the text that was parsed.
func (s Selector) String() string { return s.text }

// step is one segment of a path that a stream can follow: members or elements are passed over until the one that it
// names, or each is taken in turn.
type step struct {
	name  string
	index int
	kind  stepKind
}

type stepKind int

const (
	byName stepKind = iota
	byIndex
	every
)

// steps returns the segments that a stream can follow, and the rest of the path, which needs its whole subtree. A filter
// may look at the root, so a path with one is not split.
func (s Selector) steps() ([]step, []segment) {
	segments := s.path.segments
	if strings.Contains(s.text, "?") {
		return nil, segments
	}
	var list []step
	for i := range segments {
		st, ok := follow(&segments[i])
		if !ok {
			return list, segments[i:]
		}
		list = append(list, st)
	}
	return list, nil
}

func follow(s *segment) (step, bool) {
	if s.descend || len(s.picks) != 1 {
		return step{}, false
	}
	switch p := s.picks[0]; p.kind {
	case pickName:
		return step{name: p.name, kind: byName}, true
	case pickIndex:
		return step{index: p.index, kind: byIndex}, p.index >= 0
	case pickAll:
		return step{kind: every}, true
	}
	return step{}, false
}
