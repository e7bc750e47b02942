package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

// TestDelay delays one collection, and the next ones begin as they would have.
func TestDelay(t *testing.T) {
	const ordinary = 120
	if os.Getenv("GOGC") == "" {
		waitFor(t, 100) // after the delay of this very program
	}
	before := debug.SetGCPercent(ordinary)
	defer debug.SetGCPercent(before)
	delay()
	if got := percent(); got != first {
		t.Fatalf("before the first collection the percentage is %d, want %d", got, first)
	}
	waitFor(t, ordinary)
}

// percent reads the percentage without setting it.
func percent() uint64 {
	now := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(now)
	return now[0].Value.Uint64()
}

// waitFor collects until the percentage is the wanted one.
func waitFor(t *testing.T, want uint64) {
	t.Helper()
	for range 1000 {
		if runtime.GC(); percent() == want {
			return
		}
		runtime.Gosched()
	}
	t.Fatalf("after collections the percentage is %d, want %d", percent(), want)
}
