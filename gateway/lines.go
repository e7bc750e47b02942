package gateway

import (
	"bufio"
	"bytes"
	"io"
	"log/slog"
)

// silent logs nothing: what a library says of a server may quote it.
var silent = slog.New(slog.DiscardHandler)

// lineReader reads the lines of a server, each up to a number of bytes.
type lineReader struct {
	in   *bufio.Reader
	most int
}

func newLineReader(in io.Reader, most int) *lineReader {
	return &lineReader{bufio.NewReaderSize(in, 64<<10), most}
}

// next returns the next line that is not empty. One that is too long is an error, and the last that is read.
func (r *lineReader) next() ([]byte, error) {
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > r.most:
			return nil, errTooLong
		case err == bufio.ErrBufferFull:
			continue
		case len(bytes.TrimSpace(line)) > 0 && (err == nil || err == io.EOF):
			return line, nil
		case err != nil:
			return nil, err
		}
		line = line[:0]
	}
}
