package actions

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// Opening is a session as a caller asks for it.
type Opening struct {
	Session string // empty: a new handle
	Request Request
	Tools   []taint.Definition
	Folder  string `json:",omitempty"` // that the agent works in, absolute; empty: not known
}

// The bounds of what a session begins with.
const (
	maxRequest     = 100_000 // characters of the request, and of each later message
	maxTools       = 1000
	maxFolder      = 4096 // bytes
	maxDescription = 2000 // characters of a description that are kept
	maxWords       = 200  // entities, and tools of the expected scope
)

// Start begins a session. Asked again with the same handle and the same request it returns the session as it is; with
// another request, or from a place that is not in the scope of the session, it returns CodeConflict.
func (s *Service) Start(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, o Opening) (Document, error) {
	if err := o.check(); err != nil {
		return Document{}, err
	}
	sum := digestOf("", o)
	if o.Session == "" {
		o.Session = s.Handle()
	}
	return withLog(ctx, s, Key{by.Tenant, by.User, o.Session}, func(v *session) (Document, error) {
		if v.seq == 0 {
			if err := s.begin(ctx, v, by, at, o, sum); err != nil {
				return Document{}, err
			}
		}
		if v.start.Sum != sum || !v.visible(by) || !v.start.Scope.Agrees(at) {
			return Document{}, ctxmcp.Errorf(ctxmcp.CodeConflict, "session %q exists, with another request or scope", o.Session).
				WithHint("leave session_id out to get a new one")
		}
		return v.document(), nil
	})
}

func (s *Service) begin(ctx context.Context, v *session, by ctxmcp.Caller, at ctxmcp.Scope, o Opening, sum string) error {
	body := startBody{Session: o.Session, Scope: at, Sum: sum, Attested: by.Has(ctxmcp.Harness)}
	clean, err := redactJSON(ctx, s.Redact, by.Tenant, struct {
		Request Request
		Tools   []taint.Definition
	}{o.Request, o.Tools})
	if err != nil {
		return err
	}
	var kept struct {
		Request Request
		Tools   []taint.Definition
	}
	if err := json.Unmarshal(clean, &kept); err != nil {
		return err
	}
	body.Request, body.Tools = kept.Request, kept.Tools
	if body.Folder, _, err = s.Redact(ctx, by.Tenant, o.Folder); err != nil {
		return err
	}
	for i := range body.Tools {
		if d := []rune(body.Tools[i].Description); len(d) > maxDescription {
			body.Tools[i].Description = string(d[:maxDescription])
		}
	}
	if body.Request.Entities == nil {
		body.Request.Entities = []string{}
	}
	if body.Request.ExpectedScope == nil {
		body.Request.ExpectedScope = []string{}
	}
	body.Distance, body.Vector = s.measureRequest(ctx, body.Request.Text)
	return s.write(ctx, v, StartRecord, ctxmcp.Instant(s.Now()), body, "")
}

func (o *Opening) check() error {
	r := o.Request
	switch {
	case o.Session != "" && !ctxmcp.ValidID(o.Session):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "session_id is not an id").
			WithHint("use 1 to %d of the characters A-Z a-z 0-9 _ . -, or leave it out", ctxmcp.MaxIDLength)
	case r.Text == "":
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "original_request.text is empty").WithHint("give the user's own words")
	case utf8.RuneCountInString(r.Text) > maxRequest:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "original_request.text has more than %d characters", maxRequest)
	case len(o.Folder) > maxFolder:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the folder has more than %d bytes", maxFolder)
	case len(r.Entities) > maxWords || len(r.ExpectedScope) > maxWords || len(o.Tools) > maxTools:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "more than %d entities or tools in scope, or %d tools", maxWords, maxTools)
	}
	if r.ExpectedClassification != "" {
		if err := ctxmcp.CheckWord("expected_classification", r.ExpectedClassification, ctxmcp.DataClasses()); err != nil {
			return err
		}
	}
	return nil
}

// Context returns the session as a decision would see it. named is the scope that the call names, as for Record.
func (s *Service) Context(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, id string) (Document, error) {
	return withSession(ctx, s, by, named, id, func(v *session) (Document, error) { return v.document(), nil })
}
