package actions

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/opinion"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Decider gives the verdict on an action. It never fails open: an action that it cannot judge it denies or defers.
type Decider interface {
	Decide(policy.Input) ctxmcp.Decision
	Digest() string // of the rules, for the receipt
}

// Receipts proves decisions. Append returns once the receipt is on disk, and an error if there is none.
type Receipts interface {
	Append(ctx context.Context, body receipts.Body, private *receipts.Private) (receipts.Receipt, error)
	// Prepare returns a receipt that the Store writes together with its action; Done is told what came of it.
	Prepare(ctx context.Context, body receipts.Body, private *receipts.Private) *receipts.Proof
	Done(ctx context.Context, p *receipts.Proof, err error)
}

// Embedder turns texts into vectors of unit length.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	Model() string
}

// Opinions answers for a person whether the user wants an action. It never fails: in doubt it leaves the action to the person.
type Opinions interface {
	Of(ctx context.Context, c opinion.Case) *ctxmcp.Opinion
}

// Service carries out the verbs of sessions. Its fields are set once, before use.
type Service struct {
	Store    Store
	Decider  Decider
	Receipts Receipts
	Embedder Embedder // nil: distances are lexical
	Opinion  Opinions // nil: no model is asked
	// Redact hides the secrets of a text of the tenant. It is asked before anything is stored or read.
	Redact redact.Func
	Now    func() time.Time
	// Publish puts the receipts of an ended session where they can be taken from, and returns where. Nil: nowhere.
	Publish func(ctx context.Context, k Key) (path string, err error)
	NewID   func() string // of actions that the caller does not name
	Handle  func() string // of sessions: nobody can guess it
	Logger  *slog.Logger
	Options Options

	live live
}

// withSession runs a function on the session while no other call does, with its fold up to date, and returns its answer, or none
// with an error. It returns CodeNotFound for a session that does not exist for the caller or that lives outside of the scope which
// the call names, and the error of the context for a caller who is gone before its turn.
func withSession[T any](
	ctx context.Context, s *Service, by ctxmcp.Caller, named ctxmcp.Scope, id string, do func(*session) (T, error),
) (answer T, err error) {
	if !ctxmcp.ValidID(id) {
		return answer, ctxmcp.Errorf(ctxmcp.CodeInvalid, "session_id is not an id").WithHint("use what start_session returned")
	}
	return withKey(ctx, s, by, Key{by.Tenant, by.User, id}, func(v *session) (T, error) {
		if !v.start.Scope.Agrees(named) {
			var none T
			return none, unknown(id)
		}
		return do(v)
	})
}

// withKey is withSession for a session that may be another user's.
func withKey[T any](ctx context.Context, s *Service, by ctxmcp.Caller, k Key, do func(*session) (T, error)) (T, error) {
	return withLog(ctx, s, k, func(v *session) (T, error) {
		if v.seq == 0 || !v.visible(by) {
			var none T
			return none, unknown(k.Session)
		}
		return do(v)
	})
}

func unknown(id string) error {
	return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no session %q", id).WithHint("begin one with start_session")
}

// withLog runs a function on the fold over the log of a session, which may be empty, once the last result was read. A fold that a panic or a
// failed record may have left in the middle is forgotten, so that the next call reads the log.
func withLog[T any](ctx context.Context, s *Service, k Key, do func(*session) (T, error)) (answer T, err error) {
	o := s.Options.withDefaults()
	v := s.live.take(k, o)
	defer s.live.give(v)
	err = v.lock.Do(ctx, func() (err error) {
		sound := false
		defer func() {
			if !sound {
				v.forget(o)
			}
		}()
		if err = v.known.Settle(ctx); err == nil {
			err = s.refresh(ctx, v)
		}
		if err == nil {
			answer, err = do(v)
		}
		s.tellUnread(ctx, v)
		sound = !v.folding
		return err
	})
	if err != nil {
		var none T
		return none, err
	}
	return answer, nil
}

// tellUnread tells the operator of results that could not be read, each once.
func (s *Service) tellUnread(ctx context.Context, v *session) {
	for all := v.known.Unread(); v.told < len(all); v.told++ {
		u := all[v.told]
		s.Logger.ErrorContext(ctx, "the result of an action could not be read, so dangerous actions of its session ask", "session", v.key.Session, "action", u.Action, "panic", u.Failure)
	}
}

// refresh folds in what the log has beyond the fold: records of before a restart, or of another process.
func (s *Service) refresh(ctx context.Context, v *session) error {
	records, err := s.Store.ActionLog(ctx, v.key, v.seq, 0)
	if err != nil {
		return err
	}
	for _, r := range records {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := v.fold(r); err != nil {
			return err
		}
	}
	return nil
}

// write puts a record behind the last one and folds it in.
func (s *Service) write(ctx context.Context, v *session, kind RecordKind, at time.Time, body any, detail string) error {
	return s.writeProved(ctx, v, kind, at, body, detail, nil)
}

// writeProved writes a record and its receipt, both or none.
func (s *Service) writeProved(ctx context.Context, v *session, kind RecordKind, at time.Time, body any, detail string, proof *receipts.Proof) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r := Record{Seq: v.seq + 1, Kind: kind, At: at, Body: raw, Waiting: v.waitingAfter(body)}
	event := ctxmcp.Event{At: at, Tenant: v.key.Tenant, User: v.key.User, Action: "session_" + string(kind), ObjectID: v.key.Session, Detail: detail}
	if err := s.Store.AppendAction(ctx, v.key, r, at.Add(s.Options.withDefaults().Retention), event, proof); err != nil {
		return err
	}
	return v.fold(r)
}

// waitingAfter returns the number of actions that wait once a body is folded in.
func (a *accumulator) waitingAfter(body any) int {
	n := len(a.waiting)
	switch b := body.(type) {
	case actionBody:
		if waits(b.Answer.Decision.Verdict) {
			n++
		}
	case rulingBody:
		for _, r := range b.Rulings {
			if a.waiting[r.ID] != nil {
				n--
			}
		}
	}
	return n
}

// Sweep removes the sessions whose time is over, and returns how many those were.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	return s.Store.SweepActions(ctx, ctxmcp.Instant(s.Now()))
}
