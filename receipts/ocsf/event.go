package ocsf

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

// The class of every event: API Activity, with the profile Security Control.
const (
	ocsfVersion = "1.6.0"
	categoryUID = 6
	classUID    = 6003
)

// Event is a decision in OCSF. Unmapped holds the fields that OCSF has no attribute for.
type Event struct {
	CategoryUID   int            `json:"category_uid"`
	ClassUID      int            `json:"class_uid"`
	ActivityID    int            `json:"activity_id"`
	TypeUID       int            `json:"type_uid"`
	Time          int64          `json:"time"` // milliseconds
	SeverityID    int            `json:"severity_id"`
	StatusID      int            `json:"status_id"`
	ActionID      int            `json:"action_id"`
	DispositionID int            `json:"disposition_id"`
	Metadata      metadata       `json:"metadata"`
	Actor         actor          `json:"actor"`
	API           *api           `json:"api,omitempty"`
	Policy        *policy        `json:"policy,omitempty"`
	Unmapped      map[string]any `json:"unmapped"`
}

type metadata struct {
	Version        string   `json:"version"`
	UID            string   `json:"uid"` // the receipt's id
	CorrelationUID string   `json:"correlation_uid"`
	EventCode      string   `json:"event_code"`
	TenantUID      string   `json:"tenant_uid"`
	Profiles       []string `json:"profiles"`
	Product        product  `json:"product"`
}

type product struct {
	Name       string `json:"name"`
	VendorName string `json:"vendor_name"`
	Version    string `json:"version"`
}

type actor struct {
	User    user    `json:"user"`
	Session session `json:"session"`
}

type user struct {
	Name   string  `json:"name"`
	Groups []group `json:"groups,omitempty"`
}

type group struct {
	Name string `json:"name"`
}

type session struct {
	UID string `json:"uid"`
}

type api struct {
	Operation string  `json:"operation"`
	Service   service `json:"service"`
}

type service struct {
	Name string `json:"name"`
}

type policy struct {
	Name    string `json:"name"`    // of the rule
	Version string `json:"version"` // digest of the rules
}

// activity is the activity of an action, by its kind: Read, Update, Other.
var activity = map[ctxmcp.ActionKind]int{ctxmcp.ReadAction: 2, ctxmcp.WriteAction: 3}

// judged is how a verdict reads in OCSF.
type judged struct{ action, disposition, severity int }

// judgements maps verdicts to action_id (1 Allowed, 2 Denied, 4 Modified, 99 Other), disposition_id (1 Allowed, 2 Blocked,
// 11 Corrected, 14 Delayed) and severity_id (1 Informational to 4 High).
var judgements = map[ctxmcp.Verdict]judged{
	ctxmcp.Allow:  {1, 1, 1},
	ctxmcp.Modify: {4, 11, 2},
	ctxmcp.StepUp: {99, 14, 3},
	ctxmcp.Defer:  {99, 14, 3},
	ctxmcp.Deny:   {2, 2, 4},
}

// approved is the disposition of an action that a person approved.
const approved = 8

// Of returns the event of a receipt. version is the product's.
func Of(r receipts.Receipt, version string) Event {
	b := r.Body
	e := Event{
		CategoryUID: categoryUID, ClassUID: classUID, ActivityID: 99, StatusID: 1,
		ActionID: 99, DispositionID: 99, SeverityID: 1,
		Metadata: metadata{
			Version: ocsfVersion, UID: b.ID, CorrelationUID: b.Session, EventCode: string(b.Kind), TenantUID: b.Tenant,
			Profiles: []string{"security_control"}, Product: product{"ctx-mcp", "ctx-mcp", version},
		},
		Actor:    actor{user{Name: b.User}, session{b.Session}},
		Unmapped: unmapped(r),
	}
	if id, known := activity[b.ActionKind]; known {
		e.ActivityID = id
	}
	e.TypeUID = classUID*100 + e.ActivityID
	if at, err := time.Parse(time.RFC3339Nano, b.At); err == nil {
		e.Time = at.UnixMilli()
	}
	if j, known := judgements[b.Verdict]; known {
		e.ActionID, e.DispositionID, e.SeverityID = j.action, j.disposition, j.severity
	}
	if b.Approval != nil && e.ActionID != 2 {
		e.DispositionID = approved
	}
	for _, role := range b.Roles {
		e.Actor.User.Groups = append(e.Actor.User.Groups, group{role})
	}
	if b.Tool != "" {
		e.API = &api{b.Operation, service{b.Tool}}
	}
	if b.Rule != "" {
		e.Policy = &policy{b.Rule, b.PolicyDigest}
	}
	return e
}

// unmapped returns the other fields of a receipt that a SIEM should know.
func unmapped(r receipts.Receipt) map[string]any {
	b := r.Body
	u := map[string]any{"receipt_index": r.Index, "receipt_digest": r.Digest, "key_id": r.KeyID}
	for name, text := range map[string]string{
		"verdict": string(b.Verdict), "action_uid": b.Action, "data_classification": string(b.Classification), "action_kind": string(b.ActionKind),
		"context_digest": b.ContextDigest, "follows": b.Follows,
	} {
		if text != "" {
			u[name] = text
		}
	}
	if len(b.Signals) > 0 {
		u["risk_signals"] = b.Signals
	}
	if b.Unattested {
		u["unattested"] = true
	}
	if b.Opinion != nil {
		u["opinion"] = b.Opinion
	}
	if b.Approval != nil {
		u["approved_by"] = b.Approval.By
	}
	if b.Summary != nil {
		u["actions"] = b.Summary.Actions
	}
	return u
}

// Writer writes events as JSON Lines. It is safe for concurrent use.
type Writer struct {
	Version string
	Out     io.Writer

	mu sync.Mutex
}

// Write writes the event of a receipt, in one piece.
func (w *Writer) Write(r receipts.Receipt) error {
	line, err := json.Marshal(Of(r, w.Version))
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.Out.Write(append(line, '\n'))
	return err
}
