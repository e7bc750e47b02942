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
	input := Input(reflect.TypeFor[in](), Terms{reflect.TypeFor[ctxmcp.Layer](): {"session", "user"}})
	const wantInput = `{"properties":{"at":{"type":"string"},` +
		`"claim":{"properties":{"predicate":{"type":"string"},"subject":{"type":"string"},"value":{"type":"string"}},` +
		`"required":["subject","predicate","value"],"type":"object"},"limit":{"type":"integer"},` +
		`"scope":{"type":"object"},` +
		`"type":{"enum":["session","user"],"type":"string"}},"type":"object"}`
	if diff := cmp.Diff(wantInput, string(PublishedInput(input))); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
}

// TestUnsaid: a property that is not said is left out at its place, and an unknown or required one stops the program.
func TestUnsaid(t *testing.T) {
	type in struct {
		Content string       `json:"content"`
		Scope   ctxmcp.Scope `json:"scope,omitzero"`
		Source  struct {
			Kind   ctxmcp.Layer `json:"kind,omitempty"`
			Origin string       `json:"origin,omitempty"`
		} `json:"source,omitzero"`
	}
	input := Input(reflect.TypeFor[in](), Terms{reflect.TypeFor[ctxmcp.Layer](): {"user"}})
	const want = `{"properties":{"content":{"type":"string"},"source":{"properties":{"kind":{"enum":["user"],"type":"string"}},"type":"object"}},` +
		`"required":["content"],"type":"object"}`
	if diff := cmp.Diff(want, string(PublishedInput(input, "scope", "source.origin"))); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	for _, path := range []string{"content", "colour", "source.colour"} {
		t.Run(path, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Errorf("PublishedInput(in, %q) did not panic", path)
				}
			}()
			PublishedInput(input, path)
		})
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
