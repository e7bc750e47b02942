package schema

import (
	"slices"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

const objectFile = "testdata/context-object.schema.json"

// TestObjectGolden makes a change of the exported form a visible act.
func TestObjectGolden(t *testing.T) {
	golden.WantJSON(t, objectFile, Object())
}

// property is one field of the Context Object schema.
type property struct {
	Type       any      `json:"type"`
	Format     string   `json:"format"`
	Enum       []string `json:"enum"`
	Minimum    *float64 `json:"minimum"`
	Maximum    *float64 `json:"maximum"`
	OneOf      []property
	Items      *property
	Properties map[string]property
	Required   []string
}

// TestObjectIsContextObject compares the derived schema with the published Context Object schema, field by field. Ids of
// tenants, users, projects and sessions are wider than the published ones: any id, a UUID included.
func TestObjectIsContextObject(t *testing.T) {
	var got property
	mustUnmarshal(Object(), &got)
	for _, name := range []string{
		"object_id", "content", "normalized_claim", "object_type", "canonical_entity_ids", "source_origin",
		"source_authority", "confidence_score", "security_classification", "permission_scope", "tenant_id", "valid_from",
		"tx_start", "why_it_matters", "applicable_task_types", "contradiction_status",
	} {
		if !slices.Contains(got.Required, name) {
			t.Errorf("%s is not required", name)
		}
	}
	for _, want := range []struct {
		name, typ, format string
		enum              string
	}{
		{"object_id", "string", "uuid", ""},
		{"content", "string", "", ""},
		{"normalized_claim", "string", "", ""},
		{"object_type", "string", "", "preference identity_fact project_decision retrieved_passage policy_rule tool_schema inferred_belief actionable_constraint"},
		{"source_origin", "string", "uri", ""},
		{"source_authority", "number", "", ""},
		{"confidence_score", "number", "", ""},
		{"security_classification", "string", "", "public restricted confidential highly_restricted"},
		{"tenant_id", "string", "", ""}, {"user_id", "string", "", ""}, {"project_id", "string", "", ""}, {"session_id", "string", "", ""},
		{"valid_from", "string", "date-time", ""}, {"valid_until", "string?", "date-time", ""},
		{"tx_start", "string", "date-time", ""}, {"tx_end", "string?", "date-time", ""},
		{"last_confirmed", "string", "date-time", ""}, {"last_used", "string", "date-time", ""},
		{"why_it_matters", "string", "", ""}, {"behavioral_implication", "string", "", ""},
		{"contradiction_status", "string", "", "clean disputed overridden quarantined"},
		{"supersession_link", "string?", "uuid", ""},
		{"update_path", "string", "uri", ""},
		{"retirement_rule", "string", "", "archive hard_delete demote_to_archival trigger_user_confirmation"},
	} {
		p, ok := got.Properties[want.name]
		if !ok {
			t.Errorf("there is no %s", want.name)
			continue
		}
		typ := p.Type
		if len(p.OneOf) == 2 && p.OneOf[1].Type == "null" {
			p = p.OneOf[0]
			typ = p.Type.(string) + "?"
		}
		enum := ""
		for i, w := range p.Enum {
			if i > 0 {
				enum += " "
			}
			enum += w
		}
		if typ != want.typ || p.Format != want.format || enum != want.enum {
			t.Errorf("%s is %v %q [%s], want %s %q [%s]", want.name, typ, p.Format, enum, want.typ, want.format, want.enum)
		}
	}
	for _, name := range []string{"source_authority", "confidence_score"} {
		p := got.Properties[name]
		if p.Minimum == nil || *p.Minimum != 0 || p.Maximum == nil || *p.Maximum != 1 {
			t.Errorf("%s is not bounded by 0 and 1", name)
		}
	}
	if items := got.Properties["canonical_entity_ids"].Items; items == nil || items.Type != "string" {
		t.Error("canonical_entity_ids is not a list of strings")
	}
}
