package foreign

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/ctx-mcp/ctx-mcp"
)

// mem0 is the form of get_all of mem0 and of the answers of its platform: a list of memories, bare or under
// "results", beside the "relations" of a graph store.
var mem0 = Format{
	Name: "mem0",
	Doc:  "a JSON export of mem0",
	recognize: func(kind byte, members map[string]string) bool {
		_, results := members["results"]
		_, memories := members["memories"]
		return kind == '[' || kind == '{' && (results || memories)
	},
	read: readMem0,
}

// lists names the members of an export that are lists of memories or relations, and how each is read.
var lists = map[string]func(*members) Memory{
	"results":   mem0Memory,
	"memories":  mem0Memory,
	"relations": mem0Relation,
}

func readMem0(v *values, yield func(Memory) bool) error {
	open, err := v.token()
	going := true
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	case open == json.Delim('['):
		going, err = readList(v, mem0Memory, yield)
	case open == json.Delim('{'):
		going, err = readExport(v, yield)
	default:
		return onLine(1, ctxmcp.Errorf(ctxmcp.CodeInvalid, "it is neither a list nor an object"))
	}
	if err != nil || !going {
		return err
	}
	return v.end()
}

// readExport reads the lists of an object, up to its end. It returns a CodeInvalid Error for an object that has none.
func readExport(v *values, yield func(Memory) bool) (going bool, err error) {
	found := false
	for v.json.More() {
		name, err := v.token()
		if err != nil {
			return false, err
		}
		going := true
		read, known := lists[name.(string)] // valid JSON holds nothing else here
		if known {
			found = true
			going, err = openList(v, name.(string), read, yield)
		} else {
			_, _, err = v.next()
		}
		if err != nil || !going {
			return false, unexpected(v, err)
		}
	}
	if !found {
		return false, onLine(1, ctxmcp.Errorf(ctxmcp.CodeInvalid, `it has no "results"`))
	}
	_, err = v.token()
	return true, unexpected(v, err)
}

// openList reads a list under its name; null is an empty one.
func openList(v *values, name string, read func(*members) Memory, yield func(Memory) bool) (going bool, err error) {
	open, err := v.token()
	switch {
	case err != nil:
		return false, err
	case open == nil:
		return true, nil
	case open != json.Delim('['):
		line := v.lines.at(v.json.InputOffset())
		return false, onLine(line, ctxmcp.Errorf(ctxmcp.CodeInvalid, "field %q must be a list", name))
	}
	return readList(v, read, yield)
}

// readList reads the memories of a list, up to its end.
func readList(v *values, read func(*members) Memory, yield func(Memory) bool) (going bool, err error) {
	for v.json.More() {
		raw, line, err := v.next()
		if err != nil {
			return false, unexpected(v, err)
		}
		fields := membersOf(raw)
		m := read(fields)
		if fields.fault != nil {
			return false, onLine(line, fields.fault)
		}
		m.Line, m.Unkept = line, fields.rest()
		if !yield(m) {
			return false, nil
		}
	}
	_, err = v.token()
	return true, unexpected(v, err)
}

// unexpected returns the error for a file that ends within a list or an object.
func unexpected(v *values, err error) error {
	if errors.Is(err, io.EOF) {
		return endsEarly(v)
	}
	return err
}

// derived lists the members that follow from the rest of a memory, or are of no use elsewhere.
var derived = []string{"hash", "score", "score_details", "input", "owner", "organization", "project", "immutable"}

func mem0Memory(m *members) Memory {
	for _, name := range derived {
		delete(m.raw, name)
	}
	memory := Memory{
		ID: m.id("id"), Content: m.required("memory"), Author: m.id("actor_id"),
		ObservedAt: m.instant("created_at"), ValidUntil: m.instant("expiration_date"),
	}
	memory.Place = memory.ID
	for _, name := range []string{"user_id", "agent_id", "app_id", "run_id", "role", "updated_at"} {
		if value := m.id(name); value != "" {
			memory.Provenance = append(memory.Provenance, Field{name, value})
		}
	}
	for _, f := range memory.Provenance {
		if f.Name == "user_id" {
			memory.Owner = f.Value
		}
	}
	memory.Claim = stated(memory.Owner, memory.Content)
	return memory
}

func mem0Relation(m *members) Memory {
	source, relation := m.required("source"), m.required("relationship")
	target := m.text("target")
	if target == "" {
		target = m.required("destination")
	}
	return edge(source, relation, target)
}
