package wire

import (
	"errors"
	"io"
	"strconv"
)

// SocketName is the name of the socket in the data directory.
const SocketName = "hook.sock"

// MaxField is the most bytes that a field can have.
const MaxField = 64 << 20

// Write writes the fields.
func Write(w io.Writer, fields ...[]byte) error {
	var all []byte
	for _, f := range fields {
		all = strconv.AppendInt(all, int64(len(f)), 10)
		all = append(append(all, '\n'), f...)
	}
	_, err := w.Write(all)
	return err
}

var errForm = errors.New("the message has another form")

// Read reads n fields, and fails if one is longer than MaxField or the message ends before.
func Read(r io.Reader, n int) ([][]byte, error) {
	fields := make([][]byte, n)
	for i := range fields {
		size, err := readLength(r)
		if err != nil {
			return nil, err
		}
		fields[i] = make([]byte, 0, min(size, 64<<10)) // no more than comes
		for len(fields[i]) < size {
			part := make([]byte, min(size-len(fields[i]), 64<<10))
			got, err := io.ReadFull(r, part)
			fields[i] = append(fields[i], part[:got]...)
			if err != nil {
				return nil, err
			}
		}
	}
	return fields, nil
}

// readLength reads a number and the line break behind it.
func readLength(r io.Reader) (int, error) {
	n := 0
	for digits := 0; ; digits++ {
		var c [1]byte
		if _, err := io.ReadFull(r, c[:]); err != nil {
			return 0, err
		}
		switch {
		case c[0] == '\n' && digits > 0:
			return n, nil
		case c[0] < '0' || c[0] > '9' || n > MaxField/10:
			return 0, errForm
		}
		if n = 10*n + int(c[0]-'0'); n > MaxField {
			return 0, errForm
		}
	}
}

// The fields of a message, in order: an event has the version of the form, the client and the input, an answer the exit code, standard output
// and standard error.
const (
	EventFields  = 3
	AnswerFields = 3
	Version      = "1"
)
