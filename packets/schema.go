package packets

import (
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// own are the versions of the schemas of the kinds. A version changes with the shape of a kind's inputs or output.
var own = map[Kind]Schema{
	Compile:   {"compile", "v1"},
	Retrieval: {"retrieval", "v1"},
}

// schemas returns the versions that are in force: those of the installation, and those of the kinds.
func (s *Service) schemas() map[string]string {
	all := map[string]string{}
	for _, schema := range own {
		all[schema.Name] = schema.Version
	}
	maps.Copy(all, s.Options.Schemas)
	return all
}

// schemaOf returns the schema of a draft. It returns CodeInvalid for a name that has no version.
func (s *Service) schemaOf(d Draft) (Schema, error) {
	if d.Schema == "" {
		return own[d.Kind], nil
	}
	all := s.schemas()
	if v, ok := all[d.Schema]; ok {
		return Schema{d.Schema, v}, nil
	}
	return Schema{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "there is no context schema %q", ctxmcp.Clip(d.Schema, ctxmcp.MaxIDLength)).
		WithHint("one of %s, or have the operator add it to context.schemas", strings.Join(slices.Sorted(maps.Keys(all)), ", "))
}

// CheckSchemas returns CodeInvalid for a table of schemas that says otherwise of a kind's own.
func CheckSchemas(table map[string]string) error {
	for _, schema := range own {
		if v, ok := table[schema.Name]; ok && v != schema.Version {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the context schema %q is the program's own, at %s", schema.Name, schema.Version)
		}
	}
	return nil
}
