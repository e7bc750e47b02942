package console

import (
	"net/url"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
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

// sessionPage is one session: the request, and its actions in order.
type sessionPage struct {
	actions.Document
}

func (p sessionPage) title() string { return "Session " + name(p.SessionID) }

// session answers with one session. Of a long one the fold keeps the recent actions whole, and sums up those before.
func (c *Console) session(v visit) (any, error) {
	d, err := c.o.Actions.Context(v.Context(), v.by, ctxmcp.Scope{}, v.id)
	return sessionPage{Document: d}, err
}
