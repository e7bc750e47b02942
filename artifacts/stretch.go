package artifacts

import (
	"encoding/base64"
	"io"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// byBytes takes as much of the stretch as fits.
func (r *reading) byBytes(start, end int64) error {
	const longest = 32 // bytes of a token
	text := make([]byte, min(end-start, int64(r.ask.MaxTokens)*longest+utf8.UTFMax))
	if n, err := r.blob.ReadAt(text, start); err != nil && (err != io.EOF || n < len(text)) {
		return err
	}
	var taken int64
	if r.slice.Artifact.Binary {
		taken = r.encode(text)
	} else {
		skipped, content := whole(text)
		start += skipped
		taken = int64(r.cut(content))
		r.slice.Content = string(content[:taken])
	}
	r.slice.Range = Range{Start: start, End: start + taken}
	if next := start + taken; next < r.blob.Size() && (r.ask.Lines == "" || next < end) && taken > 0 {
		r.slice.NextOffset = &next
	}
	return r.numberLines()
}

// whole cuts off what is left of a character at the beginning, and what is there of one at the end.
func whole(text []byte) (skipped int64, content []byte) {
	for len(text) > 0 && !utf8.RuneStart(text[0]) && skipped < utf8.UTFMax {
		text, skipped = text[1:], skipped+1
	}
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if b := text[len(text)-i]; utf8.RuneStart(b) {
			if !utf8.FullRune(text[len(text)-i:]) {
				return skipped, text[:len(text)-i]
			}
			break
		}
	}
	return skipped, text
}

// cut returns how many bytes of the text fit: at least one character, so that reading on comes to an end.
func (r *reading) cut(text []byte) int {
	n := tokens.Fit(r.counter, string(text), r.ask.MaxTokens)
	if n == 0 && len(text) > 0 {
		_, n = utf8.DecodeRune(text)
	}
	return n
}

// encode puts bytes that are not text into the content.
func (r *reading) encode(raw []byte) int64 {
	text := base64.StdEncoding.EncodeToString(raw)
	if n := tokens.Fit(r.counter, text, r.ask.MaxTokens); n < len(text) {
		raw = raw[:max(min(len(raw), 3), n/4*3)]
		text = base64.StdEncoding.EncodeToString(raw)
	}
	r.slice.Content, r.slice.Encoding = text, "base64"
	return int64(len(raw))
}

// numberLines says which lines the range of the slice touches.
func (r *reading) numberLines() (err error) {
	at := &r.slice.Range
	if r.slice.Artifact.Binary || at.End == at.Start {
		return nil
	}
	if at.FirstLine, err = r.blob.LineAt(at.Start); err != nil {
		return err
	}
	at.LastLine, err = r.blob.LineAt(at.End - 1)
	return err
}
