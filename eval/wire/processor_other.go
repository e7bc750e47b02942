//go:build !linux

package main

// processor and ownProcessor are known on Linux alone.
func processor(int) float64 { return 0 }

func ownProcessor() float64 { return 0 }
