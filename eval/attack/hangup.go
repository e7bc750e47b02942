package attack

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// HangUp is a call whose client left, and how long its work went on.
type HangUp struct {
	Call  Call
	After time.Duration // the client left when the work had run this long
	Ended time.Duration // until nothing ran any more
}

// poll is how often the server is asked whether it still works.
const poll = 3 * time.Millisecond

// HangUp makes a call, leaves while the server works on it, and waits until it does not. It returns ok = false if the work had ended
// before that, and an error if it goes on for patience. Nobody else may call at the time.
func (c *Campaign) HangUp(ctx context.Context, call Call, after, patience time.Duration) (h HangUp, ok bool, err error) {
	body, err := c.body(call)
	if err != nil {
		return h, false, err
	}
	if err := c.quiet(ctx, patience); err != nil {
		return h, false, fmt.Errorf("before the call: %w", err)
	}
	leaving, leave := context.WithCancel(ctx)
	defer leave()
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_, _ = c.Attacker.Send(leaving, body) // it is cut off
	}()
	if !c.begins(ctx, answered) {
		return h, false, nil
	}
	select {
	case <-answered:
		return h, false, nil
	case <-time.After(after):
	}
	leave()
	left := time.Now()
	<-answered
	if err := c.quiet(ctx, patience); err != nil {
		return h, false, err
	}
	return HangUp{Call: call, After: after, Ended: time.Since(left)}, true, nil
}

// begins waits until the server works on a call, and reports whether it did before the answer came.
func (c *Campaign) begins(ctx context.Context, answered <-chan struct{}) bool {
	for {
		if n, err := c.Server.Running(ctx, c.Token); err != nil || n > 0 {
			return err == nil
		}
		select {
		case <-answered:
			return false
		case <-time.After(poll):
		}
	}
}

// quiet waits until the server works on no call.
func (c *Campaign) quiet(ctx context.Context, patience time.Duration) error {
	for deadline := time.Now().Add(patience); ; time.Sleep(poll) {
		n, err := c.Server.Running(ctx, c.Token)
		if err != nil || n == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("%d calls still run after %s", n, patience), ctx.Err())
		}
	}
}

// Leave hangs up on the calls that took longest, some time after each began. Work that goes on for longer than patience, or than
// within if that is not 0, is a problem.
func (c *Campaign) Leave(ctx context.Context, within, patience time.Duration) []HangUp {
	var all []HangUp
	for i, t := range c.Slowest() {
		h, ok, err := c.HangUp(ctx, t.Call, time.Duration(i%4)*15*time.Millisecond, patience)
		switch {
		case ctx.Err() != nil || c.Server.Ended():
			return all
		case err != nil:
			c.found(Problem{Call: t.Call, Problem: "after its client left: " + err.Error()})
		case ok:
			all = append(all, h)
			if within > 0 && h.Ended > within {
				c.found(Problem{Call: t.Call, Problem: fmt.Sprintf("its work ended %s after its client left", h.Ended.Round(time.Millisecond)), Took: t.Took.String()})
			}
		}
	}
	return all
}
