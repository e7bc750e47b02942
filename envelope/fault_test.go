package envelope

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
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
	s.Keeper = fragile{sound}
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

// fragile breaks while it writes.
type fragile struct{ Keeper }

func (f fragile) Ready(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d artifacts.Draft, o artifacts.Original) (artifacts.Pending, error) {
	p, err := f.Keeper.Ready(ctx, by, at, d, o)
	p.Write = func() (artifacts.Change, error) { panic("the disk is gone") }
	return p, err
}

// TestWriteOutlivesNoCall: a call whose later step fails comes back once its artifact is written, and not before.
func TestWriteOutlivesNoCall(t *testing.T) {
	s, _ := service()
	writing, over := make(chan struct{}), false
	s.Keeper = slow{s.Keeper, func() { <-writing; over = true }}
	i := slices.IndexFunc(steps, func(s struct {
		Name string
		Doc  string
		run  func([]*wrapping) error
	}) bool {
		return s.Name == "trim"
	})
	sound := steps[i].run
	steps[i].run = func([]*wrapping) error { close(writing); return errors.New("the step fails") }
	defer func() { steps[i].run = sound }()
	_, err := s.Wrap(t.Context(), ann, here, Result{CallID: "call_1", Tool: "search", Value: quoted(strings.Repeat("The office is in Lisbon. ", 1000))})
	if err == nil || !over {
		t.Errorf("Wrap returned %v; the write had ended: %v", err, over)
	}
}

// slow calls a function before it writes.
type slow struct {
	Keeper
	before func()
}

func (s slow) Ready(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d artifacts.Draft, o artifacts.Original) (artifacts.Pending, error) {
	p, err := s.Keeper.Ready(ctx, by, at, d, o)
	write := p.Write
	p.Write = func() (artifacts.Change, error) { s.before(); return write() }
	return p, err
}
