package foreign

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// byteOrderMark begins the UTF-8 files of some editors.
const byteOrderMark = "\uFEFF"

// values reads the JSON values of a file one after the other, and knows on which line each begins.
type values struct {
	ctx   context.Context
	json  *json.Decoder
	lines *lineCounter
}

func newValues(ctx context.Context, r io.Reader) *values {
	b := bufio.NewReader(r)
	if mark, _ := b.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = b.Discard(len(byteOrderMark)) // it has just been peeked at
	}
	lines := &lineCounter{reader: b}
	return &values{ctx, json.NewDecoder(lines), lines}
}

// next returns the next value, with the line that it begins on. It returns io.EOF after the last one of a file.
func (v *values) next() (raw json.RawMessage, line int, err error) {
	if err := v.ctx.Err(); err != nil {
		return nil, 0, err
	}
	if err := v.json.Decode(&raw); err != nil {
		return nil, 0, v.failure(err)
	}
	line = v.lines.at(v.json.InputOffset() - int64(len(raw)))
	if err := ijson.Check(raw); err != nil {
		return nil, 0, onLine(line, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%v", err)) // it quotes an escape at most
	}
	return raw, line, nil
}

// token returns the next token around the values.
func (v *values) token() (json.Token, error) {
	t, err := v.json.Token()
	if err != nil {
		return nil, v.failure(err)
	}
	return t, nil
}

// end returns an error unless nothing is left.
func (v *values) end() error {
	_, err := v.token()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		err = onLine(v.lines.at(v.json.InputOffset()), ctxmcp.Errorf(ctxmcp.CodeInvalid, "the export has ended before this line"))
	}
	return err
}

// failure words the error of the decoder. A file that ends within a value is not a file that ends.
func (v *values) failure(err error) error {
	if bad, ok := errors.AsType[*json.SyntaxError](err); ok {
		return onLine(v.lines.at(bad.Offset-1), ctxmcp.Errorf(ctxmcp.CodeInvalid, "not valid JSON, from here on"))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return endsEarly(v)
	}
	return err
}

func endsEarly(v *values) error {
	return onLine(v.lines.at(v.lines.offset), ctxmcp.Errorf(ctxmcp.CodeInvalid, "the file ends too early"))
}

// onLine returns e with the line that it is about.
func onLine(line int, e *ctxmcp.Error) error {
	located := ctxmcp.Errorf(e.Code, "line %d: %s", line, e.Message)
	located.Hint = e.Hint
	return located
}

// lineCounter counts the lines that are read through it. It keeps the ends of those that nobody has asked beyond yet.
type lineCounter struct {
	reader io.Reader
	offset int64
	ends   []int64
	passed int
}

// Read implements io.Reader.
func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.reader.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.offset+int64(i))
		}
	}
	c.offset += int64(n)
	return n, err
}

// at returns the line, from 1, of an offset that is not before the one asked for last.
func (c *lineCounter) at(offset int64) int {
	for len(c.ends) > 0 && c.ends[0] < offset {
		c.ends = c.ends[1:]
		c.passed++
	}
	return c.passed + 1
}
