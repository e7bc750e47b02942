package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

// oneMore returns a Make that adds a receipt at the end, with ends that hold the number of receipts.
func oneMore(key receipts.Key) receipts.Make {
	return func(at receipts.Place) (*receipts.Written, error) {
		if at.Held != nil {
			return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "it is there")
		}
		n := at.End.Size + 1
		return &receipts.Written{
			Entries: []receipts.Entry{entry(key, at.End.Size)}, Hashes: []receipts.Hash{{Number: 2 * n, Hash: [32]byte{byte(n)}}},
			End: receipts.End{Size: n, Frontier: fmt.Append(nil, "frontier ", n), At: day(int(n)), KeyID: "sha256:1",
				Head: fmt.Append(nil, "head ", n, "\n\n— sig\n")},
			Session: receipts.SessionEnd{Size: at.Session.Size + 1, Frontier: fmt.Append(nil, at.Session.Size+1), Closed: key.ID == "last"},
		}, nil
	}
}

func receiptKey(tenant, session, id string) receipts.Key {
	return receipts.Key{Tenant: tenant, User: "ann", Session: session, ID: id}
}

func entry(key receipts.Key, index int64) receipts.Entry {
	return receipts.Entry{Key: key, Index: index, Envelope: fmt.Appendf(nil, `{"of":%q,"日本":"\u0000"}`, key.ID), Private: []byte(`{"a":1}`)}
}

// receiptOrder: receipts are given back as they were written, in order, the whole log or those of a session.
func receiptOrder(t *testing.T, s Store) {
	ctx := context.Background()
	if end, err := s.LogEnd(ctx); err != nil || end.Size != 0 || end.Head != nil || !end.At.IsZero() {
		t.Errorf("LogEnd of an empty log = %+v, %v, want the zero value", end, err)
	}
	var want []receipts.Entry
	for i, key := range []receipts.Key{receiptKey("acme", "s1", "a"), receiptKey("acme", "s2", "a"), receiptKey("other", "s1", "a"),
		receiptKey("acme", "s1", "b"), receiptKey("", "", "key")} {
		if err := s.AppendReceipt(ctx, key, oneMore(key)); err != nil {
			t.Fatal(err)
		}
		want = append(want, entry(key, int64(i)))
	}
	for _, q := range []receipts.Query{{}, {From: 2}, {Limit: 2}, {From: 1, Limit: 3}, {Tenant: "acme", User: "ann", Session: "s1"},
		{Tenant: "acme", User: "ann", Session: "s1", From: 1}, {Tenant: "acme", User: "ann", Session: "s1", Limit: 1}, {Tenant: "acme", User: "ann", Session: "s3"}, {Tenant: "acme", User: "bob", Session: "s1"}, {From: 9}} {
		got, err := s.Receipts(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		selected := slices.DeleteFunc(slices.Clone(want), func(e receipts.Entry) bool { return !q.Match(e) })
		if q.Limit > 0 {
			selected = selected[:min(q.Limit, len(selected))]
		}
		if diff := cmp.Diff(selected, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("Receipts(%+v) differs (-want +got):\n%s", q, diff)
		}
	}
	if got, err := s.TreeHashes(ctx, []int64{6, 2}); err != nil || got[0] != [32]byte{3} || got[1] != [32]byte{1} {
		t.Errorf("TreeHashes = %v, %v, want those of the third and the first append", got, err)
	}
	if got, err := s.TreeHashes(ctx, []int64{2, 3}); err == nil {
		t.Errorf("TreeHashes with one that is not there = %v, want an error", got)
	}
	end, err := s.LogEnd(ctx)
	wantEnd := receipts.End{Size: 5, Frontier: []byte("frontier 5"), At: day(5), KeyID: "sha256:1", Head: []byte("head 5\n\n— sig\n")}
	if diff := cmp.Diff(wantEnd, end); err != nil || diff != "" {
		t.Errorf("LogEnd differs, %v (-want +got):\n%s", err, diff)
	}
}

// receiptPlace: an append finds the ends of the log and of its session, and the receipt that has its id.
func receiptPlace(t *testing.T, s Store) {
	ctx, a, last := context.Background(), receiptKey("acme", "s", "a"), receiptKey("acme", "s", "last")
	look := func(key receipts.Key) (at receipts.Place) {
		t.Helper()
		if err := s.AppendReceipt(ctx, key, func(p receipts.Place) (*receipts.Written, error) { at = p; return nil, nil }); err != nil {
			t.Fatal(err)
		}
		return at
	}
	if at := look(a); at.End.Size != 0 || at.Session.Size != 0 || at.Session.Closed || at.Held != nil {
		t.Errorf("the place in an empty log is %+v", at)
	}
	for _, key := range []receipts.Key{a, receiptKey("other", "s", "a"), last} {
		if err := s.AppendReceipt(ctx, key, oneMore(key)); err != nil {
			t.Fatal(err)
		}
	}
	at, held := look(a), entry(a, 0)
	if diff := cmp.Diff(&held, at.Held); diff != "" || at.End.Size != 3 {
		t.Errorf("the place of a receipt that is there is %+v (-want +got):\n%s", at, diff)
	}
	if want := (receipts.SessionEnd{Size: 2, Frontier: []byte("2"), Closed: true}); cmp.Diff(want, at.Session) != "" {
		t.Errorf("the session ends at %+v, want %+v", at.Session, want)
	}
	if at := look(receiptKey("other", "s", "b")); at.Held != nil || at.Session.Size != 1 || at.Session.Closed {
		t.Errorf("the place in another tenant's session of the same name is %+v", at)
	}
}

// receiptRefused: a refusal of make leaves nothing behind, and its error comes back as it is.
func receiptRefused(t *testing.T, s Store) {
	ctx, key := context.Background(), receiptKey("acme", "s", "a")
	refused := errors.New("refused")
	if err := s.AppendReceipt(ctx, key, func(receipts.Place) (*receipts.Written, error) { return nil, refused }); !errors.Is(err, refused) {
		t.Errorf("AppendReceipt = %v, want what make returned", err)
	}
	if err := s.AppendReceipt(ctx, key, oneMore(key)); err != nil {
		t.Fatal(err)
	}
	if err := s.AppendReceipt(ctx, key, oneMore(key)); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("AppendReceipt of the same id = %v, want the conflict of make", err)
	}
	if all, err := s.Receipts(ctx, receipts.Query{}); err != nil || len(all) != 1 {
		t.Errorf("there are %d receipts, %v, want 1", len(all), err)
	}
}

// receiptRace: appends at the same time, for several tenants, follow one another without a gap.
func receiptRace(t *testing.T, s Store) {
	const writers, each = 8, 10
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := range each {
				key := receipts.Key{Tenant: fmt.Sprint("t", w%3), User: "ann", Session: fmt.Sprint("s", w), ID: fmt.Sprint(i)}
				if err := s.AppendReceipt(context.Background(), key, oneMore(key)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	all, err := s.Receipts(context.Background(), receipts.Query{})
	if err != nil || len(all) != writers*each {
		t.Fatalf("there are %d receipts, %v, want %d", len(all), err, writers*each)
	}
	for i, e := range all {
		if e.Index != int64(i) {
			t.Fatalf("the receipt at %d has the index %d", i, e.Index)
		}
	}
}
