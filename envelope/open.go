package envelope

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// part is a text that a result holds beside others, such as the output of a command beside its errors.
type part struct {
	label string // on a line before it; empty: none
	text  string
	short string // stands where the text finds no room, which is a note of our own; empty: the text is shortened
}

// open takes the texts of a result out of the form in which a protocol or a shell hands them over. A result in the form of MCP is always
// opened; another object with a text of several lines only where it does not fit as it is. It looks at nothing that is not JSON.
func (w *wrapping) open() {
	if !opensJSON(w.raw) {
		return
	}
	parts := protocolParts(watching(w.ctx), w.raw, 0)
	if parts == nil && (w.in.Strategy == Auto || w.in.Strategy == FirstN) && !tokens.Fits(w.Counter, w.raw, w.max-w.overhead("")) {
		parts = textParts(watching(w.ctx), w.raw)
	}
	switch {
	case len(parts) == 1 && parts[0].label == "":
		w.raw = parts[0].text
	case len(parts) > 0:
		w.parts = parts
		w.raw = joined(parts)
	}
}

// joined writes the parts as one text.
func joined(parts []part) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 && b.Len() > 0 && !strings.HasSuffix(b.String()[b.Len()-1:], "\n") {
			b.WriteByte('\n')
		}
		if p.label != "" {
			b.WriteString(p.label + "\n")
		}
		b.WriteString(p.text)
	}
	return b.String()
}

// redactParts hides the secrets of each part.
func (w *wrapping) redactParts(hide *redact.Pass) (text string, found []redact.Finding) {
	for i, p := range w.parts {
		label, inLabel := hide.Text(p.label)
		said, inText := hide.Text(p.text)
		w.parts[i].label, w.parts[i].text = label, said
		found = append(append(found, inLabel...), inText...)
	}
	return joined(w.parts), merged(found)
}

// merged adds up the findings of each label.
func merged(found []redact.Finding) (all []redact.Finding) {
	for _, f := range found {
		at := slices.IndexFunc(all, func(g redact.Finding) bool { return g.Label == f.Label })
		if at < 0 {
			all = append(all, f)
			continue
		}
		all[at].Count += f.Count
	}
	return all
}

// containParts makes each part harmless to show.
func (w *wrapping) containParts() (err error) {
	for i, p := range w.parts {
		if p.label, _, err = containment.Contain(w.ctx, p.label); err != nil {
			return err
		}
		if p.text, _, err = containment.Contain(w.ctx, p.text); err != nil {
			return err
		}
		w.parts[i] = p
	}
	w.text = joined(w.parts)
	return nil
}

// toolResult is the form of results in MCP, and toolReply that of the answer around one in JSON-RPC.
type (
	toolResult struct {
		Content    []contentBlock  `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
		Meta       json.RawMessage `json:"_meta"`
	}
	toolReply struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result"`
	}
	contentBlock struct {
		Type        string          `json:"type"`
		Text        *string         `json:"text"`
		Data        string          `json:"data"`
		MimeType    string          `json:"mimeType"`
		URI         string          `json:"uri"`
		Name        string          `json:"name"`
		Title       string          `json:"title"`
		Description string          `json:"description"`
		Size        json.RawMessage `json:"size"`
		Annotations json.RawMessage `json:"annotations"`
		Meta        json.RawMessage `json:"_meta"`
		Resource    *struct {
			URI      string          `json:"uri"`
			Name     string          `json:"name"`
			Title    string          `json:"title"`
			MimeType string          `json:"mimeType"`
			Text     *string         `json:"text"`
			Blob     string          `json:"blob"`
			Meta     json.RawMessage `json:"_meta"`
		} `json:"resource"`
	}
)

const mostReplies = 3 // forms around each other that are opened

// protocolParts returns the parts of a result in the form of MCP, or of the answer of JSON-RPC around one; nil for anything else.
func protocolParts(w *watch, text string, depth int) []part {
	if depth == mostReplies || !strings.Contains(text, `"type"`) && !strings.Contains(text, `"jsonrpc"`) && !strings.Contains(text, `"structuredContent"`) {
		return nil
	}
	var reply toolReply
	if strict(w, text, &reply) && reply.Version != "" && reply.Result != nil {
		return protocolParts(w, string(reply.Result), depth+1)
	}
	var r toolResult
	if !strict(w, text, &r) {
		r = toolResult{}
		if !strict(w, text, &r.Content) {
			return nil
		}
	}
	if r.Content == nil && r.Structured == nil {
		return nil
	}
	var parts []part
	if r.IsError {
		parts = append(parts, part{text: "isError: true"})
	}
	for _, b := range r.Content {
		p, known := b.part(w)
		if !known {
			return nil
		}
		parts = append(parts, p)
	}
	if len(r.Structured) > 0 && !saysTheSame(r.Content, r.Structured) {
		p := part{label: "structuredContent:", text: string(r.Structured)}
		if len(parts) == 0 {
			p.label = ""
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return []part{{text: "no content"}}
	}
	return parts
}

// strict reads a value that has no members but those that are known.
func strict(w *watch, text string, into any) bool {
	d := json.NewDecoder(artifacts.Within(w.ctx, strings.NewReader(text)))
	d.DisallowUnknownFields()
	return d.Decode(into) == nil && !d.More()
}

// part returns what a block says. It is not known for a block of another protocol.
func (b contentBlock) part(w *watch) (p part, known bool) {
	switch {
	case b.Type == "text" && b.Text != nil:
		return part{text: textOfString(w, *b.Text)}, true
	case (b.Type == "image" || b.Type == "audio") && b.Data != "":
		return binaryPart(b.Type+" "+b.MimeType, b.Data), true
	case b.Type == "resource_link" && b.URI != "":
		return part{text: strings.TrimSpace(fmt.Sprintf("resource %s %s %s", b.URI, b.Name, b.Description))}, true
	case b.Type == "resource" && b.Resource != nil && b.Resource.Text != nil:
		return part{label: "resource " + b.Resource.URI + ":", text: textOfString(w, *b.Resource.Text)}, true
	case b.Type == "resource" && b.Resource != nil:
		return binaryPart("resource "+b.Resource.URI+" "+b.Resource.MimeType, b.Resource.Blob), true
	}
	return part{}, false
}

// binaryPart returns a note in place of bytes in base64.
func binaryPart(what, encoded string) part {
	name, _, _ := strings.Cut(what, " ")
	return part{text: binaryNote(what, encoded), short: "[" + name + " left out]"}
}

// binaryNote says what bytes in base64 are, in place of them.
func binaryNote(what, encoded string) string {
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return fmt.Sprintf("[%s: %d characters that are no base64, left out and not kept]", strings.TrimSpace(what), utf8.RuneCountInString(encoded))
	}
	digest := sha256.Sum256(raw)
	return fmt.Sprintf("[%s: %d bytes, sha256 %x…, left out and not kept]", strings.TrimSpace(what), len(raw), digest[:6])
}

// mostCompared is how many bytes a structure has at most that is compared member by member, whatever their order.
const mostCompared = 256 << 10

// saysTheSame reports whether the only block is the text of the structure, as servers send it for clients that read no structure.
func saysTheSame(blocks []contentBlock, structure json.RawMessage) bool {
	if len(blocks) != 1 || blocks[0].Text == nil {
		return false
	}
	if len(structure) > mostCompared {
		var a, b bytes.Buffer
		return json.Compact(&a, []byte(*blocks[0].Text)) == nil && json.Compact(&b, structure) == nil && bytes.Equal(a.Bytes(), b.Bytes())
	}
	var a, b any
	return json.Unmarshal([]byte(*blocks[0].Text), &a) == nil && json.Unmarshal(structure, &b) == nil && reflect.DeepEqual(a, b)
}

const (
	longText  = 400 // bytes from which a text of several lines is a part of its own
	shortRest = 2000
	leastFeed = 2 // line feeds of such a text
)

// textParts returns the parts of an object whose members are texts of several lines, and little else: the rest as an object, and then each
// text under its name. It returns nil for any other value.
func textParts(w *watch, raw string) []part {
	if strings.TrimSpace(raw)[0] != '{' || !strings.Contains(raw, `\n`) && !strings.Contains(raw, `\"`) || !isJSON(raw) {
		return nil
	}
	n := readJSON(w, raw)
	if n.kind != object {
		return nil
	}
	var rest []string
	var texts []part
	size := 0
	for i, key := range n.names() {
		c := n.child(i)
		if c.kind == stringKind && len(c.src) >= longText && holdsLines(c.text()) {
			texts = append(texts, part{label: key + ":", text: textOfString(w, c.text())})
			continue
		}
		size += len(c.src)
		name, _ := json.Marshal(key)
		rest = append(rest, string(name)+":"+c.src)
	}
	if len(texts) == 0 || size > shortRest {
		return nil
	}
	if len(rest) > 0 {
		texts = append([]part{{text: "{" + strings.Join(rest, ",") + "}"}}, texts...)
	}
	return texts
}

// holdsLines reports whether a text has several lines, or is JSON.
func holdsLines(text string) bool {
	return strings.Count(text, "\n") >= leastFeed || isJSON(text)
}

// compound is the kind of a result of several parts, each of which is kept as what it is.
var compound = kind{
	Name: "parts", Doc: "of each text that a result holds what its own kind keeps, within its share of the budget",
	keep: (*wrapping).keepParts,
}

// keepParts shows each part within its share: what short ones leave is for the long ones.
func (w *wrapping) keepParts() string {
	end := ""
	if how := w.recovery(); how != "" {
		end = "\n…" + how
	}
	room := w.room() - w.Counter.Count(end)
	shares := w.shares(room)
	var b strings.Builder
	before := 0 // lines
	for i, p := range w.parts {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		label := 0
		if p.label != "" {
			b.WriteString(p.label + "\n")
			label = 1
		}
		sub := *w
		sub.parts, sub.text, sub.within, sub.before = nil, p.text, max(shares[i], 1), before+label
		sub.kind = recognise(watching(w.ctx), p.text)
		if p.short != "" && !sub.fits() {
			b.WriteString(p.short)
		} else {
			b.WriteString(strings.TrimSuffix(sub.trimAuto(), "\n"))
		}
		before += label + strings.Count(strings.TrimSuffix(p.text, "\n"), "\n") + 1
	}
	text := b.String() + end
	if w.Counter.Count(text) > w.room() {
		return w.firstOfText(w.text, "")
	}
	return text
}

// shares shares the room among the parts: none gets more than it takes while another has too little.
func (w *wrapping) shares(room int) []int {
	shares := make([]int, len(w.parts))
	open := len(w.parts)
	for i, p := range w.parts {
		room -= w.Counter.Count(p.label) + 2
		shares[i] = -1
	}
	for settled := true; settled && open > 0; {
		settled = false
		share := room / open
		for i, p := range w.parts {
			if shares[i] < 0 && tokens.Fits(w.Counter, p.text, share) {
				shares[i] = w.Counter.Count(p.text)
				room -= shares[i]
				open--
				settled = true
			}
		}
	}
	for i := range shares {
		if shares[i] < 0 {
			shares[i] = room / open
		}
	}
	return shares
}
