package fields

import (
	"strings"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/spec"

	"github.com/ctx-mcp/ctx-mcp"
)

// maxSelector bounds the text of a selector, in bytes: the parser of paths recurses.
const maxSelector = 1000

// Selector says which parts of a document are wanted.
type Selector struct {
	text string
	name string         // as a field: a member of the document, or of the first record of an array that has it
	path *jsonpath.Path // nil: the text is a name only
}

// Parse reads a selector: $.items[*].url, the same without its "$.", or the name of a field. It returns CodeInvalid for
// what is neither.
func Parse(text string) (Selector, error) {
	s := Selector{text: text, name: text}
	switch {
	case text == "" || len(text) > maxSelector:
		return s, ctxmcp.Errorf(ctxmcp.CodeInvalid, "a field has no name, or one of more than %d bytes", maxSelector)
	case strings.HasPrefix(text, "$"):
		p, err := jsonpath.Parse(text)
		if err != nil {
			return s, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the JSONPath cannot be read").WithCause(err).
				WithHint("write it as RFC 9535 says, such as $.items[*].url or $['first name']")
		}
		s.name, s.path = "", p
	case strings.ContainsAny(text, ".[*"):
		s.path, _ = jsonpath.Parse(rooted(text)) // a name may look like a path, and be none
	}
	return s, nil
}

func rooted(text string) string {
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, ".") {
		return "$" + text
	}
	return "$." + text
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

// steps returns the segments that a stream can follow, and the rest of the path, which needs its whole subtree; nil if
// there is no rest. A filter may look at the root, so a path with one is not split.
func (s Selector) steps() ([]step, *jsonpath.Path) {
	segments := s.path.Query().Segments()
	if strings.Contains(s.text, "?") {
		return nil, s.path
	}
	var list []step
	for i, seg := range segments {
		st, ok := follow(seg)
		if !ok {
			return list, jsonpath.New(spec.Query(true, segments[i:]...))
		}
		list = append(list, st)
	}
	return list, nil
}

func follow(seg *spec.Segment) (step, bool) {
	if seg.IsDescendant() || len(seg.Selectors()) != 1 {
		return step{}, false
	}
	switch sel := seg.Selectors()[0].(type) {
	case spec.Name:
		return step{name: string(sel), kind: byName}, true
	case spec.Index:
		return step{index: int(sel), kind: byIndex}, sel >= 0
	case spec.WildcardSelector:
		return step{kind: every}, true
	}
	return step{}, false
}

// single reports whether the path can select one node at most.
func (s Selector) single() bool { return s.path.Query().Singular() != nil }
