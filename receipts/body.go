package receipts

import (
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp"
)

// Kind is the event that a receipt proves. The words are stored: append only.
type Kind string

// The kinds of receipts.
const (
	DecisionKind Kind = "decision"  // of an action, before its effect
	FollowUpKind Kind = "follow_up" // of the outcome of a step_up or a defer
	SessionKind  Kind = "session"   // of a session, at its end
	KeyKind      Kind = "key"       // of a signing key, when it is first used
)

// Body is the content of a receipt, in the clear. Sensitive content is in Private, of which the receipt holds a digest.
type Body struct {
	Version        int               `json:"version"` // set by Append: 1
	ID             string            `json:"id"`      // unique; the same id with the same body is one receipt
	Kind           Kind              `json:"kind"`
	At             string            `json:"at"` // set by Append, RFC 3339 in UTC with microseconds; never before the receipt before it
	Tenant         string            `json:"tenant"`
	User           string            `json:"user"`
	Roles          []string          `json:"roles,omitempty"`
	Session        string            `json:"session"`
	Action         string            `json:"action,omitempty"` // id
	Index          int               `json:"index,omitempty"`  // of the action in its session, from 1
	Tool           string            `json:"tool,omitempty"`
	Operation      string            `json:"operation,omitempty"`
	ActionKind     ctxmcp.ActionKind `json:"action_kind,omitempty"`
	Classification ctxmcp.DataClass  `json:"classification,omitempty"`
	ContextDigest  string            `json:"context_digest,omitempty"` // of the evaluation context at decision time
	PolicyDigest   string            `json:"policy_digest,omitempty"`
	ContextRef     string            `json:"context_ref,omitempty"` // of the packet that the model was given, as the caller says
	Verdict        ctxmcp.Verdict    `json:"verdict,omitempty"`
	Rule           string            `json:"rule,omitempty"`
	Signals        []string          `json:"signals,omitempty"`    // that were raised, sorted
	Unattested     bool              `json:"unattested,omitempty"` // the verdict were milder if a harness had said that the user said so
	Opinion        *Opinion          `json:"opinion,omitempty"`    // of a model that was asked in the place of a person
	Follows        string            `json:"follows,omitempty"`    // id of the receipt that this one resolves
	Approval       *Approval         `json:"approval,omitempty"`
	Summary        *Summary          `json:"summary,omitempty"`        // of a session
	PublicKey      string            `json:"public_key,omitempty"`     // of a KeyKind: base64
	PrivateDigest  string            `json:"private_digest,omitempty"` // set by Append
}

// Opinion is the answer of a model to whether the user wants an action; its words are in the private part.
type Opinion struct {
	Model    string         `json:"model"`
	Verdict  ctxmcp.Verdict `json:"verdict"`          // allow, or step_up: it was left to a person
	Question string         `json:"question"`         // SHA-256 of the question, as sha256:hex
	Failed   bool           `json:"failed,omitempty"` // there was no answer that could be used
}

// Approval is the answer of a person, or of the clock, to a decision that waited.
type Approval struct {
	By     string   `json:"by"` // user; empty: nobody in time
	Roles  []string `json:"roles,omitempty"`
	Reason string   `json:"reason,omitempty"`
}

// Summary adds up a session.
type Summary struct {
	Actions  int                    `json:"actions"`
	Receipts int64                  `json:"receipts"`      // of the session, before this one; set by Append
	Root     string                 `json:"receipts_root"` // of the Merkle tree of those; set by Append
	Verdicts map[ctxmcp.Verdict]int `json:"verdicts"`
}

// Private is the part of a receipt that is kept beside it, sealed where the store is, and shown to who may see it. Texts in
// it are redacted.
type Private struct {
	Parameters map[string]any    `json:"parameters,omitempty"`
	Request    string            `json:"request,omitempty"`
	Why        string            `json:"why,omitempty"`
	Findings   []ctxmcp.Finding  `json:"findings,omitempty"`
	Context    json.RawMessage   `json:"context,omitempty"`
	Decision   *ctxmcp.Decision  `json:"decision,omitempty"`
	Extra      map[string]string `json:"extra,omitempty"`
}

// stored is a private part as it is kept, with the salt of its digest.
type stored struct {
	Salt    string          `json:"salt"`
	Private json.RawMessage `json:"private"`
}
