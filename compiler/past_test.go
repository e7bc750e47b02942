package compiler

import (
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// TestLeftOut: a note names the artifacts of the messages that they hold, and no others; inputs of an earlier form keep the words of their time.
func TestLeftOut(t *testing.T) {
	var turns []turn
	for i := range 6 {
		turns = append(turns, turn{first: i, end: i + 1, forms: []said{{messages: []conversation.Message{conversation.Said(conversation.User, "x")}}}, form: -1})
	}
	const begin = "6 messages of this conversation left out here, for want of room"
	for _, tt := range []struct {
		schema    string
		stretches []Stretch
		want      string
	}{
		{InputsSchema, nil, begin},
		{InputsSchema, []Stretch{{0, 4, "a"}, {4, 8, "b"}}, begin + "; get_artifact has them: artifact_id a, b"},
		{InputsSchema, []Stretch{{0, 4, "a"}}, begin + "; get_artifact has the first 4 of them: artifact_id a"},
		{secondInputsSchema, []Stretch{{0, 4, "a"}}, begin + "; get_artifact has them: artifact_id a"},
		{firstInputsSchema, []Stretch{{0, 4, "a"}}, begin + "; get_artifact has them: artifact_id a"},
	} {
		s := newState(Inputs{Schema: tt.schema, Stretches: tt.stretches}, tokens.Approximate{})
		note := s.leftOut(turns)
		if got := saidBy(&note); got != "["+tt.want+"]" {
			t.Errorf("of %d stretches in %s: %q, want %q", len(tt.stretches), tt.schema, got, tt.want)
		}
	}
}

// TestNamedFields: a field that is named in a memory is to be read there where the memory is shown, and nowhere else.
func TestNamedFields(t *testing.T) {
	for _, tt := range []struct {
		schema string
		form   int
		want   string
	}{
		{InputsSchema, 0, "read it there"}, {InputsSchema, -1, "no room here"}, {secondInputsSchema, -1, "read it there"},
	} {
		s := newState(Inputs{Schema: tt.schema, Policy: DefaultPolicy()}, tokens.Approximate{})
		s.fields = []Field{{Name: "due date", Named: fromBefore}}
		s.items = []*item{{Candidate: Candidate{Kind: KindMemory}, text: "The due date moved.", forms: []Form{{"full", "The due date moved."}}, form: tt.form}}
		if got := s.fieldLines()[1].text; !strings.Contains(got, tt.want) {
			t.Errorf("shown in form %d, %s: %q, want %q", tt.form, tt.schema, got, tt.want)
		}
	}
}
