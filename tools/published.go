package tools

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
)

// publication is the schema of the arguments of a tool as clients get it, whole, and as agents do, short.
type publication struct{ whole, short json.RawMessage }

// publishedText has a line for each tool: its name, the whole schema and the short one, between tabs. They follow from the Go types of the arguments,
// and a test holds the lines to that: to derive them would take a start longer than to open the database.
//
//go:embed published.txt
var publishedText string

// published returns the schemas by the names of their tools. A tool without a line has its schemas derived.
var published = sync.OnceValue(func() map[string]publication {
	list := map[string]publication{}
	for line := range strings.Lines(publishedText) {
		if fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(fields) == 3 {
			list[fields[0]] = publication{json.RawMessage(fields[1]), json.RawMessage(fields[2])}
		}
	}
	return list
})
