package ctxmcp

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Scope names a place in the state of one tenant. Every field is optional; an unset one does not bound. The tenant is
// never part of a Scope: it comes from the Caller.
type Scope struct {
	User    string `json:"user,omitempty"`
	Project string `json:"project,omitempty"`
	Session string `json:"session,omitempty"`
	Task    string `json:"task,omitempty"`
}

// IDPattern is the form of every id that a caller may choose, for schemas. ValidID is the same in code.
const IDPattern = `^[A-Za-z0-9_.-]+$`

// MaxIDLength bounds such an id, in bytes.
const MaxIDLength = 128

// ValidID reports whether id can name a user, project, session or task.
func ValidID(id string) bool {
	return id != "" && len(id) <= MaxIDLength && strings.IndexFunc(id, isNoSignOfID) < 0
}

// isNoSignOfID reports whether no id has the sign.
func isNoSignOfID(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '.', r == '-':
		return false
	}
	return true
}

// dimensions lists the prefixes of the parts of a scope from the outermost to the innermost: the order of the written form.
var dimensions = [...]string{"user_", "project_", "session_", "task_"}

// part returns the part of a scope in a dimension.
func (s *Scope) part(dimension int) *string {
	return [...]*string{&s.User, &s.Project, &s.Session, &s.Task}[dimension]
}

// FittingID returns an id that reads like the text, such as move-flat for "move flat", or "" if nothing of the text may stand in one.
func FittingID(text string) string {
	parts := strings.FieldsFunc(strings.ToLower(text), isNoSignOfID)
	if id := strings.Join(parts, "-"); ValidID(id) {
		return id
	}
	return ""
}

// Validate returns a CodeInvalid Error that names the first part which is not an id.
func (s Scope) Validate() error {
	for i, prefix := range dimensions {
		if id := *s.part(i); id != "" && !ValidID(id) {
			return Errorf(CodeInvalid, "scope.%s %q is not an id", strings.TrimSuffix(prefix, "_"), clip(id)).
				WithHint("use 1 to %d of the characters A-Z a-z 0-9 _ . -", MaxIDLength)
		}
	}
	return nil
}

// Namespace returns the written form, "user_42:project_x:session_abc:task_1", with unset parts left out.
func (s Scope) Namespace() string {
	text := make([]byte, 0, 128)
	for i, prefix := range dimensions {
		id := *s.part(i)
		if id == "" {
			continue
		}
		if len(text) > 0 {
			text = append(text, ':')
		}
		text = append(append(text, prefix...), id...)
	}
	return string(text)
}

// ParseNamespace reads the written form. The empty string is the empty Scope. It returns a CodeInvalid Error for
// anything that Namespace cannot have written.
func ParseNamespace(text string) (Scope, error) {
	var s Scope
	if text == "" {
		return s, nil
	}
	next := 0
	for part := range strings.SplitSeq(text, ":") {
		i := next
		for i < len(dimensions) && !strings.HasPrefix(part, dimensions[i]) {
			i++
		}
		if i == len(dimensions) || !ValidID(part[len(dimensions[i]):]) {
			return Scope{}, Errorf(CodeInvalid, "%q is not a namespace", clip(text)).
				WithHint("write user_ID:project_ID:session_ID:task_ID in that order, leaving out what is not set")
		}
		*s.part(i) = part[len(dimensions[i]):]
		next = i + 1
	}
	return s, nil
}

// ParsePrefix reads a namespace prefix such as "user_42:*" or "user_42:project_x:*"; the "*" or the ":*" may be left out,
// and "*" alone is the empty Scope. It returns a CodeInvalid Error for anything else: "user_4*" ends within an id.
func ParsePrefix(text string) (Scope, error) {
	if text == "*" {
		return Scope{}, nil
	}
	outer, starred := strings.CutSuffix(text, ":*")
	if !starred {
		outer = strings.TrimSuffix(text, ":")
	}
	return ParseNamespace(outer)
}

// Covers reports whether something that lives at s is visible from at: every part that s sets equals at's. An outer
// scope covers the scopes inside it, never the other way round.
func (s Scope) Covers(at Scope) bool {
	for i := range dimensions {
		if id := *s.part(i); id != "" && id != *at.part(i) {
			return false
		}
	}
	return true
}

// Agrees reports whether a call that names a scope, or only parts of one, may be about something that lives at s: no part that
// both set differs.
func (s Scope) Agrees(named Scope) bool {
	for i := range dimensions {
		if own, other := *s.part(i), *named.part(i); own != "" && other != "" && own != other {
			return false
		}
	}
	return true
}

// Ancestors returns every scope that covers s, the empty one first and s last: one for each subset of the parts that
// s sets, so at most 16.
func (s Scope) Ancestors() []Scope {
	all := []Scope{{}}
	for i := range dimensions {
		id := *s.part(i)
		if id == "" {
			continue
		}
		for _, outer := range all {
			*outer.part(i) = id
			all = append(all, outer)
		}
	}
	return all
}

// clip shortens text from outside for use in a message, and says how long it is.
func clip(text string) string {
	const most = 60
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Sprintf("%s (%d characters)", Clip(text, most), n)
	}
	return text
}
