package packets

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// leaf is a string in a JSON value: a value, or the name of a member.
type leaf struct {
	at   *step
	name string // of the member whose value it is; empty in an array, and for a name
	text string
}

// step is the place of a value: the value that holds it, and its name there.
type step struct {
	in    *step
	token string
}

// looks counts how much is worked on, and looks at the context once in a while.
type looks struct {
	ctx  context.Context
	done int
	err  error // of the context, once it was seen to have ended
}

// lookEvery is the work between two looks at the context, in bytes: of a value that was read, stepOf stands for each.
const (
	lookEvery = 64 << 10
	stepOf    = 64
)

// ended reports whether the context has ended, after more work of so many bytes.
func (l *looks) ended(work int) bool {
	if l.done += work; l.done >= lookEvery && l.err == nil {
		l.done, l.err = 0, l.ctx.Err()
	}
	return l.err != nil
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointer returns the JSON Pointer (RFC 6901) of a place.
func (s *step) pointer() string {
	if s == nil {
		return ""
	}
	return s.in.pointer() + "/" + pointerEscapes.Replace(s.token)
}

// bytesOfLeaf is the average size of a value in canonical form for each of its different strings.
const bytesOfLeaf = 128

// different returns the strings of a value in canonical form, names of members included, each once under the same name: enough
// to tell whether anything is in them, where most are there many times. In canonical form a string before a colon is a name,
// and its value follows at once.
func different(ctx context.Context, canonical []byte) ([]leaf, error) {
	look := looks{ctx: ctx}
	all := make([]leaf, 0, len(canonical)/bytesOfLeaf)
	seen := make(map[string]bool, len(canonical)/bytesOfLeaf)
	text := string(canonical) // the strings are parts of it
	add := func(place, name, text string) error {
		if seen[place] {
			return nil
		}
		seen[place] = true
		var l leaf
		err := errors.Join(unquote(name, &l.name), unquote(text, &l.text))
		all = append(all, l)
		return err
	}
	for i, done := 0, 0; i < len(canonical); i++ {
		if canonical[i] != '"' {
			if i-done >= lookEvery {
				if look.ended(i - done) {
					return nil, look.err
				}
				done = i
			}
			continue
		}
		begin, end := i, closing(canonical, i)
		if look.ended(end - done) {
			return nil, look.err
		}
		done = end
		if err := add(text[begin:end], "", text[begin:end]); err != nil {
			return nil, err
		}
		if i = end - 1; end+1 < len(canonical) && canonical[end] == ':' && canonical[end+1] == '"' {
			last := closing(canonical, end+1)
			if err := add(text[begin:last], text[begin:end], text[end+1:last]); err != nil {
				return nil, err
			}
			i = last - 1
		}
	}
	return all, nil
}

// closing returns where the string of well-formed JSON that begins at a quote has ended.
func closing(raw []byte, quote int) int {
	for i := quote + 1; ; i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// unquote reads a string of JSON; nothing is the empty one.
func unquote(quoted string, into *string) error {
	if strings.IndexByte(quoted, '\\') < 0 {
		*into = strings.Trim(quoted, `"`)
		return nil
	}
	return json.Unmarshal([]byte(quoted), into)
}

// mapLeaves returns the value with every string, names of members included, replaced by what do makes of it, in canonical
// form.
func mapLeaves(ctx context.Context, raw json.RawMessage, do func(leaf) string) (json.RawMessage, error) {
	v, err := ijson.Decode(ctx, raw)
	if err != nil {
		return nil, err
	}
	look := looks{ctx: ctx}
	v = look.mapValue(v, nil, "", do)
	if look.err != nil {
		return nil, look.err
	}
	return ijson.Encode(ctx, v)
}

func (l *looks) mapValue(v any, at *step, name string, do func(leaf) string) any {
	if l.ended(stepOf) {
		return v
	}
	switch v := v.(type) {
	case string:
		return do(leaf{at, name, v})
	case []any:
		for i := range v {
			v[i] = l.mapValue(v[i], &step{at, strconv.Itoa(i)}, "", do)
		}
	case map[string]any:
		for _, key := range l.names(v) {
			below := &step{at, key}
			value := l.mapValue(v[key], below, key, do)
			delete(v, key)
			v[do(leaf{at: below, text: key})] = value
		}
	}
	return v
}

// names returns the names of objects in order, each once.
func (l *looks) names(objects ...map[string]any) []string {
	var all []string
	for _, o := range objects {
		all = slices.AppendSeq(all, maps.Keys(o))
	}
	if err := ijson.SortDuring(l.ctx, all, strings.Compare); err != nil {
		l.err = err
		return nil
	}
	return slices.Compact(all)
}

// leavesOf lists the strings of a value, names of members included, in the order of their pointers.
func leavesOf(ctx context.Context, v any) ([]leaf, error) {
	look := looks{ctx: ctx}
	list := look.leaves(v, nil, "", nil)
	return list, look.err
}

func (l *looks) leaves(v any, at *step, name string, list []leaf) []leaf {
	if l.ended(stepOf) {
		return list
	}
	switch v := v.(type) {
	case string:
		return append(list, leaf{at, name, v})
	case []any:
		for i := range v {
			list = l.leaves(v[i], &step{at, strconv.Itoa(i)}, "", list)
		}
	case map[string]any:
		for _, key := range l.names(v) {
			below := &step{at, key}
			list = l.leaves(v[key], below, key, append(list, leaf{at: below, text: key}))
		}
	}
	return list
}
