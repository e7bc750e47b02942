package guard

import (
	"container/list"
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
)

// Unheard is the request of a session whose user the front end does not hear.
const Unheard = "(the words of the user are not known here)"

// session is a conversation as it is held in memory: the state that is not on disk yet, and the calls that results are paired with.
type session struct {
	key  string
	lock ctxmcp.Lock // held while a call of the session is decided, or a result recorded
	at   ctxmcp.Scope

	handle string              // of the session of actions; empty: not looked up yet
	begun  bool                // it exists
	folder string              // that the agent works in, as it was named first
	heard  []string            // by the user since the last action
	told   map[string][]string // by action: the words that went with it
	recent *list.Element

	mu      sync.Mutex
	asked   map[string]string // by content of a call without id: its action
	writing []chan struct{}   // results that are not recorded yet
}

// writes notes that a result is being recorded until the channel is closed.
func (s *session) writes(done chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writing = append(s.writing, done)
}

// settled returns once the results that came so far are recorded.
func (s *session) settled(ctx context.Context) error {
	s.mu.Lock()
	waiting := s.writing
	s.writing = nil
	s.mu.Unlock()
	for i, done := range waiting {
		select {
		case <-done:
		case <-ctx.Done():
			s.mu.Lock()
			s.writing = append(waiting[i:], s.writing...)
			s.mu.Unlock()
			return ctx.Err()
		}
	}
	return nil
}

// in runs a function on the conversation while no other call does, with its session of actions looked up and its results recorded.
func (g *Guard) in(ctx context.Context, by ctxmcp.Caller, c Conversation, do func(*session) error) error {
	s := g.live.take(by, c, g.Options.withDefaults().MaxSessions)
	if err := s.settled(ctx); err != nil {
		return err
	}
	return s.lock.Do(ctx, func() error {
		if err := g.find(ctx, by, c, s); err != nil {
			return err
		}
		return do(s)
	})
}

// sessions are the conversations that were seen lately.
type sessions struct {
	mu    sync.Mutex
	byKey map[string]*session
	order list.List // of *session, the most recent first
}

// take returns the conversation of a caller.
func (l *sessions) take(by ctxmcp.Caller, c Conversation, most int) *session {
	key := by.Tenant + "\x00" + by.User + "\x00" + c.Front + "\x00" + c.ID
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.byKey[key]
	if s == nil {
		s = &session{key: key, told: map[string][]string{}, asked: map[string]string{}}
		s.folder = c.Folder
		s.at = ctxmcp.Scope{User: by.User, Project: c.Project, Session: c.Session()}
		if l.byKey == nil {
			l.byKey = map[string]*session{}
		}
		l.byKey[key], s.recent = s, l.order.PushFront(s)
	}
	l.order.MoveToFront(s.recent)
	for len(l.byKey) > most {
		last := l.order.Remove(l.order.Back()).(*session)
		delete(l.byKey, last.key)
	}
	return s
}

// forget drops a conversation that has ended.
func (l *sessions) forget(s *session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byKey[s.key] == s {
		l.order.Remove(s.recent)
		delete(l.byKey, s.key)
	}
}

// Session is the id of the session that the memories of the conversation belong to.
func (c Conversation) Session() string { return handleOf(c, 1) }

// handleOf returns the n-th handle of a conversation: its name and a digest, which is all that is left of an id that is no id here.
func handleOf(c Conversation, n int) string {
	h := c.Front + "_" + ctxmcp.Digest(c.Front + "\x00" + c.ID)[:24]
	if n > 1 {
		h += "_" + strconv.Itoa(n)
	}
	return h
}

// find looks the session of actions up: the first handle of the conversation under which no session has ended.
func (g *Guard) find(ctx context.Context, by ctxmcp.Caller, c Conversation, s *session) error {
	if s.handle != "" {
		return nil
	}
	for n := 1; ; n++ {
		handle := handleOf(c, n)
		doc, err := g.Judge.Context(ctx, by, s.at, handle)
		switch {
		case ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound:
			s.handle, s.begun = handle, false
			return nil
		case err != nil:
			return err
		case doc.EndedAt.IsZero():
			s.handle, s.begun = handle, true
			return nil
		}
	}
}

// begin starts the session of actions with the first words that were heard.
func (g *Guard) begin(ctx context.Context, by ctxmcp.Caller, s *session) error {
	if s.begun {
		return nil
	}
	request := Unheard
	if len(s.heard) > 0 {
		request = s.heard[0]
	}
	_, err := g.Judge.Start(ctx, speaker(by), s.at, actions.Opening{Session: s.handle, Request: actions.Request{Text: request}, Folder: s.folder})
	if err != nil {
		return err
	}
	if len(s.heard) > 0 {
		s.heard = s.heard[1:]
	}
	s.begun = true
	return nil
}

// The bounds of what is held of a session until it is on disk.
const (
	maxHeard = 50      // messages
	maxWords = 100_000 // characters of one, the bound of actions
	maxTold  = 256     // actions whose words are remembered, for a call that comes twice
)

// Hear takes in what the user said: the request of a session that begins with it, and otherwise for the decision of the next call. Of what
// is longer than the record takes, the beginning counts.
func (g *Guard) Hear(ctx context.Context, by ctxmcp.Caller, c Conversation, words string) error {
	if words == "" {
		return nil
	}
	if r := []rune(words); len(r) > maxWords {
		words = string(r[:maxWords])
	}
	return g.in(ctx, by, c, func(s *session) error {
		s.heard = append(s.heard, words)
		if len(s.heard) > maxHeard {
			s.heard = s.heard[1:]
		}
		return g.begin(ctx, by, s)
	})
}

// Said records the user's words since the last action, and returns all of the user's words in the session, redacted, in order; none of a session that has not begun.
func (g *Guard) Said(ctx context.Context, by ctxmcp.Caller, c Conversation) (words []string, err error) {
	err = g.in(ctx, by, c, func(s *session) error {
		if !s.begun {
			return nil
		}
		if len(s.heard) > 0 {
			if err := g.Judge.Hear(ctx, speaker(by), s.at, s.handle, s.heard); err != nil {
				return err
			}
			s.heard = nil
		}
		doc, err := g.Judge.Context(ctx, by, s.at, s.handle)
		if err == nil && doc.OriginalRequest.Text != Unheard {
			words = append(words, doc.OriginalRequest.Text)
		}
		words = append(words, doc.UserMessages...)
		return err
	})
	return words, err
}

// End closes the session, and its receipt is written. A conversation that has no session is no error.
func (g *Guard) End(ctx context.Context, by ctxmcp.Caller, c Conversation) error {
	return g.in(ctx, by, c, func(s *session) error {
		defer g.live.forget(s)
		if !s.begun {
			return nil
		}
		_, err := g.Judge.End(ctx, by, s.at, s.handle)
		s.handle, s.begun = "", false
		return err
	})
}

// actionID returns the id under which a call is recorded: the front end's where it can be one, else one that follows from the call. A call
// without id is told from others by its content, and is the same until its result has come.
func (s *session) actionID(in Call) string {
	switch {
	case in.ID != "" && ctxmcp.ValidID(in.ID):
		return in.ID
	case in.ID != "":
		return "call_" + ctxmcp.Digest(in.ID)[:24]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[in.content()]
}

func (in Call) content() string {
	text, err := json.Marshal([]string{in.Tool, in.Operation, string(in.Arguments)})
	if err != nil {
		panic(err) // strings are always JSON
	}
	return ctxmcp.Digest(string(text))
}
