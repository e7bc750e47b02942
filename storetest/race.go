package storetest

import (
	"sync"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// Race runs attempts side by side, numbered from 0. It fails the test unless as many as wanted succeed and the others end with an
// error of the code lost.
func Race(t *testing.T, attempts, wanted int, lost ctxmcp.Code, attempt func(i int) error) {
	t.Helper()
	errs := make([]error, attempts)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = attempt(i) })
	}
	wg.Wait()
	won := 0
	for i, err := range errs {
		switch {
		case err == nil:
			won++
		case ctxmcp.CodeOf(err) != lost:
			t.Errorf("attempt %d of %d = %v, want success or the code %s", i, attempts, err, lost)
		}
	}
	if won != wanted {
		t.Errorf("%d of %d attempts succeeded, want %d", won, attempts, wanted)
	}
}
