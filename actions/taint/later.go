package taint

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Reader takes the text of a result apart. It may panic: a text that it cannot read is one that nobody can tell the words of.
type Reader func(ctx context.Context, text string) (*Reading, error)

// Later is a reading that may still be under way. It shares nothing with the provenance that will take it in.
type Later struct {
	text    string
	done    chan struct{} // closed once the fields below are set
	reading *Reading      // empty if it failed
	failed  string        // of a panic, with the place where it happened
}

// Later takes the text of a result apart while its caller goes on.
func (read Reader) Later(text string) *Later {
	l := &Later{text: text, done: make(chan struct{})}
	go func() {
		defer close(l.done)
		_ = l.read(context.Background(), read) // it has no end
	}()
	return l
}

// Now is Later for a caller who waits while ctx lasts.
func (read Reader) Now(ctx context.Context, text string) (*Later, error) {
	l := &Later{text: text, done: make(chan struct{})}
	if err := l.read(ctx, read); err != nil {
		return nil, err
	}
	close(l.done)
	return l, nil
}

// read sets the reading, or what the reader panicked with.
func (l *Later) read(ctx context.Context, read Reader) (err error) {
	defer func() {
		if p := recover(); p != nil {
			l.reading, l.failed = &Reading{}, fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	l.reading, err = read(ctx, l.text)
	return err
}

// over reports whether nothing is left to wait for.
func (l *Later) over() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// coming is a source whose text is still being read.
type coming struct {
	source
	later *Later
}

// Expect has the next result taken in as it is read there, if it has that text. The results before it must be settled.
func (p *Provenance) Expect(l *Later) { p.expected = l }

// Settle takes in the last result once it was read. Nothing may be asked of p before. It returns the error of ctx once that has ended; then nothing is
// settled. A result that could not be read is taken in as one of which nothing is known: see Unread.
func (p *Provenance) Settle(ctx context.Context) error {
	if p.coming == nil {
		return nil
	}
	select {
	case <-p.coming.later.done:
		p.arrive()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// arrive takes in the last result, whose reading is over.
func (p *Provenance) arrive() {
	s, l := p.coming.source, p.coming.later
	p.coming = nil
	s.reply = s.reply && len(l.reading.passages) <= replyPassages
	p.memo = &memo{}
	p.take(s, l.reading)
	if l.failed != "" {
		p.unread = append(p.unread, Unread{s.action, l.failed})
	}
}

// Unread is a result that could not be read: its values and its orders are not known.
type Unread struct {
	Action  string
	Failure string // that the reader panicked with, and where
}

// Unread returns the results that could not be read. Whoever judges an action must not take it that nobody told the agent to do it.
func (p *Provenance) Unread() []Unread { return p.unread }
