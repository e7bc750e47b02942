package connect

import (
	"reflect"
)

// State says how a client stands to ctx-mcp in one scope.
type State struct {
	Client Client
	Scope  Scope
	Path   string
	Target string // the command or URL of the entry; "" if there is none
	Same   bool   // the entry is the one that Connect would write
	Err    error  // the file cannot be read
}

// States returns how each client stands, in the order of the table: for the user where it is installed, and for the project where it has a
// file that names ctx-mcp.
func (p Place) States(server Server) []State {
	var all []State
	for _, c := range Clients() {
		for _, scope := range []Scope{User, Project} {
			s, there := p.state(c, scope, server)
			if s.Target != "" || s.Err != nil || there && scope == User {
				all = append(all, s)
			}
		}
	}
	return all
}

func (p Place) state(c Client, scope Scope, server Server) (s State, installed bool) {
	s = State{Client: c, Scope: scope, Path: p.File(c, scope)}
	installed = p.Installed(c)
	if s.Path == "" {
		return s, false
	}
	ch, err := scope.open(s.Path)
	if err != nil {
		s.Err = ch.about(err)
		return s, installed
	}
	values, err := c.format.read(bodyOf(ch.Before))
	if err != nil {
		s.Err = ch.about(err)
		return s, installed
	}
	held, there := find(values, c.edit(nil))
	if !there {
		return s, installed
	}
	s.Target = target(held)
	if entry, err := c.Entry(server); err == nil {
		s.Same = reflect.DeepEqual(held, plain(entry))
	}
	return s, installed
}

// target returns the command or address of an entry.
func target(entry any) string {
	fields, _ := entry.(map[string]any)
	for _, name := range []string{"command", "url", "httpUrl", "serverUrl"} {
		switch v := fields[name].(type) {
		case string:
			return v
		case []any:
			if len(v) > 0 {
				first, _ := v[0].(string)
				return first
			}
		}
	}
	return "an entry without command and URL"
}
