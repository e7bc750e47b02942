package tasks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts/fieldname"
	"github.com/ctx-mcp/ctx-mcp/artifacts/fields"
)

// inMetadata adds to found the selectors without a value that the metadata of the task has, or else that of its nearest parent that does.
func (s *Service) inMetadata(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, task string, selectors []fields.Selector, found map[string]*Field) error {
	if len(found) == len(selectors) {
		return nil
	}
	chain, err := s.Lineage(ctx, by, at, task)
	if err != nil {
		return err
	}
	for _, id := range chain {
		state, err := s.find(ctx, by, at, id)
		if err != nil {
			return err
		}
		if len(state.Metadata) == 0 {
			continue
		}
		raw, err := json.Marshal(state.Metadata)
		if err != nil {
			return fmt.Errorf("metadata of task %s: %w", id, err)
		}
		for _, sel := range selectors {
			if found[sel.String()] != nil {
				continue
			}
			field, err := ofMetadata(ctx, raw, sel)
			if err != nil {
				return err
			}
			if field != nil {
				field.Task, found[sel.String()] = id, field
			}
		}
	}
	return nil
}

// ofMetadata returns the value that metadata has for a selector: at its path, or for a plain name the one value of that name, in any case and depth.
func ofMetadata(ctx context.Context, raw []byte, sel fields.Selector) (*Field, error) {
	v, err := sel.Select(ctx, func() io.Reader { return bytes.NewReader(raw) })
	if v != nil || err != nil {
		if err != nil {
			return nil, err
		}
		return &Field{Value: v.JSON, Path: v.Path}, nil
	}
	if _, plain := sel.Anywhere(); !plain {
		return nil, nil
	}
	if in := fieldname.Parse(sel.String()).In(string(raw)); in.Mention == fieldname.Valued {
		return &Field{Value: in.Value, Path: cmp.Or(in.Path, "line "+strconv.Itoa(in.Line))}, nil
	}
	return nil, nil
}
