package embed_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/llm/embed"
	"github.com/ctx-mcp/ctx-mcp/llm/embed/embedtest"
)

const resting = "keeps failing and is left alone"

func wantReady(t *testing.T, c *embed.Client, want bool) {
	t.Helper()
	if got := c.Ready(); got != want {
		t.Errorf("Ready() = %t, want %t", got, want)
	}
}

// fail calls Embed until the breaker would open.
func fail(t *testing.T, c *embed.Client, srv *embedtest.Server, fault embedtest.Fault) {
	t.Helper()
	srv.InjectAlways(fault)
	for range 3 {
		wantReady(t, c, true)
		if _, err := c.Embed(t.Context(), texts); err == nil {
			t.Fatal("Embed() error = nil, want one")
		}
	}
}

func TestBreakerOpensAndFailsAtOnce(t *testing.T) {
	inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
		fail(t, c, srv, embedtest.Status(http.StatusInternalServerError))
		wantReady(t, c, false)
		start := time.Now()
		_, err := c.Embed(t.Context(), texts)
		wantError(t, err, ctxmcp.CodeUnavailable, resting)
		wantElapsed(t, start, 0, 0)
		wantRequests(t, srv, 12)
	})
}

func TestBreakerClosesAfterOneGoodCall(t *testing.T) {
	inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
		fail(t, c, srv, embedtest.Status(http.StatusUnauthorized))
		srv.InjectAlways(nil)
		<-time.After(30 * time.Second)
		wantReady(t, c, false)
		<-time.After(time.Nanosecond)
		wantReady(t, c, true)
		got, err := c.Embed(t.Context(), texts)
		checkVectors(t, got, err)
		fail(t, c, srv, embedtest.Status(http.StatusUnauthorized)) // closed: it takes as many failures as at first
		wantReady(t, c, false)
	})
}

func TestBreakerOpensAgainAfterOneBadCall(t *testing.T) {
	inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
		fail(t, c, srv, embedtest.DropRow())
		<-time.After(31 * time.Second)
		_, err := c.Embed(t.Context(), texts)
		wantError(t, err, ctxmcp.CodeUnavailable, "sent 4 vectors")
		wantReady(t, c, false)
		_, err = c.Embed(t.Context(), texts)
		wantError(t, err, ctxmcp.CodeUnavailable, resting)
	})
}

func TestBreakerLetsOneCallTryAtATime(t *testing.T) {
	inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
		fail(t, c, srv, embedtest.Status(http.StatusUnauthorized))
		srv.InjectAlways(embedtest.Delay(time.Second))
		<-time.After(31 * time.Second)
		tried := make(chan error)
		go func() {
			_, err := c.Embed(t.Context(), texts)
			tried <- err
		}()
		synctest.Wait()
		_, err := c.Embed(t.Context(), texts)
		wantError(t, err, ctxmcp.CodeUnavailable, resting)
		if err := <-tried; err != nil {
			t.Errorf("first call = %v, want vectors", err)
		}
		_, err = c.Embed(t.Context(), texts)
		if err != nil {
			t.Errorf("call after it = %v, want vectors", err)
		}
	})
}

func TestBreakerIgnoresFaultsOfTheCaller(t *testing.T) {
	srv := newServer(t)
	c := newClient(t, srv, nil)
	for range 6 {
		srv.Inject(embedtest.Status(http.StatusBadRequest))
		_, err := c.Embed(t.Context(), texts)
		wantError(t, err, ctxmcp.CodeInvalid, "status 400")

		ctx, cancel := context.WithCancel(t.Context())
		srv.Inject(func(x embedtest.Exchange) {
			cancel()
			embedtest.Hang()(x)
		})
		_, err = c.Embed(ctx, texts)
		wantEnded(t, err, context.Canceled)
	}
	wantReady(t, c, true)
	got, err := c.Embed(t.Context(), texts)
	checkVectors(t, got, err)
}

func TestBreakerIgnoresCallsThatCameTooLate(t *testing.T) {
	srv := newServer(t)
	c := newClient(t, srv, nil)
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	for range 4 {
		_, err := c.Embed(late, texts)
		wantEnded(t, err, context.DeadlineExceeded)
	}
	wantReady(t, c, true)
	wantRequests(t, srv, 0)
}

func TestBreakerCountsDeadlines(t *testing.T) {
	inFakeTime(t, func(t *testing.T, srv *embedtest.Server, c *embed.Client) {
		srv.InjectAlways(embedtest.Hang())
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err := c.Embed(ctx, texts)
			cancel()
			wantEnded(t, err, context.DeadlineExceeded)
		}
		wantReady(t, c, false)
	})
}
