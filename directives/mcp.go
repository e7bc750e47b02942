package directives

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Upstream asks MCP servers that the operator has named.
type Upstream interface {
	// Call calls a tool that changes nothing. arguments makes the arguments fit the types that the tool names.
	Call(ctx context.Context, server, tool string, arguments func(types map[string]string) (map[string]any, error), most int64) ([]Answer, error)
	// Read reads a resource.
	Read(ctx context.Context, server, uri string, most int64) ([]Answer, error)
	// Servers returns the names of the servers, in order.
	Servers() []string
	// Tools returns the directives of the tools of a server that may be called, one a line with what it does.
	Tools(ctx context.Context, server string) ([]string, error)
}

// Failed is the cause of an error that a server tells about a call. Its text is data of that server, and redacted.
type Failed struct{ Text string }

// Error tells the text: errors are logged, and never shown to a model.
func (f *Failed) Error() string { return "the server says: " + f.Text }

// Answer is one text of the answer of a server. An answer that is no text has none, and its media type.
type Answer struct {
	URI       string
	MediaType string
	Text      string
	Binary    bool
}

// MCP brings what upstream servers answer: "mcp:server/tool?name=value", where a value that is JSON counts as that unless the
// tool wants text, or "mcp:server/tool?{…}" with all arguments as JSON; and "mcp:server/scheme://…" for a resource.
type MCP struct{ Upstream Upstream }

// Fetch implements Provider.
func (m MCP) Fetch(ctx context.Context, c Call) (Fetched, error) {
	server, rest, ok := strings.Cut(strings.TrimPrefix(c.Rest, "//"), "/")
	if !ok || server == "" || rest == "" {
		return Fetched{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "mcp: needs a server and a tool, or a resource").
			WithHint("mcp:server/tool?name=value, or mcp:server/file:///a.txt")
	}
	tool, query, _ := strings.Cut(rest, "?")
	var answers []Answer
	var err error
	if strings.Contains(tool, ":") { // no name of a tool has one, and every URI does
		answers, err = m.Upstream.Read(ctx, server, rest, c.Budget.Bytes)
	} else {
		answers, err = m.Upstream.Call(ctx, server, tool, func(types map[string]string) (map[string]any, error) {
			return arguments(query, types)
		}, c.Budget.Bytes)
	}
	if failed, told := errors.AsType[*Failed](err); told && strings.TrimSpace(failed.Text) != "" { // an answer too, and data like any other
		answers, err = []Answer{{Text: "The server answered with an error:\n" + failed.Text}}, nil
	}
	if err != nil {
		return Fetched{}, err
	}
	var got Fetched
	for _, a := range answers {
		if a.URI == "" {
			a.URI = "mcp://" + server + "/" + tool
		}
		switch {
		case a.Binary:
			got.Skipped = append(got.Skipped, Skipped{a.URI, "it is " + ctxmcp.Clip(a.MediaType, maxEcho) + ", not text"})
		case !legible(strings.ToValidUTF8(a.Text, "\uFFFD")):
			got.Skipped = append(got.Skipped, Skipped{a.URI, notText})
		case len(got.Found) == c.Budget.Items:
			got.Skipped = append(got.Skipped, Skipped{a.URI, "over the number of items"})
		default:
			got.Found = append(got.Found, Found{URI: a.URI, MediaType: a.MediaType, Text: strings.ToValidUTF8(a.Text, "\uFFFD")})
		}
	}
	return got, nil
}

// arguments reads what stands behind the question mark. types are the JSON types that the tool names, by argument.
func arguments(query string, types map[string]string) (map[string]any, error) {
	invalid := ctxmcp.Errorf(ctxmcp.CodeInvalid, "the arguments cannot be read").WithHint("write them as name=value&name=value, or as one JSON object")
	all := map[string]any{}
	if strings.HasPrefix(query, "{") {
		if json.Unmarshal([]byte(query), &all) != nil {
			return nil, invalid
		}
		return all, nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, invalid
	}
	for name, list := range values {
		var typed []any
		for _, text := range list {
			typed = append(typed, typedValue(text, types[name]))
		}
		if len(typed) == 1 && types[name] != "array" {
			all[name] = typed[0]
			continue
		}
		if first, isList := typed[0].([]any); isList && len(typed) == 1 {
			typed = first
		}
		all[name] = typed
	}
	return all, nil
}

// typedValue returns the value that a text stands for.
func typedValue(text, kind string) any {
	var v any
	if kind == "string" || json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	return v
}
