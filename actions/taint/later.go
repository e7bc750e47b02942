package taint

import "context"

// Later is a reading that may still be under way. It shares nothing with the provenance that will take it in.
type Later struct {
	text    string
	done    chan struct{} // closed once the fields below are set
	reading *Reading
	failed  any // of a panic
}

// ReadLater takes the text of a result apart while its caller goes on.
func ReadLater(text string) *Later {
	l := &Later{text: text, done: make(chan struct{})}
	go func() {
		defer close(l.done)
		defer func() { l.failed = recover() }() // whoever waits for the reading is told
		l.reading, _ = Read(context.Background(), text)
	}()
	return l
}

// ReadNow is ReadLater for a caller who waits while ctx lasts.
func ReadNow(ctx context.Context, text string) (*Later, error) {
	reading, err := Read(ctx, text)
	if err != nil {
		return nil, err
	}
	l := &Later{text: text, done: make(chan struct{}), reading: reading}
	close(l.done)
	return l, nil
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
// settled. It panics with what the reading panicked with.
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
	if l.failed != nil {
		panic(l.failed)
	}
	p.coming = nil
	s.reply = s.reply && len(l.reading.passages) <= replyPassages
	p.memo = &memo{}
	p.take(s, l.reading)
}
