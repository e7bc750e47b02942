package packets

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// leaf is a string in a JSON value: a value, or the name of a member.
type leaf struct {
	at   *step
	name string // of the member whose value it is; empty in an array, and for a name
	text string
}

// step is where a value stands: in which other, and under what name.
type step struct {
	in    *step
	token string
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointer returns the JSON Pointer (RFC 6901) of a place.
func (s *step) pointer() string {
	if s == nil {
		return ""
	}
	return s.in.pointer() + "/" + pointerEscapes.Replace(s.token)
}

// mapLeaves returns the value with every string, names of members included, replaced by what do makes of it, in canonical
// form.
func mapLeaves(raw json.RawMessage, do func(leaf) string) (json.RawMessage, error) {
	v, err := decode(raw)
	if err != nil {
		return nil, err
	}
	return Canonical(mapValue(v, nil, "", do))
}

func mapValue(v any, at *step, name string, do func(leaf) string) any {
	switch v := v.(type) {
	case string:
		return do(leaf{at, name, v})
	case []any:
		for i := range v {
			v[i] = mapValue(v[i], &step{at, strconv.Itoa(i)}, "", do)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			below := &step{at, key}
			value := mapValue(v[key], below, key, do)
			delete(v, key)
			v[do(leaf{at: below, text: key})] = value
		}
	}
	return v
}

// leavesOf lists the strings of a value, names of members included, in the order of their pointers.
func leavesOf(v any, at *step, name string, list []leaf) []leaf {
	switch v := v.(type) {
	case string:
		return append(list, leaf{at, name, v})
	case []any:
		for i := range v {
			list = leavesOf(v[i], &step{at, strconv.Itoa(i)}, "", list)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			below := &step{at, key}
			list = leavesOf(v[key], below, key, append(list, leaf{at: below, text: key}))
		}
	}
	return list
}
