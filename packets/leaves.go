package packets

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// leaf is a string in a JSON value: a name of an object, or a value.
type leaf struct {
	pointer string // RFC 6901
	name    string // of the member whose value it is; empty in an array, and for a name
	text    string
}

// mapLeaves returns the value with every string replaced by what do makes of it. Names of members are shown to do, as
// leaves at the pointer of their member, and stay.
func mapLeaves(raw json.RawMessage, do func(leaf) (string, error)) (json.RawMessage, error) {
	if len(raw) == 0 {
		return raw, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	v, err := mapValue(v, "", "", do)
	if err != nil {
		return nil, err
	}
	return Canonical(v)
}

func mapValue(v any, at, name string, do func(leaf) (string, error)) (any, error) {
	var err error
	switch v := v.(type) {
	case string:
		return do(leaf{at, name, v})
	case []any:
		for i := range v {
			if v[i], err = mapValue(v[i], at+"/"+strconv.Itoa(i), "", do); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			below := at + "/" + escapePointer(key)
			if _, err := do(leaf{pointer: below, text: key}); err != nil {
				return nil, err
			}
			if v[key], err = mapValue(v[key], below, key, do); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// escapePointer writes a name as a token of a JSON Pointer.
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
