package reduce

import (
	"fmt"
	"strings"
	"testing"
)

// acted returns the numbers of the layers that acted.
func acted(out Reduced) string {
	var b strings.Builder
	for _, s := range out.Steps {
		if s.Applied {
			fmt.Fprint(&b, s.Layer)
		}
	}
	return b.String()
}

// TestCascade: each layer acts on its trigger, and only when those before it did not suffice.
func TestCascade(t *testing.T) {
	one := 1
	small := worked(t, 30, 10)
	large := append(append(worked(t, 8, 4), worked(t, 12, 300)[16:18]...), worked(t, 24, 4)[34:]...)
	wordy := raw(t, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
		"id": "wordy", "type": "function", "function": map[string]any{"name": "write", "arguments": `{"text":"` + strings.Repeat("so it goes ", 400) + `"}`},
	}}}, map[string]any{"role": "tool", "tool_call_id": "wordy", "content": "written"})
	for _, tt := range []struct {
		name string
		r    Request
		o    Options
		want string
	}{
		{"nothing to do", Request{Messages: small, Limit: 100_000}, Options{}, ""},
		{"a large output", Request{Messages: large, Limit: 100_000}, Options{}, "0"},
		{"large results that may stay in the conversation", Request{Messages: large, Limit: 11_000, PreserveLast: &one}, Options{ArtifactThreshold: 20_000, LowMark: 0.6}, "1"},
		{"more messages than the window that was asked for", Request{Messages: small, Limit: 1_000_000, Window: 30}, Options{}, "2"},
		{"more messages than the default window, but room for them", Request{Messages: worked(t, 80, 2), Limit: 1_000_000}, Options{}, ""},
		{"too many tokens", Request{Messages: small, Limit: 9_000}, Options{}, "3"},
		{"a last turn whose result is too large", Request{Messages: append(worked(t, 8, 4), worked(t, 9, 110)[18:]...), Target: 900}, Options{}, "3"},
		{"a last turn whose call is too large", Request{Messages: append(worked(t, 8, 4), wordy...), Target: 900}, Options{}, "34"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newService(newKeeper())
			s.Options = tt.o
			out := reduced(t, s, tt.r)
			if got := acted(out); got != tt.want {
				t.Errorf("layers %q acted, want %q: %v", got, tt.want, out.Steps)
			}
		})
	}
}

// TestPreview: an externalised output keeps its beginning, says how much it was, and names the artifact, which holds all of it.
func TestPreview(t *testing.T) {
	k := newKeeper()
	all := worked(t, 1, 400)
	out := reduced(t, newService(k), Request{Messages: all, Limit: 200_000})
	said := text(out.Messages)
	if len(out.Artifacts) != 1 || !strings.Contains(said, "Full: get_artifact artifact_id="+out.Artifacts[0].ID) {
		t.Fatalf("no reference: %.300s", said)
	}
	full := k.kept[out.Artifacts[0].ID]
	if !strings.Contains(said, "401 lines") || !strings.Contains(said, "def parse_0_0(") || strings.Count(full, "\n") != 400 {
		t.Errorf("the preview is not of it: %.300s", said)
	}
	if n := len(said); n > 10_500 {
		t.Errorf("%d bytes are left", n)
	}
}

// TestWindow: the oldest turns go, whole, until the window is nine tenths full.
func TestWindow(t *testing.T) {
	out := reduced(t, newService(newKeeper()), Request{Messages: worked(t, 30, 3), Limit: 1_000_000, Window: 20})
	if n := len(out.Messages) - 1; n > 18 || n < 16 { // without the system prompt
		t.Errorf("%d messages, want nine tenths of 20", n)
	}
	if out.Removed != 61-len(out.Messages)+2 { // the system prompt and the digest come in addition
		t.Errorf("removed %d", out.Removed)
	}
}

// TestTable: the layers are numbered as the document has them.
func TestTable(t *testing.T) {
	for i, l := range layers {
		if l.Number != i || l.Doc == "" {
			t.Errorf("layer %d is number %d, %q", i, l.Number, l.Doc)
		}
	}
}

// TestTargetOfAnEstimate: a target is met by the best value of an estimate; its upper bound is no reason to go on.
func TestTargetOfAnEstimate(t *testing.T) {
	for _, model := range []string{"claude-opus-4-5", "gemini-3-pro", "kimi-k2"} {
		out := reduced(t, newService(newKeeper()), Request{Messages: worked(t, 60, 12), Target: 3000, Model: model})
		if out.After > 3000 || acted(out) != "23" || len(out.Warnings) > 0 {
			t.Errorf("%s: layers %s, %d tokens, %v", model, acted(out), out.After, out.Warnings)
		}
	}
}
