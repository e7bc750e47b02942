package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func addResources(s *server.MCPServer) {
	s.AddResource(
		mcp.NewResource("test://static-text", "static-text", mcp.WithMIMEType("text/plain"),
			mcp.WithResourceDescription("A text that never changes")),
		holds(mcp.TextResourceContents{URI: "test://static-text", MIMEType: "text/plain",
			Text: "This is the content of the static text resource."}))
	s.AddResource(
		mcp.NewResource("test://static-binary", "static-binary", mcp.WithMIMEType("image/png"),
			mcp.WithResourceDescription("An image that never changes")),
		holds(mcp.BlobResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: image}))
	s.AddResource(
		mcp.NewResource("test://watched-resource", "watched-resource", mcp.WithMIMEType("text/plain"),
			mcp.WithResourceDescription("A text that a client may subscribe to")),
		holds(mcp.TextResourceContents{URI: "test://watched-resource", MIMEType: "text/plain", Text: "Watched"}))
	s.AddResourceTemplate(
		mcp.NewResourceTemplate("test://template/{id}/data", "template", mcp.WithTemplateMIMEType("application/json"),
			mcp.WithTemplateDescription("Data of an id")),
		readTemplate)
}

func holds(contents mcp.ResourceContents) server.ResourceHandlerFunc {
	return func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{contents}, nil
	}
}

func readTemplate(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	id := strings.TrimSuffix(strings.TrimPrefix(r.Params.URI, "test://template/"), "/data")
	return []mcp.ResourceContents{mcp.TextResourceContents{
		URI: r.Params.URI, MIMEType: "application/json",
		Text: fmt.Sprintf(`{"id": %q, "templateTest": true, "data": %q}`, id, "Data for ID: "+id),
	}}, nil
}
