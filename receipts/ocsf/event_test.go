package ocsf

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

func receipt(kind receipts.Kind, verdict ctxmcp.Verdict) receipts.Receipt {
	return receipts.Receipt{ID: "r-1", Index: 7, Digest: "sha256:d", KeyID: "sha256:k", Body: receipts.Body{
		ID: "r-1", Kind: kind, At: "2026-01-02T03:04:05.678901Z", Tenant: "acme", User: "ada", Roles: []string{"ops"}, Session: "s1",
		Action: "a1", Tool: "mail", Operation: "send", ActionKind: ctxmcp.OutboundAction, Classification: ctxmcp.InternalData,
		Verdict: verdict, Rule: "instruction-echo", PolicyDigest: "sha256:p", ContextDigest: "sha256:c", Signals: []string{"instruction_echo"},
	}}
}

// TestEvents compares the event of each verdict, of an approval and of a session with golden lines.
func TestEvents(t *testing.T) {
	var out bytes.Buffer
	w := &Writer{Version: "1.2.3", Out: &out}
	var all []receipts.Receipt
	for _, v := range ctxmcp.Verdicts() {
		all = append(all, receipt(receipts.DecisionKind, v))
	}
	approved := receipt(receipts.FollowUpKind, ctxmcp.Allow)
	approved.Body.Follows, approved.Body.Approval = "r-0", &receipts.Approval{By: "ben", Reason: "a private reason"}
	ended := receipts.Receipt{ID: "r-2", Body: receipts.Body{ID: "r-2", Kind: receipts.SessionKind, Session: "s1",
		Summary: &receipts.Summary{Actions: 3}}}
	for _, r := range append(all, approved, ended) {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(out.String(), "private") {
		t.Error("an event holds the reason of an approval")
	}
	golden.Want(t, "testdata/events.jsonl", out.String())
}

// TestEveryVerdictIsMapped: an action that was refused does not read as allowed in a SIEM.
func TestEveryVerdictIsMapped(t *testing.T) {
	for _, v := range ctxmcp.Verdicts() {
		e := Of(receipt(receipts.DecisionKind, v), "")
		if allowed := e.ActionID == 1 || e.DispositionID == 1; allowed != (v == ctxmcp.Allow) {
			t.Errorf("%s has action_id %d and disposition_id %d", v, e.ActionID, e.DispositionID)
		}
		if raw, err := json.Marshal(e); err != nil || e.TypeUID != 600399 || e.Time != 1767323045678 {
			t.Errorf("%s: %s, %v", v, raw, err)
		}
	}
}
