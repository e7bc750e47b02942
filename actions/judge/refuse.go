package judge

import (
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/refusal"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// refuse marks the most dangerous act of a call that goes against a sentence of the user, or further than the sentence asks. A deed that a person approved
// does neither, nor a deed that a text tells to do to which the user handed on.
func (j Judge) refuse(ctx context.Context, c taint.Call, effects []effect.Effect, acts []Act) error {
	if !j.Known.Bounded() {
		return nil
	}
	done, err := refusal.Acts(ctx, effect.Call{
		Tool: c.Tool, Operation: c.Operation, Parameters: c.Parameters, Hints: j.hints(c.Tool), Fetched: j.Fetched, Folder: j.Folder,
	}, effects)
	if err != nil {
		return err
	}
	worst := slices.IndexFunc(effects, func(e effect.Effect) bool { return !j.Known.ApprovedDeed(e) })
	if worst < 0 {
		return nil
	}
	a := &acts[worst]
	if said := j.Known.Against(done); said != "" {
		a.Refused, a.Said = true, said
	} else if said = j.Known.Exceeded(done); said != "" && !(j.Known.HandsOn() && j.Known.Pointed(j.nameOf(effects[worst], c))) {
		a.Exceeds, a.Said = true, said
	}
	if !a.Refused && !j.Known.HandsOn() {
		j.astray(c.Tool, effects, acts)
	}
	return nil
}

// astray marks the acts that hand something to another person than the named one. A deed that a person approved does not.
func (j Judge) astray(tool string, effects []effect.Effect, acts []Act) {
	for i, e := range effects {
		if j.Known.ApprovedDeed(e) {
			continue
		}
		to := slices.DeleteFunc(refusal.RecipientsOf(e), func(value string) bool {
			return j.stands(effect.Value{Role: effect.Recipient, Text: value}).Authority == taint.OfUser
		})
		if said := j.Known.Astray(to, refusal.IsEvent(tool)); said != "" {
			acts[i].Astray, acts[i].Said = true, said
		}
	}
}
