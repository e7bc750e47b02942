package tools

import (
	"context"
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

func recordAction() Tool {
	return define(definition{
		name: "record_action", content: true, title: "Record action", toolset: ActionTools, harness: true,
		terms: schema.Vocabulary(schema.Terms{}, ctxmcp.DataClasses()),
	}, func(ctx context.Context, c call, in actionIn) (actionOut, error) {
		if in.ContextRef != "" { // the receipt names a packet that the caller can see
			sealed, err := c.Packets.Named(ctx, c.by, ctxmcp.Scope{}, in.ContextRef)
			if err != nil {
				return actionOut{}, err
			}
			in.ContextRef = sealed.Ref
		}
		a, err := c.Actions.Record(ctx, c.by, c.named, actions.Intent{
			Session: in.SessionID, ID: in.ActionID, Key: in.IdempotencyKey, Tool: in.Tool, Operation: in.Operation,
			Parameters: in.Parameters, Messages: in.UserMessages, Declared: in.DataClassification, After: in.DependsOn,
			ContextRef: in.ContextRef,
		})
		return newActionOut(a), err
	})
}

// actionOut is lean: signals that are not raised are left out, and where nothing was found the state is its counts alone.
type actionOut struct {
	ActionID    string           `json:"action_id"`
	Decision    decisionOut      `json:"decision"`
	RiskSignals map[string]bool  `json:"risk_signals,omitempty"`
	Findings    []ctxmcp.Finding `json:"findings,omitempty"`
	Distance    float64          `json:"semantic_distance"`
	State       stateOut         `json:"accumulated_state"`
}

// decisionOut is a decision; what the default allows needs no reason. The opinion of a model is not for the agent: its words are in the receipt.
type decisionOut struct {
	Verdict       ctxmcp.Verdict        `json:"verdict"`
	Rule          string                `json:"rule"`
	Why           string                `json:"why,omitempty"`
	Modifications []ctxmcp.Modification `json:"modifications,omitempty"`
	Unattested    bool                  `json:"unattested,omitempty"`
}

func newDecisionOut(d ctxmcp.Decision) decisionOut {
	return decisionOut{d.Verdict, d.Rule, d.Why, d.Modifications, d.Unattested}
}

type stateOut struct {
	Classifications []ctxmcp.DataClass          `json:"data_classifications_accessed,omitempty"`
	ToolsUsed       []string                    `json:"tools_used,omitempty"`
	Entities        []string                    `json:"entities_accessed,omitempty"`
	ActionCount     int                         `json:"action_count"`
	Distance        float64                     `json:"semantic_distance"`
	DistanceMethod  string                      `json:"distance_method,omitempty"`
	ByOrigin        map[string]ctxmcp.DataClass `json:"classification_by_tool,omitempty"`
}

func newActionOut(a actions.Answer) actionOut {
	out := actionOut{
		ActionID: a.ActionID, Decision: newDecisionOut(a.Decision), RiskSignals: raised(a.RiskSignals), Findings: a.Findings, Distance: a.Distance,
		State: stateOut(a.State),
	}
	if a.Decision.Verdict == ctxmcp.Allow && a.Decision.Rule == ctxmcp.DefaultRule {
		out.Decision.Why = ""
	}
	if a.Decision.Verdict == ctxmcp.Allow && len(a.Findings) == 0 {
		out.State = stateOut{ActionCount: a.State.ActionCount, Distance: a.State.Distance}
	}
	return out
}

// raised returns the signals that are raised.
func raised(signals map[string]bool) map[string]bool {
	all := map[string]bool{}
	for name, on := range signals {
		if on {
			all[name] = true
		}
	}
	return all
}

type actionIn struct {
	SessionID          string           `json:"session_id"`
	ActionID           string           `json:"action_id,omitempty"`
	Tool               string           `json:"tool" holds:"text"`
	Operation          string           `json:"operation" holds:"text"`
	Parameters         json.RawMessage  `json:"parameters,omitempty" holds:"text"`
	UserMessages       []string         `json:"user_messages,omitempty" holds:"text" jsonschema_description:"Said since the last action"`
	DependsOn          []string         `json:"depends_on,omitempty"`
	DataClassification ctxmcp.DataClass `json:"data_classification,omitempty"`
	IdempotencyKey     string           `json:"idempotency_key,omitempty"`
	ContextRef         string           `json:"context_ref,omitempty"`
	place
}
