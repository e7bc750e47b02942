package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/invopop/jsonschema"

	"github.com/ctx-mcp/ctx-mcp"
)

// words lists the bounded vocabularies by their Go types.
var words = map[reflect.Type][]any{
	reflect.TypeFor[ctxmcp.ObjectType]():          enum(ctxmcp.ObjectTypes()),
	reflect.TypeFor[ctxmcp.TaskType]():            enum(ctxmcp.TaskTypes()),
	reflect.TypeFor[ctxmcp.ContradictionStatus](): enum(ctxmcp.ContradictionStatuses()),
	reflect.TypeFor[ctxmcp.RetirementRule]():      enum(ctxmcp.RetirementRules()),
	reflect.TypeFor[ctxmcp.Layer]():               enum(ctxmcp.Layers()),
	reflect.TypeFor[ctxmcp.SourceKind]():          enum(ctxmcp.SourceKinds()),
	reflect.TypeFor[ctxmcp.Classification]():      enum(ctxmcp.Classifications()),
}

func enum[W ~string](list []W) []any {
	values := make([]any, len(list))
	for i, w := range list {
		values[i] = string(w)
	}
	return values
}

// Terms holds the values of vocabularies, which a Go type cannot tell.
type Terms map[reflect.Type][]any

// Vocabulary adds the words of W to the terms.
func Vocabulary[W ~string](t Terms, list []W) Terms {
	t[reflect.TypeFor[W]()] = enum(list)
	return t
}

// Input returns the schema of the arguments of a tool: unknown properties are refused.
func Input(t reflect.Type, terms Terms) json.RawMessage {
	return derive(t, func(t reflect.Type) *jsonschema.Schema {
		if values, ok := lookup(terms, t); ok {
			return &jsonschema.Schema{Type: "string", Enum: values}
		}
		if isInstant(t) {
			return &jsonschema.Schema{Type: "string", Format: "date-time"}
		}
		return plain(t)
	}, false, false)
}

// Nullable is a string in JSON, or null.
type Nullable interface{ NullableString() }

// Output returns the schema of the result of a tool. It is open, so that fields can be added, and terse: types only,
// no vocabularies, no list of required fields.
func Output(t reflect.Type) json.RawMessage {
	return derive(t, func(t reflect.Type) *jsonschema.Schema {
		if t.Implements(reflect.TypeFor[Nullable]()) {
			return &jsonschema.Schema{Extras: map[string]any{"type": []string{"string", "null"}}}
		}
		if t.Kind() == reflect.String {
			return &jsonschema.Schema{Type: "string"}
		}
		return plain(t)
	}, true, true)
}

// Object returns the schema of ctxmcp.ContextObject, as it stands in exports.
func Object() json.RawMessage {
	raw := derive(reflect.TypeFor[ctxmcp.ContextObject](), func(t reflect.Type) *jsonschema.Schema {
		if values, ok := words[t]; ok {
			return &jsonschema.Schema{Type: "string", Enum: values}
		}
		if t == reflect.TypeFor[time.Time]() {
			return &jsonschema.Schema{Type: "string", Format: "date-time"}
		}
		return nil
	}, true, false)
	var s map[string]any
	mustUnmarshal(raw, &s)
	s["$schema"], s["title"] = jsonschema.Version, "ContextObject"
	entities := s["properties"].(map[string]any)["canonical_entity_ids"].(map[string]any)
	entities["items"].(map[string]any)["format"] = "uuid" // a tag cannot reach the items of a list
	return mustMarshal(s)
}

func lookup(terms Terms, t reflect.Type) ([]any, bool) {
	if values, ok := terms[t]; ok {
		return values, true
	}
	values, ok := words[t]
	return values, ok
}

// plain maps the types that have a JSON form of their own: an instant is a string, and any JSON is any JSON.
func plain(t reflect.Type) *jsonschema.Schema {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return &jsonschema.Schema{}
	case isInstant(t):
		return &jsonschema.Schema{Type: "string"}
	}
	return nil
}

func isInstant(t reflect.Type) bool { return t.ConvertibleTo(reflect.TypeFor[time.Time]()) }

// derive reflects t with one mapper; open allows further properties, loose requires none. A field that the reflector cannot express is a fault of the program.
func derive(t reflect.Type, mapper func(reflect.Type) *jsonschema.Schema, open, loose bool) json.RawMessage {
	r := jsonschema.Reflector{
		Anonymous: true, DoNotReference: true, AllowAdditionalProperties: open, Mapper: mapper,
		RequiredFromJSONSchemaTags: loose,
	}
	s := r.ReflectFromType(t)
	s.Version = ""
	raw := mustMarshal(s)
	var check struct {
		Type       string         `json:"type"`
		Properties map[string]any `json:"properties"`
	}
	mustUnmarshal(raw, &check)
	if want := fields(t); check.Type != "object" || len(check.Properties) != want {
		panic(fmt.Sprintf("schema of %v has %d of %d properties: a tag is malformed", t, len(check.Properties), want))
	}
	return raw
}

// fields counts the properties that the schema of a struct must have.
func fields(t reflect.Type) int {
	n := 0
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() && !f.Anonymous && f.Tag.Get("json") != "-" {
			n++
		}
	}
	return n
}

func mustMarshal(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

func mustUnmarshal(raw []byte, v any) {
	if err := json.Unmarshal(raw, v); err != nil {
		panic(err)
	}
}
