package ctxmcp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

func TestParseNamespace(t *testing.T) {
	tests := []struct {
		text string
		want ctxmcp.Scope
	}{
		{"", ctxmcp.Scope{}},
		{"user_42", ctxmcp.Scope{User: "42"}},
		{"user_42:project_x:session_abc:task_1", ctxmcp.Scope{User: "42", Project: "x", Session: "abc", Task: "1"}},
		{"user_42:session_abc", ctxmcp.Scope{User: "42", Session: "abc"}},
		{"task_1", ctxmcp.Scope{Task: "1"}},
		{"user_user_", ctxmcp.Scope{User: "user_"}},
		{"project_task_1", ctxmcp.Scope{Project: "task_1"}},
		{"user_A.b-c_9", ctxmcp.Scope{User: "A.b-c_9"}},
	}
	for _, tt := range tests {
		got, err := ctxmcp.ParseNamespace(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("ParseNamespace(%q) = %+v, %v, want %+v", tt.text, got, err, tt.want)
		}
	}
	for _, text := range []string{
		"42", "user_", "user_42:", ":user_42", "user_42::task_1", "project_x:user_42", "user_1:user_2", "User_42",
		"user_42:*", "user_4 2", "user_é", "user_42\n", "tenant_acme:user_42", "user_" + strings.Repeat("x", 129),
	} {
		got, err := ctxmcp.ParseNamespace(text)
		if wantError(t, err, ctxmcp.CodeInvalid, "is not a namespace"); got != (ctxmcp.Scope{}) {
			t.Errorf("ParseNamespace(%q) = %+v beside an error, want the empty scope", text, got)
		}
	}
}

// FuzzNamespace: a namespace that can be parsed is printed as it was, and one that is printed can be parsed.
func FuzzNamespace(f *testing.F) {
	f.Add("user_42:project_x:session_abc:task_1", "42", "x", "abc", "1")
	f.Add("user_task_:session_user_1", "user_", "", "task_", "")
	f.Add("user_\x00", "a:b", " ", "*", "é")
	f.Fuzz(func(t *testing.T, text, user, project, session, task string) {
		if s, err := ctxmcp.ParseNamespace(text); err == nil {
			if got := s.Namespace(); got != text || s.Validate() != nil {
				t.Errorf("%q is parsed as %+v and printed as %q", text, s, got)
			}
		}
		s := ctxmcp.Scope{User: user, Project: project, Session: session, Task: task}
		back, err := ctxmcp.ParseNamespace(s.Namespace())
		if s.Validate() == nil && (err != nil || back != s) {
			t.Errorf("%+v is printed as %q and parsed as %+v, %v", s, s.Namespace(), back, err)
		}
	})
}

func TestParsePrefix(t *testing.T) {
	for text, want := range map[string]string{
		"*": "", "": "", "user_42:*": "user_42", "user_42": "user_42", "user_42:": "user_42",
		"user_42:session_abc:*": "user_42:session_abc",
	} {
		got, err := ctxmcp.ParsePrefix(text)
		if err != nil || got.Namespace() != want {
			t.Errorf("ParsePrefix(%q) = %q, %v, want %q", text, got.Namespace(), err, want)
		}
	}
	// A prefix ends where a part ends: user_4* would read as user_4, and users 40 to 49 would be missed without a word.
	for _, text := range []string{"user_4*", "user_42:project_web*", "user_42:**", "user_42::*", "user_*", "*:*"} {
		_, err := ctxmcp.ParsePrefix(text)
		if ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid || err == nil {
			t.Errorf("ParsePrefix(%q) = %v, want it refused", text, err)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, id := range []string{"a", "A-Z.0_9", "..", strings.Repeat("x", ctxmcp.MaxIDLength)} {
		if err := (ctxmcp.Scope{Session: id}).Validate(); err != nil {
			t.Errorf("Validate of session %q = %v, want nil", id, err)
		}
	}
	for _, id := range []string{" ", "a b", "a:b", "a*", "é", "a\x00", "a\n", strings.Repeat("x", ctxmcp.MaxIDLength+1)} {
		wantError(t, ctxmcp.Scope{Session: id}.Validate(), ctxmcp.CodeInvalid, "scope.session ")
	}
}

// somePlaces returns every scope over the values in every dimension.
func somePlaces(values ...string) []ctxmcp.Scope {
	var all []ctxmcp.Scope
	for _, u := range values {
		for _, p := range values {
			for _, s := range values {
				for _, k := range values {
					all = append(all, ctxmcp.Scope{User: u, Project: p, Session: s, Task: k})
				}
			}
		}
	}
	return all
}

// TestAncestorsAreThoseThatCover: a scope covers another exactly if it is among its ancestors.
func TestAncestorsAreThoseThatCover(t *testing.T) {
	places := somePlaces("", "a", "b")
	for _, at := range places {
		var names []string
		for _, a := range at.Ancestors() {
			names = append(names, a.Namespace())
		}
		if names[0] != "" || names[len(names)-1] != at.Namespace() {
			t.Errorf("Ancestors of %q begin with %q and end with %q", at.Namespace(), names[0], names[len(names)-1])
		}
		if len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
			t.Errorf("Ancestors of %q repeat: %q", at.Namespace(), names)
		}
		for _, s := range places {
			if got, want := s.Covers(at), slices.Contains(names, s.Namespace()); got != want {
				t.Errorf("%q.Covers(%q) = %v, but it is among its ancestors: %v", s.Namespace(), at.Namespace(), got, want)
			}
			if s != at && s.Covers(at) && at.Covers(s) {
				t.Errorf("%q and %q cover each other", s.Namespace(), at.Namespace())
			}
		}
	}
}
