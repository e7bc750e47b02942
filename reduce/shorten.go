package reduce

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// spot is the position of a part.
type spot struct{ message, part int }

// large returns the results between two messages that have more than most characters.
func (j *job) large(from, to, most int) []spot {
	var spots []spot
	for i := from; i < to; i++ {
		for k := range j.all[i].Parts {
			p := &j.all[i].Parts[k]
			if p.Kind == conversation.Result && len(p.Text) > most && utf8.RuneCountInString(p.Text) > most {
				spots = append(spots, spot{i, k})
			}
		}
	}
	return spots
}

// shortenAll cuts results to a number of characters. The whole of each becomes an artifact.
func (j *job) shortenAll(spots []spot, chars int) {
	tools := j.toolsByCall()
	for _, at := range spots {
		m := &j.all[at.message]
		*m = m.Clone()
		p := &m.Parts[at.part]
		p.Text, p.Edited = j.shortened(p, tools[p.ID], chars), true
		if m.Edit(); at.message >= j.state.Sent.Messages || j.epoch { // else the call before returned it so
			j.touch(at.message)
		}
	}
}

// cut shortens results for want of room: a state remembers it, since it does not follow from the result alone.
func (j *job) cut(spots []spot, chars int) {
	for _, at := range spots {
		j.cutHard[j.all[at.message].Parts[at.part].ID] = true
	}
	j.shortenAll(spots, chars)
}

// toolsByCall returns the names of the tools by the ids of the calls.
func (j *job) toolsByCall() map[string]string {
	tools := map[string]string{}
	for i := range j.all {
		for k := range j.all[i].Parts {
			if p := &j.all[i].Parts[k]; p.Kind == conversation.Call {
				tools[p.ID] = p.Name
			}
		}
	}
	return tools
}

// shortened returns a result as its reference and the lines of it that are worth most.
func (j *job) shortened(p *conversation.Part, tool string, chars int) string {
	id, full := j.whole(p.Text)
	if id == "" {
		full = j.clean(p.Text)
		id = j.keep(resultArtifact, j.clean(tool), full)
	}
	p.Full = full
	preview := j.contained(full, chars)
	return reference(id, full, preview) + preview
}

// notice matches the text that wrap_tool_result puts behind a frame.
var notice = language.NewPattern(`^(?:\n\[the whole: get_artifact artifact_id=[A-Za-z0-9_.-]+ \(lines, pattern, path\)\])?$`)

// contained returns a preview of a text that can pass for nothing else. One that came in a frame keeps it, around less.
func (j *job) contained(full string, chars int) string {
	f, framed := containment.Unframe(full)
	if framed = framed && notice.MatchString(f.Rest); !framed {
		f.Text = full
	}
	preview, n := containment.Neutralise(previewOf(j.nobodyWaits, f.Text, chars))
	j.changed += n
	if framed {
		return containment.Frame(f.Nonce, f.Origin, preview) + f.Rest
	}
	return preview
}

// reference names the artifact in front of a preview.
func reference(id, full, preview string) string {
	return fmt.Sprintf("[Tool output: %s chars total | %s | Preview: %s chars below | Full: get_artifact artifact_id=%s]\n",
		thousands(utf8.RuneCountInString(full)), contentKind(full), thousands(utf8.RuneCountInString(preview)), id)
}

var referenceForm = language.NewPattern(`^\[Tool output: [\d,]+ chars total \| [^|\n]* \| Preview: [\d,]+ chars below \| Full: get_artifact artifact_id=([A-Za-z0-9_.-]+)\]\n`)

// whole returns the artifact that the text of a result refers to, and what it holds. Something that only looks like a reference
// is none: its artifact does not exist for the caller.
func (j *job) whole(text string) (id, full string) {
	m := referenceForm.FindStringSubmatch(text)
	if m == nil {
		return "", ""
	}
	full, known := j.textOf(m[1])
	if !known {
		return "", ""
	}
	return m[1], full
}

// resultArtifact is the type of the artifacts of whole results. It is part of their ids: append only.
const resultArtifact = "tool_result"

// refersTo reports whether a cut result is the beginning of a whole one.
func (j *job) refersTo(cut, whole, tool string) bool {
	m := referenceForm.FindStringSubmatch(cut)
	return m != nil && m[1] == artifacts.OnceID(j.by, j.at, draftOf(resultArtifact, j.clean(tool), j.clean(whole)))
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// contentKind says in a word or two what a text is.
func contentKind(text string) string {
	switch trimmed := strings.TrimSpace(text); {
	case strings.HasPrefix(trimmed, "{") && conversation.IsObject(trimmed):
		return "json object"
	case strings.HasPrefix(trimmed, "[") && json.Valid([]byte(trimmed)):
		return "json list"
	}
	return thousands(strings.Count(text, "\n")+1) + " lines"
}

// headShare is how much of a preview is the beginning of the text, as it stands.
const headShare = 0.3

// previewOf returns the beginning of a text and the lines of the rest that are worth most, in order. A gap is marked by the number
// of the line behind it.
func previewOf(gone func() bool, full string, chars int) string {
	if len(full) <= chars {
		return full
	}
	head := full[:boundary(full, int(float64(chars)*headShare))]
	if cut := strings.LastIndexByte(head, '\n'); cut > 0 {
		head = head[:cut+1]
	}
	rest := segment{source: fromResult, text: full[len(head):]}
	c := newCorpus(gone, []segment{rest}, []segment{{text: head}}, nil)
	ch := newChooser(c, room{size: chars - len(head), of: func(text string) int { return len(text) + previewExtra }, stays: 1, lines: true})
	ch.choose()
	var b strings.Builder
	b.WriteString(head)
	skipped, last := strings.Count(head, "\n"), -1
	for _, id := range ch.inOrder() {
		l := &c.lines[id]
		if l.row > last+1 {
			fmt.Fprintf(&b, "%s[line %d]\n", newline(b.String()), skipped+l.row+1)
		}
		last = l.row
		writeLine(&b, l)
	}
	return b.String()
}

// previewExtra is about what a line of a preview takes for its blanks, and its share of the mark of a gap.
const previewExtra = 4

// newline returns what ends a text that does not end a line.
func newline(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return ""
	}
	return "\n"
}

// boundary returns the last place between two characters at or before n.
func boundary(text string, n int) int {
	n = min(max(n, 0), len(text))
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}
