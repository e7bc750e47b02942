package envelope

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// trimmers says how each strategy trims. Each returns text of at most the room in tokens.
var trimmers = map[Strategy]func(*wrapping) string{
	Auto: (*wrapping).trimAuto, FirstN: (*wrapping).trimFirst, FieldWhitelist: (*wrapping).trimFields, Summary: (*wrapping).trimSummary,
}

func (w *wrapping) trim() error {
	w.out.Content = trimmers[w.in.Strategy](w)
	w.out.Truncated = w.out.Content != w.text
	return nil
}

// trimAuto shows all if it fits, and else what its kind keeps.
func (w *wrapping) trimAuto() string {
	if w.fits() {
		return w.text
	}
	return w.kind.keep(w)
}

// trimFirst shows the beginning.
func (w *wrapping) trimFirst() string {
	switch {
	case w.fits():
		return w.text
	case w.kind.JSON:
		return w.firstOfJSON()
	}
	return w.firstOfText(w.text, "")
}

// trimFields keeps the named fields of an object, or of each record. Content without fields is cut like by first_n.
func (w *wrapping) trimFields() string {
	if !w.kind.JSON {
		w.out.Warnings = append(w.out.Warnings, Warning{Kind: "no_fields", Detail: "the result is " + w.kind.Name + ", which has no fields: its beginning is shown"})
		return w.trimFirst()
	}
	tree := readJSON(watching(w.ctx), w.text)
	names := map[string]bool{}
	for _, f := range w.in.Fields {
		names[f] = true
	}
	kept := tree.only(names)
	if kept == nil {
		kept = tree.within(names, maxDepth)
	}
	if kept == nil {
		w.out.Warnings = append(w.out.Warnings, Warning{Kind: "no_fields", Detail: "none of the fields is in the result"})
		if kept = (&node{kind: tree.kind, watch: tree.watch, opened: true}); tree.kind == jsonLines {
			kept.kind = object
		}
	}
	text, whole := kept.write(unlimited(), tokens.Longest(w.room()), nil)
	if tree.kind == jsonLines {
		text = strings.TrimSuffix(text, "\n")
	}
	if whole && tokens.Fits(w.Counter, text, w.room()) {
		return text
	}
	return w.fitJSON(kept, nil)
}

// trimSummary says what the result is: for JSON as JSON, for text on a line.
func (w *wrapping) trimSummary() string {
	chars := utf8.RuneCountInString(w.text)
	if !w.kind.JSON {
		return w.withNotice([]string{"type=text", "kind=" + w.kind.Name, fmt.Sprintf("size=%d chars", chars), fmt.Sprintf("lines=%d", strings.Count(w.text, "\n")+1)})
	}
	tree := readJSON(watching(w.ctx), w.text)
	for most := 10; most >= 0; most-- {
		s := tree.summary(most)
		s["size_chars"] = chars
		if w.recovery() != "" {
			s[wholeAt] = w.getWhole()
		}
		text, err := json.Marshal(s)
		if err == nil && tokens.Fits(w.Counter, string(text), w.room()) {
			return string(text)
		}
	}
	return w.least()
}
