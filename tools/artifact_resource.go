package tools

import (
	"context"
	"encoding/base64"
	"io"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp"
)

// maxResource is the size of an artifact, in bytes, up to which it is served whole as a resource.
const maxResource = 1 << 20

// addArtifactResource offers artifacts as ctx://artifact/{id}, in the default scope of the server: a resource has no
// arguments to name another.
func (s *Services) addArtifactResource(m *server.MCPServer) {
	template := mcp.NewResourceTemplate(ctxmcp.ArtifactScheme+"{id}", "artifact",
		mcp.WithTemplateTitle("Artifact"),
		mcp.WithTemplateDescription("The bytes of an artifact, redacted. Read part of a large one with the tool get_artifact."))
	m.AddResourceTemplate(template, func(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		defer s.working()()
		contents, err := s.readResource(ctx, request.Params.URI)
		if err != nil { // the transport words what a caller may read of it
			by, _ := s.Caller(ctx)
			err = s.redactError(ctx, by.Tenant, request.Params.URI, err)
		}
		return contents, err
	})
}

func (s *Services) readResource(ctx context.Context, uri string) ([]mcp.ResourceContents, error) {
	by, ok := s.Caller(ctx)
	if !ok {
		return nil, ctxmcp.Errorf(ctxmcp.CodeDenied, "the caller is not known")
	}
	at, err := by.Resolve(ctxmcp.Scope{}, s.Defaults)
	if err != nil {
		return nil, err
	}
	found, err := s.Artifacts.Find(ctx, by, at, uri)
	if err != nil {
		return nil, err
	}
	a := found[0]
	if a.Size > maxResource {
		return nil, ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the artifact has %d bytes: read part of it with the tool get_artifact", a.Size)
	}
	b, err := s.Artifacts.Open(ctx, a)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	content, err := io.ReadAll(io.NewSectionReader(b, 0, b.Size()))
	if err != nil {
		return nil, err
	}
	if a.Binary {
		return []mcp.ResourceContents{mcp.BlobResourceContents{URI: uri, MIMEType: a.MediaType, Blob: base64.StdEncoding.EncodeToString(content)}}, nil
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: a.MediaType, Text: string(content)}}, nil
}
