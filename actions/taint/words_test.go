package taint

import (
	"slices"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// TestEffectsHaveWords: each effect has its row of verbs, and no list names an effect that the table lacks.
func TestEffectsHaveWords(t *testing.T) {
	for _, e := range effects {
		if len(language.EffectVerbs.Row(e.name).All()) == 0 {
			t.Errorf("no verb has the effect %s", e.name)
		}
	}
	for _, r := range slices.Concat(language.EffectVerbs.Rows(), language.EffectNouns.Rows()) {
		if !slices.ContainsFunc(effects, func(e verbClass) bool { return e.name == r.Head }) {
			t.Errorf("the lists name an effect %s, which the table lacks", r.Head)
		}
	}
}
