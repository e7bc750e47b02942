package actions

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// The bodies of records: the facts that a fold needs, redacted, and nothing that follows from them by computation alone, but for what
// was answered: an answer is given once.

type startBody struct {
	Session  string             `json:"session"`
	Scope    ctxmcp.Scope       `json:"scope"`
	Request  Request            `json:"request"`
	Tools    []taint.Definition `json:"tools,omitempty"`
	Sum      string             `json:"sum"` // of what the caller gave, before redaction
	Distance string             `json:"distance_method"`
	Vector   []float32          `json:"vector,omitempty"` // of the request
	Attested bool               `json:"attested,omitempty"`
	Folder   string             `json:"folder,omitempty"` // that the agent works in
}

type messageBody struct {
	Before   string   `json:"before"` // id of the action that follows
	Messages []string `json:"messages"`
	Attested bool     `json:"attested,omitempty"` // by a caller who speaks for the user
}

type actionBody struct {
	ID         string             `json:"action_id"`
	Key        string             `json:"idempotency_key,omitempty"`
	Sum        string             `json:"sum"`
	Tool       string             `json:"tool"`
	Operation  string             `json:"operation"`
	Parameters json.RawMessage    `json:"parameters"`
	Calls      []taint.Call       `json:"calls"` // of the action, wrappers resolved
	Declared   ctxmcp.DataClass   `json:"declared,omitempty"`
	Distance   float64            `json:"distance"`
	Told       *taint.Instruction `json:"told,omitempty"`
	Answer     Answer             `json:"answer"`
	Receipt    string             `json:"receipt"`
	Roles      []string           `json:"roles,omitempty"`    // of the caller
	Until      time.Time          `json:"until,omitzero"`     // by when it must be decided, if it waits
	Parents    []string           `json:"parents,omitempty"`  // waiting actions that it depends on
	Held       *ctxmcp.Decision   `json:"held,omitempty"`     // the decision once they are approved
	Saves      []string           `json:"saves,omitempty"`    // files that it fetches from the network
	Makes      []effect.Made      `json:"makes,omitempty"`    // what is new by it
	Copies     []string           `json:"copies,omitempty"`   // files with the content of a file of secrets
	Stages     effect.Staging     `json:"stages,omitempty"`   // of files of secrets for a commit
	Secret     bool               `json:"secret,omitempty"`   // it reads where secrets are kept
	Mixed      bool               `json:"mixed,omitempty"`    // all secrets that it gives out stand among much else
	Web        bool               `json:"web,omitempty"`      // it reads what is public on the network
	Searched   bool               `json:"searched,omitempty"` // it searches there
	ContextRef string             `json:"context_ref,omitempty"`
}

type resultBody struct {
	ID       string           `json:"action_id"`
	Sum      string           `json:"sum"`
	Text     string           `json:"text"` // redacted
	Labels   []string         `json:"labels,omitempty"`
	Declared ctxmcp.DataClass `json:"declared,omitempty"`
	IsError  bool             `json:"is_error,omitempty"`
	Cut      int              `json:"cut,omitempty"` // bytes that were over the limit and not read
	Attested bool             `json:"attested,omitempty"`
}

type endBody struct {
	Receipt Closing `json:"receipt"`
}

// Answer is the answer to the caller about an action.
type Answer struct {
	ActionID    string           `json:"action_id"`
	Decision    ctxmcp.Decision  `json:"decision"`
	RiskSignals map[string]bool  `json:"risk_signals"`
	Findings    []ctxmcp.Finding `json:"findings"`
	Distance    float64          `json:"semantic_distance"`
	State       State            `json:"accumulated_state"`
}

// ResultAnswer is the answer to the caller about a result.
type ResultAnswer struct {
	ActionID       string           `json:"action_id"`
	Summary        string           `json:"result_summary"`
	Classification ctxmcp.DataClass `json:"data_classification"`
	RiskSignals    map[string]bool  `json:"risk_signals"`
	State          State            `json:"accumulated_state"`
}

// Closing is the answer to the caller at the end of a session.
type Closing struct {
	ReceiptID   string `json:"receipt_id"`
	Digest      string `json:"digest"`
	Signature   string `json:"signature"`
	PublicKey   string `json:"public_key"`
	ActionCount int    `json:"action_count"`
	Path        string `json:"path"` // where the receipts of the session are found
}

// receiptID names the receipt of an action of a session, or of its end: the same for the same, in any process.
func receiptID(k Key, action string) string {
	return "r-" + ctxmcp.Digest(strings.Join([]string{k.Tenant, k.User, k.Session, action}, "\x00"))[:32]
}
