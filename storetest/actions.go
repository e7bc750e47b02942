package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

func actionKey(session string) actions.Key {
	return actions.Key{Tenant: "acme", User: "ann", Session: session}
}

func actionRecord(seq int) actions.Record {
	return actions.Record{
		Seq: seq, Kind: actions.ActionRecord, At: epoch.Add(time.Duration(seq) * time.Microsecond),
		Body: json.RawMessage(fmt.Sprintf(`{"n":%d,"text":"a \"b\" — 日本語"}`, seq)),
	}
}

func appendAction(s Store, k actions.Key, r actions.Record, until time.Time) error {
	return s.AppendAction(context.Background(), k, r, until, ctxmcp.Event{At: r.At, Tenant: k.Tenant, User: k.User, Action: "session_action", ObjectID: k.Session}, nil)
}

func wantLog(t *testing.T, s Store, k actions.Key, after, limit int, want ...actions.Record) {
	t.Helper()
	got, err := s.ActionLog(context.Background(), k, after, limit)
	if err != nil {
		t.Fatalf("ActionLog: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ActionLog(%v, %d, %d) differs (-want +got):\n%s", k, after, limit, diff)
	}
}

// actionSessions: a user's sessions are listed page by page, and nobody else's.
func actionSessions(t *testing.T, s Store) {
	var want []actions.Listed
	for i, session := range []string{"s3", "s1", "s2", "s4"} {
		r := actionRecord(1)
		r.Waiting = i % 2
		one := actions.Listed{Session: session, Records: 1, Waiting: i % 2, Until: day(9 - i/2)}
		if err := appendAction(s, actionKey(session), r, one.Until); err != nil {
			t.Fatalf("AppendAction: %v", err)
		}
		want = append(want, one)
	}
	want[2], want[3] = want[3], want[2]
	for _, k := range []actions.Key{{Tenant: "other", User: "ann", Session: "s1"}, {Tenant: "acme", User: "bob", Session: "s1"}} {
		if err := appendAction(s, k, actionRecord(1), day(9)); err != nil {
			t.Fatalf("AppendAction: %v", err)
		}
	}
	list := func(behind *actions.Listed, limit int, want ...actions.Listed) {
		t.Helper()
		got, err := s.ActionSessions(context.Background(), "acme", "ann", behind, limit)
		if err != nil {
			t.Fatalf("ActionSessions: %v", err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ActionSessions behind %v differs (-want +got):\n%s", behind, diff)
		}
	}
	list(nil, 9, want...)
	list(nil, 3, want[:3]...)
	list(&want[0], 9, want[1:]...)
	list(&want[2], 9, want[3:]...)
	list(&want[3], 9)
}

// actionLogs: a log comes back as it was written, in order, to its own caller only.
func actionLogs(t *testing.T, s Store) {
	k := actionKey("s1")
	for seq := range 4 {
		if err := appendAction(s, k, actionRecord(seq+1), day(30)); err != nil {
			t.Fatalf("AppendAction: %v", err)
		}
	}
	wantLog(t, s, k, 0, 0, actionRecord(1), actionRecord(2), actionRecord(3), actionRecord(4))
	wantLog(t, s, k, 2, 0, actionRecord(3), actionRecord(4))
	wantLog(t, s, k, 1, 1, actionRecord(2))
	wantLog(t, s, k, 4, 0)
	for _, other := range []actions.Key{{Tenant: "other", User: "ann", Session: "s1"}, {Tenant: "acme", User: "bob", Session: "s1"}, actionKey("S1")} {
		wantLog(t, s, other, 0, 0)
	}
}

// actionRaces: a record follows the last one, and of several who write the same one wins.
func actionRaces(t *testing.T, s Store) {
	k := actionKey("s1")
	if err := appendAction(s, k, actionRecord(2), day(1)); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("a log begins with record 2: %v, want a conflict", err)
	}
	Race(t, 8, 1, ctxmcp.CodeConflict, func(int) error { return appendAction(s, k, actionRecord(1), day(1)) })
	wantLog(t, s, k, 0, 0, actionRecord(1))
}

// actionRetention: a log goes whole, when its time is over; each record gives it more.
func actionRetention(t *testing.T, s Store) {
	old, fresh := actionKey("old"), actionKey("fresh")
	for _, c := range []struct {
		k     actions.Key
		seq   int
		until time.Time
	}{{old, 1, day(1)}, {old, 2, day(2)}, {fresh, 1, day(1)}, {fresh, 2, day(3)}} {
		if err := appendAction(s, c.k, actionRecord(c.seq), c.until); err != nil {
			t.Fatalf("AppendAction: %v", err)
		}
	}
	for _, c := range []struct{ day, want int }{{1, 0}, {2, 1}, {2, 0}} {
		if n, err := s.SweepActions(context.Background(), day(c.day)); n != c.want || err != nil {
			t.Errorf("SweepActions on day %d = %d, %v, want %d", c.day, n, err, c.want)
		}
	}
	wantLog(t, s, old, 0, 0)
	wantLog(t, s, fresh, 0, 0, actionRecord(1), actionRecord(2))
	if err := appendAction(s, old, actionRecord(1), day(4)); err != nil {
		t.Errorf("a session of the same name cannot begin again: %v", err)
	}
}

// actionWaiting: the sessions with actions that wait are found by tenant and user, as their last record says.
func actionWaiting(t *testing.T, s Store) {
	ann, bob, other := actionKey("s1"), actions.Key{Tenant: "acme", User: "bob", Session: "s0"}, actions.Key{Tenant: "other", User: "ann", Session: "s1"}
	for _, k := range []actions.Key{bob, ann, other, actionKey("s2")} {
		r := actionRecord(1)
		if k.Session != "s2" {
			r.Waiting = 2
		}
		if err := appendAction(s, k, r, day(1)); err != nil {
			t.Fatalf("AppendAction: %v", err)
		}
	}
	want := func(tenant, user string, want ...actions.Key) {
		t.Helper()
		got, err := s.WaitingSessions(context.Background(), tenant, user)
		if err != nil {
			t.Fatalf("WaitingSessions: %v", err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("WaitingSessions(%q, %q) differs (-want +got):\n%s", tenant, user, diff)
		}
	}
	want("acme", "ann", ann)
	want("acme", "", ann, bob)
	want("acme", "eve")
	want("other", "ann", other)
	wantLog(t, s, ann, 0, 0, actionRecord(1))
	if err := appendAction(s, ann, actionRecord(2), day(1)); err != nil {
		t.Fatalf("AppendAction: %v", err)
	}
	want("acme", "ann")
}

// actionProof: a record and its receipt are written together, or neither of them.
func actionProof(t *testing.T, s Store) {
	k, refused := actionKey("s1"), errors.New("refused")
	receipt := receiptKey("acme", "s1", "a")
	add := func(seq int, make receipts.Make) error {
		r := actionRecord(seq)
		return s.AppendAction(context.Background(), k, r, day(1), ctxmcp.Event{At: r.At, Tenant: k.Tenant}, &receipts.Proof{Key: receipt, Make: make})
	}
	want := func(n int) {
		t.Helper()
		held, err := s.Receipts(context.Background(), receipts.Query{})
		if err != nil || len(held) != n {
			t.Errorf("there are %d receipts, %v, want %d", len(held), err, n)
		}
		if log, err := s.ActionLog(context.Background(), k, 0, 0); err != nil || len(log) != n {
			t.Errorf("there are %d records, %v, want %d", len(log), err, n)
		}
	}
	if err := add(1, func(receipts.Place) (*receipts.Written, error) { return nil, refused }); !errors.Is(err, refused) {
		t.Errorf("AppendAction = %v, want what its receipt returned", err)
	}
	want(0)
	if err := add(2, oneMore(receipt)); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("a record that does not follow = %v, want a conflict", err)
	}
	want(0)
	if err := add(1, oneMore(receipt)); err != nil {
		t.Fatalf("AppendAction: %v", err)
	}
	want(1)
	if n, err := s.SweepActions(context.Background(), day(2)); n != 1 || err != nil {
		t.Fatalf("SweepActions = %d, %v", n, err)
	}
	held, err := s.Receipts(context.Background(), receipts.Query{})
	if err != nil || len(held) != 1 || held[0].Private != nil || len(held[0].Envelope) == 0 {
		t.Errorf("after the session's time its receipts are %v, %v, want the receipt without its private part", held, err)
	}
}
