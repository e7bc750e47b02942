package ctxmcp_test

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

func TestResolve(t *testing.T) {
	ann := ctxmcp.Caller{Tenant: "acme", User: "ann"}
	bound := ctxmcp.Caller{Tenant: "acme", User: "ann", Projects: []string{"web", "app"}}
	here := ctxmcp.Scope{User: "ignored", Project: "web", Session: "s0", Task: "t0"}
	tests := []struct {
		name            string
		by              ctxmcp.Caller
		asked, defaults ctxmcp.Scope
		want            string
	}{
		{"nothing asked", ann, ctxmcp.Scope{}, ctxmcp.Scope{}, "user_ann"},
		{"the defaults fill in", ann, ctxmcp.Scope{}, here, "user_ann:project_web:session_s0:task_t0"},
		{"what is asked wins", ann, ctxmcp.Scope{User: "ann", Project: "p", Session: "s", Task: "t"}, here, "user_ann:project_p:session_s:task_t"},
		{"part by part", ann, ctxmcp.Scope{Session: "s"}, here, "user_ann:project_web:session_s:task_t0"},
		{"an allowed project", bound, ctxmcp.Scope{Project: "app"}, ctxmcp.Scope{}, "user_ann:project_app"},
		{"an allowed default", bound, ctxmcp.Scope{}, here, "user_ann:project_web:session_s0:task_t0"},
		{"no project", bound, ctxmcp.Scope{}, ctxmcp.Scope{}, "user_ann"},
	}
	for _, tt := range tests {
		got, err := tt.by.Resolve(tt.asked, tt.defaults)
		if err != nil || got.Namespace() != tt.want {
			t.Errorf("%s: Resolve = %q, %v, want %q", tt.name, got.Namespace(), err, tt.want)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	ann := ctxmcp.Caller{Tenant: "acme", User: "ann", Projects: []string{"web"}}
	tests := []struct {
		name            string
		asked, defaults ctxmcp.Scope
		code            ctxmcp.Code
		message         string
	}{
		{"another user", ctxmcp.Scope{User: "bob"}, ctxmcp.Scope{}, ctxmcp.CodeDenied, `scope.user "bob" is not you`},
		{"a user in other letters", ctxmcp.Scope{User: "Ann"}, ctxmcp.Scope{}, ctxmcp.CodeDenied, `scope.user "Ann" is not you`},
		{"another project", ctxmcp.Scope{Project: "web2"}, ctxmcp.Scope{}, ctxmcp.CodeDenied, `project "web2" is not one of yours`},
		{"a default project that is not theirs", ctxmcp.Scope{}, ctxmcp.Scope{Project: "app"}, ctxmcp.CodeDenied, `project "app"`},
		{"a user that is no id", ctxmcp.Scope{User: "*"}, ctxmcp.Scope{}, ctxmcp.CodeInvalid, `scope.user "*" is not an id`},
		{"a task that is no id", ctxmcp.Scope{Task: "a:b"}, ctxmcp.Scope{}, ctxmcp.CodeInvalid, `scope.task "a:b" is not an id`},
	}
	for _, tt := range tests {
		got, err := ann.Resolve(tt.asked, tt.defaults)
		if wantError(t, err, tt.code, tt.message); got != (ctxmcp.Scope{}) {
			t.Errorf("%s: Resolve = %+v beside an error, want the empty scope", tt.name, got)
		}
	}
}

// TestNobody: a caller without a user would be everybody, because an empty part of a scope does not bound.
func TestNobody(t *testing.T) {
	_, err := ctxmcp.Caller{Tenant: "acme"}.Resolve(ctxmcp.Scope{Project: "web"}, ctxmcp.Scope{})
	wantError(t, err, ctxmcp.CodeDenied, "the call comes from no user")
	if by := (ctxmcp.Caller{Roles: []string{"dev"}}); by.Has(ctxmcp.Operator) || !by.Has("dev") {
		t.Errorf("%+v has roles that it was not given, or lacks one", by)
	}
}

// TestClearance: a word that is not in the vocabulary opens nothing on either side.
func TestClearance(t *testing.T) {
	classes := append(ctxmcp.Classifications(), "unknown")
	for i, class := range classes {
		for j, clearance := range ctxmcp.Classifications() {
			if got := (ctxmcp.Caller{Clearance: clearance}).Cleared(class); got != (i <= j) {
				t.Errorf("clearance %q: Cleared(%q) = %v, want %v", clearance, class, got, i <= j)
			}
		}
		for _, clearance := range []ctxmcp.Classification{"", "unknown"} {
			if got := (ctxmcp.Caller{Clearance: clearance}).Cleared(class); got != (class == ctxmcp.Public) {
				t.Errorf("clearance %q: Cleared(%q) = %v, want public only", clearance, class, got)
			}
		}
	}
}

func TestAllows(t *testing.T) {
	tests := []struct {
		allow, deny, roles []string
		want               bool
	}{
		{nil, nil, nil, true},
		{nil, nil, []string{"dev"}, true},
		{[]string{"dev"}, nil, nil, false},
		{[]string{"dev"}, nil, []string{"ops"}, false},
		{[]string{"dev", "ops"}, nil, []string{"ops"}, true},
		{nil, []string{"guest"}, nil, true},
		{nil, []string{"guest"}, []string{"guest", "dev"}, false},
		{[]string{"dev"}, []string{"guest"}, []string{"guest", "dev"}, false}, // a deny wins
		{[]string{"dev"}, nil, []string{"Dev"}, false},
	}
	for _, tt := range tests {
		if got := (ctxmcp.PermissionScope{AllowRoles: tt.allow, DenyRoles: tt.deny}).Allows(tt.roles); got != tt.want {
			t.Errorf("allow %q, deny %q: Allows(%q) = %v, want %v", tt.allow, tt.deny, tt.roles, got, tt.want)
		}
	}
}
