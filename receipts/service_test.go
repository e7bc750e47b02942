package receipts_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/receipts/keyring"
)

// TestRoundTrip: an appended receipt is verified with the public key alone, the log and the session by itself.
func TestRoundTrip(t *testing.T) {
	b := newBench(t, 1)
	b.session(t, "s1", 3)
	b.append(t, decision("s2", 1), nil)
	b.session(t, "s3", 0)
	got, err := verify(b.export(t), b.keys(t), nil)
	if err != nil || got.Receipts != 7 || got.Sessions != 2 || got.Size != 7 { // the key's, 4, 1, 1
		t.Errorf("the log: %+v, %v", got, err)
	}
	got, err = verify(b.exportSession(t, "s1"), b.keys(t), nil)
	if err != nil || got.Receipts != 4 || got.Sessions != 1 || got.Size != 7 {
		t.Errorf("the session: %+v, %v", got, err)
	}
	if _, err := verify(b.export(t), newBenchKeys(t), nil); err == nil {
		t.Error("another key verifies the log")
	}
}

func newBenchKeys(t *testing.T) []ed25519.PublicKey {
	other := newBench(t, 99)
	other.append(t, decision("x", 1), nil)
	return other.keys(t)
}

// TestAppendTwice: the same receipt again is the first one, also under a later clock and by another process; another body
// under the same id is a conflict.
func TestAppendTwice(t *testing.T) {
	b := newBench(t, 1)
	first := b.append(t, decision("s", 1), parameters(1))
	again := b.restart().append(t, decision("s", 1), parameters(1))
	first.Existed = true
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the second time differs (-first +second):\n%s", diff)
	}
	for name, change := range map[string]func(*receipts.Body, *receipts.Private){
		"verdict":    func(b *receipts.Body, _ *receipts.Private) { b.Verdict = ctxmcp.Allow },
		"parameters": func(_ *receipts.Body, p *receipts.Private) { p.Parameters["to"] = "eve@example.com" },
	} {
		body, private := decision("s", 1), parameters(1)
		change(&body, private)
		got, err := b.Append(context.Background(), body, private)
		wantCode(t, err, ctxmcp.CodeConflict)
		if got.Body.Verdict != ctxmcp.Deny || !got.Existed {
			t.Errorf("%s: the receipt that is there is %+v", name, got)
		}
	}
	b.append(t, ending("s", 1), nil)
	b.append(t, ending("s", 1), nil)
	if got := b.append(t, decision("s", 1), parameters(1)); !got.Existed {
		t.Error("after the end the receipt is written again")
	}
	_, err := b.Append(context.Background(), decision("s", 2), nil)
	wantCode(t, err, ctxmcp.CodeConflict)
}

// TestPrivatePartIsNotShown: the receipt holds a digest of the private part that cannot be guessed at.
func TestPrivatePartIsNotShown(t *testing.T) {
	b := newBench(t, 1)
	b.append(t, decision("s", 1), parameters(1))
	same := b.append(t, decision("s", 2), parameters(1))
	other := b.append(t, decision("s", 3), parameters(1))
	if same.Body.PrivateDigest == other.Body.PrivateDigest || same.Body.PrivateDigest == "" {
		t.Errorf("the digests of one private part are %q and %q", same.Body.PrivateDigest, other.Body.PrivateDigest)
	}
	if text := string(b.export(t)); strings.Contains(text, "ben@example.com") {
		t.Error("the bundle holds the parameters")
	}
	entries, err := b.log.Receipts(context.Background(), receipts.Query{Tenant: "acme", User: "ada", Session: "s"})
	if err != nil || len(entries) != 3 {
		t.Fatal(entries, err)
	}
	var held struct {
		Salt    []byte
		Private receipts.Private
	}
	if err := json.Unmarshal(entries[0].Private, &held); err != nil || len(held.Salt) != 16 || held.Private.Parameters["to"] != "ben@example.com" {
		t.Errorf("the private part is %s, %v", entries[0].Private, err)
	}
}

// TestClockSetBack: receipts stay in order, and none is refused or lost.
func TestClockSetBack(t *testing.T) {
	b := newBench(t, 1)
	first := b.append(t, decision("s", 1), nil)
	b.now = b.now.AddDate(-1, 0, 0)
	second := b.append(t, decision("s", 2), nil)
	if second.Body.At < first.Body.At {
		t.Errorf("the second receipt is of %s, before the first of %s", second.Body.At, first.Body.At)
	}
	if _, err := verify(b.export(t), b.keys(t), nil); err != nil {
		t.Error(err)
	}
}

// TestRotation: the old key, the new key, or both verify a log that was handed over; a key that never signed does not.
func TestRotation(t *testing.T) {
	b := newBench(t, 1)
	b.session(t, "s1", 2)
	kept, err := b.Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	old := b.keys(t)
	b.append(t, decision("s2", 1), nil)
	other := b.restart() // a process that holds the old key in memory
	other.append(t, decision("s2", 2), nil)
	introduced, err := b.Rotate(context.Background(), false)
	if err != nil {
		t.Fatal(err)
	}
	if introduced.KeyID != receipts.KeyID(old[0]) {
		t.Errorf("the new key is introduced by %s, want the old one", introduced.KeyID)
	}
	after := other.append(t, decision("s2", 3), nil)
	b.append(t, ending("s2", 3), nil)
	var fresh []ed25519.PublicKey
	for _, k := range b.keys(t) {
		if receipts.KeyID(k) == after.KeyID {
			fresh = append(fresh, k)
		}
	}
	if len(b.keys(t)) != 2 || len(fresh) != 1 || after.KeyID == introduced.KeyID {
		t.Fatalf("after the rotation %s signs, of %d keys", after.KeyID, len(b.keys(t)))
	}
	for name, keys := range map[string][]ed25519.PublicKey{"old": old, "new": fresh, "both": b.keys(t)} {
		if _, err := verify(b.export(t), keys, kept); err != nil {
			t.Errorf("with the %s key: %v", name, err)
		}
	}
	if _, err := verify(b.exportSession(t, "s2"), b.keys(t), kept); err != nil {
		t.Errorf("a session over the rotation: %v", err)
	}
	if _, err := b.ring.Private(context.Background(), introduced.KeyID); err == nil {
		t.Error("the old private key is still there")
	}
	_, err = newBench(t, 2).Rotate(context.Background(), false)
	wantCode(t, err, ctxmcp.CodeConflict)
}

// TestKeyMissing: without its key a log is not continued, and no other key takes its place by itself.
func TestKeyMissing(t *testing.T) {
	b := newBench(t, 1)
	b.append(t, decision("s", 1), nil)
	paths, err := filepath.Glob(filepath.Join(b.ring.Dir, "*.key"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	for name, breakIt := range map[string]func(path string) error{
		"gone": os.Remove, "garbage": func(p string) error { return os.WriteFile(p, []byte("x"), 0o600) },
		"open to others": func(p string) error { return os.Chmod(p, 0o644) },
	} {
		text, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := breakIt(paths[0]); err != nil {
			t.Fatal(err)
		}
		r, err := b.restart().Append(context.Background(), decision("s", 2), nil)
		wantCode(t, err, ctxmcp.CodeUnavailable)
		if r.ID != "" || len(b.keys(t)) != 1 {
			t.Errorf("%s: there is a receipt %q, or another key", name, r.ID)
		}
		if err := os.WriteFile(paths[0], text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(paths[0], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.restart().append(t, decision("s", 2), nil)
	if err := os.Remove(paths[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := b.restart().Rotate(context.Background(), false); err == nil {
		t.Error("a lost key hands over")
	}
	last := b.restart()
	if _, err := last.Rotate(context.Background(), true); err != nil {
		t.Fatal(err)
	}
	last.append(t, decision("s", 3), nil)
	if _, err := verify(last.export(t), b.keys(t), nil); err != nil {
		t.Error(err)
	}
}

// TestLogPutBack: a log that was put back to an older state, or removed, is not continued where its last head was kept.
func TestLogPutBack(t *testing.T) {
	b := newBench(t, 1)
	b.append(t, decision("s", 1), nil)
	ended, err := b.log.LogEnd(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	early := b.export(t)
	b.append(t, decision("s", 2), nil)
	kept, err := b.Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []receipts.End{ended, {}} {
		back := b.restart()
		back.Log = &rewound{Log: b.log, end: func() receipts.End { return end }}
		_, err = back.Append(context.Background(), decision("s", 3), nil)
		wantCode(t, err, ctxmcp.CodeUnavailable)
	}
	if _, err := verify(early, b.keys(t), nil); err != nil {
		t.Errorf("an older bundle by itself is not valid: %v", err)
	}
	_, err = verify(early, b.keys(t), kept)
	wantCode(t, err, ctxmcp.CodeInvalid)
}

// rewound is a log that shows an older end.
type rewound struct {
	receipts.Log
	end func() receipts.End
}

func (r *rewound) AppendReceipt(ctx context.Context, key receipts.Key, make receipts.Make) error {
	return r.Log.AppendReceipt(ctx, key, func(at receipts.Place) (*receipts.Written, error) {
		at.End = r.end()
		return make(at)
	})
}

// TestTamperedEndIsNotSigned: somebody who changes the stored end does not get it signed with the next receipt.
func TestTamperedEndIsNotSigned(t *testing.T) {
	for name, change := range map[string]func(*receipts.End){
		"frontier": func(e *receipts.End) { e.Frontier[20] ^= 1 },
		"size":     func(e *receipts.End) { e.Size++ },
		"head":     func(e *receipts.End) { e.Head[3] ^= 1 },
		"key":      func(e *receipts.End) { e.KeyID = "sha256:" + strings.Repeat("0", 64) },
	} {
		b := newBench(t, 1)
		b.append(t, decision("s", 1), nil)
		end, err := b.log.LogEnd(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		end.Frontier, end.Head = []byte(string(end.Frontier)), []byte(string(end.Head))
		change(&end)
		bad := b.restart()
		bad.Log = &rewound{Log: b.log, end: func() receipts.End { return end }}
		if r, err := bad.Append(context.Background(), decision("s", 2), nil); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable || r.ID != "" {
			t.Errorf("%s: Append = %+v, %v, want unavailable", name, r, err)
		}
	}
}

// failing is a log on a disk that is full.
type failing struct {
	receipts.Log
	before bool // fail before make, or after
}

func (f failing) AppendReceipt(ctx context.Context, key receipts.Key, make receipts.Make) error {
	full := ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the disk is full")
	if f.before {
		return full
	}
	err := f.Log.AppendReceipt(ctx, key, func(at receipts.Place) (*receipts.Written, error) {
		if _, err := make(at); err != nil {
			return nil, err
		}
		return nil, full
	})
	return err
}

// TestDiskFull: a receipt that is not on disk is none, and the log goes on when there is room again.
func TestDiskFull(t *testing.T) {
	for _, before := range []bool{true, false} {
		b := newBench(t, 1)
		b.append(t, decision("s", 1), nil)
		b.Service.Log = failing{b.log, before}
		_, err := b.Append(context.Background(), decision("s", 2), nil)
		wantCode(t, err, ctxmcp.CodeUnavailable)
		b.Service.Log = b.log
		b.append(t, decision("s", 2), nil)
		if got, err := verify(b.export(t), b.keys(t), nil); err != nil || got.Receipts != 3 {
			t.Errorf("afterwards: %+v, %v", got, err)
		}
	}
}

// TestWitnessFails: a receipt that is on disk stands, whether its head can be written beside it or not.
func TestWitnessFails(t *testing.T) {
	b := newBench(t, 1)
	b.Service.Witness = brokenWitness{}
	b.append(t, decision("s", 1), nil)
	b = newBench(t, 1)
	b.Service.Witness = brokenWitness{errors.New("unreadable")}
	_, err := b.Append(context.Background(), decision("s", 1), nil)
	wantCode(t, err, ctxmcp.CodeUnavailable)
}

type brokenWitness struct{ last error }

func (b brokenWitness) Last() ([]byte, error) { return nil, b.last }
func (brokenWitness) Keep([]byte) error       { return errors.New("the disk is full") }

// TestConcurrentAppends: processes that append at the same time make one log.
func TestConcurrentAppends(t *testing.T) {
	b := newBench(t, 1)
	now := func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
	var group sync.WaitGroup
	for w := range 6 {
		other := &receipts.Service{Log: b.log, Keys: b.ring, Witness: b.head, Now: now}
		group.Go(func() {
			for i := range 10 {
				if _, err := other.Append(context.Background(), decision(string(rune('a'+w)), i+1), nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if got, err := verify(b.export(t), b.keys(t), nil); err != nil || got.Receipts != 61 {
		t.Errorf("together: %+v, %v", got, err)
	}
}

func TestExportRefuses(t *testing.T) {
	b := newBench(t, 1)
	ctx := context.Background()
	_, err := b.Export(ctx, nil)
	wantCode(t, err, ctxmcp.CodeNotFound)
	_, err = b.Head(ctx)
	wantCode(t, err, ctxmcp.CodeNotFound)
	b.append(t, decision("s", 1), nil)
	_, err = b.ExportSession(ctx, "acme", "ada", "s", nil)
	wantCode(t, err, ctxmcp.CodeConflict)
	_, err = b.ExportSession(ctx, "acme", "ada", "other", nil)
	wantCode(t, err, ctxmcp.CodeNotFound)
	_, err = b.ExportSession(ctx, "acme", "ben", "s", nil)
	wantCode(t, err, ctxmcp.CodeNotFound)
	_, err = b.ExportSession(ctx, "", "", "", nil)
	wantCode(t, err, ctxmcp.CodeInvalid)
}

// TestKeyFiles: keys are readable by their owner only.
func TestKeyFiles(t *testing.T) {
	b := newBench(t, 1)
	b.append(t, decision("s", 1), nil)
	for pattern, want := range map[string]os.FileMode{"*.key": 0o600, "*.pub": 0o600, ".": 0o700} {
		paths, err := filepath.Glob(filepath.Join(b.ring.Dir, pattern))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%s: %v, %v", pattern, paths, err)
		}
		info, err := os.Stat(paths[0])
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has the permissions %v, %v, want %v", pattern, info.Mode().Perm(), err, want)
		}
	}
	for name, text := range map[string]string{"empty": "", "private": "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n", "words": "key"} {
		if _, err := keyring.ParsePublic([]byte(text)); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
			t.Errorf("ParsePublic of what is %s = %v, want invalid", name, err)
		}
	}
}
