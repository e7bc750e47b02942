package judge

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/refusal"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// refuse marks the most dangerous of the acts of a call that goes against a sentence of the user. A deed that a person approved is against none.
func (j Judge) refuse(ctx context.Context, c taint.Call, effects []effect.Effect, acts []Act) error {
	if !j.Known.Refuses() {
		return nil
	}
	done, err := refusal.Acts(ctx, effect.Call{
		Tool: c.Tool, Operation: c.Operation, Parameters: c.Parameters, Hints: j.hints(c.Tool), Fetched: j.Fetched, Folder: j.Folder,
	}, effects)
	if err != nil {
		return err
	}
	said := j.Known.Against(done)
	if said == "" {
		return nil
	}
	for i, e := range effects {
		if j.Known.ApprovedDeed(e) {
			continue
		}
		acts[i].Refused, acts[i].Said = true, said
		break
	}
	return nil
}
