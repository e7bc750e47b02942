package tools

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/directives"
	"github.com/ctx-mcp/ctx-mcp/envelope"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/reduce"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
	"github.com/ctx-mcp/ctx-mcp/storetest"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// rig is all services over one store, with a point of the Faults at every seam: each method of the store, of the blobs and of the
// keys, each redactor, the rules, the provider of a directive, the embeddings, the summaries.
type rig struct {
	*Services
	*storetest.Faults
	store    storetest.Faulty
	blobs    faultyBlobs
	receipts *receipts.Service
	access   *access.Service
	held     map[string]string // ids that an answer gave, by the name of the field
}

var hideSecrets = redact.New(nil)

func newRig(t *testing.T) *rig {
	t.Helper()
	f := &storetest.Faults{}
	r := &rig{Services: services(t), Faults: f, store: storetest.Faulty{Faults: f, Store: &inmem.Store{}}, held: map[string]string{}}
	r.blobs = faultyBlobs{f, &sync.Mutex{}, map[string]string{}}
	count := 0
	id := func() string { count++; return fmt.Sprintf("00000000-0000-4000-8000-%012d", count) }
	r.Artifacts.Index, r.Artifacts.Keeper, r.Artifacts.Blobs, r.Artifacts.NewID = r.store, r.store, r.blobs, id
	r.Memory.Store, r.Memory.Vectors, r.Memory.Entities, r.Memory.Embedder, r.Memory.NewID = r.store, r.store, r.store, faultyEmbedder{f}, id
	r.Memory.Options.TrackUse = true
	r.Envelope.Ledger = r.store
	r.Tasks.Store, r.Tasks.Artifacts = r.store, r.Artifacts
	r.Packets = r.Compiler.Packets.(*packets.Service)
	r.Packets.Store, r.Packets.Blobs, r.Packets.Digests, r.Packets.Objects, r.Packets.Artifacts = r.store, r.blobs, r.store, r.store, r.store
	r.Compiler.Prefixes = r.store
	r.Directives = &directives.Service{
		Providers: map[string]directives.Provider{"page": faultyProvider{f}}, Keeper: r.Artifacts, Sealer: r.Packets,
		Assembler: directives.Assembler{Counter: tokens.Approximate{}}, Redact: hideSecrets.Func(), Now: r.Now, Logger: r.Logger,
	}
	r.Reduce = &reduce.Service{
		Keeper: r.Artifacts, Key: []byte("key of the installation"), Models: &tokens.Models{}, Summarizer: faultySummarizer{f}, Redact: hideSecrets.Func(), Now: r.Now, Logger: r.Logger,
	}
	r.receipts = &receipts.Service{Log: r.store, Keys: faultyKeys{Faults: f, private: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))}, Witness: faultyWitness{f}, Now: r.Now, Logger: r.Logger}
	r.Actions.Store, r.Actions.Receipts, r.Actions.NewID = r.store, r.receipts, id
	r.Actions.Decider = faultyDecider{f, r.Actions.Decider}
	r.Actions.Embedder = faultyEmbedder{f}
	r.access = &access.Service{Store: r.store, Now: r.Now, Random: rand.Reader}
	r.Memory.Options.LearnFromUse = true
	r.Envelope.Options = envelope.Options{Threshold: 500}
	r.Artifacts.Options = artifacts.Options{Keep: 1, SweepAt: 1}
	r.Memory.Options.SessionTTL = time.Minute
	r.everyService()
	return r
}

// everyService puts a point around the redactor of every service, whichever services there are, and gives each a clock that moves
// a minute with every look at it.
func (r *rig) everyService() {
	now := r.Now()
	clock := func() time.Time { now = now.Add(time.Minute); return now }
	of := func(name string, service reflect.Value) {
		for i := range service.NumField() {
			field := service.Field(i)
			if !field.CanSet() {
				continue
			}
			if hide, ok := reflect.TypeAssert[redact.Func](field); ok && hide != nil {
				field.Set(reflect.ValueOf(r.redactor(name + " " + service.Type().Field(i).Name)))
			}
			if service.Type().Field(i).Name == "Now" {
				field.Set(reflect.ValueOf(clock))
			}
		}
	}
	all := reflect.ValueOf(r.Services).Elem()
	of("tools", all)
	for i := range all.NumField() {
		if s := all.Field(i); s.Kind() == reflect.Pointer && s.Elem().Kind() == reflect.Struct {
			of(all.Type().Field(i).Name, s.Elem())
		}
	}
}

func (r *rig) redactor(point string) redact.Func {
	return func(ctx context.Context, tenant, text string) (clean string, found []redact.Finding, err error) {
		err = r.Do(point, func() (err error) {
			clean, found, err = hideSecrets.Func()(ctx, tenant, text)
			return err
		})
		return clean, found, err
	}
}

// faultyBlobs keeps bytes in memory. Its methods may be called side by side.
type faultyBlobs struct {
	*storetest.Faults
	mu   *sync.Mutex
	kept map[string]string
}

func (b faultyBlobs) Put(_ context.Context, content io.Reader) (digest string, size int64, err error) {
	err = b.Do("blobs Put", func() error {
		raw, err := io.ReadAll(content)
		sum := sha256.Sum256(raw)
		digest, size = hex.EncodeToString(sum[:]), int64(len(raw))
		b.mu.Lock()
		defer b.mu.Unlock()
		b.kept[digest] = string(raw)
		return err
	})
	return digest, size, err
}

func (b faultyBlobs) Open(_ context.Context, digest string) (artifacts.Blob, error) {
	return storetest.Strike(b.Faults, "blobs Open", func() (artifacts.Blob, error) {
		b.mu.Lock()
		raw, held := b.kept[digest]
		b.mu.Unlock()
		if !held {
			return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "no blob %s", digest)
		}
		return text{strings.NewReader(raw)}, nil
	})
}

func (b faultyBlobs) Remove(_ context.Context, digest string, _ time.Time) (bool, error) {
	return storetest.Strike(b.Faults, "blobs Remove", func() (bool, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		_, held := b.kept[digest]
		delete(b.kept, digest)
		return held, nil
	})
}

// Each and Tidy make a shelf of it.
func (b faultyBlobs) Each(_ context.Context, do func(digest string, stored time.Time, size int64) error) error {
	return b.Do("blobs Each", func() error {
		for _, digest := range slices.Sorted(maps.Keys(b.kept)) {
			if err := do(digest, time.Time{}, int64(len(b.kept[digest]))); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b faultyBlobs) Tidy(context.Context, time.Time) error {
	return b.Do("blobs Tidy", func() error { return nil })
}

// text is a blob in memory, of one line.
type text struct{ *strings.Reader }

func (text) Close() error                       { return nil }
func (text) LineFeeds() int64                   { return 0 }
func (text) LineStart(int64) (int64, error)     { return 0, nil }
func (text) LineAt(int64) (line int64, _ error) { return 1, nil }

// faultyKeys has one key.
type faultyKeys struct {
	*storetest.Faults
	receipts.Keys // nil: nothing else is asked for
	private       ed25519.PrivateKey
}

func (k faultyKeys) First(context.Context) (ed25519.PrivateKey, error) {
	return storetest.Strike(k.Faults, "keys First", func() (ed25519.PrivateKey, error) { return k.private, nil })
}

func (k faultyKeys) Private(context.Context, string) (ed25519.PrivateKey, error) {
	return storetest.Strike(k.Faults, "keys Private", func() (ed25519.PrivateKey, error) { return k.private, nil })
}

type faultyWitness struct{ *storetest.Faults }

func (w faultyWitness) Keep(head []byte) error {
	return w.Do("witness Keep", func() error { return nil })
}

func (w faultyWitness) Last() ([]byte, error) {
	return storetest.Strike(w.Faults, "witness Last", func() ([]byte, error) { return nil, nil })
}

type faultyDecider struct {
	*storetest.Faults
	actions.Decider
}

func (d faultyDecider) Decide(in policy.Input) ctxmcp.Decision {
	decision, err := storetest.Strike(d.Faults, "decide", func() (ctxmcp.Decision, error) { return d.Decider.Decide(in), nil })
	if err != nil {
		panic(err)
	}
	return decision
}

type faultyEmbedder struct{ *storetest.Faults }

func (faultyEmbedder) Model() string { return "letters" }

func (e faultyEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	return storetest.Strike(e.Faults, "embed", func() ([][]float32, error) {
		all := make([][]float32, len(texts))
		for i, text := range texts {
			all[i] = []float32{1, 0, 0, 0}
			if strings.Contains(text, "Lisbon") {
				all[i] = []float32{0, 1, 0, 0}
			}
		}
		return all, nil
	})
}

type faultyProvider struct{ *storetest.Faults }

func (p faultyProvider) Fetch(_ context.Context, c directives.Call) (directives.Fetched, error) {
	return storetest.Strike(p.Faults, "fetch", func() (directives.Fetched, error) {
		return directives.Fetched{Found: []directives.Found{{URI: "page:" + c.Rest, Text: "The office is in Lisbon."}}}, nil
	})
}

type faultySummarizer struct{ *storetest.Faults }

func (s faultySummarizer) Summarize(context.Context, string, int) (string, error) {
	return storetest.Strike(s.Faults, "summarize", func() (string, error) { return "They repaired the parser.", nil })
}
