package fields

import (
	"context"
	"io"

	"github.com/ctx-mcp/ctx-mcp"
)

// Limits of one selection. No document and no selector makes it go over them.
const (
	maxSubtree  = 64 << 20   // bytes of JSON held to evaluate a filter, a descendant segment and the like
	maxValues   = 4_000_000  // values in them
	maxSelected = 16 << 20   // bytes of JSON that are selected
	maxFound    = 200_000    // nodes that are selected
	maxWork     = 15_000_000 // units; a second or two
	lookEvery   = 4096       // units of work between two looks at the context
	maxRead     = 64 << 10   // bytes read between two looks
)

// A meter counts the work of a selection: a value that is visited is one unit, and so are 16 bytes that are compared.
type meter struct {
	ctx   context.Context
	most  int // work; more is refused
	work  int
	look  int // the work at which to look at the context again
	found int
	size  int
}

// spend takes up units of work. It returns CodeTooLarge when there are too many, and the error of the context.
func (m *meter) spend(n int) error {
	m.work += n
	if m.work < m.look {
		return nil
	}
	m.look = m.work + lookEvery
	if m.work > m.most {
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the path has to look at more than can be looked at").
			WithHint("name the members on the way instead of .. or *, use fewer selectors in one [], or take a slice such as $.items[0:100]")
	}
	return m.ctx.Err()
}

// take takes up room for a node of so many bytes.
func (m *meter) take(size int) error {
	m.found++
	if m.size += size; m.size > maxSelected || m.found > maxFound {
		return tooLarge()
	}
	return m.spend(1 + size/16)
}

func tooLarge() error {
	return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the path selects more than can be held: over %d parts or %d bytes", maxFound, maxSelected).
		WithHint("name fewer parts, such as $.items[0:10].name")
}

// watched reads a little at a time, and ends with the context.
type watched struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (w watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.r.Read(p[:min(len(p), maxRead)])
}
