package console

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/trail"
)

// savings are the tokens that the caller's models did not have to read, because the gateway trimmed the results of servers. It counts the last
// results of the trail, at most mostWrapped.
type savings struct {
	Results int          `json:"results"`
	Shown   int          `json:"tokens_shown"`
	Saved   int          `json:"tokens_saved"` // an estimate
	Tools   []toolSaving `json:"tools"`        // that saved the most, in order
}

// toolSaving is the part of one tool.
type toolSaving struct {
	Tool    string `json:"tool"`
	Results int    `json:"results"`
	Shown   int    `json:"tokens_shown"`
	Saved   int    `json:"tokens_saved"`
}

// The most results that are counted, and the most tools that are shown.
const (
	mostWrapped = 1000
	mostTools   = 10
)

// gatewayCall begins the id of each call of the gateway.
const gatewayCall = "gw-"

// wrapLine is the detail of a result in the trail, as far as it is counted.
type wrapLine struct {
	Call     string `json:"tool_call_id"`
	Tool     string `json:"tool"`
	Original int    `json:"original_size"`
	Trimmed  int    `json:"trimmed_size"`
	Tokens   int    `json:"tokens"`
}

// charactersPerToken is how many characters of a result an estimate takes for one token.
const charactersPerToken = 4

// saved returns the estimate of the tokens that trimming left out.
func (w wrapLine) saved() int { return max(w.Original-w.Trimmed, 0) / charactersPerToken }

// saved sums up the results of the gateway in the trail of the caller.
func (c *Console) saved(v visit) (savings, error) {
	all := savings{Tools: []toolSaving{}}
	found, err := c.o.Trail.List(v.Context(), v.by, trail.Query{Action: "wrap_tool_result", Limit: mostWrapped})
	for _, e := range found {
		var w wrapLine
		if json.Unmarshal([]byte(e.Detail), &w) != nil || !strings.HasPrefix(w.Call, gatewayCall) {
			continue
		}
		i := slices.IndexFunc(all.Tools, func(t toolSaving) bool { return t.Tool == w.Tool })
		if i < 0 {
			i = len(all.Tools)
			all.Tools = append(all.Tools, toolSaving{Tool: w.Tool})
		}
		t := &all.Tools[i]
		t.Results, t.Shown, t.Saved = t.Results+1, t.Shown+w.Tokens, t.Saved+w.saved()
		all.Results, all.Shown, all.Saved = all.Results+1, all.Shown+w.Tokens, all.Saved+w.saved()
	}
	slices.SortStableFunc(all.Tools, func(a, b toolSaving) int { return cmp.Or(cmp.Compare(b.Saved, a.Saved), cmp.Compare(a.Tool, b.Tool)) })
	all.Tools = all.Tools[:min(len(all.Tools), mostTools)]
	return all, err
}
