package envelope

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStepThatPanics: each step panics once. The next call of the same service wraps the same result as one in which nothing
// panicked.
func TestStepThatPanics(t *testing.T) {
	in := Result{CallID: "call_1", Tool: "search", Value: quoted(strings.Repeat("The office is in Lisbon. ", 1000))}
	for i := range steps {
		sound, panics := steps[i].run, true
		clean, _ := service()
		want := wrap(t, clean, in)
		steps[i].run = func(all []*wrapping) error {
			if panics {
				panics = false
				panic("contained")
			}
			return sound(all)
		}
		s, _ := service()
		func() {
			defer func() { _ = recover() }()
			_, err := s.Wrap(context.Background(), ann, here, in)
			t.Errorf("%s: Wrap returned %v, want a panic", steps[i].Name, err)
		}()
		got := wrap(t, s, in)
		steps[i].run = sound
		if diff := cmp.Diff(want.Truncated, got.Truncated); diff != "" || got.Content == "" {
			t.Errorf("%s: after its panic (-want +got):\n%s", steps[i].Name, diff)
		}
	}
}

// TestKeeperThatPanics: a panic on a goroutine of its own is a panic of the call, which the server contains.
func TestKeeperThatPanics(t *testing.T) {
	s, _ := service()
	sound := s.Keeper
	s.Keeper = nil
	in := Result{CallID: "call_1", Tool: "search", Value: quoted(strings.Repeat("The office is in Lisbon. ", 1000))}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("there was no panic")
			}
		}()
		_, _ = s.Wrap(context.Background(), ann, here, in)
	}()
	s.Keeper = sound
	if got := wrap(t, s, in); got.Artifact == nil {
		t.Error("the next call kept nothing")
	}
}
