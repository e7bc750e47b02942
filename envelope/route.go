package envelope

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// Route matches the ids of results to the calls that wait, and returns for each result the place of its call. The order in
// which results arrive does not matter. It returns CodeInvalid for a result of no call and for a list of calls that names
// one twice, CodeConflict for two results of one call.
func Route(calls, results []string) ([]int, error) {
	places := make(map[string]int, len(calls))
	for i, id := range calls {
		if _, twice := places[id]; twice {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "two calls have the id %q", ctxmcp.Clip(id, maxName))
		}
		places[id] = i
	}
	routed := make([]int, len(results))
	for i, id := range results {
		place, known := places[id]
		if !known {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "no call has the id %q", ctxmcp.Clip(id, maxName)).
				WithHint("the calls that wait are: %s", ctxmcp.Clip(strings.Join(calls, ", "), maxName))
		}
		if slices.Contains(results[:i], id) {
			return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "two results have the tool_call_id %q", ctxmcp.Clip(id, maxName))
		}
		routed[i] = place
	}
	return routed, nil
}

// textOf returns what a result says: the text of a string, and the JSON of anything else as it was written. Of a text the
// commands to a terminal go, such as colours: they can stand within a secret, and mean nothing to a model. NUL becomes ␀.
func textOf(w *watch, value json.RawMessage) string {
	if value = bytes.TrimSpace(value); bytes.HasPrefix(value, []byte{'"'}) {
		if text, err := ijson.Text(value); err == nil {
			return textOfString(w, text)
		}
	}
	return strings.ToValidUTF8(string(value), "�")
}

// textOfString returns a text without commands to a terminal.
func textOfString(w *watch, text string) string {
	if !utf8.ValidString(text) { // which costs a tenth of making it so
		text = strings.ToValidUTF8(text, "�")
	}
	return strings.ReplaceAll(withoutEscapes(w, text), "\x00", "␀")
}

// withoutEscapes takes the commands to a terminal out of a text.
func withoutEscapes(w *watch, text string) string {
	if strings.IndexByte(text, escape) < 0 {
		return text
	}
	var b strings.Builder
	for {
		at := strings.IndexByte(text, escape)
		if at < 0 || w.over(at+1) {
			break
		}
		n := commandLength(text[at:])
		b.WriteString(text[:at])
		if n == 0 {
			b.WriteByte(escape)
		}
		text = text[at+max(n, 1):]
	}
	b.WriteString(text)
	return b.String()
}

const escape = 0x1b

// commandLength returns the length of the command to a terminal with which a text begins; 0 if there is none. See ECMA-48.
func commandLength(text string) int {
	if len(text) < 2 {
		return 0
	}
	switch c := text[1]; {
	case c == '[': // parameters, intermediate bytes, a final byte
		rest := strings.TrimLeft(text[2:], "0123456789:;<=>?")
		rest = strings.TrimLeft(rest, " !\"#$%&'()*+,-./")
		if rest != "" && '@' <= rest[0] && rest[0] <= '~' {
			return len(text) - len(rest) + 1
		}
	case c == ']': // up to BEL, or ST
		end := strings.IndexAny(text[2:], "\x07\x1b") + 2
		switch {
		case end < 2:
		case text[end] == '\a':
			return end + 1
		case strings.HasPrefix(text[end:], "\x1b\\"):
			return end + 2
		}
	case '@' <= c && c <= 'Z' || strings.IndexByte(`\^_=>`, c) >= 0:
		return 2
	}
	return 0
}

type markKey struct{ label, fingerprint string }

// marksOf counts the placeholders in a text. None has a bracket within, so that the text can be looked through in parts that begin with one.
func marksOf(w *watch, text string) map[markKey]int {
	count := map[markKey]int{}
	for text != "" {
		part := text
		if len(part) > lookBytes {
			if next := strings.IndexByte(part[lookBytes:], '['); next >= 0 {
				part = part[:lookBytes+next]
			}
		}
		if w.over(len(part)) {
			break
		}
		for _, m := range placeholder.FindAllStringSubmatch(part, -1) {
			count[markKey{m[1], m[2]}]++
		}
		text = text[len(part):]
	}
	return count
}

// redactions says what was hidden between two texts: by label and fingerprint where the placeholders can be read, by label
// where they stand in an encoded part.
func redactions(w *watch, before, after string, found []redact.Finding) []Redaction {
	list := []Redaction{}
	if len(found) == 0 {
		return list
	}
	had := marksOf(w, before)
	seen := map[string]int{}
	for key, n := range marksOf(w, after) {
		if n -= had[key]; n > 0 {
			list = append(list, Redaction{Label: key.label, Count: n, Fingerprint: key.fingerprint})
			seen[key.label] += n
		}
	}
	for _, f := range found {
		if n := f.Count - seen[f.Label]; n > 0 && seen[f.Label] == 0 {
			list = append(list, Redaction{Label: f.Label, Count: n})
		}
	}
	slices.SortFunc(list, func(a, b Redaction) int {
		return strings.Compare(a.Label+"\x00"+a.Fingerprint, b.Label+"\x00"+b.Fingerprint)
	})
	return list
}
