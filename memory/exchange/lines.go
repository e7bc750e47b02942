package exchange

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/ctx-mcp/ctx-mcp"
)

// maxLine bounds a line, in bytes, without its line ending.
const maxLine = 8 << 20

// byteOrderMark begins the UTF-8 files of some editors.
const byteOrderMark = "\uFEFF"

// lineReader reads the lines of an input. It leaves out line endings, a byte order mark, and lines that hold nothing.
type lineReader struct {
	scanner *bufio.Scanner
	number  int // of the line last read, from 1
}

func newLineReader(r io.Reader) *lineReader {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine+len(byteOrderMark+"\r\n")+1)
	return &lineReader{scanner: s}
}

// next returns the next line, which is valid until the call after, and io.EOF after the last. It returns CodeTooLarge
// for a line over the limit.
func (l *lineReader) next() ([]byte, error) {
	for l.scanner.Scan() {
		l.number++
		line := l.scanner.Bytes()
		if l.number == 1 {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		if len(line) > maxLine {
			return nil, tooLong()
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
	switch err := l.scanner.Err(); {
	case err == nil:
		return nil, io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		l.number++
		return nil, tooLong()
	default:
		l.number++
		return nil, fmt.Errorf("read: %w", err)
	}
}

func tooLong() error {
	return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the object is over %d MiB", maxLine>>20)
}

// onLine returns err with the line that it is about, its code and hint kept.
func onLine(number int, err error) error {
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok {
		located := *e
		located.Message = fmt.Sprintf("line %d: %s", number, e.Message)
		return &located
	}
	return fmt.Errorf("line %d: %w", number, err)
}
