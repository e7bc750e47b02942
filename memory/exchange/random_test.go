package exchange

import (
	"encoding/hex"
	"flag"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

var (
	seed     = flag.Uint64("exchange.seed", 1, "seed of the random stores")
	versions = flag.Int("exchange.versions", 150, "versions in a random store")
)

// world makes up versions that every rule of an import allows, with all that a text can hold.
type world struct{ rnd *rand.Rand }

func newWorld(t testing.TB) *world {
	t.Helper()
	t.Logf("-exchange.seed=%d -exchange.versions=%d", *seed, *versions)
	return &world{rand.New(rand.NewPCG(*seed, 11))}
}

func pick[T any](w *world, from ...T) T { return from[w.rnd.IntN(len(from))] }

func (w *world) chance(percent int) bool { return w.rnd.IntN(100) < percent }

func (w *world) uuid() string {
	var b [16]byte
	for i := range b {
		b[i] = byte(w.rnd.Uint32())
	}
	h := hex.EncodeToString(b[:])
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

// fill stores versions in s as remembering, confirming and superseding do: some are closed after they were stored.
func (w *world) fill(t *testing.T, s memory.Store) {
	t.Helper()
	for range *versions {
		o := w.version()
		c := memory.Change{Insert: []ctxmcp.ContextObject{o}}
		if err := s.Apply(t.Context(), c); err != nil {
			t.Fatalf("Apply: %v", err)
		}
		if o.TxEnd.IsZero() && w.chance(30) {
			w.update(t, s, o)
		}
	}
}

func (w *world) update(t *testing.T, s memory.Store, o ctxmcp.ContextObject) {
	t.Helper()
	c := memory.Change{
		Confirm: []memory.Confirmation{{Tenant: o.TenantID, ObjectID: o.ObjectID, At: w.time()}},
		Close:   []memory.Closing{{Tenant: o.TenantID, Key: ctxmcp.KeyOf(o), TxEnd: w.after(o.TxStart), Closing: *w.closing()}},
	}
	if err := s.Apply(t.Context(), c); err != nil {
		t.Fatalf("Apply: %v", err)
	}
}

func (w *world) version() ctxmcp.ContextObject {
	o := ctxmcp.ContextObject{
		ObjectID: w.uuid(), FactID: w.uuid(), Version: 1 + w.rnd.IntN(5), Content: w.text(), ObjectType: pick(w, ctxmcp.ObjectTypes()...),
		CanonicalEntityIDs: w.uuids(), Aliases: w.texts(), DerivedFrom: w.uuids(), Domains: w.uuids(),
		SourceOrigin: "user://" + pick(w, "ann", "%C3%A9", "a%20b", "a b", "é<&>"), SourceKind: pick(w, ctxmcp.SourceKinds()...),
		SourceAuthority: w.share(), ConfidenceScore: w.share(), Authority: ctxmcp.Authority(w.rnd.IntN(5)),
		Classification: pick(w, ctxmcp.Classifications()...), PermissionScope: ctxmcp.PermissionScope{AllowRoles: w.roles(), DenyRoles: w.roles()},
		TenantID: pick(w, "acme", "acme", "globex"), UserID: pick(w, "ann", "bob"), Layer: pick(w, ctxmcp.Layers()...),
		ProjectID: "web", SessionID: "s.1", TaskID: "t_1", ValidFrom: w.time(), TxStart: w.time(),
		WhyItMatters: w.text(), BehavioralImplication: w.text(), UpdatePath: pick(w, "", "crm://contacts/42"), Author: w.text(),
		ApplicableTaskTypes: []ctxmcp.TaskType{}, ContradictionStatus: pick(w, ctxmcp.ContradictionStatuses()...),
		RetirementRule: pick(w, append(ctxmcp.RetirementRules(), "")...), Archived: w.chance(20), ClaimExtracted: w.chance(20), Ending: w.chance(20),
	}
	w.optional(&o)
	return o
}

func (w *world) optional(o *ctxmcp.ContextObject) {
	for _, t := range []*time.Time{&o.LastConfirmed, &o.LastUsed, &o.ObservedAt} {
		if w.chance(60) {
			*t = w.time()
		}
	}
	if w.chance(40) {
		o.ValidUntil = w.after(o.ValidFrom)
	}
	if w.chance(30) {
		o.TxEnd, o.Closing = w.after(o.TxStart), w.closing()
	}
	if w.chance(50) {
		o.Claim = ctxmcp.Claim{Subject: "s" + w.text(), Predicate: "p" + w.text(), Value: "v" + w.text()}
		o.NormalizedClaim = pick(w, o.Claim.String(), w.text())
	}
	if w.chance(30) {
		o.DecayRule = &ctxmcp.DecayRule{HalfLifeDays: 1e3*w.share() + 1e-9, MinimumThreshold: w.share()}
	}
	if w.chance(30) {
		o.SupersessionLink, o.ApplicableTaskTypes = w.uuid(), ctxmcp.TaskTypes()[:1+w.rnd.IntN(4)]
	}
}

func (w *world) closing() *ctxmcp.Closing {
	return &ctxmcp.Closing{Status: pick(w, ctxmcp.ContradictionStatuses()...), Link: pick(w, "", w.uuid()), Reason: w.text()}
}

// time returns an instant at microseconds, now and then at a whole second, one of few so that versions share it.
func (w *world) time() time.Time {
	t := time.Date(2026, 1, 1+w.rnd.IntN(9), w.rnd.IntN(24), 0, 0, 0, time.UTC)
	return t.Add(time.Duration(pick(w, 0, 0, 1, 500_000, 123_450, w.rnd.IntN(1e6))) * time.Microsecond)
}

func (w *world) after(t time.Time) time.Time {
	return t.Add(time.Duration(1+w.rnd.Int64N(1e12)) * time.Microsecond)
}

func (w *world) share() float64 {
	return pick(w, 0, 1, 0.1, 0.30000000000000004, math.SmallestNonzeroFloat64, 1e-7, 1e-6, math.Nextafter(1, 0), w.rnd.Float64())
}

// fragments are texts that are difficult for JSON, Unicode and line ends, and one secret.
var fragments = []string{
	"plain words", "日本語", "🚀👩‍👩‍👧", "e\u0301", "\u2028", "\u2029", "<b>&amp;</b>", `"quoted"`, `back\slash\u0041`, "line\nline\r\n",
	"\t\b\f", "\x01\x1f", "\x7f", "\u0085", "\ufeff", "\ufffd", "\U0010ffff", "שלום", " | ", "null", "api_key=sk-proj-abcdefghijklmnop1234567890",
}

// text returns a text that has been redacted, as every text in a store has.
func (w *world) text() string {
	var b strings.Builder
	for range w.rnd.IntN(4) {
		b.WriteString(pick(w, fragments...))
	}
	hidden, _ := redact.New([]byte("key")).Text(b.String())
	return hidden
}

func (w *world) texts() []string { return several(w, w.text) }

func (w *world) uuids() []string { return several(w, w.uuid) }

func (w *world) roles() []string {
	return several(w, func() string { return pick(w, "dev", "ops", "guest") })
}

// several returns nil, an empty list, or a short one.
func several(w *world, one func() string) []string {
	if w.chance(30) {
		return nil
	}
	list := []string{}
	for range w.rnd.IntN(3) {
		list = append(list, one())
	}
	return list
}
