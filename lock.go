package ctxmcp

import (
	"context"
	"sync"
)

// Lock is a mutual exclusion that nobody holds beyond one function: Do takes it and gives it back, whichever way the function
// ends, a panic included. The zero value is free.
type Lock struct {
	once sync.Once
	held chan struct{} // holds one value while the lock is taken
}

// Do runs the function while no other function runs under the lock, and returns its error. A caller whose context ends while it
// waits gets the error of the context, and the function does not run. Do must not be called again from within the function.
func (l *Lock) Do(ctx context.Context, run func() error) error {
	l.once.Do(func() { l.held = make(chan struct{}, 1) })
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case l.held <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.held }()
	return run()
}
