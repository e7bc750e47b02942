package canceltest

import (
	"context"
	"fmt"
	"testing"
)

// recorder notes the failures of a law.
type recorder struct {
	testing.TB
	failed []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failed = append(r.failed, fmt.Sprintf(format, args...))
}

// work works in steps of so many bytes, and looks at its context before each where it is attentive.
func work(bytes, step, deaf int) func(context.Context) error {
	return func(ctx context.Context) error {
		for at, late := 0, 0; at < bytes; at += step {
			if ctx.Err() != nil {
				if late++; late > deaf {
					return ctx.Err()
				}
			}
		}
		return ctx.Err()
	}
}

func TestLaw(t *testing.T) {
	for _, c := range []struct {
		name string
		law  Law
		kept bool
	}{
		{"attentive", Law{Bytes: 1000, Every: 10, Work: work(1000, 10, 0)}, true},
		{"looks too seldom", Law{Bytes: 1000, Every: 10, Work: work(1000, 100, 0)}, false},
		{"does not come back", Law{Bytes: 1000, Every: 10, Work: work(1000, 10, 1e6)}, false},
		{"hides the error", Law{Bytes: 1000, Every: 10, Work: func(ctx context.Context) error { _ = work(1000, 10, 0)(ctx); return nil }}, false},
		{"never looks", Law{Bytes: 1, Every: 10, Work: func(context.Context) error { return nil }}, false},
	} {
		r := &recorder{TB: t}
		c.law.Check(r)
		if kept := len(r.failed) == 0; kept != c.kept {
			t.Errorf("%s: kept is %v, want %v: %q", c.name, kept, c.kept, r.failed)
		}
	}
}
