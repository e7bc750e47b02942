package fieldname

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// Name is the name of a field as it is compared: its words without case, signs between them and endings, so that "invoiceNumber" is
// "Invoice number".
type Name struct{ words []string }

// Parse reads a name, whatever it holds: one without letters and digits is found nowhere.
func Parse(name string) Name { return Name{words: stems(name)} }

// stems returns the words of a name, in lower case and without the endings that come and go.
func stems(name string) (all []string) {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			b.WriteByte(' ')
		case unicode.IsUpper(r) && unicode.IsLower(before):
			b.WriteString(" " + string(unicode.ToLower(r)))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		before = r
	}
	for _, w := range strings.Fields(b.String()) {
		if len(w) > 3 {
			w = language.LightStem(w)
		}
		all = append(all, w)
	}
	return all
}

// Mention is how a text speaks of a field.
type Mention int

// The mentions, each more than the one before.
const (
	Unsaid Mention = iota
	Partly         // it holds a word of the name
	Named          // it holds the name
	Valued         // it holds one value under the name
)

// Sighting is a field in a text.
type Sighting struct {
	Mention Mention
	Value   json.RawMessage // where it is Valued: JSON
	Path    string          // of a value in JSON, such as $.invoice.total
	Line    int             // of a value in a text or a table, from 1
}

// In looks for the field in a text: JSON, a table, or anything else.
func (f Name) In(text string) Sighting {
	if len(f.words) == 0 {
		return Sighting{}
	}
	if s, is := f.inJSON(text); is {
		return s
	}
	if s := f.inTable(text); s.Mention >= Named {
		return s
	}
	return f.inText(text)
}

// most bytes of a value that is told as that of a field; a longer one is only said to be there.
const mostFieldValue = 2000

// inJSON looks for a member whose name is the field's, alone or together with those that it stands in; false for what is no JSON.
func (f Name) inJSON(text string) (best Sighting, is bool) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || trimmed[0] != '{' && trimmed[0] != '[' {
		return best, false
	}
	w := jsonWalk{field: f, decoder: json.NewDecoder(strings.NewReader(trimmed))}
	for {
		err := w.value(nil, "$")
		if err == io.EOF {
			break
		}
		if err != nil {
			return best, false
		}
	}
	switch {
	case w.values == 1:
		return Sighting{Mention: Valued, Value: w.first, Path: w.path}, true
	case w.values > 1:
		return Sighting{Mention: Named}, true
	}
	return w.best, true
}

// jsonWalk goes through JSON, one value after the other.
type jsonWalk struct {
	field   Name
	decoder *json.Decoder
	values  int // different ones under the name
	first   json.RawMessage
	path    string
	best    Sighting // of the names and texts
}

// value reads the next value, which stands under names.
func (w *jsonWalk) value(names []string, path string) error {
	var raw json.RawMessage
	if err := w.decoder.Decode(&raw); err != nil {
		return err
	}
	return w.look(raw, names, path, 0)
}

// deepest is how deep a value may stand.
const deepest = 100

func (w *jsonWalk) look(raw json.RawMessage, names []string, path string, depth int) error {
	if len(names) > 0 {
		w.named(raw, names, path)
	}
	raw = bytes.TrimSpace(raw)
	if depth > deepest || len(raw) == 0 {
		return nil
	}
	switch raw[0] {
	case '{':
		d := json.NewDecoder(bytes.NewReader(raw))
		if _, err := d.Token(); err != nil {
			return err
		}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return err
			}
			var inner json.RawMessage
			if err := d.Decode(&inner); err != nil {
				return err
			}
			name := key.(string)
			if err := w.look(inner, append(names[:len(names):len(names)], stems(name)...), path+"."+name, depth+1); err != nil {
				return err
			}
		}
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return err
		}
		for i, item := range items {
			if err := w.look(item, names, path+"["+strconv.Itoa(i)+"]", depth+1); err != nil {
				return err
			}
		}
	case '"':
		var text string
		if json.Unmarshal(raw, &text) == nil && strings.ContainsAny(text, " \n:=,") {
			if s := w.field.inText(text); s.Mention > w.best.Mention {
				w.best = s
			}
		}
	}
	return nil
}

// named compares the names above a value with the field's.
func (w *jsonWalk) named(raw json.RawMessage, names []string, path string) {
	f := w.field.words
	if len(names) >= len(f) && equalWords(names[len(names)-len(f):], f) {
		value := bytes.TrimSpace(raw)
		switch {
		case strings.HasSuffix(path, "]"): // of a list under the name, which counts as a whole
		case len(value) > mostFieldValue:
			w.values += 2
		case w.values == 0 || !bytes.Equal(value, w.first):
			if w.values++; w.values == 1 {
				w.first, w.path = append(json.RawMessage(nil), value...), path
			}
		}
		return
	}
	if w.best.Mention < Partly && sharesWord(names, f) {
		w.best.Mention = Partly
	}
}

func equalWords(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// sharesWord reports whether one of the words of a name is among others. A word of two letters is too short to tell.
func sharesWord(words, name []string) bool {
	for _, n := range name {
		for _, w := range words {
			if len(n) > 2 && n == w {
				return true
			}
		}
	}
	return false
}

// inTable looks for a column of the name. A table of one row gives its value.
func (f Name) inTable(text string) Sighting {
	head, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	for _, separator := range []string{",", ";", "\t", "|"} {
		cells := strings.Split(head, separator)
		if len(cells) < 2 {
			continue
		}
		for i, cell := range cells {
			if words := stems(cell); len(words) != len(f.words) || !equalWords(words, f.words) {
				continue
			}
			rows := strings.Split(strings.TrimSpace(rest), "\n")
			if values := strings.Split(rows[0], separator); len(rows) == 1 && len(values) == len(cells) && strings.TrimSpace(values[i]) != "" {
				return Sighting{Mention: Valued, Value: quoted(strings.TrimSpace(values[i])), Line: lineAt(text, strings.Index(text, rest))}
			}
			return Sighting{Mention: Named}
		}
	}
	return Sighting{}
}

// stated matches the rest of a line that gives the value of what stands before it.
var stated = language.NewPattern(`^\s*[:=]\s*"?([^"\n]{1,200}?)"?[,;]?\s*(?:\n|$)`)

// inText looks for the name in a text. If a line gives it a value, and no other line another, that is the value.
func (f Name) inText(text string) (best Sighting) {
	if len(f.words) == 0 {
		return best
	}
	for _, at := range places(text, f.words, mostMentions) {
		if best.Mention < Named {
			best.Mention = Named
		}
		m := stated.FindStringSubmatch(text[at[1]:])
		if m == nil || withinPlaceholder(text, at[0]) {
			continue
		}
		value := quoted(strings.TrimSpace(m[1]))
		switch {
		case best.Value == nil:
			best = Sighting{Mention: Valued, Value: value, Line: lineAt(text, at[0])}
		case !bytes.Equal(best.Value, value):
			return Sighting{Mention: Named}
		}
	}
	if best.Mention == Unsaid {
		for i, w := range f.words {
			if len(w) > 2 && len(places(text, f.words[i:i+1], 1)) > 0 {
				return Sighting{Mention: Partly}
			}
		}
	}
	return best
}

// mostMentions bounds how often a name is looked at in one text.
const mostMentions = 20

// withinPlaceholder reports whether a place of a text lies in a placeholder of the redaction, whose label is the name of no value.
func withinPlaceholder(text string, at int) bool {
	line := text[:at]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	end, _, _ := strings.Cut(text[at:], "\n")
	return slices.ContainsFunc(redact.Placeholders(line+end), func(p [2]int) bool { return p[0] < len(line) && len(line) < p[1] })
}

// lineAt returns the number of the line that holds a place of a text, from 1.
func lineAt(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }

func quoted(text string) json.RawMessage {
	raw, err := ijson.Compact(text)
	if err != nil { // a string
		panic(err)
	}
	return raw
}
