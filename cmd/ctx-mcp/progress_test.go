package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"
)

// TestProgress: short work is silent; long work tells its progress, its rate and the time that remains.
func TestProgress(t *testing.T) {
	var said bytes.Buffer
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	sys := &system{err: &said, now: func() time.Time { return now }, watched: always}
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

func always() bool { return true }

// TestPulse: work that says nothing is said to go on, every two seconds, with the step that it is at; not while a question waits, nor where nobody sees it.
func TestPulse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		sys := &system{err: &said, now: time.Now, watched: always}
		p := startPulse(sys, mayTakeLong(&cobra.Command{Use: "doctor"}, nothingChanged))
		time.Sleep(2100 * time.Millisecond) // of the bubble's clock
		p.at("the database")
		time.Sleep(2 * time.Second)
		goOn := p.hold()
		time.Sleep(10 * time.Second)
		goOn()
		p.line(&said, "checked 3 of 20")
		time.Sleep(1900 * time.Millisecond)
		p.stop()
		synctest.Wait()
		const want = "doctor: at work for 2s\nthe database: at work for 4s\nchecked 3 of 20\n"
		if said.String() != want {
			t.Errorf("it says\n%s, want\n%s", said.String(), want)
		}
		sys.watched = nil
		if startPulse(sys, mayTakeLong(&cobra.Command{Use: "doctor"}, nothingChanged)) != nil {
			t.Error("a pulse beats where nobody sees it")
		}
	})
}

// TestInterrupted: an interrupted command that may take long tells its remains, and the way on.
func TestInterrupted(t *testing.T) {
	long := 0
	everyCommand(t, func(t *testing.T, cmd *cobra.Command, words []string) {
		after := cmd.Annotations[stopped]
		if after == "" {
			return
		}
		long++
		ctx, stop := context.WithCancel(t.Context())
		stop()
		var said bytes.Buffer
		sys := *realSystem()
		sys.in, sys.out, sys.err, sys.getenv = strings.NewReader(""), io.Discard, &said, func(string) string { return "" }
		args := []string{"--data-dir", t.TempDir()}
		switch { // by the arguments that it asks for
		case cmd.Args == nil, cmd.Args(cmd, nil) == nil:
		default:
			args = append(args, "x")
		}
		if code := run(ctx, &sys, append(words, args...)); code != exitOK && !strings.Contains(said.String(), "interrupted: "+after) {
			t.Errorf("it says %q, want what is left: %s", said.String(), after)
		}
	})
	if long < 12 {
		t.Errorf("%d commands say that they may take long", long)
	}
}
