package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFirstMinute: the name of the program alone says the next step, connect asks, and then the name alone says another.
func TestFirstMinute(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("CTX_MCP_DATA_DIR", filepath.Join(home, "data"))
	t.Chdir(home)
	typed := func(answer string, args ...string) (int, string) {
		var out strings.Builder
		sys := realSystem()
		sys.in, sys.out, sys.err, sys.attended = strings.NewReader(answer), &out, &out, func() bool { return true }
		sys.getenv, sys.environ = func(name string) string {
			return map[string]string{"CTX_MCP_DATA_DIR": filepath.Join(home, "data")}[name]
		}, func() []string { return nil }
		return run(t.Context(), sys, args), out.String()
	}
	for _, dir := range []string{".cursor", ".codex"} {
		if err := os.Mkdir(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		answer string
		args   []string
		code   int
		want   []string
	}{
		{"", nil, exitOK, []string{"Found here: Cursor, Codex CLI", "  ctx-mcp connect\n"}},
		{"", []string{"connect"}, exitOK, []string{"connect which?"}},
		{"\n", []string{"connect"}, exitOK, []string{"connect which?"}},
		{"3\n", []string{"connect"}, exitUsage, []string{`"3" is none of the numbers`}},
		{"1\n", []string{"connect"}, exitOK, []string{"  1  Cursor\n", "  2  Codex CLI\n", "connected Cursor: wrote"}},
		{"all\n", []string{"connect"}, exitOK, []string{"  1  Codex CLI\n", "connected Codex CLI: wrote"}},
		{"", []string{"connect"}, exitOK, []string{"cursor", "connected"}},
		{"", []string{"stdio"}, exitOK, []string{"ctx-mcp connect sets one up"}},
		{"", nil, exitOK, []string{"It is connected to Cursor, Codex CLI", "ctx-mcp memory brief"}},
	} {
		code, said := typed(tt.answer, tt.args...)
		for _, want := range tt.want {
			if code != tt.code || !strings.Contains(said, want) {
				t.Errorf("ctx-mcp %s, answered %q: exit %d, said\n%s\nwant exit %d and %q", strings.Join(tt.args, " "), tt.answer, code, said, tt.code, want)
			}
		}
	}
}

// TestNobodySitsAtTheNullDevice: a command that would ask says --yes where its input is the null device.
func TestNobodySitsAtTheNullDevice(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if isTerminal(null) {
		t.Error("the null device counts as a terminal")
	}
	sys := realSystem()
	sys.in = null
	if _, err := asked(sys, "really?", "nothing"); err == nil || !strings.Contains(err.Error(), "--yes") {
		t.Errorf("asked at the null device: %v, want a word on --yes", err)
	}
}
