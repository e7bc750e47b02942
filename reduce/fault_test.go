package reduce

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLayerThatPanics: each layer panics once, when it is asked whether it is due and when it acts. The same service reduces the
// same conversation afterwards as one in which nothing panicked.
func TestLayerThatPanics(t *testing.T) {
	in := Request{Messages: append(worked(t, 8, 4), worked(t, 9, 110)[18:]...), Target: 900}
	want := reduced(t, newService(newKeeper()), in)
	for i := range layers {
		sound := layers[i]
		for _, broken := range []layer{
			{sound.Number, sound.Name, sound.Doc, func(*job) bool { panic("contained") }, sound.run},
			{sound.Number, sound.Name, sound.Doc, func(*job) bool { return true }, func(*job) string { panic("contained") }},
		} {
			s := newService(newKeeper())
			layers[i] = broken
			func() {
				defer func() { _ = recover() }()
				_, err := s.Reduce(t.Context(), caller, place0, in)
				t.Errorf("%s: Reduce returned %v, want a panic", sound.Name, err)
			}()
			layers[i] = sound
			if diff := cmp.Diff(text(want.Messages), text(reduced(t, s, in).Messages)); diff != "" {
				t.Errorf("after %s panicked (-want +got):\n%s", sound.Name, diff)
			}
		}
	}
}
