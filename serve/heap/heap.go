package heap

import (
	"os"
	"runtime"
	"runtime/debug"
)

// first is the percentage until the first collection, which begins at so many hundredths of 4 MB. The ordinary one is 100.
const first = 500

func init() {
	if os.Getenv("GOGC") == "" {
		delay()
	}
}

// delay has the first collection wait, and the ones after it begin as they would have. A limit on memory is kept all the same.
func delay() {
	ordinary := debug.SetGCPercent(first)
	collected := new([1]*byte) // a pointer in it keeps it out of a block with others
	runtime.AddCleanup(collected, func(percent int) { debug.SetGCPercent(percent) }, ordinary)
}
