package envelope

import (
	"encoding/json"
	"fmt"
	"strings"
)

// trueOfJSON checks what is said in a tree about what is left out of it.
func trueOfJSON(outcome, source string) error {
	var src any
	if strings.HasPrefix(source, "{") && strings.Contains(source, "\n") {
		var list []any
		for l := range strings.Lines(source) {
			var v any
			if err := json.Unmarshal([]byte(l), &v); err != nil {
				return err
			}
			list = append(list, v)
		}
		for l := range strings.Lines(outcome) {
			var v map[string]any
			if err := json.Unmarshal([]byte(l), &v); err != nil {
				return err
			}
			if said, ok := v[countedAs].(string); ok {
				if err := trueOfCount(said, strings.Split(strings.TrimSpace(source), "\n")); err != nil {
					return err
				}
			}
			if m := elementOut.FindStringSubmatch(fmt.Sprint(v[leftOut])); m != nil && (number(m[2]) != len(list) || number(m[1]) != number(m[5])-number(m[4])) {
				return fmt.Errorf("%q of %d", v[leftOut], len(list))
			}
		}
		return nil
	}
	var out any
	if err := json.Unmarshal([]byte(source), &src); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(outcome), &out); err != nil {
		return err
	}
	if said, path := countIn(out); said != "" {
		if err := trueOfCount(said, elementsAt(src, path)); err != nil {
			return err
		}
	}
	return trueOfValue(out, src)
}

func trueOfValue(out, src any) error {
	switch o := out.(type) {
	case map[string]any:
		return trueOfObject(o, src)
	case []any:
		return trueOfArray(o, src)
	case string:
		text, isText := src.(string)
		if !isText {
			return fmt.Errorf("%q is said of %v", o, src)
		}
		return trueOfLine(o, text)
	}
	if fmt.Sprint(out) != fmt.Sprint(src) {
		return fmt.Errorf("%v is said of %v", out, src)
	}
	return nil
}

func trueOfObject(o map[string]any, src any) error {
	object, isObject := src.(map[string]any)
	if !isObject {
		return fmt.Errorf("an object is said of %v", src)
	}
	missing := len(object)
	for key, v := range o {
		if key == wholeAt || key == leftOut || key == countedAs {
			continue
		}
		if err := trueOfValue(v, object[key]); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		missing--
	}
	said, isSaid := o[leftOut].(string)
	m, d := membersOut.FindStringSubmatch(said), depthOut.FindStringSubmatch(said)
	switch {
	case said == "all":
	case m != nil && number(m[1]) == missing && number(m[2]) == len(object):
	case d != nil && number(d[1]) == len(object) && missing == len(object):
	case !isSaid && missing == 0:
	default:
		return fmt.Errorf("%d of %d members are missing, and it says %q", missing, len(object), said)
	}
	return nil
}

func trueOfArray(o []any, src any) error {
	list, isList := src.([]any)
	if !isList {
		return fmt.Errorf("an array is said of %v", src)
	}
	at := 0
	for _, v := range o {
		said, _ := v.(string)
		if m := elementOut.FindStringSubmatch(said); m != nil && strings.HasPrefix(said, "… ") {
			if number(m[4]) != at || number(m[2]) != len(list) || number(m[1]) != number(m[5])-at {
				return fmt.Errorf("element %d of %d is next: %q", at, len(list), said)
			}
			at = number(m[5])
			continue
		}
		if d := depthOut.FindStringSubmatch(said); d != nil && strings.HasPrefix(said, "… ") && len(o) == 1 {
			if number(d[1]) != len(list) {
				return fmt.Errorf("%q of %d", said, len(list))
			}
			return nil
		}
		if added, _ := v.(map[string]any); added[wholeAt] != nil || added[countedAs] != nil {
			continue
		}
		if at >= len(list) {
			return fmt.Errorf("there is no element %d", at)
		}
		if err := trueOfValue(v, list[at]); err != nil {
			return fmt.Errorf("[%d]: %w", at, err)
		}
		at++
	}
	if at != len(list) {
		return fmt.Errorf("%d of %d elements are told of", at, len(list))
	}
	return nil
}
