package tokens

import "testing"

// TestFor: names are found however a cloud or a gateway writes them, and an unknown model is marked.
func TestFor(t *testing.T) {
	tests := []struct {
		model  string
		family Family
		known  bool
	}{
		{"gpt-4o-2024-08-06", OpenAI, true},
		{"openai/gpt-5.6-sol", OpenAI, true},
		{"gpt-4-0613", OpenAICl100k, true},
		{"claude-opus-4-5-20251101", Claude, true},
		{"us.anthropic.claude-opus-4-5-20251101-v1:0", Claude, true},
		{"Anthropic/Claude-Opus-4.7", ClaudeNew, true},
		{"claude-fable-5-1", ClaudeNew, true},
		{"models/gemini-3-pro-preview", Gemini, true},
		{"moonshotai/kimi-k2-instruct", Kimi, true},
		{"o3-mini-2025-01-31", OpenAI, true},
		{"azure/gpt-35-turbo", OpenAICl100k, true},
		{"claude-4.5-sonnet", Claude, true},
		{"claude-opus-4-1@20250805", Claude, true},
		{"claude-sonnet-4-6", Claude, true},
		{"claude-something-9", ClaudeNew, false},
		{"gpt-9", OpenAI, false},
		{"", Other, false},
		{"gpt-4everyone", OpenAI, false},
		{"llama-3.1-70b", Other, false},
	}
	for _, tt := range tests {
		m := For(tt.model)
		if m.Family != tt.family || m.Known != tt.known {
			t.Errorf("For(%q) = %s, known %t; want %s, %t", tt.model, m.Family, m.Known, tt.family, tt.known)
		}
		if m.Name != tt.model || m.ContextLimit <= 0 || m.Counter == nil || m.Ratio == 0 || m.Frame == (Frame{}) {
			t.Errorf("For(%q) leaves something open: %+v", tt.model, m)
		}
	}
}

// TestLimits: a configured limit replaces the table's, under any spelling, and makes a model known.
func TestLimits(t *testing.T) {
	ms := &Models{Limits: map[string]int{"Claude-Opus-4.5": 150_000, "claude-opus": 1, "my-llama": 32_000}}
	for model, want := range map[string]int{"claude-opus-4-5": 150_000, "anthropic/claude-opus-4.5-20251101": 150_000, "my-llama": 32_000} {
		if m := ms.For(model); m.ContextLimit != want || !m.Known {
			t.Errorf("For(%q) = %d tokens, known %t; want %d, true", model, m.ContextLimit, m.Known, want)
		}
	}
	if got := ms.For("claude-sonnet-4-1").ContextLimit; got != 200_000 {
		t.Errorf("another model's limit = %d, want the table's", got)
	}
}

// TestTable: every row can be found by its own name, says where its limit is from, or that nobody knows.
func TestTable(t *testing.T) {
	for _, r := range modelTable {
		if got := lookUp(r.name); got != r || canonicalName(r.name) != r.name {
			t.Errorf("%s finds %+v", r.name, got)
		}
		if (r.source == "") != (r.date == "") || r.tokens < 8_000 {
			t.Errorf("%s has no source or no date, or a limit that no model has", r.name)
		}
		if _, known := families[r.family]; !known {
			t.Errorf("%s is of no family", r.name)
		}
	}
}

// TestByRatio: characters alone count where that is wanted, and the bound is one token a byte.
func TestByRatio(t *testing.T) {
	ms := &Models{ByRatio: true}
	for model, want := range map[string]string{"claude-opus-4-5": "chars/3.7", "gpt-4o": "chars/4.0", "kimi-k2": "chars/3.8", "gemini-3-pro": "chars/4.2", "": "chars/3.7"} {
		m := ms.For(model)
		if got := m.Counter.Name(); got != want {
			t.Errorf("%q is counted by %s, want %s", model, got, want)
		}
		if got := m.Size("twelve chars, é"); got.Value != m.Count("twelve chars, é") || got.Value < 4 || got.Bound != 16 {
			t.Errorf("%q: size = %v", model, got)
		}
	}
}
