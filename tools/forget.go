package tools

import (
	"context"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

func forget() Tool {
	return define(definition{
		name: "forget", title: "Forget", toolset: MemoryTools, destructive: true,
		terms: schema.Vocabulary(schema.Terms{}, memory.Modes()),
	}, func(ctx context.Context, c call, in forgetIn) (forgetOut, error) {
		f, err := c.Memory.Forget(ctx, c.by, in.ObjectID, in.Mode, in.Reason)
		return forgetOut{f.ObjectID, f.Mode, Time(f.RetiredAt)}, err
	})
}

type forgetIn struct {
	ObjectID string      `json:"object_id"`
	Mode     memory.Mode `json:"mode,omitempty"`
	Reason   string      `json:"reason" holds:"text"`
	place
}

// lines implements told.
func (o forgetOut) lines() string {
	said := map[memory.Mode]string{
		memory.Retire: "is no longer recalled; its history is kept", memory.Archive: "is in the archive", memory.Erase: "is erased for good",
	}
	return fmt.Sprintf("[%s] %s", ctxmcp.ShortID(o.ObjectID), said[o.Mode])
}

type forgetOut struct {
	ObjectID  string      `json:"object_id"`
	Mode      memory.Mode `json:"mode"`
	RetiredAt Time        `json:"retired_at"`
}
