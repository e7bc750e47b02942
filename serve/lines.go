package serve

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
)

// errTooLong is the error of a lineReader for a line over its limit, once it has skipped the line.
var errTooLong = errors.New("line too long")

// lineReader reads one message a line. A last line without a newline counts; a blank one does not.
type lineReader struct {
	in  *bufio.Reader
	max int
}

func newLineReader(in io.Reader, max int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10), max: max}
}

// edge is how much is kept of either end of a line that is too long.
const edge = 512

// next returns the next line that is not blank. For a line of more than max bytes with its newline, which it does not keep in memory,
// it returns errTooLong and the line's two ends, between which a newline stands for the rest. At the end it returns io.EOF; after
// any other error there is no next line.
func (r *lineReader) next() ([]byte, error) {
	for {
		line, err := r.line()
		if line = bytes.TrimSpace(line); len(line) > 0 || err != nil {
			return line, err
		}
	}
}

func (r *lineReader) line() ([]byte, error) {
	var line, tail []byte
	tooLong := false
	for {
		part, err := r.in.ReadSlice('\n')
		switch {
		case tooLong:
			tail = lastOf(append(tail, lastOf(part)...))
		case len(line)+len(part) > r.max:
			tooLong = true
			tail = lastOf(append(slices.Clone(lastOf(line)), lastOf(part)...))
			line = slices.Clone(append(line, part[:min(len(part), edge)]...)[:min(len(line)+len(part), edge)])
		default:
			if len(line)+len(part) > cap(line) && line != nil { // doubled: a line may have megabytes
				line = slices.Grow(line, len(line)+len(part))
			}
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case tooLong && (err == nil || errors.Is(err, io.EOF)):
			return slices.Concat(line, []byte("\n"), tail), errTooLong
		case errors.Is(err, io.EOF) && len(bytes.TrimSpace(line)) > 0:
			return line, nil
		case err != nil && !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("read input: %w", err)
		default:
			return line, err
		}
	}
}

// lastOf returns the last bytes of a part, as many as are kept.
func lastOf(part []byte) []byte { return part[max(0, len(part)-edge):] }

// The places of a request's id: before its parameters, or as the last of its members. Neither can be the text of a string,
// whose quotes would be escaped.
var (
	leadingID  = regexp.MustCompile(`^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*([0-9]{1,15}|"[^"\\]*")\s*,`)
	trailingID = regexp.MustCompile(`[,{]\s*"id"\s*:\s*([0-9]{1,15}|"[^"\\]*")\s*(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*)?\}\s*$`)
)

// idOfEnds returns the id of a request of which only the ends are known, so that its caller does not wait for ever; none if neither
// end has it.
func idOfEnds(ends []byte) mcp.RequestId {
	head, tail, _ := bytes.Cut(ends, []byte("\n"))
	found := leadingID.FindSubmatch(head)
	if found == nil {
		found = trailingID.FindSubmatch(tail)
	}
	var id mcp.RequestId
	if found == nil || id.UnmarshalJSON(found[1]) != nil {
		return mcp.NewRequestId(nil)
	}
	return id
}
