package envelope

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// least is the shortest true thing to say of a content of which nothing is shown: that all is left out, and how to get it.
func (w *wrapping) least() string {
	chars := utf8.RuneCountInString(w.text)
	if !w.kind.JSON {
		return w.missing(chars, chars)
	}
	member := `{"` + leftOut + `":"all"}`
	if how := w.wholeMember(); how != "" {
		member = `{"` + leftOut + `":"all",` + how + `}`
	}
	if strings.HasPrefix(strings.TrimSpace(w.text), "[") {
		return "[" + member + "]"
	}
	return member
}

// afford refuses a budget that holds neither the whole nor the least. It names the smallest that does.
func (w *wrapping) afford() error {
	if w.whole() {
		return nil
	}
	w.out.Artifact = &ctxmcp.Artifact{ID: artifacts.Name(w.draft(), time.Time{}, "000000000000")} // as long as the id to come
	need := w.overhead(w.notice()) + w.Counter.Count("\n"+w.least())
	w.out.Artifact = nil
	if w.in.Strategy == Auto || w.in.Strategy == FirstN {
		need = min(need, w.overhead("")+w.Counter.Count(w.text))
	}
	if w.max >= need {
		return nil
	}
	return ctxmcp.Errorf(ctxmcp.CodeInvalid, "max_tokens %d is too little to say anything of this result", w.max).
		WithHint("give it at least %d", need)
}
