package actions_test

import (
	"syscall"
	"time"
	"unsafe"
)

// clockOfThread is the kernel's clock of the processor's time for the calling thread.
const clockOfThread = 3

// processorTime returns how long the processor has worked for the calling thread, which the load of the machine changes little.
func processorTime() time.Duration {
	var used syscall.Timespec
	if _, _, failed := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockOfThread, uintptr(unsafe.Pointer(&used)), 0); failed != 0 {
		return 0
	}
	return time.Duration(used.Nano())
}
