package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"
)

// pulse says every progressEvery that a command is still at work, unless its progress was told meanwhile. A nil pulse says nothing.
type pulse struct {
	mu    sync.Mutex
	out   io.Writer
	now   func() time.Time
	began time.Time
	heard time.Time // the last line, of the pulse or of a progress
	doing string
	held  bool // a question waits for its answer
	end   chan struct{}
}

// startPulse begins the pulse of a command that may take long, where a person watches.
func startPulse(sys *system, cmd *cobra.Command) *pulse {
	if cmd.Annotations[stopped] == "" || !sys.isWatched() {
		return nil
	}
	now := sys.now()
	p := &pulse{out: sys.err, now: sys.now, began: now, heard: now, doing: cmd.Name(), end: make(chan struct{})}
	go p.beat()
	return p
}

func (p *pulse) beat() {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-p.end:
			return
		case <-tick.C:
			p.say()
		}
	}
}

func (p *pulse) say() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.now(); !p.held && now.Sub(p.heard) >= progressEvery {
		p.heard = now
		fmt.Fprintf(p.out, "%s: at work for %v\n", p.doing, now.Sub(p.began).Round(time.Second))
	}
}

// at names the step that the command is at.
func (p *pulse) at(step string) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.doing = step
	}
}

// line writes a line of progress in place of the next beat.
func (p *pulse) line(out io.Writer, text string) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.heard = p.now()
	}
	fmt.Fprintln(out, text)
}

// hold keeps the pulse still, such as while a question waits for its answer, until the returned function is called.
func (p *pulse) hold() (goOn func()) {
	set := func(held bool) {
		if p != nil {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.held, p.heard = held, p.now()
		}
	}
	set(true)
	return func() { set(false) }
}

func (p *pulse) stop() {
	if p != nil {
		close(p.end)
	}
}
