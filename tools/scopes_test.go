package tools

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScopesOf(t *testing.T) {
	for _, tt := range []struct {
		method, name, uri string
		want              []string
	}{
		{"tools/call", "recall", "", []string{"memory:read"}},
		{"tools/call", "remember", "", []string{"memory:read", "memory:write"}},
		{"tools/call", "files__read", "", []string{"gateway:read", "gateway:write"}},
		{"tools/call", "", "", []string{"gateway:read", "gateway:write"}},
		{"prompts/get", "brief", "", []string{"memory:read"}},
		{"prompts/get", "files__brief", "", []string{"gateway:read"}},
		{"resources/read", "", "ctx://brief", []string{"memory:read"}},
		{"resources/read", "", "ctx://artifact/x", []string{"artifacts:read"}},
		{"resources/read", "", "file:///x", []string{"gateway:read"}},
		{"tools/list", "", "", nil},
		{"initialize", "", "", nil},
		{"notifications/cancelled", "", "", nil},
		{"", "", "", nil},
		{"TOOLS/CALL", "remember", "", []string{"gateway:read", "gateway:write"}},
		{"tasks/result", "", "", []string{"gateway:read", "gateway:write"}},
	} {
		if diff := cmp.Diff(tt.want, ScopesOf(tt.method, tt.name, tt.uri)); diff != "" {
			t.Errorf("ScopesOf(%s, %s, %s) differs (-want +got):\n%s", tt.method, tt.name, tt.uri, diff)
		}
	}
}

// TestEveryToolHasScopes: each tool needs scopes of its toolset, to write if it changes anything, and all of them are among Scopes.
func TestEveryToolHasScopes(t *testing.T) {
	reading, writing := Scopes(All(), false)
	for _, tool := range All() {
		needs := ScopesOf("tools/call", tool.Name, "")
		writes := slices.Contains(needs, string(tool.Toolset)+":write")
		if writes == tool.ReadOnly() || !slices.Contains(needs, string(tool.Toolset)+":read") {
			t.Errorf("%s needs %v, read-only is %v", tool.Name, needs, tool.ReadOnly())
		}
		for _, scope := range needs {
			if !slices.Contains(append(slices.Clone(reading), writing...), scope) {
				t.Errorf("%s needs %s, which is none of Scopes", tool.Name, scope)
			}
		}
	}
}
