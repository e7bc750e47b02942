package reduce

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// source says what a segment is of. The words stand in archives: append only.
type source string

const (
	fromUser      source = "user"
	fromAssistant source = "assistant"
	fromCall      source = "call"
	fromResult    source = "result"
	fromSystem    source = "system"
)

// instructs reports whether an agent does what a source says.
func (s source) instructs() bool { return s == fromUser || s == fromSystem }

// said reports whether somebody speaks in it, the agent or a person, rather than a program.
func (s source) said() bool { return s == fromAssistant || s.instructs() }

// segment is a part of a message that is moved out, as text that has been redacted.
type segment struct {
	at     int // number of the message in the whole conversation, from 1
	source source
	label  string // of a call or result: the tool
	text   string
}

// sources says what of a message's roles a text is.
var sources = map[conversation.Role]source{conversation.User: fromUser, conversation.Assistant: fromAssistant, conversation.System: fromSystem, conversation.Developer: fromSystem, conversation.ToolRole: fromResult}

// segments returns what messages say, each part on its own. at is the number of the first of them, tools the names of the tools by
// call. Thinking is left out: it is nobody's to read.
func segments(all []conversation.Message, at int, tools map[string]string, clean func(string) string) []segment {
	var out []segment
	for i := range all {
		for j := range all[i].Parts {
			p := &all[i].Parts[j]
			s := segment{at: at + i}
			switch p.Kind {
			case conversation.Call:
				s.source, s.label, s.text = fromCall, p.Name, clean(argumentText(p.Args))
			case conversation.Result:
				s.source, s.label, s.text = fromResult, tools[p.ID], p.Full
				if s.text == "" {
					s.text = clean(p.Text)
				}
				for k := range p.Inside {
					s.text = strings.TrimPrefix(s.text+"\n"+mediaOf(&p.Inside[k], clean), "\n")
				}
			case conversation.Text, conversation.Field:
				s.source, s.text = sources[all[i].Role], clean(p.Text)
			case conversation.Media:
				s.source, s.text = sources[all[i].Role], mediaOf(p, clean)
			default:
				continue
			}
			s.label = clean(s.label)
			if strings.TrimSpace(s.text) != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// mediaOf returns the text of media, or a word that stands for it.
func mediaOf(p *conversation.Part, clean func(string) string) string {
	if p.Text == "" {
		return "[media]"
	}
	return clean(p.Text)
}

// argumentText returns the arguments of a call as a person would write them: name and value, in their order.
func argumentText(args string) string {
	d := json.NewDecoder(strings.NewReader(args))
	d.UseNumber()
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return args
	}
	var b strings.Builder
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return args
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		writeArgument(&b, name.(string), value)
	}
	return b.String()
}

func writeArgument(b *strings.Builder, name string, value json.RawMessage) {
	var text string
	if json.Unmarshal(value, &text) != nil {
		text = string(bytes.TrimSpace(value))
	}
	b.WriteString(name)
	if strings.Contains(text, "\n") {
		b.WriteString(":\n")
	} else {
		b.WriteString(": ")
	}
	b.WriteString(text)
}

// headMark begins the line above a segment in an archive.
const headMark = "=== "

// writeArchive returns segments as a text, and on which line of it, from 1, each of them begins. The line above a segment says how
// many lines it has, so that nothing in a segment can be taken for the beginning of another.
func writeArchive(all []segment) (string, []int) {
	var b strings.Builder
	size := 0
	for i := range all {
		size += len(all[i].text) + len(headMark) + 40
	}
	b.Grow(size)
	begin, line := make([]int, len(all)), 1
	for i, s := range all {
		n := strings.Count(s.text, "\n") + 1
		b.WriteString(headMark + strconv.Itoa(s.at) + " " + string(s.source) + " " + strconv.Itoa(n) + " " + containment.OneLine(s.label) + "\n")
		b.WriteString(s.text + "\n")
		begin[i] = line + 1
		line += n + 1
	}
	return b.String(), begin
}

// readArchive returns the segments of a text of writeArchive, and where each begins. A part that cannot be read ends it. It only
// looks for line feeds, some 20 ms for the largest artifact.
func readArchive(text string) ([]segment, []int) {
	var all []segment
	var begin []int
	line := 1
	for strings.HasPrefix(text, headMark) {
		head, rest, _ := strings.Cut(text[len(headMark):], "\n")
		fields := strings.SplitN(head, " ", 4)
		if len(fields) < 4 {
			return all, begin
		}
		at, err1 := strconv.Atoi(fields[0])
		n, err2 := strconv.Atoi(fields[2])
		if err1 != nil || err2 != nil || n < 1 {
			return all, begin
		}
		end := 0
		for range n {
			next := strings.IndexByte(rest[end:], '\n')
			if next < 0 {
				return all, begin
			}
			end += next + 1
		}
		all = append(all, segment{at: at, source: source(fields[1]), label: fields[3], text: rest[:end-1]})
		begin = append(begin, line+1)
		line += n + 1
		text = rest[end:]
	}
	return all, begin
}
