package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

// decoder reads lines.
type decoder struct{ checker *schema.Checker }

// sharedDecoder returns the one decoder: the schema takes longer to compile than a line to read.
var sharedDecoder = sync.OnceValues(newDecoder)

func newDecoder() (*decoder, error) {
	raw, err := closed(schema.Object())
	if err != nil {
		return nil, fmt.Errorf("read the schema of context objects: %w", err)
	}
	c, err := schema.NewChecker(raw, "field")
	if err != nil {
		return nil, err
	}
	return &decoder{c}, nil
}

// closed returns the schema as an import wants it: properties that it does not know are refused, at every depth, so that
// nothing is dropped without a word. The format of URIs is left to a rule, because a redacted URI is none by the grammar.
func closed(raw json.RawMessage) (json.RawMessage, error) {
	var root map[string]any
	if err := json.Unmarshal(raw, &root); err != nil {
		return nil, err
	}
	closeObjects(root)
	return json.Marshal(root)
}

func closeObjects(s map[string]any) {
	if s["format"] == "uri" {
		delete(s, "format")
	}
	properties, ok := s["properties"].(map[string]any)
	if !ok {
		return
	}
	s["additionalProperties"] = false
	for _, p := range properties {
		if inner, ok := p.(map[string]any); ok {
			closeObjects(inner)
		}
	}
}

// decode reads the version on a line. It returns a CodeInvalid Error that names the field and never quotes a value.
func (d *decoder) decode(ctx context.Context, line []byte) (ctxmcp.ContextObject, error) {
	none := ctxmcp.ContextObject{}
	if err := strict(line); err != nil {
		return none, err
	}
	if err := d.checker.Check(ctx, line); err != nil {
		return none, err
	}
	var w written
	if err := json.Unmarshal(line, &w); err != nil {
		return none, unreadable(err)
	}
	if err := w.settle(); err != nil {
		return none, err
	}
	for _, r := range rules {
		if err := r.check(w.ContextObject); err != nil {
			return none, err
		}
	}
	return canonical(w.ContextObject), nil
}

// unreadable words the error for a number that the schema allows and Go does not read: 1.0 and 1e2 for a whole number, or one over 64 bits.
func unreadable(err error) error {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		name := e.Field[strings.LastIndex(e.Field, ".")+1:]
		return invalid(name, "is not written as an integer of digits alone, or is too large").WithCause(err)
	}
	return fmt.Errorf("decode: %w", err)
}

// written is a version as a line holds it: with times in any form of ctxmcp.ParseInstant.
type written struct {
	ctxmcp.ContextObject
	ValidFrom     instant `json:"valid_from"`
	ValidUntil    instant `json:"valid_until"`
	TxStart       instant `json:"tx_start"`
	TxEnd         instant `json:"tx_end"`
	LastConfirmed instant `json:"last_confirmed"`
	LastUsed      instant `json:"last_used"`
	ObservedAt    instant `json:"observed_at"`
}

// instant is a time that a line may leave out: it is then zero, which no line can write.
type instant struct{ time.Time }

// UnmarshalJSON reads null as a time that is left out.
func (i *instant) UnmarshalJSON(raw []byte) error {
	var text *string
	if err := json.Unmarshal(raw, &text); err != nil || text == nil {
		return err
	}
	t, err := ctxmcp.ParseInstant(*text)
	i.Time = t
	return err
}

// writtenTime is a time of a line, with the field that it belongs into.
type writtenTime struct {
	name  string
	value instant
	into  *time.Time
	held  bool // the system's own record
}

func (w *written) times() []writtenTime {
	o := &w.ContextObject
	return []writtenTime{
		{"valid_from", w.ValidFrom, &o.ValidFrom, false},
		{"valid_until", w.ValidUntil, &o.ValidUntil, false},
		{"tx_start", w.TxStart, &o.TxStart, true},
		{"tx_end", w.TxEnd, &o.TxEnd, true},
		{"last_confirmed", w.LastConfirmed, &o.LastConfirmed, true},
		{"last_used", w.LastUsed, &o.LastUsed, true},
		{"observed_at", w.ObservedAt, &o.ObservedAt, false},
	}
}

// settle moves the times into the version. It returns a CodeInvalid Error for a record of the system's own that is not
// after 1970: stores keep those as microseconds since then, with 0 for none.
func (w *written) settle() error {
	for _, t := range w.times() {
		*t.into = t.value.Time
		if t.held && !t.value.IsZero() && t.value.UnixMicro() <= 0 {
			return invalid(t.name, "is not after 1970-01-01T00:00:00Z")
		}
	}
	return nil
}
