package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestPace has collections wait for the floor, as long as the heap is small.
func TestPace(t *testing.T) {
	const ordinary = 120
	before := debug.SetGCPercent(ordinary)
	if os.Getenv("GOGC") == "" && before <= 100 {
		t.Errorf("before the first collection the percentage is %d, want that of the floor", before)
	}
	defer debug.SetGCPercent(before)
	pace()
	waitFor(t, func(p int) bool { return p > 1000 })
	held := make([]byte, floor)
	waitFor(t, func(p int) bool { return p == ordinary })
	runtime.KeepAlive(held)
	waitFor(t, func(p int) bool { return p > 1000 })
}

func TestPercentFor(t *testing.T) {
	for _, c := range []struct{ live, want int }{
		{0, 1200}, {4 << 20, 1100}, {16 << 20, 200}, {23 << 20, 108}, {24 << 20, 100}, {100 << 20, 100},
	} {
		if got := percentFor(c.live, 100); got != c.want {
			t.Errorf("percentFor(%d) = %d, want %d", c.live, got, c.want)
		}
	}
}

// waitFor collects until the percentage is as wanted.
func waitFor(t *testing.T, wanted func(int) bool) {
	t.Helper()
	for range 1000 {
		if runtime.GC(); wanted(percent()) {
			return
		}
		runtime.Gosched()
	}
	t.Fatalf("after collections the percentage is %d", percent())
}
