package main

import (
	"bytes"
	"testing"
	"time"
)

// TestProgress: short work is silent; long work tells its progress, its rate and the time that remains.
func TestProgress(t *testing.T) {
	var said bytes.Buffer
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	sys := &system{err: &said, now: func() time.Time { return now }}
	known, open := progress(sys, "imported", "memories", 1000), &lineMeter{Writer: &bytes.Buffer{}, tell: progress(sys, "exported", "versions", 0)}
	for i, step := range []time.Duration{0, time.Second, time.Second, time.Second, time.Second} {
		now = now.Add(step)
		known(100 * i)
		if _, err := open.Write([]byte("a\nb\n")); err != nil {
			t.Fatal(err)
		}
	}
	const want = "imported 200 of 1000 memories, 100 a second, 8s left\nexported 6 versions, 3 a second\n" +
		"imported 400 of 1000 memories, 100 a second, 6s left\nexported 10 versions, 2 a second\n"
	if said.String() != want {
		t.Errorf("progress says\n%s, want\n%s", said.String(), want)
	}
}
