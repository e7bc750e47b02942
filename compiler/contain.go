package compiler

import (
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/containment"
)

// contain neutralises retrieved texts, so that none can neither close the delimiters that are put around it nor imitate
// another speaker, and says of a text that speaks to the model that it is shown as data.
func contain(s *state) error {
	for _, it := range s.live() {
		changed := 0
		for i := range it.forms {
			if it.contained || it.Kind == KindTaskState {
				clean, n := containment.Neutralise(it.forms[i].Text)
				it.forms[i].Text, changed = clean, max(changed, n)
			}
		}
		s.reportWarnings(it)
		if changed > 0 {
			s.note(fmt.Sprintf("%s: %d imitated markers were changed", it.id(), changed))
		}
	}
	return nil
}

func (s *state) reportWarnings(it *item) {
	for _, w := range it.Warnings {
		if !containment.Speaks(w.Kind) {
			s.warn(fmt.Sprintf("%s, %s", it.id(), w.Detail))
		}
	}
	s.reportSpeaking(it.id(), it.Warnings)
}

// reportSpeaking says of a text that speaks to the model that it is shown as data.
func (s *state) reportSpeaking(what string, warnings []Warning) {
	for _, w := range warnings {
		if containment.Speaks(w.Kind) {
			s.out.Trace.Metrics.Injections++
			s.warn(fmt.Sprintf("%s speaks to the model (%s): it is shown as data", what, w.Kind))
		}
	}
}

// speaks reports whether any of the warnings says that a text speaks to the model.
func speaks(all []Warning) bool {
	return slices.ContainsFunc(all, func(w Warning) bool { return containment.Speaks(w.Kind) })
}

// framed puts delimiters around a text that went through contain. The nonce follows from the text alone, without a key: equal content has equal
// bytes wherever it is compiled again.
func framed(text, from string) string {
	return containment.Frame(containment.Nonce(nil, from, text), from, text)
}
