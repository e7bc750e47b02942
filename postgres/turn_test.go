package postgres

import (
	"context"
	"sync/atomic"
	"testing"
)

// Of the servers of a database one works at a time. Another takes over when that one ends, and also when its connection is cut, which ends its work.
func TestTurns(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	type worker struct {
		stop     context.CancelFunc
		begun    chan struct{}
		finished chan struct{}
	}
	var working atomic.Int64
	var cut atomic.Bool // whose connection is cut notices that a little later
	start := func() worker {
		s := openStore(t, address)
		ctx, stop := context.WithCancel(t.Context())
		w := worker{stop, make(chan struct{}, 8), make(chan struct{})}
		go func() {
			defer close(w.finished)
			s.Alone(ctx, "work", func(ctx context.Context) {
				if working.Add(1) > 1 && !cut.Load() {
					t.Error("two work at the same time")
				}
				defer working.Add(-1)
				w.begun <- struct{}{}
				<-ctx.Done()
			})
		}()
		return w
	}
	a := start()
	<-a.begun
	b := start()
	a.stop()
	<-a.finished
	<-b.begun
	c := start()
	cut.Store(true)
	if text, err := server.SQL("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"); err != nil {
		t.Fatal(err, text)
	}
	var last worker
	select {
	case <-b.begun: // it has noticed, and was faster
		last = b
	case <-c.begun:
		last = c
	}
	last.stop()
	<-last.finished
	b.stop()
	c.stop()
	<-b.finished
	<-c.finished
}
