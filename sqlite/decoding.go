package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"strings"
	"sync/atomic"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// decoded keeps the objects that were read last, each in the place of the hash of its text: the same memories are candidates of one question
// after the other. An object takes some two kilobytes.
type decoded [4096]atomic.Pointer[decoding]

// decoding is an object with the text that it was read from. It never changes.
type decoding struct {
	text   string
	object ctxmcp.ContextObject
	terms  string // of a sealed one
	sealed bool
}

var (
	decodings     = new(decoded)
	decodingsSeed = maphash.MakeSeed()
)

// place returns the place of a text.
func (d *decoded) place(text string) *atomic.Pointer[decoding] {
	return &d[maphash.String(decodingsSeed, text)%uint64(len(d))]
}

// of returns the entry of a text, or nil.
func (d *decoded) of(text string) *decoding {
	if kept := d.place(text).Load(); kept != nil && kept.text == text {
		return kept
	}
	return nil
}

// decode returns the content of a version, opened by its key where it is sealed; nil without its key.
func (d *decoded) decode(text string, keys map[string][]byte) (*decoding, error) {
	read, object := &decoding{text: text}, text
	var s sealedObject
	var err error
	if isSealed(text) {
		err = json.Unmarshal([]byte(text), &s)
		if err != nil || keys[s.Key] == nil {
			return nil, err
		}
		if object, read.terms, err = s.open(keys[s.Key]); err != nil {
			return nil, err
		}
		read.sealed = true
	}
	if read.object, err = objectOf(object); err != nil {
		return nil, err
	}
	if s.MaybeOutdatedBy != nil {
		read.object.MaybeOutdatedBy = *s.MaybeOutdatedBy
	}
	d.place(text).Store(read)
	return read, nil
}

// read is a version that was read.
type read struct {
	object ctxmcp.ContextObject // the reader owns it
	sealed bool
	opened string // terms of a sealed one
}

// terms returns the terms of the version, given those that its index has: of one that was made when each spelling of a word had a term, those of today.
func (r *read) terms(indexed string) []string {
	if r.sealed {
		indexed = r.opened
	}
	terms := strings.Fields(indexed)
	for i, t := range terms {
		terms[i] = language.Spelled(t)
	}
	return terms
}

// read returns the versions that rows hold, in their order; nil for one that was sealed under a key that is gone. It returns CodeUnavailable for a sealed
// one where no keys are configured.
func (z *sealing) read(ctx context.Context, rows []row) ([]*read, error) {
	kept := make([]*decoding, len(rows)) // here: decoding one row may drop another
	for i, r := range rows {
		kept[i] = decodings.of(r.text)
	}
	keys, err := z.keysOf(ctx, rows, kept)
	if err != nil {
		return nil, err
	}
	all := make([]*read, len(rows))
	for i, r := range rows {
		d := kept[i]
		if d == nil {
			if d, err = decodings.decode(r.text, keys); err != nil {
				return nil, fmt.Errorf("read object: %w", err)
			}
		}
		if d == nil {
			continue
		}
		o, err := r.changed(d.object.Clone())
		if err != nil {
			return nil, err
		}
		all[i] = &read{o, d.sealed, d.terms}
	}
	return all, nil
}

// keysOf returns the keys of the sealed versions among rows, but for those that are kept.
func (z *sealing) keysOf(ctx context.Context, rows []row, kept []*decoding) (map[string][]byte, error) {
	var ids []string
	for i, r := range rows {
		if kept[i] != nil || !isSealed(r.text) {
			continue
		}
		var s struct{ Key string }
		if err := json.Unmarshal([]byte(r.text), &s); err != nil {
			return nil, fmt.Errorf("read object: %w", err)
		}
		ids = append(ids, s.Key)
	}
	return z.find(ctx, ids)
}

// objects returns the objects of rows whose keys are there.
func (z *sealing) objects(ctx context.Context, rows []row) ([]ctxmcp.ContextObject, error) {
	all, err := z.read(ctx, rows)
	if len(all) == 0 {
		return nil, err
	}
	found := make([]ctxmcp.ContextObject, 0, len(all))
	for _, r := range all {
		if r != nil {
			found = append(found, r.object)
		}
	}
	return found, err
}

// drop lets go of everything.
func (d *decoded) drop() {
	for i := range d {
		d[i].Store(nil)
	}
}
