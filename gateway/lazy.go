package gateway

import (
	"context"
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// The tools that stand for those of the servers, for clients that do not search tools themselves. What reads and what may write are two, so
// that a client can let the one pass without asking.
const (
	findTools = "find_tools"
	callRead  = "call_read"
	callWrite = "call_write"
)

var lazyNames = []string{findTools, callRead, callWrite}

var lazyTools = []json.RawMessage{
	json.RawMessage(`{"name":"find_tools","title":"Find tools","description":"Find tools of the connected servers by what they do, with their whole definitions. Call those found with call_read or call_write.","inputSchema":{"type":"object","properties":{"query":{"type":"string","description":"What the tool is to do, in a few words"}},"required":["query"],"additionalProperties":false},"annotations":{"readOnlyHint":true,"openWorldHint":false}}`),
	json.RawMessage(`{"name":"call_read","title":"Call a reading tool","description":"Call a tool that find_tools has found and that is marked read-only.","inputSchema":{"type":"object","properties":{"tool":{"type":"string"},"arguments":{"type":"object"}},"required":["tool"],"additionalProperties":false},"annotations":{"readOnlyHint":true,"openWorldHint":true}}`),
	json.RawMessage(`{"name":"call_write","title":"Call a tool","description":"Call a tool that find_tools has found, also one that may change something.","inputSchema":{"type":"object","properties":{"tool":{"type":"string"},"arguments":{"type":"object"}},"required":["tool"],"additionalProperties":false},"annotations":{"readOnlyHint":false,"destructiveHint":true,"openWorldHint":true}}`),
}

// foundTools is how many definitions find_tools answers with.
const foundTools = 5

// lazily answers the tools that stand for others.
func (g *Gateway) lazily(ctx context.Context, r request, name string) serve.Reply {
	g.awaitUnseen(ctx)
	arguments := member(r.params, "arguments")
	v := g.view.Load()
	if name == findTools {
		return v.find(nameOf(arguments, "query"))
	}
	t, known := v.byName[nameOf(arguments, "tool")]
	switch {
	case !known:
		return errorResult(saidNoTool.With())
	case name == callRead && t.refused == "" && !t.reads():
		return errorResult(saidCallWrite.With(t.as))
	}
	params, err := with(r.params, map[string]json.RawMessage{"name": textOf(t.as), "arguments": member(arguments, "arguments")})
	if err != nil {
		return serve.Failed(mcp.INVALID_PARAMS, "the arguments are no object")
	}
	r.params = params
	return g.carryOut(ctx, r, t)
}

// find returns the tools that a question means, the best first.
func (v *view) find(question string) serve.Reply {
	var offered []tool
	found := ranking.Found{Frequency: map[string]int{}}
	var texts [][]string
	for _, t := range v.tools {
		if t.refused != "" {
			continue
		}
		terms := language.Terms(strings.NewReplacer("_", " ", "-", " ").Replace(t.as) + " " + nameOf(t.listed, "title") + " " + nameOf(t.listed, "description"))
		offered, texts = append(offered, t), append(texts, terms)
		found.Documents, found.Length = found.Documents+1, found.Length+len(terms)
		slices.Sort(terms)
		for _, term := range slices.Compact(slices.Clone(terms)) {
			found.Frequency[term]++
		}
	}
	rank := ranking.NewBM25(language.Query(question), found)
	scores := make([]float64, len(offered))
	order := make([]int, len(offered))
	for i := range offered {
		scores[i], order[i] = rank.Score(texts[i]), i
	}
	sort.SliceStable(order, func(a, b int) bool { return scores[order[a]] > scores[order[b]] })
	list := []json.RawMessage{}
	for _, i := range order[:min(foundTools, len(order))] {
		if scores[i] > 0 {
			list = append(list, offered[i].listed)
		}
	}
	return foundReply(list)
}

func foundReply(list []json.RawMessage) serve.Reply {
	structure, err := ijson.Compact(map[string]any{"tools": list})
	if err != nil {
		return internal()
	}
	result, err := ijson.Compact(map[string]any{
		"content": []any{map[string]any{"type": "text", "text": string(structure)}}, "structuredContent": structure,
	})
	if err != nil {
		return internal()
	}
	return serve.Reply{Result: result}
}
