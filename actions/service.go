package actions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/policy"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Decider says what becomes of an action. It never fails open: what it cannot judge it denies or defers.
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

// Service carries out the verbs of sessions. Its fields are set once, before use.
type Service struct {
	Store    Store
	Decider  Decider
	Receipts Receipts
	Embedder Embedder // nil: distances are lexical
	// Redact hides the secrets of a text of the tenant. It is asked before anything is stored or read.
	Redact redact.Func
	Now    func() time.Time
	// Publish puts the receipts of an ended session where they can be taken from, and returns where. Nil: nowhere.
	Publish func(ctx context.Context, k Key) (path string, err error)
	NewID   func() string // of actions that the caller does not name
	Handle  func() string // of sessions: nobody can guess it
	Logger  *slog.Logger
	Options Options

	mu   sync.Mutex // guards live and its order
	live map[Key]*session
	use  []Key // the longest unused first
}

// maxLive bounds the sessions in memory; the others are read again from their logs.
const maxLive = 256

// session is one session in memory: the fold over its log.
type session struct {
	mu  sync.Mutex // guards all below; held over a whole call
	key Key
	seq int // of the last record in the fold
	*accumulator
}

// open returns the session with its lock held and its fold up to date. It returns CodeNotFound for one that does not exist
// for the caller.
func (s *Service) open(ctx context.Context, by ctxmcp.Caller, id string) (*session, error) {
	if !ctxmcp.ValidID(id) {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "session_id is not an id").WithHint("use what start_session returned")
	}
	return s.openKey(ctx, by, Key{by.Tenant, by.User, id})
}

// openKey is open for a session that may be another user's.
func (s *Service) openKey(ctx context.Context, by ctxmcp.Caller, k Key) (*session, error) {
	v := s.held(k)
	v.mu.Lock()
	if err := s.refresh(ctx, v); err != nil {
		s.drop(v)
		return nil, err
	}
	if v.seq == 0 || !v.visible(by) {
		s.drop(v)
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no session %q", k.Session).WithHint("begin one with start_session")
	}
	return v, nil
}

// held returns the session as it is in memory, or a new one that nothing was read into.
func (s *Service) held(k Key) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live == nil {
		s.live = map[Key]*session{}
	}
	v := s.live[k]
	if v == nil {
		v = &session{key: k, accumulator: newAccumulator(s.Options.withDefaults())}
		s.live[k] = v
	}
	s.touch(k)
	return v
}

// touch makes k the last used, and lets go of the one that was not used for the longest time.
func (s *Service) touch(k Key) {
	for i, other := range s.use {
		if other == k {
			s.use = append(s.use[:i], s.use[i+1:]...)
			break
		}
	}
	s.use = append(s.use, k)
	if len(s.use) > maxLive {
		delete(s.live, s.use[0])
		s.use = s.use[1:]
	}
}

// drop unlocks the session and forgets what is in memory of it, so that the next call reads its log.
func (s *Service) drop(v *session) {
	s.mu.Lock()
	if s.live[v.key] == v {
		delete(s.live, v.key)
	}
	s.mu.Unlock()
	v.seq, v.accumulator = 0, newAccumulator(s.Options.withDefaults()) // for who waits for its lock
	v.mu.Unlock()
}

// refresh folds in what the log has beyond the fold: records of before a restart, or of another process.
func (s *Service) refresh(ctx context.Context, v *session) error {
	records, err := s.Store.ActionLog(ctx, v.key, v.seq, 0)
	if err != nil {
		return err
	}
	for _, r := range records {
		if err := v.apply(r); err != nil {
			return err
		}
		v.seq = r.Seq
	}
	return nil
}

// write puts a record behind the last one and folds it in. When it fails the session must be dropped.
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
	v.seq = r.Seq
	return v.apply(r)
}

// waitingAfter returns how many actions wait once a body is folded in.
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

// digestOf returns the SHA-256 of the JSON of v, chained to the digest before.
func digestOf(before string, v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // the types of this package can be marshaled
	}
	sum := sha256.Sum256(append([]byte(before+"\n"), raw...))
	return "sha256:" + hex.EncodeToString(sum[:])
}
