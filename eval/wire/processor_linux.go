package main

import (
	"syscall"
	"unsafe"
)

// clockOf returns the number of the clock of the processors' work for a process, all its threads, ended ones too: see clock_getcpuclockid(3). It
// counts nanoseconds, where the file stat of a process counts hundredths of a second, a third of a start.
func clockOf(pid int) uintptr { return uintptr(^pid<<3 | 2) }

// processor returns the milliseconds that the processors have worked for a process.
func processor(pid int) float64 {
	var t syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockOf(pid), uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		return 0
	}
	return float64(t.Nano()) / 1e6
}

// ownProcessor returns the milliseconds that the processors have worked for this process.
func ownProcessor() float64 { return processor(syscall.Getpid()) }
