package gateway

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/guard"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// shaping is the way of one result from a server to a client.
type shaping struct {
	server, tenant string
	by             ctxmcp.Caller
	conversation   guard.Conversation
	call           guard.Call
	note           string // that the client is told beside the result
	isError        bool
	guarded        bool    // its texts go through guard, and it is recorded
	recorded       *func() // where it is guarded: set to what returns once it is recorded

	places []place // of the texts that a model reads, in order
	bytes  []place // of encoded bytes
	turned bool    // a URI was changed
}

// place is a text in a value.
type place struct {
	in   map[string]any
	name string
}

// clean returns a result, or an error, as a client may have it: its texts through guard where it is one of a call, all other texts without
// secrets, the URIs of resources as the clients know them. Where there is nothing to do, the bytes are those that came.
func (g *Gateway) clean(ctx context.Context, s shaping, raw json.RawMessage) (json.RawMessage, error) {
	v, err := ijson.Decode(ctx, raw)
	if err != nil {
		return nil, err
	}
	top, ok := v.(map[string]any)
	if !ok {
		return hidden(ctx, g.Redact, s.tenant, raw)
	}
	s.find(top)
	in := s.result(raw, top)
	rest, restore := s.withoutTexts()
	hidden := make(chan hiding, 1)
	go func() { hidden <- g.hideRest(ctx, s.tenant, top) }() // beside guard: both take their time over a long result
	shown, err := g.shown(ctx, &s, in)
	hid := <-hidden
	if err = errors.Join(err, hid.err); err != nil {
		return nil, err
	}
	changed := s.turned || s.note != ""
	restore(rest)
	for i, p := range s.places {
		if text, _ := p.in[p.name].(string); shown != nil && shown[i] != text {
			p.in[p.name], changed = shown[i], true
		}
	}
	if s.note != "" {
		blocks, _ := top["content"].([]any)
		top["content"] = append(blocks, map[string]any{"type": "text", "text": s.note})
	}
	if !changed && !hid.some {
		return raw, nil
	}
	return ijson.Compact(top)
}

// hiding is the outcome of redacting the texts that guard does not see.
type hiding struct {
	some bool // there was a secret
	err  error
}

// hideRest redacts the texts of a value. It runs beside guard, where nobody else contains a panic.
func (g *Gateway) hideRest(ctx context.Context, tenant string, top map[string]any) (out hiding) {
	defer func() {
		if broken := recover(); broken != nil {
			g.Logger.ErrorContext(ctx, "panic", "in", "redact a result", "panic", broken, "stack", string(debug.Stack()))
			out.err = errors.New("a result could not be redacted")
		}
	}()
	out.some, out.err = hideIn(ctx, g.Redact, tenant, []any{top})
	return out
}

// result returns the result for guard. Where nobody guards, the texts are redacted with the rest.
func (s *shaping) result(raw json.RawMessage, top map[string]any) guard.Result {
	if !s.guarded {
		s.places = nil
		return guard.Result{}
	}
	in := guard.Result{Call: s.call, Whole: recorded(raw, top), IsError: s.isError || top["isError"] == true}
	for _, p := range s.places {
		text, _ := p.in[p.name].(string)
		in.Texts = append(in.Texts, text)
	}
	return in
}

// shown returns the texts as guard lets them be seen, and has the whole recorded; nil where nobody guards.
func (g *Gateway) shown(ctx context.Context, s *shaping, in guard.Result) ([]string, error) {
	if !s.guarded {
		return nil, nil
	}
	out, wait, err := g.Guard.After(ctx, s.by, s.conversation, in)
	*s.recorded = wait
	return out.Texts, err
}

// find notes the texts that a model reads, and puts the URIs of resources as the clients know them.
func (s *shaping) find(top map[string]any) {
	for _, name := range []string{"content", "contents", "messages"} {
		blocks, _ := top[name].([]any)
		for _, b := range blocks {
			if o, ok := b.(map[string]any); ok {
				s.block(o)
			}
		}
	}
	if text, ok := top["message"].(string); ok && s.isError && text != "" {
		s.places = append(s.places, place{top, "message"})
	}
}

// block is a part of a content, a content of a resource, or a message of a prompt.
func (s *shaping) block(o map[string]any) {
	if inner, ok := o["content"].(map[string]any); ok {
		s.block(inner)
		return
	}
	if inner, ok := o["resource"].(map[string]any); ok {
		s.block(inner)
		return
	}
	if uri, ok := o["uri"].(string); ok && uri != "" {
		o["uri"], s.turned = wrapURI(s.server, uri), true
	}
	for _, name := range binary {
		if _, ok := o[name].(string); ok {
			s.bytes = append(s.bytes, place{o, name})
		}
	}
	if _, ok := o["text"].(string); ok && !page(o) {
		s.places = append(s.places, place{o, "text"})
	}
}

// page reports whether a content is a page that a client shows to its user, and no text for a model.
func page(o map[string]any) bool {
	kind, _ := o["mimeType"].(string)
	return strings.Contains(kind, "profile=mcp-app")
}

// binary are the members that hold encoded bytes.
var binary = []string{"data", "blob"}

// withoutTexts takes the texts that guard has redacted and the encoded bytes out of the value, and returns what puts them back.
func (s *shaping) withoutTexts() (taken []any, restore func([]any)) {
	all := append(append([]place{}, s.places...), s.bytes...)
	for _, p := range all {
		taken = append(taken, p.in[p.name])
		p.in[p.name] = ""
	}
	return taken, func(taken []any) {
		for i, p := range all {
			p.in[p.name] = taken[i]
		}
	}
}

// recorded returns a result for the record: as it came, but for encoded bytes, of which the size and the digest are kept.
func recorded(raw json.RawMessage, top map[string]any) json.RawMessage {
	blocks, _ := top["content"].([]any)
	more, _ := top["contents"].([]any)
	var out []any
	some := false
	for _, b := range append(append([]any{}, blocks...), more...) {
		o, ok := b.(map[string]any)
		if ok {
			o, some = withoutBytes(o, some)
			out = append(out, o)
		} else {
			out = append(out, b)
		}
	}
	if !some {
		return raw
	}
	short := maps.Clone(top)
	delete(short, "contents")
	short["content"] = out
	text, err := ijson.Compact(short)
	if err != nil {
		return raw
	}
	return text
}

func withoutBytes(o map[string]any, some bool) (map[string]any, bool) {
	if inner, ok := o["resource"].(map[string]any); ok {
		short, cut := withoutBytes(inner, false)
		if cut {
			o = maps.Clone(o)
			o["resource"] = short
		}
		return o, some || cut
	}
	for _, name := range binary {
		if text, ok := o[name].(string); ok && o["text"] == nil {
			o = maps.Clone(o)
			o[name] = fmt.Sprintf("[%d bytes, sha256 %s]", base64.StdEncoding.DecodedLen(len(text)), ctxmcp.Digest(text))
			some = true
		}
	}
	return o, some
}
