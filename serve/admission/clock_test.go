package admission

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

func TestWithin(t *testing.T) {
	private := errors.New("the store was interrupted")
	invalid := ctxmcp.Errorf(ctxmcp.CodeInvalid, "no such field")
	untilDone := func(err error) func(context.Context) (string, error) {
		return func(ctx context.Context) (string, error) { <-ctx.Done(); return "partial", err }
	}
	tests := []struct {
		name string
		do   func(context.Context) (string, error)
		took time.Duration
		code ctxmcp.Code // "": no error
	}{
		{"quick", func(context.Context) (string, error) { return "done", nil }, 0, ""},
		{"its own error", func(context.Context) (string, error) { return "", invalid }, 0, ctxmcp.CodeInvalid},
		{"notices the end", untilDone(context.Canceled), 9 * time.Second, ctxmcp.CodeUnavailable},
		{"notices it with an error of something else", untilDone(private), 9 * time.Second, ctxmcp.CodeUnavailable},
		{"notices it with an error that has a code", untilDone(invalid), 9 * time.Second, ctxmcp.CodeInvalid},
		{"asks at the last moment", untilDone(ctxmcp.ErrAsking), 9 * time.Second, ctxmcp.CodeInternal},
		{"succeeds at the last moment", untilDone(nil), 9 * time.Second, ""},
		{"never looks", func(context.Context) (string, error) { time.Sleep(time.Hour); return "late", nil }, 9500 * time.Millisecond, ctxmcp.CodeUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				_, err := Within(t.Context(), 10*time.Second, tt.do)
				if took := time.Since(began); took != tt.took {
					t.Errorf("took %s, want %s", took, tt.took)
				}
				if got := codeOf(err); got != tt.code {
					t.Errorf("err = %v, code %q, want %q", err, got, tt.code)
				}
				if abandoned := tt.name == "never looks"; errors.Is(err, ErrAbandoned) != abandoned {
					t.Errorf("err = %v, abandoned %t", err, abandoned)
				}
				time.Sleep(2 * time.Hour) // the abandoned function ends
			})
		})
	}
}

func codeOf(err error) ctxmcp.Code {
	if err == nil {
		return ""
	}
	return ctxmcp.CodeOf(err)
}

// TestWithinEndsWithItsCaller: a client that has gone ends the work at once, and a function that ignores that is not waited for.
func TestWithinEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		began := time.Now()
		_, err := Within(ctx, 10*time.Second, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
		if took := time.Since(began); took != time.Second || !errors.Is(err, context.Canceled) || ctxmcp.CodeOf(err) != ctxmcp.CodeInternal {
			t.Errorf("took %s, err %v", took, err)
		}
		_, err = Within(ctx, 10*time.Second, func(context.Context) (int, error) { time.Sleep(time.Minute); return 0, nil })
		if took := time.Since(began); took != 1500*time.Millisecond || !errors.Is(err, ErrAbandoned) || !errors.Is(err, context.Canceled) {
			t.Errorf("took %s, err %v", took, err)
		}
		time.Sleep(2 * time.Minute) // the abandoned function ends
	})
}

// TestTimeCountsFromTheArrival: the time before the work begins is part of the call.
func TestTimeCountsFromTheArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, before := range []time.Duration{0, 4 * time.Second, time.Minute} {
			began := time.Now()
			ctx := Arrived(t.Context())
			time.Sleep(before)
			_, err := Within(ctx, 10*time.Second, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
			if took, want := time.Since(began), max(before, 9*time.Second); took != want || ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
				t.Errorf("took %s, want %s; %v", took, want, err)
			}
		}
	})
}

// TestWithinWithoutLimit: no limit, no clock.
func TestWithinWithoutLimit(t *testing.T) {
	got, err := Within(t.Context(), 0, func(ctx context.Context) (bool, error) { _, ok := ctx.Deadline(); return ok, nil })
	if got || err != nil {
		t.Errorf("a deadline: %t, %v", got, err)
	}
}

// TestPanicReachesTheCaller: a panic in the work is one of the call, which contains it, and not the end of the process.
func TestPanicReachesTheCaller(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.HasPrefix(p.(string), "boom\n") || !strings.Contains(p.(string), "clock_test.go") {
			t.Errorf("panic %v, want boom and where", p)
		}
	}()
	_, _ = Within(t.Context(), time.Second, func(context.Context) (int, error) { panic("boom") })
}

// TestClockStandsStillForAPerson: an hour of waiting for an answer costs nothing, and the time before and after it counts.
func TestClockStandsStillForAPerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := Within(t.Context(), 10*time.Second, func(ctx context.Context) (int, error) {
			time.Sleep(5 * time.Second)
			resume := Pause(ctx)
			if _, ok := ctx.Deadline(); ok {
				t.Error("a deadline while it stands still")
			}
			nested := Pause(ctx)
			time.Sleep(time.Hour)
			nested()
			time.Sleep(time.Hour)
			resume()
			resume()
			if ends, ok := ctx.Deadline(); !ok || time.Until(ends) != 4*time.Second {
				t.Errorf("the deadline is in %s", time.Until(ends))
			}
			<-ctx.Done()
			return 0, ctx.Err()
		})
		if took := time.Since(began); took != 2*time.Hour+9*time.Second || ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
			t.Errorf("took %s, err %v", took, err)
		}
	})
	Pause(t.Context())() // nothing to stop
}
