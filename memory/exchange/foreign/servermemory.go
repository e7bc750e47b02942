package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// serverMemory is the knowledge graph of @modelcontextprotocol/server-memory: one entity or relation a line. An entity has
// a type and a list of observations, texts that are about it and mostly do not name it.
var serverMemory = Format{
	Name: "server-memory",
	Doc:  "the JSON Lines file of @modelcontextprotocol/server-memory",
	recognize: func(kind byte, members map[string]string) bool {
		return kind == '{' && (members["type"] == "entity" || members["type"] == "relation")
	},
	read: readServerMemory,
}

func readServerMemory(v *values, yield func(Memory) bool) error {
	for {
		raw, line, err := v.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		memories, fault := graphMemories(raw)
		if fault != nil {
			return onLine(line, fault)
		}
		for _, m := range memories {
			m.Line = line
			if !yield(m) {
				return nil
			}
		}
	}
}

func graphMemories(raw json.RawMessage) ([]Memory, *ctxmcp.Error) {
	m := membersOf(raw)
	var memories []Memory
	switch m.text("type") {
	case "entity":
		memories = entityMemories(m)
	case "relation":
		memories = []Memory{edge(m.required("from"), m.required("relationType"), m.required("to"))}
	default:
		m.fail("type", `is neither "entity" nor "relation"`)
	}
	if m.fault != nil {
		return nil, m.fault
	}
	if len(memories) > 0 {
		memories[0].Unkept = m.rest()
	}
	return memories, nil
}

// entityMemories returns a memory for the type of an entity and one for each observation that is not empty.
func entityMemories(m *members) []Memory {
	name, kind := m.required("name"), m.text("entityType")
	var observations []string
	m.take("observations", "a list of texts", &observations)
	var memories []Memory
	if strings.TrimSpace(kind) != "" {
		memories = append(memories, Memory{
			ID: name, Content: name + " is of type " + kind, Claim: claimOf(name, "type", kind), Place: name,
		})
	}
	for i, text := range observations {
		if strings.TrimSpace(text) == "" {
			continue
		}
		memories = append(memories, Memory{
			ID: fmt.Sprintf("%s#%d", name, i+1), Content: about(name, text), Claim: stated(name, text), Place: name,
		})
	}
	return memories
}

// edge returns the memory of a relation.
func edge(from, relation, to string) Memory {
	return Memory{
		ID:      from + " " + relation + " " + to,
		Content: from + " " + strings.ReplaceAll(relation, "_", " ") + " " + to,
		Claim:   claimOf(from, relation, to), Beside: true, Place: from,
	}
}

// about returns a text that is understood without its entity: with the name before it, unless the text holds it.
func about(name, text string) string {
	if strings.Contains(ctxmcp.Normalize(text), ctxmcp.Normalize(name)) {
		return text
	}
	return name + ": " + text
}
