package serve

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// errTooLong is what a lineReader returns for a line over its limit, once it has skipped the line.
var errTooLong = errors.New("line too long")

// lineReader reads one message a line. A last line without a newline counts; a blank one does not.
type lineReader struct {
	in  *bufio.Reader
	max int
}

func newLineReader(in io.Reader, max int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10), max: max}
}

// next returns the next line that is not blank. It returns errTooLong for a line of more than max bytes with its newline,
// which it does not keep in memory, and io.EOF at the end; after any other error there is no next line.
func (r *lineReader) next() ([]byte, error) {
	for {
		line, err := r.line()
		if line = bytes.TrimSpace(line); len(line) > 0 || err != nil {
			return line, err
		}
	}
}

func (r *lineReader) line() ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := r.in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > r.max; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case tooLong && (err == nil || errors.Is(err, io.EOF)):
			return nil, errTooLong
		case errors.Is(err, io.EOF) && len(bytes.TrimSpace(line)) > 0:
			return line, nil
		case err != nil && !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("read input: %w", err)
		default:
			return line, err
		}
	}
}
