package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// ticks is the kernel's unit of a process's time: a hundredth of a second on every Linux that Go runs on.
const ticks = 10 // ms

// processor returns the milliseconds that the processors have worked for a process.
func processor(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name before it may hold anything
	var skip string
	var user, system float64
	if _, err := fmt.Sscan(rest, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &user, &system); err != nil {
		return 0
	}
	return (user + system) * ticks
}

// ownProcessor returns the milliseconds that the processors have worked for this process.
func ownProcessor() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}
