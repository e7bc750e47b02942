package sqlite

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/vault"
)

// private is the text that must be in no file of a sealed store.
const private = "the parameters of an action"

// fillPrivate appends a record and a receipt that hold the private text.
func fillPrivate(t *testing.T, s *Store, id string) actions.Key {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	k := actions.Key{Tenant: "acme", User: "ann", Session: id}
	body, err := json.Marshal(private)
	if err != nil {
		t.Fatal(err)
	}
	r := actions.Record{Seq: 1, Kind: actions.ActionRecord, At: at, Body: body}
	if err := s.AppendAction(t.Context(), k, r, at.AddDate(1, 0, 0), ctxmcp.Event{At: at, Tenant: "acme"}, nil); err != nil {
		t.Fatal(err)
	}
	key := receipts.Key{Tenant: "acme", User: "ann", Session: id, ID: "r"}
	err = s.AppendReceipt(t.Context(), key, func(at receipts.Place) (*receipts.Written, error) {
		return &receipts.Written{
			Entries: []receipts.Entry{{Key: key, Index: at.End.Size, Envelope: []byte("{}"), Private: body}},
			End:     receipts.End{Size: at.End.Size + 1, Frontier: []byte("f"), Head: []byte("h")},
		}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestSealedFieldsAreInNoFile: a sealed field is nowhere in the clear in the data directory. It is read back with the
// vault, also beside fields older than the vault, and not without it.
func TestSealedFieldsAreInNoFile(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	v, err := vault.New()
	if err != nil {
		t.Fatal(err)
	}
	s.UseVault(v)
	k := fillPrivate(t, s, "sealed")
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(content, []byte(private)) {
			t.Errorf("%s holds what was sealed", filepath.Base(path))
		}
	}
	wantPrivate(t, s, k)
	s.UseVault(nil)
	if _, err := s.ActionLog(t.Context(), k, 0, 0); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("ActionLog without the vault = %v, want unavailable", err)
	}
	before := fillPrivate(t, s, "clear")
	s.UseVault(v)
	wantPrivate(t, s, before)
}

func wantPrivate(t *testing.T, s *Store, k actions.Key) {
	t.Helper()
	want, err := json.Marshal(private)
	if err != nil {
		t.Fatal(err)
	}
	if records, err := s.ActionLog(t.Context(), k, 0, 0); err != nil || len(records) != 1 || !bytes.Equal(records[0].Body, want) {
		t.Errorf("ActionLog = %v, %v", records, err)
	}
	held, err := s.Receipts(t.Context(), receipts.Query{Tenant: k.Tenant, User: k.User, Session: k.Session})
	if err != nil || len(held) != 1 || !bytes.Equal(held[0].Private, want) {
		t.Errorf("Receipts = %v, %v", held, err)
	}
}

// TestSealedFieldThatWasMoved: the parameters of one action cannot be put in the place of another's.
func TestSealedFieldThatWasMoved(t *testing.T) {
	s := openStore(t, t.TempDir())
	v, err := vault.New()
	if err != nil {
		t.Fatal(err)
	}
	s.UseVault(v)
	fillPrivate(t, s, "one")
	k := fillPrivate(t, s, "two")
	if _, err := s.writes.Exec(`UPDATE action_log SET body = (SELECT body FROM action_log WHERE session = 'one') WHERE session = 'two'`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ActionLog(t.Context(), k, 0, 0); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("ActionLog of a moved field = %v, want unavailable", err)
	}
}

// TestDataKeys: they are replaced only by who knows which ones are there.
func TestDataKeys(t *testing.T) {
	s := openStore(t, t.TempDir())
	if got, err := s.DataKeys(t.Context()); got != nil || err != nil {
		t.Errorf("DataKeys of a new store = %q, %v", got, err)
	}
	for _, step := range []struct {
		old, next string
		want      ctxmcp.Code
	}{{"", "a", ""}, {"", "b", ctxmcp.CodeConflict}, {"b", "c", ctxmcp.CodeConflict}, {"a", "d", ""}} {
		var old []byte
		if step.old != "" {
			old = []byte(step.old)
		}
		err := s.ReplaceDataKeys(t.Context(), old, []byte(step.next))
		if (err == nil) != (step.want == "") || err != nil && ctxmcp.CodeOf(err) != step.want {
			t.Errorf("ReplaceDataKeys(%q, %q) = %v, want %q", step.old, step.next, err, step.want)
		}
	}
	if got, err := s.DataKeys(t.Context()); string(got) != "d" || err != nil {
		t.Errorf("DataKeys = %q, %v, want d", got, err)
	}
}

// TestReceiptOnAFullDisk: a receipt that does not fit is an error and leaves nothing; the log goes on when there is room.
func TestReceiptOnAFullDisk(t *testing.T) {
	s := openStore(t, t.TempDir())
	fillPrivate(t, s, "before")
	var pages int
	if err := s.writes.QueryRow(`PRAGMA page_count`).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	limit := func(n int) {
		var now int
		if err := s.writes.QueryRow(`PRAGMA max_page_count = ` + strconv.Itoa(n)).Scan(&now); err != nil {
			t.Fatal(err)
		}
	}
	limit(pages)
	key := receipts.Key{Tenant: "acme", User: "ann", Session: "s", ID: "large"}
	add := func() error {
		return s.AppendReceipt(t.Context(), key, func(at receipts.Place) (*receipts.Written, error) {
			return &receipts.Written{
				Entries: []receipts.Entry{{Key: key, Index: at.End.Size, Envelope: bytes.Repeat([]byte("x"), 1<<20)}},
				End:     receipts.End{Size: at.End.Size + 1, Frontier: []byte("f"), Head: []byte("h")},
			}, nil
		})
	}
	if err := add(); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("AppendReceipt on a full disk = %v, want unavailable", err)
	}
	if end, err := s.LogEnd(t.Context()); err != nil || end.Size != 1 {
		t.Errorf("the log has %d receipts, %v, want 1", end.Size, err)
	}
	limit(1 << 30)
	if err := add(); err != nil {
		t.Errorf("AppendReceipt with room again = %v", err)
	}
}
