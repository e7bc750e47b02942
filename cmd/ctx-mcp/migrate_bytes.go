package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/sealed"
	"github.com/ctx-mcp/ctx-mcp/config"
)

// movedBytesReport is a finished copy of blobs, or one that a dry run looked at, as JSON.
type movedBytesReport struct {
	From   string `json:"from"`
	To     string `json:"to"`
	DryRun bool   `json:"dry_run"`
	Copied int    `json:"copied"` // or to be copied
	There  int    `json:"there_before"`
}

// bytes copies every blob that the target does not have whole. A run that was cut off has left whole blobs only.
func (m move) bytes(ctx context.Context, sys *system, c *config.Config) error {
	if m.from == m.to {
		return usage("--from and --to are the same")
	}
	read, err := blobsAt(ctx, c, m.from, false)
	if err != nil {
		return err
	}
	if read == nil {
		return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no folder %s", m.from).WithHint("the blobs of a data directory are in its folder blobs")
	}
	written, err := blobsAt(ctx, c, m.to, !m.dryRun)
	if err != nil {
		return err
	}
	report := movedBytesReport{From: m.from, To: m.to, DryRun: m.dryRun}
	if err := report.copy(ctx, sys, read, written); err != nil {
		return err
	}
	sentence := "%d blobs are copied, %d were there; all are whole"
	if m.dryRun {
		sentence = "%d blobs would be copied, %d are there; nothing was changed"
	}
	return answer(sys, m.asJSON, report, sentence, report.Copied, report.There)
}

// blobsAt opens a place of bytes. It returns nil for a folder that does not exist, unless it may be made.
func blobsAt(ctx context.Context, c *config.Config, place string, made bool) (sealed.Inner, error) {
	own := *c
	own.Blobs = place
	if strings.HasPrefix(place, placeFiles) {
		dir, err := folderOf(place, placeFiles)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && !made {
			return nil, nil
		}
		own.Blobs = dir
	}
	return openBlobs(ctx, &own)
}

// copy copies from one store to another, or only counts where there is none to write to or it is a dry run.
func (r *movedBytesReport) copy(ctx context.Context, sys *system, from, to sealed.Inner) error {
	var all []string
	err := from.Each(ctx, func(digest string, _ time.Time, _ int64) error {
		all = append(all, digest)
		return nil
	})
	if err != nil {
		return err
	}
	tell := progress(sys, "copied", "blobs", len(all))
	for i, digest := range all {
		switch there := to != nil && whole(ctx, to, digest) == nil; {
		case there:
			r.There++
		case r.DryRun:
			r.Copied++
		default:
			if err := copyBlob(ctx, from, to, digest); err != nil {
				return err
			}
			r.Copied++
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		tell(i + 1)
	}
	return nil
}

// whole returns nil if a store has a blob and all its bytes.
func whole(ctx context.Context, s artifacts.Blobs, digest string) error {
	b, err := s.Open(ctx, digest)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, io.NewSectionReader(b, 0, b.Size()))
	return errors.Join(err, b.Close())
}

// copyBlob copies a blob as it lies there: a sealed one stays sealed, under the same key.
func copyBlob(ctx context.Context, from, to sealed.Inner, digest string) error {
	b, err := from.Open(ctx, digest)
	if err != nil {
		return err
	}
	content, got := io.NewSectionReader(b, 0, b.Size()), digest
	if named, ok := b.(interface{ Named() bool }); ok && named.Named() {
		err = to.PutAs(ctx, digest, content)
	} else {
		got, _, err = to.Put(ctx, content)
	}
	if err := errors.Join(err, b.Close()); err != nil {
		return err
	}
	if got != digest {
		return ctxmcp.Errorf(ctxmcp.CodeInternal, "the blob %.12s came out with the digest %.12s", digest, got)
	}
	return whole(ctx, to, digest)
}
