package tools

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

func namesOf(o Options) (list []string) {
	for _, tool := range Select(o) {
		list = append(list, tool.Name)
	}
	return list
}

func TestSelect(t *testing.T) {
	all := namesOf(Options{})
	for _, tt := range []struct {
		options Options
		want    []string
	}{
		{Options{ReadOnly: true, Toolsets: []Toolset{MemoryTools}}, []string{"memory_history", "recall"}},
		{Options{Toolsets: []Toolset{AdminTools}}, nil},
		{Options{Toolsets: []Toolset{AgentProfile}}, []string{"declare_fields", "forget", "get_artifact", "get_task_state", "memory_history",
			"put_artifact", "recall", "remember", "review", "save_task_state"}},
		{Options{ReadOnly: true, Toolsets: []Toolset{AgentProfile}}, []string{"declare_fields", "get_artifact", "get_task_state", "memory_history", "recall"}},
		{Options{Toolsets: []Toolset{HarnessProfile}}, all},
		{Options{Toolsets: []Toolset{AgentProfile, HarnessProfile}}, all},
	} {
		if diff := cmp.Diff(tt.want, namesOf(tt.options)); diff != "" {
			t.Errorf("Select(%v): tools differ (-want +got):\n%s", tt.options, diff)
		}
	}
}

// TestAgentDefinitions holds the definitions of the profile of agents against their golden files, and calls with an argument that they leave out.
func TestAgentDefinitions(t *testing.T) {
	for _, tool := range Select(Options{Toolsets: []Toolset{AgentProfile}}) {
		raw, err := json.Marshal(tool.MCP)
		if err != nil {
			t.Fatal(err)
		}
		golden.WantJSON(t, filepath.Join("testdata", "agent", tool.Name+".json"), raw)
		if strings.Contains(string(tool.MCP.RawInputSchema), `"scope"`) || strings.Contains(string(tool.MCP.RawInputSchema), "additionalProperties") {
			t.Errorf("%s: a model is told of the scope, or that there is nothing else", tool.Name)
		}
	}
	s := services(t)
	arguments := `{"content":"We deploy on Thursdays.","source":{"kind":"user_statement"},"scope":{"project":"web"},"task_types":["code_generation"]}`
	if result := callTool(t, s, "remember", arguments); result.IsError {
		t.Errorf("remember(%s) = %s", arguments, textOf(result))
	}
	for _, both := range []Toolset{MemoryTools, HarnessProfile} {
		for _, tool := range Select(Options{Toolsets: []Toolset{AgentProfile, both}}) {
			if tool.Name == "remember" && !strings.Contains(string(tool.MCP.RawInputSchema), `"scope"`) {
				t.Errorf("beside %s, remember has its short definition", both)
			}
		}
	}
}

// mostShown is how many characters of the instructions every client that shows any shows.
const mostShown = 240

// TestInstructions: the instructions name what is offered and nothing else, and their beginning, which is all that some clients show, ends where a
// thing to do does.
func TestInstructions(t *testing.T) {
	var all strings.Builder
	for _, o := range []Options{
		{}, {Toolsets: []Toolset{AgentProfile}}, {ReadOnly: true}, {Toolsets: []Toolset{MemoryTools}}, {Toolsets: []Toolset{TaskTools}},
		{Toolsets: []Toolset{ArtifactTools, ContextTools}}, {Toolsets: []Toolset{ActionTools}}, {Toolsets: []Toolset{ActionTools}, ReadOnly: true},
	} {
		text := Instructions(o)
		fmt.Fprintf(&all, "--- %s, read only: %v\n%s\n", o.Toolsets, o.ReadOnly, text)
		if first, _, _ := strings.Cut(text, "\n"); utf8.RuneCountInString(first) > mostShown {
			t.Errorf("%v: the first line has %d characters, and clients cut it at %d", o, utf8.RuneCountInString(first), mostShown)
		}
		if len(text) > maxText {
			t.Errorf("%v: the instructions have %d bytes, and clients cut them at %d", o, len(text), maxText)
		}
		offered := namesOf(o)
		for _, name := range namesOf(Options{}) {
			if named := strings.Contains(text, name); named && !slices.Contains(offered, name) {
				t.Errorf("%v: the instructions name %s, which is not offered", o, name)
			}
		}
	}
	golden.Want(t, "testdata/instructions.txt", "What a client tells its model of the server, by the toolsets that are on.\n\n"+all.String())
}
