package exchange

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// Bounds of a line that are checked before anything else reads it: far beyond the needs of a version, and short of
// the size that makes a reader of JSON slow.
const (
	maxDepth  = 8   // objects and lists within each other
	maxDigits = 100 // characters of a number
)

// strict returns a CodeInvalid Error for text that is not JSON, and for JSON that readers understand differently or
// alter without a word: bytes that are not UTF-8, halves of surrogate pairs, a name that stands twice in one object, a
// number that a float64 cannot hold.
func strict(line []byte) error {
	if err := ijson.Check(line); err != nil {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "%v", err) // it quotes an escape at most
	}
	if !json.Valid(line) {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "not valid JSON").WithHint("write one object on each line")
	}
	w := walker{json.NewDecoder(bytes.NewReader(line))}
	w.json.UseNumber()
	return w.value("", 0)
}

// walker visits every name and number of valid JSON.
type walker struct{ json *json.Decoder }

// value visits the value that comes next, which stands at the path.
func (w walker) value(path string, depth int) error {
	token, err := w.json.Token()
	if err != nil {
		return err
	}
	if number, ok := token.(json.Number); ok {
		return checkNumber(path, number)
	}
	if _, ok := token.(json.Delim); !ok {
		return nil
	}
	if depth == maxDepth {
		return invalid(path, "is nested too deep")
	}
	if token == json.Delim('{') {
		err = w.members(path, depth+1)
	} else {
		err = w.items(path, depth+1)
	}
	if err != nil {
		return err
	}
	_, err = w.json.Token() // the closing bracket
	return err
}

func (w walker) members(path string, depth int) error {
	seen := map[string]bool{}
	for w.json.More() {
		token, err := w.json.Token()
		if err != nil {
			return err
		}
		name := token.(string) // valid JSON holds nothing else here
		at := strings.TrimPrefix(path+"."+name, ".")
		if seen[name] {
			return invalid(at, "stands twice")
		}
		seen[name] = true
		if err := w.value(at, depth); err != nil {
			return err
		}
	}
	return nil
}

func (w walker) items(path string, depth int) error {
	for i := 0; w.json.More(); i++ {
		if err := w.value(path+"["+strconv.Itoa(i)+"]", depth); err != nil {
			return err
		}
	}
	return nil
}

// checkNumber returns a CodeInvalid Error for a number that is too long, too large, or that is not 0 but so small that
// it would become 0.
func checkNumber(path string, number json.Number) error {
	if len(number) > maxDigits {
		return invalid(path, "has a number of over %d characters", maxDigits)
	}
	f, err := number.Float64()
	digits, _, _ := strings.Cut(strings.ToLower(number.String()), "e")
	if err != nil || f == 0 && strings.ContainsAny(digits, "123456789") {
		return invalid(path, "has a number that is out of range")
	}
	return nil
}

// maxPath is the length of a path of the input that is told, in characters.
const maxPath = 80

// invalid returns a CodeInvalid Error about the field at the path.
func invalid(path, format string, args ...any) *ctxmcp.Error {
	e := ctxmcp.Errorf(ctxmcp.CodeInvalid, format, args...)
	e.Message = "field " + strconv.Quote(ctxmcp.Clip(path, maxPath)) + " " + e.Message
	return e
}
