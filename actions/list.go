package actions

import (
	"context"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Overview is a session as a list shows it.
type Overview struct {
	Listed
	Request string // of the user, at the start
	Started time.Time
	Ended   time.Time // zero: it goes on
	Last    time.Time // something was recorded
	Actions int
}

// Sessions returns the caller's own sessions, the last used first, at most limit. Behind is the last one of the page before; nil asks
// for the first page.
func (s *Service) Sessions(ctx context.Context, by ctxmcp.Caller, behind *Listed, limit int) ([]Overview, error) {
	listed, err := s.Store.ActionSessions(ctx, by.Tenant, by.User, behind, limit)
	if err != nil {
		return nil, err
	}
	var all []Overview
	for _, one := range listed {
		shown, err := withKey(ctx, s, by, Key{by.Tenant, by.User, one.Session}, func(v *session) (Overview, error) {
			return Overview{one, v.start.Request.Text, v.started, v.ended, v.latest, v.tally.actions}, nil
		})
		if ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound { // beyond the caller's clearance or projects, or just swept
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, shown)
	}
	return all, nil
}
