package main

import (
	"os"
	"syscall"
	"testing"
)

// TestProcessor compares the clock of this process with what the kernel tells of its resources, before and after.
func TestProcessor(t *testing.T) {
	used := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
	}
	calibrate()
	const coarse = 20 // ms: the two are not counted at one instant
	before := used()
	got := processor(os.Getpid())
	if after := used(); got < before-coarse || got > after+coarse || got == 0 {
		t.Errorf("processor = %v ms, want between %v and %v", got, before, after)
	}
	if got := processor(1 << 27); got != 0 {
		t.Errorf("processor of no process = %v, want 0", got)
	}
}
