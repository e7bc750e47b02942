package envelope

import (
	"fmt"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// contain makes the text harmless to show. What is kept of it stays as it was.
func (w *wrapping) contain() error {
	w.kept = w.text
	var err error
	w.text, _, err = containment.Contain(w.ctx, w.text)
	return err
}

// room returns the tokens that are left for content of which something is left out.
func (w *wrapping) room() int { return max(0, w.max-w.overhead(w.notice())) }

// fits reports whether the whole text, of which nothing is left out, is within the budget.
func (w *wrapping) fits() bool { return tokens.Fits(w.Counter, w.text, w.max-w.overhead("")) }

// overhead is what the frame costs, with the notice that stands outside of it.
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

// frame marks the content as data. Where the budget is too small for a frame, nothing of the content is shown.
func (w *wrapping) frame() error {
	w.out.TrimmedChars = utf8.RuneCountInString(w.out.Content)
	if !w.in.Bare {
		if err := w.encloseContent(); err != nil {
			return err
		}
	}
	w.out.Tokens, w.out.Counter = w.Counter.Count(w.out.Content), w.Counter.Name()
	return nil
}

func (w *wrapping) encloseContent() error {
	content, _, err := containment.Contain(w.ctx, w.out.Content) // once more: a cut may have put together what was apart
	if err != nil {
		return err
	}
	nonce := containment.Nonce(w.Key, w.origin(), content)
	notice := w.notice()
	if !w.out.Truncated {
		notice = ""
	}
	for _, text := range []string{
		w.framed(content, nonce, notice),
		w.framed("", nonce, notice),
		"[" + notice + "]",
	} {
		if w.out.Content = text; w.Counter.Count(text) <= w.max {
			return nil
		}
		w.out.Truncated, w.out.TrimmedChars = true, 0
	}
	w.out.Content = w.cut(w.out.Content, w.max)
	return nil
}
