package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/directives"
)

var _ directives.Upstream = (*Pool)(nil)

// Call implements directives.Upstream. It returns CodeNotFound for a tool that the server does not offer, CodeDenied for
// one that may change something, CodeTooLarge for an answer of more than most bytes.
func (p *Pool) Call(ctx context.Context, server, tool string, arguments func(map[string]string) (map[string]any, error), most int64) (all []directives.Answer, err error) {
	err = p.with(ctx, server, func(c *connection) error {
		t, known := c.tools[tool]
		if !known {
			return ctxmcp.Errorf(ctxmcp.CodeNotFound, "the server %q has no tool %q", server, ctxmcp.Clip(tool, ctxmcp.MaxIDLength)).
				WithHint("one of %s", strings.Join(slices.Sorted(maps.Keys(c.tools)), ", "))
		}
		if err := c.server.allows(t); err != nil {
			return err
		}
		var request mcp.CallToolRequest
		request.Params.Name = tool
		values, err := arguments(typesOf(t))
		if err != nil {
			return err
		}
		request.Params.Arguments = values
		result, err := c.client.CallTool(ctx, request)
		if err != nil {
			return p.refused(server, err)
		}
		if result.IsError {
			return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the tool %q of %q answered with an error", ctxmcp.Clip(tool, ctxmcp.MaxIDLength), server).
				WithHint("check the arguments, which the tool names").WithCause(p.failed(result))
		}
		all, err = answersOf(result)
		if err != nil {
			return err
		}
		return bounded(all, most)
	})
	return all, err
}

// Read implements directives.Upstream. The codes are those of Call.
func (p *Pool) Read(ctx context.Context, server, uri string, most int64) (all []directives.Answer, err error) {
	err = p.with(ctx, server, func(c *connection) error {
		var request mcp.ReadResourceRequest
		request.Params.URI = uri
		result, err := c.client.ReadResource(ctx, request)
		if err != nil {
			return p.refused(server, err)
		}
		for _, content := range result.Contents {
			all = append(all, resourceOf(content))
		}
		return bounded(all, most)
	})
	return all, err
}

// refused tells an answer that refuses from a connection that is broken.
func (p *Pool) refused(server string, err error) error {
	_, broken := errors.AsType[*transport.Error](err)
	if broken || errors.Is(err, transport.ErrTransportClosed) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the server %q refused", server).WithCause(&directives.Failed{Text: p.said(err)}).
		WithHint("check the name of what is asked for")
}

// maxFailure bounds the text of a failure, in characters.
const maxFailure = 2000

// failed returns the texts of a result that is an error, redacted.
func (p *Pool) failed(r *mcp.CallToolResult) *directives.Failed {
	all, err := answersOf(r)
	if err != nil {
		return &directives.Failed{}
	}
	var texts []string
	for _, a := range all {
		texts = append(texts, a.Text)
	}
	return &directives.Failed{Text: p.said(errors.New(ctxmcp.Clip(strings.Join(texts, "\n"), maxFailure)))}
}

// allows returns CodeDenied for a tool that may not be called.
func (s Server) allows(t mcp.Tool) error {
	name := ctxmcp.Clip(t.Name, ctxmcp.MaxIDLength)
	if len(s.Only) > 0 && !slices.Contains(s.Only, t.Name) {
		return ctxmcp.Errorf(ctxmcp.CodeDenied, "the tool %q is not one that is open here", name).WithHint("the operator lists those in only of the server")
	}
	if reads := t.Annotations.ReadOnlyHint; (reads == nil || !*reads) && !slices.Contains(s.Tools, t.Name) {
		return ctxmcp.Errorf(ctxmcp.CodeDenied, "the tool %q does not say that it changes nothing", name).
			WithHint("the operator can list it in tools of the server")
	}
	return nil
}

// Servers implements directives.Upstream.
func (p *Pool) Servers() []string { return slices.Sorted(maps.Keys(p.servers)) }

// Tools implements directives.Upstream.
func (p *Pool) Tools(ctx context.Context, server string) (lines []string, err error) {
	err = p.with(ctx, server, func(c *connection) error {
		for _, name := range slices.Sorted(maps.Keys(c.tools)) {
			if t := c.tools[name]; c.server.allows(t) == nil {
				lines = append(lines, toolLine(server, t))
			}
		}
		return nil
	})
	return lines, err
}

const maxDescription = 200 // characters

// toolLine returns the directive of a tool with its arguments, and what the tool says that it does.
func toolLine(server string, t mcp.Tool) string {
	line := "mcp:" + server + "/" + t.Name
	types := typesOf(t)
	for i, name := range slices.Sorted(maps.Keys(types)) {
		line += map[bool]string{true: "?", false: "&"}[i == 0] + name + "=" + types[name]
	}
	return line + "  " + ctxmcp.Clip(strings.Join(strings.Fields(t.Description), " "), maxDescription)
}

// bounded returns CodeTooLarge for texts of more than most bytes together.
func bounded(all []directives.Answer, most int64) error {
	for _, a := range all {
		most -= int64(len(a.Text))
	}
	if most < 0 {
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the answer is %d bytes over the limit", -most).WithHint("ask for a part of it")
	}
	return nil
}

// answersOf returns the texts of a result: its content, or what it has of structure where it has no text.
func answersOf(r *mcp.CallToolResult) (all []directives.Answer, err error) {
	texts := 0
	for _, content := range r.Content {
		a := directives.Answer{Binary: true}
		switch c := content.(type) {
		case mcp.TextContent:
			a = directives.Answer{Text: c.Text}
			texts++
		case mcp.EmbeddedResource:
			a = resourceOf(c.Resource)
		case mcp.ResourceLink:
			a = directives.Answer{URI: c.URI, MediaType: "a link to a resource", Binary: true}
		case mcp.ImageContent:
			a.MediaType = c.MIMEType
		case mcp.AudioContent:
			a.MediaType = c.MIMEType
		}
		all = append(all, a)
	}
	if texts > 0 || r.StructuredContent == nil {
		return all, nil
	}
	raw, err := json.Marshal(r.StructuredContent)
	return append(all, directives.Answer{MediaType: "application/json", Text: string(raw)}), err
}

func resourceOf(content mcp.ResourceContents) directives.Answer {
	switch c := content.(type) {
	case mcp.TextResourceContents:
		return directives.Answer{URI: c.URI, MediaType: c.MIMEType, Text: c.Text}
	case mcp.BlobResourceContents:
		return directives.Answer{URI: c.URI, MediaType: c.MIMEType, Binary: true}
	}
	return directives.Answer{Binary: true}
}

// typesOf returns the JSON types of a tool's arguments, of those that have one.
func typesOf(t mcp.Tool) map[string]string {
	types := map[string]string{}
	raw, err := json.Marshal(t)
	if err != nil {
		return types
	}
	var tool struct {
		InputSchema struct {
			Properties map[string]struct {
				Type any `json:"type"`
			} `json:"properties"`
		} `json:"inputSchema"`
	}
	if json.Unmarshal(raw, &tool) != nil {
		return types
	}
	for name, p := range tool.InputSchema.Properties {
		if kind, ok := p.Type.(string); ok {
			types[name] = kind
		}
	}
	return types
}
