package envelope

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// wrapping is a result on its way through the steps.
type wrapping struct {
	*Service
	ctx     context.Context
	by      ctxmcp.Caller
	at      ctxmcp.Scope
	in      Result
	max     int
	raw     string           // text before redaction
	text    string           // after; from contain on, the part that may be shown
	kept    string           // after redaction: the text of the artifact
	change  artifacts.Change // which makes it one, when the result is recorded
	keeping *keeping         // nil: nothing is
	kind    kind
	parts   []part       // that the text is joined of; nil: it is one
	within  int          // of a part: its share of the room in tokens; 0 for the whole
	before  int          // of a part: the lines of the whole before it
	asked   func() *need // the question, read at the first use; nil if there is none
	out     Wrapped
	total   string // of a tree: the member that says how many elements match, where the question asks for it
}

// need returns the question; nil if there is none.
func (w *wrapping) need() *need { return w.asked() }

// A kind of content, with the way to shorten it.
type kind struct {
	Name string // stored in audit trails: append only
	Doc  string // the parts that are kept
	JSON bool   // its output is JSON if its input was
	is   func(*content) bool
	keep func(*wrapping) string
	Yes  []string
	No   []string
}

// room returns the tokens that are left for content of which something is left out.
func (w *wrapping) room() int {
	if w.within > 0 {
		return w.within
	}
	return max(0, w.max-w.overhead(w.notice()))
}

// fits reports whether the whole text, of which nothing is left out, is within the budget.
func (w *wrapping) fits() bool {
	if w.within > 0 {
		return tokens.Fits(w.Counter, w.text, w.within)
	}
	return tokens.Fits(w.Counter, w.text, w.max-w.overhead(""))
}

// overhead returns the cost of the frame, with the notice that stands outside of it.
func (w *wrapping) overhead(notice string) int {
	if w.in.Bare {
		return 0
	}
	return w.Counter.Count(w.framed("", "0123456789ab", notice))
}

// notice says how to get what was left out; "" if nothing was kept.
func (w *wrapping) notice() string {
	if w.out.Artifact == nil {
		return ""
	}
	return "the whole: " + w.getWhole()
}

func (w *wrapping) getWhole() string {
	return fmt.Sprintf("get_artifact artifact_id=%s (lines, pattern, path)", w.out.Artifact.ID)
}

// origin names where the content is from.
func (w *wrapping) origin() string { return "tool " + w.in.Tool }

func (w *wrapping) framed(content, nonce, notice string) string {
	text := containment.Frame(nonce, w.origin(), content)
	if notice != "" {
		text += "\n[" + notice + "]"
	}
	return text
}

// whole reports whether the text will be shown as it is.
func (w *wrapping) whole() bool {
	return w.in.Strategy != Summary && w.in.Strategy != FieldWhitelist && w.fits()
}

// cut returns the longest beginning of text within most tokens that ends between characters and in no placeholder.
func (w *wrapping) cut(text string, most int) string {
	return text[:aside(text, tokens.Fit(w.Counter, text, most))]
}

// ofItsText stands behind a number of characters that are those of a text as a reader sees it, and not of its source.
const ofItsText = " of its text"

// firstOfText cuts a text, and says so.
func (w *wrapping) firstOfText(text, of string) string {
	chars := utf8.RuneCountInString(text)
	kept := w.cut(text, w.room()-w.Counter.Count("\n"+w.missing(chars, chars, of)))
	if kept == "" {
		all := utf8.RuneCountInString(w.text)
		return w.missing(all, all, "")
	}
	return kept + "\n" + w.missing(chars-utf8.RuneCountInString(kept), chars, of)
}

// missing says that characters are left out, of a text that has some.
func (w *wrapping) missing(chars, all int, of string) string {
	return fmt.Sprintf("… %d of %d characters%s left out%s", chars, all, of, w.recovery())
}

// withNotice ends a line of our own, of several parts, with how to get the rest. Parts that find no room are left out, the last first.
func (w *wrapping) withNotice(parts []string) string {
	how := w.recovery()
	for n := len(parts); n > 0; n-- {
		if line := strings.Join(parts[:n], " | ") + how; tokens.Fits(w.Counter, line, w.room()) {
			return line
		}
	}
	return w.least()
}

// recovery returns the end of a line about an omission, where no frame says it.
func (w *wrapping) recovery() string {
	if !w.in.Bare || w.out.Artifact == nil || w.within > 0 {
		return ""
	}
	return "; " + w.notice()
}
