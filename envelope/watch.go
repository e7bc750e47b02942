package envelope

import "context"

const lookBytes = 64 << 10 // that are worked on between two looks at the context

// A watch counts the bytes that are worked on, and looks at a context now and then. Once that has ended, the work is
// worth nothing: it breaks off, and its step is given up.
type watch struct {
	ctx   context.Context
	since int // bytes since the last look
	ended bool
}

func watching(ctx context.Context) *watch { return &watch{ctx: ctx, since: lookBytes} }

// over counts bytes that are about to be worked on, and reports whether there is no more use in it.
func (w *watch) over(bytes int) bool {
	if w.since += bytes; w.since >= lookBytes && !w.ended {
		w.since, w.ended = 0, w.ctx.Err() != nil
	}
	return w.ended
}
