package ctxmcp_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// TestVocabulary holds every word that is stored or sent, so that a rename is a visible act.
func TestVocabulary(t *testing.T) {
	var b strings.Builder
	b.WriteString("Every word of the vocabularies of package ctxmcp. Words are stored and sent: lines are added, never changed.\n")
	writeWords(&b, "object_type", ctxmcp.ObjectTypes())
	writeWords(&b, "task_type", ctxmcp.TaskTypes())
	writeWords(&b, "contradiction_status", ctxmcp.ContradictionStatuses())
	writeWords(&b, "retirement_rule", ctxmcp.RetirementRules())
	writeWords(&b, "layer", ctxmcp.Layers())
	writeWords(&b, "source_kind", ctxmcp.SourceKinds())
	writeWords(&b, "security_classification", ctxmcp.Classifications())
	writeWords(&b, "code", []ctxmcp.Code{ctxmcp.CodeInvalid, ctxmcp.CodeNotFound, ctxmcp.CodeConflict, ctxmcp.CodeDenied,
		ctxmcp.CodeTooLarge, ctxmcp.CodeUnavailable, ctxmcp.CodeInternal})
	writeWords(&b, "role", []string{ctxmcp.Operator})
	writeWords(&b, "authority_level", []ctxmcp.Authority{ctxmcp.AuthorityPlatform, ctxmcp.AuthorityDeveloper,
		ctxmcp.AuthorityUser, ctxmcp.AuthorityInferred, ctxmcp.AuthorityRetrieved})
	writeWords(&b, "verdict", ctxmcp.Verdicts())
	writeWords(&b, "change", ctxmcp.Changes())
	writeWords(&b, "action_kind", ctxmcp.ActionKinds())
	writeWords(&b, "data_classification", ctxmcp.DataClasses())
	golden.Want(t, "testdata/vocabulary.golden", b.String())
}

func writeWords[W any](b *strings.Builder, name string, words []W) {
	for _, w := range words {
		fmt.Fprintf(b, "%s %v\n", name, w)
	}
}

func TestCheckWord(t *testing.T) {
	if err := ctxmcp.CheckWord("layer", ctxmcp.TaskLayer, ctxmcp.Layers()); err != nil {
		t.Errorf("CheckWord of a known word = %v, want nil", err)
	}
	for _, word := range []ctxmcp.Layer{"", "Task", "task ", "galaxy", ctxmcp.Layer(strings.Repeat("x", 1e6))} {
		err := ctxmcp.CheckWord("level", word, ctxmcp.Layers())
		wantError(t, err, ctxmcp.CodeInvalid, "level ")
		if e, ok := errors.AsType[*ctxmcp.Error](err); !ok || !strings.Contains(e.Hint, "session, task, project") {
			t.Errorf("the hint for %.10q does not list the words: %v", word, err)
		}
		if n := len(err.Error()); n > 200 {
			t.Errorf("the message for %.10q has %d bytes, want what was sent cut short", word, n)
		}
	}
}

func TestClassificationRank(t *testing.T) {
	ordered := ctxmcp.Classifications()
	for i, c := range ordered {
		if c.Rank() != i {
			t.Errorf("%q.Rank() = %d, want %d", c, c.Rank(), i)
		}
	}
	for _, unknown := range []ctxmcp.Classification{"", "PUBLIC", "secret"} {
		if got := unknown.Rank(); got <= ctxmcp.HighlyRestricted.Rank() {
			t.Errorf("%q.Rank() = %d, want above every known word", unknown, got)
		}
	}
}

func TestOutranks(t *testing.T) {
	if !ctxmcp.AuthorityPlatform.Outranks(ctxmcp.AuthorityDeveloper) || !ctxmcp.AuthorityUser.Outranks(ctxmcp.AuthorityRetrieved) {
		t.Error("a smaller number does not outrank a larger one")
	}
	if ctxmcp.AuthorityUser.Outranks(ctxmcp.AuthorityUser) {
		t.Error("a level outranks itself")
	}
}

func TestLayerBound(t *testing.T) {
	full := ctxmcp.Scope{User: "u", Project: "p", Session: "s", Task: "t"}
	for layer, want := range map[ctxmcp.Layer]string{
		ctxmcp.UserLayer:    "user_u",
		ctxmcp.ProjectLayer: "user_u:project_p",
		ctxmcp.SessionLayer: "user_u:project_p:session_s",
		ctxmcp.TaskLayer:    "user_u:project_p:session_s:task_t",
		ctxmcp.BeliefLayer:  "user_u:project_p:session_s:task_t",
		ctxmcp.TenantLayer:  "", ctxmcp.CorpusLayer: "", ctxmcp.ToolLayer: "", ctxmcp.PolicyLayer: "",
	} {
		if got := layer.Bound(full).Namespace(); got != want {
			t.Errorf("%s.Bound = %q, want %q", layer, got, want)
		}
	}
	for _, layer := range ctxmcp.Layers() {
		if home := layer.Bound(full); !home.Covers(full) {
			t.Errorf("%s.Bound = %q, which does not cover the scope itself", layer, home.Namespace())
		}
	}
}
