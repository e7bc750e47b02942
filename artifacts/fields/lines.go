package fields

import (
	"bufio"
	"io"
)

// recordReader turns JSON Lines into one array: a comma stands where a record follows another on a later line. In JSON
// a line feed never stands within a string.
type recordReader struct {
	r       io.Reader
	in      *bufio.Reader
	began   bool // the opening bracket is written
	records bool // there is a record before this place
	broken  bool // a line has ended since
	held    byte // to be written next; 0: nothing
	done    bool
}

// Read implements io.Reader.
func (l *recordReader) Read(p []byte) (int, error) {
	if l.in == nil {
		l.in = bufio.NewReader(l.r)
	}
	for n := range p {
		b, err := l.next()
		if err != nil {
			return n, err
		}
		p[n] = b
	}
	return len(p), nil
}

func (l *recordReader) next() (byte, error) {
	switch {
	case !l.began:
		l.began = true
		return '[', nil
	case l.held != 0:
		b := l.held
		l.held = 0
		return b, nil
	case l.done:
		return 0, io.EOF
	}
	b, err := l.in.ReadByte()
	switch {
	case err == io.EOF:
		l.done = true
		return ']', nil
	case err != nil:
		return 0, err
	case b == '\n':
		l.broken = true
	case b != ' ' && b != '\t' && b != '\r':
		comma := l.broken && l.records
		l.broken, l.records = false, true
		if comma {
			l.held = b
			return ',', nil
		}
	}
	return b, nil
}
