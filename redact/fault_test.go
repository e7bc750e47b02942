package redact

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDetectorThatPanics: each detector panics once, on a sample of its own. The call fails without a text, and the same redactor
// finds the secret in the next one.
func TestDetectorThatPanics(t *testing.T) {
	table := slices.Clone(detectors)
	t.Cleanup(func() { copy(detectors, table) })
	for i, sound := range table {
		text := "ann%40example.org, ghp_" + "R9sT2uV5wX8yZ1aB4cD7eF0gH3iJ6kL9mN2o" // for detectors whose samples stand elsewhere
		if i := slices.IndexFunc(sound.Kinds, func(k kind) bool { return len(k.Yes) > 0 }); i >= 0 {
			text, _, _ = parseSample(t, sound.Kinds[i].Label, sound.Kinds[i].Yes[0])
		}
		want, _, err := New(nil).Func()(context.Background(), "acme", text)
		if err != nil {
			t.Fatal(err)
		}
		armed := true
		strike := func() {
			if armed {
				armed = false
				panic("contained")
			}
		}
		broken := sound
		if sound.at != nil {
			broken.at = func(t *scan, i, k int) int { strike(); return sound.at(t, i, k) }
		}
		if sound.number != nil {
			broken.number = func(t *scan, i, n int) int { strike(); return sound.number(t, i, n) }
		}
		if sound.finish != nil {
			broken.finish = func(t *scan) { strike(); sound.finish(t) }
		}
		detectors[i] = broken
		r, e := New(nil), newEngine(nil, nil)
		r.engine = func() *engine { return e } // not the one that all share
		hide := r.Func()
		if got, _, err := hide(context.Background(), "acme", text); err == nil || got != "" || armed {
			t.Errorf("%s: the call with the panic gave %q, %v; the detector was asked: %t", sound.Doc, got, err, !armed)
		}
		got, _, err := hide(context.Background(), "acme", text)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: after its panic (-want +got), %v:\n%s", sound.Doc, err, diff)
		}
		detectors[i] = sound
	}
}
