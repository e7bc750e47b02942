package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// artifactsSaying counts the artifacts of the place that say one of the names, in the summary or the text.
func artifactsSaying(ctx context.Context, a *app, ask memory.AboutAsk, names []string) (n int, err error) {
	saying, by := entities.NewSaying(names...), a.config.Person()
	for behind := (*artifacts.Mark)(nil); ; {
		page, err := a.artifacts.List(ctx, by, behind, mostWatched)
		if err != nil {
			return n, err
		}
		for _, f := range page {
			if p := f.Home.Project; !ask.Everywhere && p != "" && p != ask.Project {
				continue
			}
			says, err := artifactSays(ctx, a, f, saying)
			if err != nil {
				return n, err
			}
			if says {
				n++
			}
		}
		if len(page) < mostWatched {
			return n, nil
		}
		behind = artifacts.MarkOf(page[len(page)-1])
	}
}

// The pieces in which the text of an artifact is read. They overlap by more than any name has.
const (
	searchedAtOnce = 1 << 20
	searchOverlap  = 4 << 10
)

// artifactSays reads an artifact for names. One whose bytes are gone says none.
func artifactSays(ctx context.Context, a *app, f ctxmcp.Artifact, saying entities.Saying) (found bool, err error) {
	if saying.In(f.Summary) || f.Binary {
		return saying.In(f.Summary), nil
	}
	blob, err := a.artifacts.Open(ctx, f)
	if ctxmcp.CodeOf(err) == ctxmcp.CodeUnavailable {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, blob.Close()) }()
	piece := make([]byte, min(blob.Size(), searchedAtOnce))
	for at := int64(0); at < blob.Size(); at += searchedAtOnce - searchOverlap {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n, err := blob.ReadAt(piece, at)
		if err != nil && err != io.EOF {
			return false, fmt.Errorf("read artifact %s: %w", f.ID, err)
		}
		if saying.In(string(piece[:n])) {
			return true, nil
		}
	}
	return false, nil
}
