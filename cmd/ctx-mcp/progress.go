package main

import (
	"bytes"
	"fmt"
	"io"
	"time"
)

// progressEvery is how long something runs before it says how far it is, and then between two lines.
const progressEvery = 2 * time.Second

// progress returns a function that is told how many things are done. It says so with the rate and, where the total is known, the time that is
// left, but only to a person at a terminal, and of something that takes longer than progressEvery. Total 0 is not known.
func progress(sys *system, done, what string, total int) func(int) {
	if !sys.isWatched() {
		return func(int) {}
	}
	began := sys.now()
	next := began.Add(progressEvery)
	return func(n int) {
		now := sys.now()
		if now.Before(next) {
			return
		}
		next = now.Add(progressEvery)
		sys.pulse.line(sys.err, progressLine(done, what, n, total, now.Sub(began)))
	}
}

// progressLine writes one line of a progress.
func progressLine(done, what string, n, total int, took time.Duration) string {
	rate := float64(n) / took.Seconds()
	if total == 0 || n == 0 || n > total {
		return fmt.Sprintf("%s %d %s, %.0f a second", done, n, what, rate)
	}
	left := time.Duration(float64(total-n) / rate * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%s %d of %d %s, %.0f a second, %v left", done, n, total, what, rate, left)
}

// lineMeter tells a progress of the lines that are written through it.
type lineMeter struct {
	io.Writer
	lines int
	tell  func(int)
}

// Write implements io.Writer.
func (m *lineMeter) Write(p []byte) (int, error) {
	n, err := m.Writer.Write(p)
	m.lines += bytes.Count(p[:n], []byte{'\n'})
	m.tell(m.lines)
	return n, err
}
