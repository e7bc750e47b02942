package embed_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/llm/embed"
	"github.com/ctx-mcp/ctx-mcp/llm/embed/embedtest"
)

// inFakeTime runs the test in a synctest bubble, with a client whose waits and timeouts are the defaults.
func inFakeTime(t *testing.T, test func(*testing.T, *embedtest.Server, *embed.Client)) {
	t.Helper()
	srv := newServer(t)
	synctest.Test(t, func(t *testing.T) {
		test(t, srv, newClient(t, srv, func(o *embed.Options) { o.HTTPClient, o.Backoff = srv.InProcess(), nil }))
	})
}

func wantElapsed(t *testing.T, start time.Time, least, most time.Duration) {
	t.Helper()
	if got := time.Since(start); got < least || got > most {
		t.Errorf("elapsed = %v, want %v to %v", got, least, most)
	}
}

func TestWaitsGrow(t *testing.T) {
	inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
		srv.InjectAlways(embedtest.Status(http.StatusInternalServerError))
		start := time.Now()
		_, err := c.Embed(t.Context(), texts)
		wantError(t, err, ctxmcp.CodeUnavailable, "status 500")
		wantElapsed(t, start, 700*time.Millisecond, 2101*time.Millisecond) // 200 + 400 + 800 ms, each ± half
	})
}

func TestRetryAfterIsHonoured(t *testing.T) {
	for _, code := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
			date := time.Now().Add(13 * time.Second).UTC().Format(http.TimeFormat) // 6 s after the first wait
			srv.Inject(embedtest.RetryAfter(code, "7"), embedtest.RetryAfter(code, date))
			start := time.Now()
			got, err := c.Embed(t.Context(), texts)
			checkVectors(t, got, err)
			wantElapsed(t, start, 13*time.Second, 13*time.Second)
		})
	}
}

func TestRetryAfterThatIsUselessIsIgnored(t *testing.T) {
	past := time.Unix(0, 0).UTC().Format(http.TimeFormat)
	for _, value := range []string{"", "0", "-5", "soon", past} {
		inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
			srv.Inject(embedtest.RetryAfter(http.StatusTooManyRequests, value))
			start := time.Now()
			got, err := c.Embed(t.Context(), texts)
			checkVectors(t, got, err)
			wantElapsed(t, start, 100*time.Millisecond, 301*time.Millisecond)
		})
	}
}

func TestRetryAfterThatIsTooLongFailsAtOnce(t *testing.T) {
	inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
		srv.Inject(embedtest.RetryAfter(http.StatusTooManyRequests, "3600"))
		start := time.Now()
		_, err := c.Embed(t.Context(), texts)
		wantError(t, err, ctxmcp.CodeUnavailable, "limits the rate")
		wantElapsed(t, start, 0, 0)
		if e, ok := errors.AsType[*ctxmcp.Error](err); !ok || e.Hint != "retry in 1h0m0s" {
			t.Errorf("hint of %v, want %q", err, "retry in 1h0m0s")
		}
	})
}

func TestSlowAnswerIsAwaited(t *testing.T) {
	inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
		srv.Inject(embedtest.Delay(29 * time.Second))
		got, err := c.Embed(t.Context(), texts)
		checkVectors(t, got, err)
		wantRequests(t, srv, 1)
	})
}

func TestTimeoutIsRetried(t *testing.T) {
	inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
		srv.Inject(embedtest.Hang(), embedtest.Delay(31*time.Second))
		start := time.Now()
		got, err := c.Embed(t.Context(), texts)
		checkVectors(t, got, err)
		wantRequests(t, srv, 3)
		wantElapsed(t, start, 60*time.Second, 61*time.Second)
	})
}

func TestTimeoutIsNotTheCallersDeadline(t *testing.T) {
	inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
		srv.InjectAlways(embedtest.Hang())
		_, err := c.Embed(t.Context(), texts)
		wantError(t, err, ctxmcp.CodeUnavailable, "did not answer: it took too long")
		if errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error = %v, want one that is not the context's", err)
		}
	})
}

func TestDeadlineEndsTheCall(t *testing.T) {
	inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
		srv.InjectAlways(embedtest.Hang())
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		start := time.Now()
		_, err := c.Embed(ctx, texts)
		wantEnded(t, err, context.DeadlineExceeded)
		wantElapsed(t, start, 5*time.Second, 5*time.Second)
	})
}

func TestCancelEndsTheWait(t *testing.T) {
	inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
		srv.Inject(embedtest.RetryAfter(http.StatusTooManyRequests, "20"))
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(3*time.Second, func() { cancel(errors.New("a cause with a secret")) })
		start := time.Now()
		_, err := c.Embed(ctx, texts)
		wantEnded(t, err, context.Canceled)
		wantElapsed(t, start, 3*time.Second, 3*time.Second)
		wantRequests(t, srv, 1)
	})
}

func TestCancelEndsTheRequest(t *testing.T) {
	srv := newServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	srv.Inject(func(x embedtest.Exchange) {
		cancel()
		embedtest.Hang()(x)
	})
	c := newClient(t, srv, nil)
	_, err := c.Embed(ctx, texts)
	wantEnded(t, err, context.Canceled)

	_, err = c.Embed(ctx, texts)
	wantEnded(t, err, context.Canceled)
	wantRequests(t, srv, 1)
}

func wantEnded(t *testing.T, err, cause error) {
	t.Helper()
	wantError(t, err, ctxmcp.CodeUnavailable, "the call ended before the embedding endpoint answered")
	if !errors.Is(err, cause) {
		t.Errorf("error = %v, want one that is %v", err, cause)
	}
}
