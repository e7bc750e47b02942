package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// floor is how many bytes the heap may have before a collection begins.
	floor = 48 << 20
	// smallest is the heap, in bytes, that the runtime begins with: the first collection waits for its percentage of that.
	smallest = 4 << 20
	// slack is the difference between percentages that is not worth the halt of the program that a new one costs.
	slack = 10
)

func init() {
	if os.Getenv("GOGC") == "" {
		pace()
	}
}

// pace has each collection wait until the heap has the floor's size, or the one at which it would have begun. A limit on memory is kept all the same.
func pace() {
	ordinary := debug.SetGCPercent(100 * floor / smallest)
	next(func() {
		if want := percentFor(live(), ordinary); max(want, percent()) > min(want, percent())+slack {
			debug.SetGCPercent(want)
		}
	})
}

// next runs work after each collection.
func next(work func()) {
	collected := new([1]*byte) // a pointer in it keeps it out of a block with others
	runtime.AddCleanup(collected, func(struct{}) {
		work()
		next(work)
	}, struct{}{})
}

// percentFor returns the percentage after which a heap of so many bytes in use has the floor's size; at the least the ordinary one.
func percentFor(live, ordinary int) int {
	return max(ordinary, 100*(floor-live)/max(live, smallest))
}

// live returns the bytes that the last collection found in use.
func live() int { return read("/gc/heap/live:bytes") }

// percent returns the percentage in force.
func percent() int { return read("/gc/gogc:percent") }

func read(name string) int {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return int(sample[0].Value.Uint64())
}
