package compiler

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// fieldWords is the name of a field as it is compared: its words without case, signs between them and endings, so that "invoiceNumber" is
// "Invoice number".
type fieldWords struct {
	words []string
	text  *regexp.Regexp // matches the name in a text
}

// wordsOfField reads a name.
func wordsOfField(name string) fieldWords {
	f := fieldWords{words: stems(name)}
	parts := make([]string, len(f.words))
	for i, w := range f.words {
		parts[i] = regexp.QuoteMeta(w) + `\pL{0,3}`
	}
	if len(parts) > 0 {
		f.text = regexp.MustCompile(`(?i)(?:^|[^\pL\pN])(` + strings.Join(parts, `[\s_.\-]{0,3}`) + `)(?:$|[^\pL\pN])`)
	}
	return f
}

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

// mention is how a source speaks of a field.
type mention int

const (
	unsaid mention = iota
	partly         // it holds a word of the name
	named          // it holds the name
	valued         // it holds one value under the name
)

// sighting is a field in a source. Value and Path are those of a mention with a value.
type sighting struct {
	mention mention
	value   json.RawMessage
	path    string
}

// in looks for the field in a text: JSON, a table, or anything else.
func (f fieldWords) in(text string) sighting {
	if len(f.words) == 0 {
		return sighting{}
	}
	if s, is := f.inJSON(text); is {
		return s
	}
	if s := f.inTable(text); s.mention >= named {
		return s
	}
	return f.inText(text)
}

// most bytes of a value that is told as that of a field; a longer one is only said to be there.
const mostFieldValue = 2000

// inJSON looks for a member whose name is the field's, alone or together with those that it stands in; false for what is no JSON.
func (f fieldWords) inJSON(text string) (best sighting, is bool) {
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
		return sighting{valued, w.first, w.path}, true
	case w.values > 1:
		return sighting{mention: named}, true
	}
	return w.best, true
}

// jsonWalk goes through JSON, one value after the other.
type jsonWalk struct {
	field   fieldWords
	decoder *json.Decoder
	values  int // different ones under the name
	first   json.RawMessage
	path    string
	best    sighting // of the names and texts
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
			if s := w.field.inText(text); s.mention > w.best.mention {
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
	if w.best.mention < partly && sharesWord(names, f) {
		w.best.mention = partly
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
func (f fieldWords) inTable(text string) sighting {
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
				return sighting{valued, quoted(strings.TrimSpace(values[i])), ""}
			}
			return sighting{mention: named}
		}
	}
	return sighting{}
}

// stated matches the rest of a line that gives the value of what stands before it.
var stated = regexp.MustCompile(`^\s*[:=]\s*"?([^"\n]{1,200}?)"?[,;]?\s*(?:\n|$)`)

// inText looks for the name in a text. If a line gives it a value, and no other line another, that is the value.
func (f fieldWords) inText(text string) (best sighting) {
	if len(f.words) == 0 {
		return best
	}
	for _, at := range f.text.FindAllStringSubmatchIndex(text, mostSightings) {
		if best.mention < named {
			best.mention = named
		}
		m := stated.FindStringSubmatch(text[at[3]:])
		if m == nil {
			continue
		}
		value := quoted(strings.TrimSpace(m[1]))
		switch {
		case best.value == nil:
			best = sighting{valued, value, ""}
		case !bytes.Equal(best.value, value):
			return sighting{mention: named}
		}
	}
	if best.mention == unsaid {
		for _, w := range f.words {
			if len(w) > 2 && wordsOfField(w).text.MatchString(text) {
				return sighting{mention: partly}
			}
		}
	}
	return best
}

// mostSightings bounds how often a name is looked at in one text.
const mostSightings = 20
