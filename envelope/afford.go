package envelope

import (
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// afford refuses a budget that holds neither the whole nor the least. It names the smallest that does.
func (w *wrapping) afford() error {
	if w.whole() {
		return nil
	}
	w.out.Artifact = &ctxmcp.Artifact{ID: artifacts.Name(w.draft(), time.Time{}, "000000000000")} // as long as the id to come
	need := w.overhead(w.notice()) + w.Counter.Count("\n"+w.least())
	w.out.Artifact = nil
	if w.max >= need { // before a long text is counted
		return nil
	}
	if w.in.Strategy == Auto || w.in.Strategy == FirstN {
		need = min(need, w.overhead("")+w.Counter.Count(w.text))
	}
	if w.max >= need {
		return nil
	}
	return ctxmcp.Errorf(ctxmcp.CodeInvalid, "max_tokens %d is too little to say anything of this result", w.max).
		WithHint("give it at least %d", need)
}
