package console

import (
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

// sessionsPage is a list of sessions of actions.
type sessionsPage struct {
	Rows []sessionRow `json:"sessions"`
	Page string       `json:"-"`
	Next string       `json:"next,omitempty"`
}

func (sessionsPage) title() string { return "Sessions" }

type sessionRow struct {
	ID      string    `json:"session_id"`
	Request string    `json:"request"`
	Began   time.Time `json:"started"`
	Last    time.Time `json:"last"`
	Ended   time.Time `json:"ended,omitzero"`
	Actions int       `json:"actions"`
	Waiting int       `json:"waiting"`
}

// sessions answers with a page of the list.
func (c *Console) sessions(v visit) (any, error) {
	mark, err := markIn(v.URL.Query())
	if err != nil {
		return nil, err
	}
	var behind *actions.Listed
	if mark != nil {
		behind = &actions.Listed{Until: mark.Created, Session: mark.ID}
	}
	var p sessionsPage
	if p.Rows, p.Next, err = c.sessionRows(v, behind, pageRows); err == nil && p.Next != "" {
		p.Page = Base + "sessions?behind=" + url.QueryEscape(p.Next)
	}
	return p, err
}

func (c *Console) sessionRows(v visit, behind *actions.Listed, limit int) (rows []sessionRow, next string, err error) {
	found, err := c.o.Actions.Sessions(v.Context(), v.by, behind, limit+1)
	if err != nil {
		return nil, "", err
	}
	if len(found) > limit {
		found = found[:limit]
		last := found[limit-1]
		next = markText(&artifacts.Mark{Created: last.Until, ID: last.Session})
	}
	for _, s := range found {
		rows = append(rows, sessionRow{s.Session, s.Request, s.Started, s.Last, s.Ended, s.Actions, s.Waiting})
	}
	return rows, next, nil
}

// sessionPage is one session: the request, and its actions in order, with their proof.
type sessionPage struct {
	actions.Document
	Steps    []step            `json:"-"`
	Earlier  int               `json:"-"` // actions of the history in front of those of the page
	Later    int               `json:"-"` // and behind
	Page     string            `json:"-"` // address of the actions in front
	Newest   string            `json:"-"` // address of the last ones
	Proof    *receipts.Session `json:"-"`
	Receipts []receiptRow      `json:"receipts,omitempty"`
	Checked  string            `json:"verified,omitempty"` // what was verified, in words
	Verify   string            `json:"-"`                  // address at which they are verified
}

func (p sessionPage) title() string { return "Session " + name(p.SessionID) }

// step is an action with the origins of its values.
type step struct {
	actions.Entry
	Origins []origin
	Arrows  arrows
}

// receiptRow is a receipt in a list.
type receiptRow struct {
	ID      string         `json:"receipt_id"`
	Index   int64          `json:"index"`
	Kind    string         `json:"kind"`
	Action  string         `json:"action,omitempty"`
	Verdict ctxmcp.Verdict `json:"verdict,omitempty"`
	Rule    string         `json:"rule,omitempty"`
	At      string         `json:"at"`
	Digest  string         `json:"digest"`
	KeyID   string         `json:"key_id"`
}

// mostSteps bounds the actions of a page.
const mostSteps = 100

// session answers with one session: the last actions, or those in front of the place in the address. Of a long session the fold keeps the
// recent actions whole, and sums up those before. Where ?proof is set, the receipts are told, and with ?proof=verify those of an ended
// session are verified.
func (c *Console) session(v visit) (any, error) {
	d, err := c.o.Actions.Context(v.Context(), v.by, ctxmcp.Scope{}, v.id)
	if err != nil {
		return nil, err
	}
	p := sessionPage{Document: d}
	until := len(d.ActionHistory)
	if text := v.URL.Query().Get("until"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "until is no number of an action").WithHint("follow the link to the earlier ones")
		}
		until = min(n, until)
	}
	from := max(until-mostSteps, 0)
	p.Earlier, p.Later = from, len(d.ActionHistory)-until
	here := Base + "sessions/" + url.PathEscape(v.id)
	if from > 0 {
		p.Page = here + "?until=" + strconv.Itoa(from)
	}
	if p.Later > 0 {
		p.Newest = here
	}
	if v.URL.Query().Has("proof") {
		if err := c.proof(v, &p); err != nil {
			return nil, err
		}
	}
	for _, e := range d.ActionHistory[from:until] {
		s := step{Entry: e, Origins: originsOf(e)}
		s.Arrows = arrowsOf(s.Origins)
		p.Steps = append(p.Steps, s)
	}
	p.ActionHistory = d.ActionHistory[from:until]
	return p, nil
}

// proof adds the receipts of the session, and says in words what was verified of them.
func (c *Console) proof(v visit, p *sessionPage) error {
	told, err := c.o.Receipts.OfSession(v.Context(), v.by, v.id, v.URL.Query().Get("proof") == "verify")
	if ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound {
		p.Checked = "There are no receipts of this session."
		return nil
	}
	if err != nil {
		return err
	}
	p.Proof = &told
	for _, r := range told.Receipts[max(len(told.Receipts)-maxReceipts, 0):] {
		p.Receipts = append(p.Receipts, receiptRow{r.ID, r.Index, string(r.Body.Kind), r.Body.Action, r.Body.Verdict, r.Body.Rule, r.Body.At, r.Digest, r.KeyID})
	}
	switch {
	case told.Fault != "":
		p.Checked = "The receipts do not hold: " + told.Fault
	case told.Checked != nil:
		p.Checked = fmt.Sprintf("%d receipts verified: every signature and digest, and the proof that they stand in the log of %d receipts with the root %s.",
			told.Checked.Receipts, told.Checked.Size, told.Checked.Root)
	case told.Ended:
		p.Checked = fmt.Sprintf("%d receipts.", len(told.Receipts))
		p.Verify = Base + "sessions/" + url.PathEscape(v.id) + "?proof=verify"
	default:
		p.Checked = "The session goes on: its receipts are proved when it ends."
	}
	return nil
}

// maxReceipts bounds the receipts of a page, the last ones.
const maxReceipts = 200
