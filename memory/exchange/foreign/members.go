package foreign

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// members are the members of one object, by name. A member that has been taken is gone; the first fault is kept.
type members struct {
	raw   map[string]json.RawMessage
	fault *ctxmcp.Error
}

func membersOf(raw json.RawMessage) *members {
	m := &members{}
	if err := json.Unmarshal(raw, &m.raw); err != nil || m.raw == nil {
		m.fault = ctxmcp.Errorf(ctxmcp.CodeInvalid, "it must be an object")
	}
	return m
}

// take decodes a member into v, unless it is absent or null, and reports whether it did. form names the type that it must have.
func (m *members) take(name, form string, v any) bool {
	raw, ok := m.raw[name]
	delete(m.raw, name)
	if !ok || string(raw) == "null" {
		return false
	}
	if err := json.Unmarshal(raw, v); err != nil {
		m.fail(name, "must be "+form)
		return false
	}
	return true
}

func (m *members) fail(name, what string) {
	if m.fault == nil {
		m.fault = ctxmcp.Errorf(ctxmcp.CodeInvalid, "field %q %s", name, what)
	}
}

// text returns a text, or "".
func (m *members) text(name string) (s string) {
	m.take(name, "a text", &s)
	return s
}

// required returns a text that must be there and say something.
func (m *members) required(name string) string {
	s := m.text(name)
	if strings.TrimSpace(s) == "" {
		m.fail(name, "is missing or empty")
	}
	return s
}

// id returns an id, which some write as a number.
func (m *members) id(name string) string {
	if n, err := strconv.ParseInt(string(m.raw[name]), 10, 64); err == nil {
		delete(m.raw, name)
		return strconv.FormatInt(n, 10)
	}
	return m.text(name)
}

// instant returns a time, or none.
func (m *members) instant(name string) time.Time {
	text := m.text(name)
	if text == "" {
		return time.Time{}
	}
	t, err := ctxmcp.ParseInstant(text)
	if err != nil {
		m.fail(name, "is not a time")
	}
	return t
}

// rest returns the names of the members that nobody took and that are not empty, in order; below a name, with a full stop,
// those of an object's members.
func (m *members) rest() []string {
	var names []string
	for name, raw := range m.raw {
		switch string(raw) {
		case "null", `""`, "[]", "{}", "false":
			continue
		}
		inner := map[string]json.RawMessage{}
		if json.Unmarshal(raw, &inner) != nil {
			names = append(names, name)
			continue
		}
		for member := range inner {
			names = append(names, name+"."+member)
		}
	}
	slices.Sort(names)
	return names
}
