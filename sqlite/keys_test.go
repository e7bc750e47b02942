package sqlite

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/storetest"
)

// keyed opens the store in dir with the keys in another folder.
func keyed(t testing.TB, dir, keys string, seal bool) *Store {
	t.Helper()
	s := openStore(t, dir)
	k, err := OpenKeys(t.Context(), keys)
	if err != nil {
		t.Fatalf("OpenKeys: %v", err)
	}
	if err := s.UseKeys(t.Context(), k, seal); err != nil {
		t.Fatalf("UseKeys: %v", err)
	}
	return s
}

// keysInMemory are keys without a file, whose writes take no time.
type keysInMemory struct {
	mu   sync.Mutex
	keys map[string][]byte
}

func (k *keysInMemory) Keep(_ context.Context, keys map[string][]byte) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, key := range keys {
		if k.keys[id] == nil {
			k.keys[id] = key
		}
	}
	return nil
}

func (k *keysInMemory) Find(_ context.Context, ids []string) (map[string][]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found := map[string][]byte{}
	for _, id := range ids {
		if key := k.keys[id]; key != nil {
			found[id] = key
		}
	}
	return found, nil
}

func (k *keysInMemory) Destroy(_ context.Context, ids []string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range ids {
		delete(k.keys, id)
	}
	return nil
}

// TestSealedStore: a store that seals means the same as one that does not.
func TestSealedStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store {
		s := openStore(t, t.TempDir())
		if err := s.UseKeys(t.Context(), &keysInMemory{keys: map[string][]byte{}}, true); err != nil {
			t.Fatal(err)
		}
		return audited{s}
	})
}

var everythingOfAcme = memory.Query{Tenant: "acme", Everywhere: true, Unrestricted: true}

func sealedNote(id, content string) ctxmcp.ContextObject {
	o := note(id)
	o.TenantID, o.Content = "acme", content
	return o
}

func change(t *testing.T, s *Store, c memory.Change) {
	t.Helper()
	if err := s.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

// TestPingKeys: the keys count as out of reach while their database is, and where they are those of another store.
func TestPingKeys(t *testing.T) {
	s, keys := openStore(t, t.TempDir()), &keysInMemory{keys: map[string][]byte{}}
	if err := s.UseKeys(t.Context(), keys, true); err != nil {
		t.Fatal(err)
	}
	if err := s.PingKeys(t.Context()); err != nil {
		t.Errorf("PingKeys = %v", err)
	}
	keys.keys[indexKey] = make([]byte, keySize)
	if err := s.PingKeys(t.Context()); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("PingKeys with the keys of another store = %v, want unavailable", err)
	}
	away := keyed(t, t.TempDir(), t.TempDir(), true)
	if err := away.Keys().(*KeyStore).Close(); err != nil {
		t.Fatal(err)
	}
	if err := away.PingKeys(t.Context()); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("PingKeys without the keys' database = %v, want unavailable", err)
	}
}

// TestSealedBesideUnsealed: versions that were written before keys were there are found by their words beside sealed ones, which need the keys.
func TestSealedBesideUnsealed(t *testing.T) {
	dir, keys := t.TempDir(), t.TempDir()
	s := openStore(t, dir)
	for _, c := range []struct {
		seal bool
		id   string
	}{{false, "a"}, {true, "b"}, {false, "c"}, {true, "d"}} {
		change(t, keyed(t, dir, keys, c.seal), memory.Change{Insert: []ctxmcp.ContextObject{sealedNote(c.id, "The quincunxial orchard of "+c.id)}})
	}
	terms := memory.IndexedTerms(sealedNote("q", "quincunxial"))
	found, err := keyed(t, dir, keys, false).Search(t.Context(), everythingOfAcme, terms, 10)
	if err != nil || len(found.Candidates) != 4 || found.Frequency[terms[0]] != 4 {
		t.Fatalf("Search = %v, %v, want all four", found, err)
	}
	for _, c := range found.Candidates {
		if !strings.Contains(strings.Join(c.Terms, " "), terms[0]) {
			t.Errorf("the terms of %s are %v, want %s among them", c.Object.ObjectID, c.Terms, terms[0])
		}
	}
	q := everythingOfAcme
	for _, o := range found.Candidates {
		q.ContentKey = memory.ContentKey(o.Object.Content)
		if got, err := keyed(t, dir, keys, false).Find(t.Context(), q); err != nil || len(got) != 1 || got[0].Content != o.Object.Content {
			t.Errorf("Find by content = %v, %v, want %s", got, err, o.Object.ObjectID)
		}
	}
	decodings.drop()
	if _, err := s.Find(t.Context(), everythingOfAcme); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("Find without keys = %v, want unavailable", err)
	}
	if there, err := s.Keyed(t.Context()); !there || err != nil {
		t.Errorf("Keyed = %v, %v, want true", there, err)
	}
	other, err := OpenKeys(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := s.UseKeys(t.Context(), other, true); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("UseKeys with others = %v, want unavailable", err)
	}
}

// TestErasedKey: a backup from before an erasure, with the keys as they are after it, shows nothing of the erased memory: its key is in no file.
func TestErasedKey(t *testing.T) {
	dir, keys, backup := t.TempDir(), t.TempDir(), t.TempDir()
	s := keyed(t, dir, keys, true)
	change(t, s, memory.Change{Insert: []ctxmcp.ContextObject{sealedNote("gone", "The quincunxial orchard"), sealedNote("stays", "A garden of roses")}})
	var id string
	if err := s.reads.QueryRow(`SELECT object ->> 'key' FROM versions WHERE object_id = 'gone'`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	kept := s.sealing.Load().keys.(*KeyStore)
	var key string
	if err := kept.db.QueryRow(`SELECT key FROM object_keys WHERE id = ?`, id).Scan(&key); err != nil || !storetest.InFolder(t, keys, key) {
		t.Fatalf("the key of a memory is not in the files of the keys: %v", err)
	}
	if err := os.CopyFS(backup, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{dir, backup} {
		for _, word := range []string{"quincunxial", "roses", key} {
			if storetest.InFolder(t, folder, word) {
				t.Errorf("%q is in a file of the database or of its backup", word)
			}
		}
	}
	change(t, s, memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "gone"}}})
	if storetest.InFolder(t, keys, key) {
		t.Error("the key of an erased memory is still in a file")
	}
	restored := keyed(t, backup, keys, true)
	found, err := restored.Find(t.Context(), everythingOfAcme)
	if err != nil || len(found) != 1 || found[0].Content != "A garden of roses" {
		t.Errorf("from the backup Find = %v, %v, want the memory that stays alone", found, err)
	}
	hits, err := restored.Search(t.Context(), everythingOfAcme, memory.IndexedTerms(sealedNote("q", "quincunxial roses")), 10)
	if err != nil || len(hits.Candidates) != 1 {
		t.Errorf("from the backup Search = %v, %v, want the memory that stays alone", hits.Candidates, err)
	}
	if gone, sealed, err := restored.Unopened(t.Context()); gone != 1 || sealed != 2 || err != nil {
		t.Errorf("from the backup Unopened = %d of %d, %v, want 1 of 2", gone, sealed, err)
	}
}

// TestOwedKeys: a key that could not be destroyed with its memory is destroyed by the next start.
func TestOwedKeys(t *testing.T) {
	dir, keys := t.TempDir(), t.TempDir()
	change(t, keyed(t, dir, keys, true), memory.Change{Insert: []ctxmcp.ContextObject{sealedNote("gone", "The quincunxial orchard")}})
	change(t, openStore(t, dir), memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "gone"}}}) // where no keys are
	s := keyed(t, dir, keys, true)
	var left, owed int
	if err := s.sealing.Load().keys.(*KeyStore).db.QueryRow(`SELECT count(*) FROM object_keys WHERE id <> 'index'`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d keys are left, %v", left, err)
	}
	if err := s.reads.QueryRow(`SELECT count(*) FROM owed_keys`).Scan(&owed); err != nil || owed != 0 {
		t.Errorf("%d keys are owed, %v", owed, err)
	}
}
