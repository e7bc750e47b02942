package actions

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// MaxLive is how many sessions stay in memory.
const MaxLive = maxLive

// InMemory returns the number of sessions that are in memory.
func (s *Service) InMemory() int {
	s.live.mu.Lock()
	defer s.live.mu.Unlock()
	return len(s.live.byKey)
}

// Must returns a session.
func (s *Service) Must(t testing.TB, session string) Document {
	t.Helper()
	d, err := s.Context(t.Context(), ctxmcp.Caller{Tenant: "acme", User: "ann"}, ctxmcp.Scope{}, session)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// ResultsIn returns the number of results that are in the fold of a session in memory.
func (s *Service) ResultsIn(k Key) int {
	v := s.live.take(k, s.Options.withDefaults())
	defer s.live.give(v)
	return v.known.Results()
}

// PanicAt makes a signal panic, once, after it was asked for the given number of times, until restore is called.
func PanicAt(name string, after int) (restore func()) {
	for i := range signals {
		if s := &signals[i]; s.name == name {
			find := s.find
			s.find = func(v *view) []ctxmcp.Finding {
				if after--; after == -1 {
					panic("contained")
				}
				return find(v)
			}
			return func() { s.find = find }
		}
	}
	panic("there is no signal " + name)
}

// ReadBy returns the options with a reader of results.
func (o Options) ReadBy(r taint.Reader) Options {
	o.reader = r
	return o
}

// Said are the sentences of findings, and Ruled those of the queue, by the names that tests use.
var (
	Said = map[string]ctxmcp.Sentence{
		"scope": saidOutOfScope, "class": saidClass, "unasked": saidUnasked, "drift": saidDrift, "faster": saidFaster, "long": saidLong, "too long": saidTooLong,
		"echo": saidEcho, "bare echo": saidEchoBare, "address": saidAddress, "text says": saidTextSays, "leak": saidLeak,
	}
	Ruled = map[string]ctxmcp.Sentence{
		"approved": saidApproved, "refused": saidRefused, "timeout": saidTimeout, "ended": saidEnded, "met": saidMet, "roles": saidRoles,
		"denied": saidDependsDenied, "waits": saidDependsWaits, "too many": saidTooMany, "model": saidModel,
	}
)

// CountSaid returns how many sentences the tables have.
func CountSaid() (findings, queue int) { return len(findingSentences()), len(queueSentences()) }
