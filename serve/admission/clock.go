package admission

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// ErrAbandoned is in the chain of the error of Within for a function that did not return in time. The function goes on, and
// nobody waits for it.
var ErrAbandoned = errors.New("it does not look at its context and goes on")

// errOver is the cause of a context that ends when the time of its call has passed.
var errOver = errors.New("the time of the call has passed")

// Within runs do and returns its result, before limit has passed. The context of do ends when nine tenths of limit have
// passed, or with ctx; a twentieth of limit later Within returns without do. A limit of 0 is none.
//
// It returns CodeUnavailable if the time did not suffice, and the error of ctx if do does not return after ctx has
// ended. A panic of do is one of Within. If Arrived was told of the call, limit counts from then.
func Within[T any](ctx context.Context, limit time.Duration, do func(context.Context) (T, error)) (T, error) {
	if limit <= 0 {
		return do(ctx)
	}
	c := newClock(ctx, max(0, limit-limit/10-spent(ctx)))
	defer c.stop()
	ended := make(chan outcome[T], 1)
	go func() { ended <- try(c, do) }()
	select {
	case o := <-ended:
		return o.result(c, limit)
	case <-c.Done():
	}
	patience := time.NewTimer(limit / 20)
	defer patience.Stop()
	select {
	case o := <-ended:
		return o.result(c, limit)
	case <-patience.C:
		return outcome[T]{err: fmt.Errorf("%w: %w", c.Err(), ErrAbandoned)}.result(c, limit)
	}
}

// Arrived returns a context of a call whose time counts from now, also the time before Within is called: a large message
// takes a while to read.
func Arrived(ctx context.Context) context.Context {
	return context.WithValue(ctx, arrivedKey{}, time.Now())
}

type arrivedKey struct{}

// spent returns how long ago the call of ctx arrived.
func spent(ctx context.Context) time.Duration {
	arrived, ok := ctx.Value(arrivedKey{}).(time.Time)
	if !ok {
		return 0
	}
	return time.Since(arrived)
}

// outcome is the result of a function, or its panic.
type outcome[T any] struct {
	value T
	err   error
	panic any
}

// try runs do where a panic would end the process, and keeps the panic with the place where it happened.
func try[T any](ctx context.Context, do func(context.Context) (T, error)) (o outcome[T]) {
	defer func() {
		if p := recover(); p != nil {
			o.panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	o.value, o.err = do(ctx)
	return o
}

// result returns the outcome as that of a call with a time limit. An error that has a code is truer than that the time has
// passed; any other, once it has, is of the context's end.
func (o outcome[T]) result(c *clock, limit time.Duration) (T, error) {
	if o.panic != nil {
		panic(o.panic)
	}
	_, coded := errors.AsType[*ctxmcp.Error](o.err)
	if o.err == nil || coded || errors.Is(o.err, ctxmcp.ErrAsking) || context.Cause(c) != errOver {
		return o.value, o.err
	}
	return o.value, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the call took longer than %s and was ended", limit).
		WithHint("ask for less at once, such as a part of the content, or call again later").WithCause(o.err)
}

// Pause stops the clock of the call that ctx belongs to until the returned function is called: the time in which a person
// is asked is not the call's. Without a clock it does nothing.
func Pause(ctx context.Context) (resume func()) {
	c, ok := ctx.Value(clockKey{}).(*clock)
	if !ok {
		return func() {}
	}
	c.pause()
	return sync.OnceFunc(c.resume)
}

type clockKey struct{}

// clock is the context of a call. It ends when the call has used up its time.
type clock struct {
	context.Context
	cancel context.CancelCauseFunc

	mu     sync.Mutex
	timer  *time.Timer
	ends   time.Time     // while it runs
	left   time.Duration // while it stands still
	pauses int
}

func newClock(ctx context.Context, left time.Duration) *clock {
	c := &clock{left: left, pauses: 1}
	c.Context, c.cancel = context.WithCancelCause(ctx)
	c.resume()
	return c
}

// Deadline returns when the clock will end the call, if it runs, or the deadline of the context that it was made of.
func (c *clock) Deadline() (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	outer, ok := c.Context.Deadline()
	if c.pauses > 0 || ok && outer.Before(c.ends) {
		return outer, ok
	}
	return c.ends, true
}

// Value also finds the clock.
func (c *clock) Value(key any) any {
	if key == (clockKey{}) {
		return c
	}
	return c.Context.Value(key)
}

func (c *clock) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pauses++; c.pauses == 1 {
		c.timer.Stop()
		c.left = time.Until(c.ends)
	}
}

func (c *clock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pauses--; c.pauses == 0 {
		c.ends = time.Now().Add(c.left)
		c.timer = time.AfterFunc(c.left, func() { c.cancel(errOver) })
	}
}

func (c *clock) stop() {
	c.pause() // for good
	c.cancel(nil)
}
