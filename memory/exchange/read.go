package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ctx-mcp/ctx-mcp"
)

// Read calls do with every version of an input in the form that Export writes, and its line, as it is written: nothing is
// redacted. It returns CodeInvalid and CodeTooLarge for a line that Import would refuse, with its number and field, and
// otherwise the error of the reader or of ctx.
func Read(ctx context.Context, r io.Reader, do func(line int, o ctxmcp.ContextObject)) error {
	d, err := sharedDecoder()
	if err != nil {
		return err
	}
	lines := newLineReader(r)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var o ctxmcp.ContextObject
		if err == nil {
			o, err = d.decode(ctx, line)
		}
		if err != nil {
			return fmt.Errorf("read: %w", onLine(lines.number, err))
		}
		do(lines.number, o)
	}
}
