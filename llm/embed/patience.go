package embed

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/sony/gobreaker/v2"
)

const (
	// failuresToOpen is how many calls of Embed in a row must fail, each after all of its attempts, to open the breaker.
	failuresToOpen = 3
	// longestRetryAfter is the longest wait that an endpoint may ask for; for a longer one the call fails at once.
	longestRetryAfter = 30 * time.Second
)

// waits returns the waits between the attempts at one batch.
func (c *Client) waits() backoff.BackOff {
	if c.opts.Backoff != nil {
		return c.opts.Backoff()
	}
	return &backoff.ExponentialBackOff{
		InitialInterval:     200 * time.Millisecond,
		RandomizationFactor: 0.5,
		Multiplier:          2,
		MaxInterval:         10 * time.Second,
	}
}

// newBreaker returns a closed breaker that lets one call through when its open time is over.
func newBreaker(openFor time.Duration) *gobreaker.CircuitBreaker[[][]float32] {
	return gobreaker.NewCircuitBreaker[[][]float32](gobreaker.Settings{
		Name:        "embed",
		MaxRequests: 1,
		Timeout:     openFor,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= failuresToOpen },
		IsExcluded:  saysNothing,
	})
}

// saysNothing reports whether a call's failure is no sign of the endpoint's health: its caller gave up, or its texts were
// at fault. A deadline that passed is a sign, or an endpoint that hangs would cost every caller its whole deadline.
func saysNothing(err error) bool {
	if err == nil {
		return false
	}
	return errors.Is(err, context.Canceled) || ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable
}
