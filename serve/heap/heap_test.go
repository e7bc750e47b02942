package heap

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestDelay delays one collection, and the next ones begin as they would have.
func TestDelay(t *testing.T) {
	const ordinary = 120
	before := debug.SetGCPercent(ordinary)
	defer debug.SetGCPercent(before)
	delay()
	if got := debug.SetGCPercent(first); got != first {
		t.Fatalf("before the first collection the percentage is %d, want %d", got, first)
	}
	percent := func() int {
		now := debug.SetGCPercent(first)
		debug.SetGCPercent(now)
		return now
	}
	for range 1000 {
		runtime.GC()
		if percent() == ordinary {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("after collections the percentage is %d, want %d", percent(), ordinary)
}
