package envelope

import (
	"slices"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/containment"
)

// contain makes the text harmless to show. The kept text stays as it was.
func (w *wrapping) contain() error {
	w.kept, w.out.KeptChars = w.text, utf8.RuneCountInString(w.text)
	if w.parts != nil {
		return w.containParts()
	}
	if utf8.ValidString(w.text) && !slices.ContainsFunc(w.out.Warnings, Warning.Changes) {
		return nil // classify has looked for the same
	}
	var err error
	w.text, _, err = containment.Contain(w.ctx, w.text)
	return err
}

// frame marks the content as data. If the budget is too small for a frame, nothing of the content is shown.
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
