package envelope

import (
	"encoding/json"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// auditDetail is the line of a wrap in the audit trail: never values.
type auditDetail struct {
	CallID        string      `json:"tool_call_id"`
	Tool          string      `json:"tool"`
	Kind          string      `json:"kind"`
	Strategy      Strategy    `json:"strategy"`
	Redacted      bool        `json:"redacted"`
	Found         []Redaction `json:"found_secrets"`
	Warnings      []string    `json:"warnings"`
	OriginalChars int         `json:"original_size"`
	TrimmedChars  int         `json:"trimmed_size"`
	Tokens        int         `json:"tokens"` // of what was shown
	Artifact      string      `json:"artifact_id,omitempty"`
}

// record records all results in one transaction, with the artifacts that hold them: of a wrap that is refused or given up nothing is held.
func record(all []*wrapping) error {
	if len(all) == 0 {
		return nil
	}
	var c artifacts.Change
	for _, w := range all {
		e, err := w.event()
		if err != nil {
			return err
		}
		c.Insert, c.Answers = append(c.Insert, w.change.Insert...), append(c.Answers, w.answers()...)
		c.Audit = append(append(c.Audit, w.change.Audit...), e)
	}
	return all[0].Ledger.ApplyArtifacts(all[0].ctx, c)
}

// event is the line in the audit trail.
func (w *wrapping) event() (ctxmcp.Event, error) {
	call, _, err := w.Redact(w.ctx, w.by.Tenant, w.in.CallID)
	if err != nil {
		return ctxmcp.Event{}, err
	}
	d := auditDetail{
		CallID: call, Tool: w.in.Tool, Kind: w.kind.Name, Strategy: w.in.Strategy, Redacted: len(w.out.Redactions) > 0,
		Found: w.out.Redactions, OriginalChars: w.out.OriginalChars, TrimmedChars: w.out.TrimmedChars, Tokens: w.out.Tokens,
	}
	for _, warning := range w.out.Warnings {
		if !slices.Contains(d.Warnings, warning.Kind) {
			d.Warnings = append(d.Warnings, warning.Kind)
		}
	}
	if w.out.Artifact != nil {
		d.Artifact = w.out.Artifact.ID
	}
	detail, err := json.Marshal(d)
	if err != nil {
		return ctxmcp.Event{}, err
	}
	if d.Redacted {
		w.Logger.Info("redacted a tool result", "tool", d.Tool, "kinds", len(d.Found))
	}
	return ctxmcp.Event{
		At: ctxmcp.Instant(w.Now()), Tenant: w.by.Tenant, User: w.by.User, Action: "wrap_tool_result", ObjectID: d.Artifact, Detail: string(detail),
	}, nil
}
