package main

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/directives"
)

// documents gives a compile the documents of directives.
type documents struct{ *directives.Service }

var _ compiler.Directives = documents{}

// Fetch implements compiler.Directives. The packet of the compile pins the artifacts that are kept of it.
func (d documents) Fetch(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, directive string, maxTokens int) ([]compiler.Document, error) {
	r, err := d.Service.Fetch(ctx, by, at, directive, maxTokens)
	if err != nil {
		return nil, err
	}
	class := r.Classification()
	var list []compiler.Document
	for _, it := range r.Items {
		doc := compiler.Document{
			ID: it.URI, Origin: it.URI, Content: it.Bare, Artifact: r.Artifact, Truncated: it.Truncated, Classification: class, Sources: r.Sources, Derived: r.Derived,
		}
		for _, w := range it.Warnings {
			doc.Warnings = append(doc.Warnings, compiler.Warning{Kind: w.Kind, Detail: w.Detail})
		}
		list = append(list, doc)
	}
	for _, s := range r.Skipped {
		list[0].Warnings = append(list[0].Warnings, compiler.Warning{Kind: "skipped", Detail: s.URI + ": " + s.Reason})
	}
	return list, nil
}
