package sqlite

import (
	"encoding/json"
	"hash/maphash"
	"sync/atomic"

	"github.com/ctx-mcp/ctx-mcp"
)

// decoded keeps the objects that were read last, each in the place of the hash of its text: the same memories are candidates of one question
// after the other. An object takes some two kilobytes.
type decoded [4096]atomic.Pointer[decoding]

// decoding is an object with the text that it was read from. It never changes.
type decoding struct {
	text   string
	object ctxmcp.ContextObject
}

var (
	decodings     = new(decoded)
	decodingsSeed = maphash.MakeSeed()
)

// object returns the object that a text holds as JSON. The caller owns it.
func (d *decoded) object(text string) (ctxmcp.ContextObject, error) {
	place := &d[maphash.String(decodingsSeed, text)%uint64(len(d))]
	if kept := place.Load(); kept != nil && kept.text == text {
		return kept.object.Clone(), nil
	}
	read := &decoding{text: text}
	if err := json.Unmarshal([]byte(text), &read.object); err != nil {
		return ctxmcp.ContextObject{}, err
	}
	place.Store(read)
	return read.object.Clone(), nil
}

// drop lets go of everything.
func (d *decoded) drop() {
	for i := range d {
		d[i].Store(nil)
	}
}
