package schema

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestPublished: clients read of names, types and words; the bounds stay with the server.
func TestPublished(t *testing.T) {
	type in struct {
		Limit int           `json:"limit,omitempty" jsonschema:"minimum=1"`
		At    time.Time     `json:"at,omitzero"`
		Type  ctxmcp.Layer  `json:"type,omitempty"`
		Scope ctxmcp.Scope  `json:"scope,omitzero"`
		Claim *ctxmcp.Claim `json:"claim,omitempty"`
	}
	type out struct {
		ID    string  `json:"id"`
		Items []in    `json:"items"`
		First *sample `json:"first"`
	}
	input := Input(reflect.TypeFor[in](), Terms{reflect.TypeFor[ctxmcp.Layer](): {"session", "user"}})
	const wantInput = `{"additionalProperties":false,"properties":{"at":{"type":"string"},` +
		`"claim":{"properties":{"predicate":{"type":"string"},"subject":{"type":"string"},"value":{"type":"string"}},` +
		`"required":["subject","predicate","value"],"type":"object"},"limit":{"type":"integer"},` +
		`"scope":{"description":"project, session, task, user","type":"object"},` +
		`"type":{"enum":["session","user"],"type":"string"}},"type":"object"}`
	if diff := cmp.Diff(wantInput, string(PublishedInput(input))); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	const wantOutput = `{"properties":{"first":{"type":"object"},"id":{"type":"string"},"items":{"type":"array"}},"type":"object"}`
	if diff := cmp.Diff(wantOutput, string(PublishedOutput(Output(reflect.TypeFor[out]())))); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

// TestPublishedAdmits: a client that goes by the published schema can send everything that the server takes.
func TestPublishedAdmits(t *testing.T) {
	published, err := NewChecker(PublishedInput(Input(reflect.TypeFor[sample](), nil)), "argument")
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []string{`{"content":"x"}`, `{"content":"x","scope":{"project":"p"},"tags":["a"],"type":"preference","limit":3}`} {
		if err := published.Check(t.Context(), []byte(raw)); err != nil {
			t.Errorf("Check(%s) = %v, want nil", raw, err)
		}
	}
}
