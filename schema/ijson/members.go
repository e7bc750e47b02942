package ijson

import (
	"encoding/json"
	"iter"
)

// Members yields the members of an object in order: the name as it is written, with its quotes, and the value. object
// is well-formed JSON; of a value that is no object it yields nothing. Both are parts of object, and nothing is
// decoded.
func Members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		i := afterSpace(object, 0)
		if i >= len(object) || object[i] != '{' {
			return
		}
		for i = afterSpace(object, i+1); i < len(object) && object[i] == '"'; i = afterSpace(object, i+1) {
			nameEnd := endOfValue(object, i)
			begin := afterSpace(object, afterSpace(object, nameEnd)+1) // behind the colon
			end := endOfValue(object, begin)
			if !yield(object[i:nameEnd], object[begin:end]) {
				return
			}
			if i = afterSpace(object, end); i >= len(object) || object[i] != ',' {
				return
			}
		}
	}
}

// Elements yields the elements of an array in order, as Members does of an object.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		i := afterSpace(array, 0)
		if i >= len(array) || array[i] != '[' {
			return
		}
		for i = afterSpace(array, i+1); i < len(array) && array[i] != ']'; i = afterSpace(array, i+1) {
			end := endOfValue(array, i)
			if !yield(array[i:end]) {
				return
			}
			if i = afterSpace(array, end); i >= len(array) || array[i] != ',' {
				return
			}
		}
	}
}

// afterSpace returns the first place from i on that holds no white space.
func afterSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

// endOfValue returns where the value that begins at i has ended.
func endOfValue(text []byte, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			if i = min(endOfString(text, i+1), len(text)-1); depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			} else if depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// ByName returns the members of an object by their names, of a name that stands there twice the last, as encoding/json reads them. object
// is well-formed JSON. It returns an error for a name that cannot be read.
func ByName(object []byte) (map[string]json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	for quoted, value := range Members(object) {
		name, err := Unquote(quoted)
		if err != nil {
			return nil, err
		}
		members[name] = value
	}
	return members, nil
}
