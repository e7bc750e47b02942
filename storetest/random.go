package storetest

import (
	order "cmp"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

var (
	seed  = flag.Uint64("storetest.seed", 1, "seed of the random histories")
	steps = flag.Int("storetest.steps", rounds.Of(120, 400), "operations of a random history; twice as many under quotas")
	often = flag.Int("storetest.often", 1, "operations between two comparisons of a random history")
)

// randomHistories: over random changes the store answers every random query as the reference does.
func randomHistories(t *testing.T, s Store) {
	t.Logf("-storetest.seed=%d -storetest.steps=%d", *seed, *steps)
	w := &world{rnd: rand.New(rand.NewPCG(*seed, 7)), reference: &inmem.Store{}}
	for i := range *steps {
		c := w.change()
		want, got := w.reference.Apply(context.Background(), c), s.Apply(context.Background(), c)
		if (want == nil) != (got == nil) || want != nil && ctxmcp.CodeOf(want) != ctxmcp.CodeOf(got) {
			t.Fatalf("step %d: Apply = %v, want %v\n%+v", i, got, want, c)
		}
		for range 3 {
			if i%*often == 0 || i == *steps-1 {
				w.compare(t, s, i)
			}
		}
	}
}

// world makes up changes and queries over few words, so that they meet.
type world struct {
	rnd       *rand.Rand
	reference *inmem.Store
	made      []ctxmcp.ContextObject
	asked     int // reviews
}

func pick[T any](w *world, from ...T) T { return from[w.rnd.IntN(len(from))] }

func (w *world) chance(percent int) bool { return w.rnd.IntN(100) < percent }

func (w *world) change() memory.Change {
	var c memory.Change
	for range 1 + w.rnd.IntN(3) {
		o := w.object()
		w.made = append(w.made, o)
		c.Insert = append(c.Insert, o)
	}
	if w.chance(40) {
		old := pick(w, w.made...)
		c.Close = append(c.Close, closing(old, old.TxStart.Add(time.Duration(1+w.rnd.IntN(20))*24*time.Hour), c.Insert[0].ObjectID))
	}
	if w.chance(5) {
		c.Erase = append(c.Erase, memory.Erasure{Tenant: pick(w, "acme", "globex"), ObjectID: pick(w, w.made...).ObjectID})
	}
	if w.chance(10) {
		o := pick(w, w.made...)
		c.Confirm = append(c.Confirm, memory.Confirmation{Tenant: o.TenantID, ObjectID: o.ObjectID, At: day(w.rnd.IntN(60))})
	}
	if w.chance(10) {
		o := pick(w, w.made...)
		c.Mark = append(c.Mark, memory.Marking{Tenant: o.TenantID, ObjectID: o.ObjectID, By: pick(w, w.made...).ObjectID})
	}
	w.tenure(&c)
	if w.chance(10) {
		q := w.query()
		e := memory.Expectation{Query: q}
		if open, _ := w.reference.Find(context.Background(), q); w.chance(70) {
			for _, o := range open {
				e.Open = append(e.Open, ctxmcp.KeyOf(o))
			}
		}
		c.Expect = append(c.Expect, e)
	}
	for range w.rnd.IntN(6) {
		o := pick(w, w.made...)
		c.Vectors = append(c.Vectors, memory.Vector{Tenant: o.TenantID, Key: ctxmcp.KeyOf(o), Model: w.model(), Values: w.vector(5)})
	}
	return c
}

// tenure makes up the later writes to objects, and the questions to people.
func (w *world) tenure(c *memory.Change) {
	o := pick(w, w.made...)
	if w.chance(10) {
		c.Use = append(c.Use, memory.Use{Tenant: o.TenantID, ObjectID: o.ObjectID, At: day(w.rnd.IntN(60))})
	}
	if w.chance(20) {
		c.Use = append(c.Use, memory.Use{
			Tenant: o.TenantID, ObjectID: o.ObjectID, User: pick(w, "ann", "bob", ""), Outcome: pick(w, memory.Outcomes()...), At: day(w.rnd.IntN(60)),
		})
	}
	if w.chance(10) {
		p := memory.Postponement{Tenant: o.TenantID, Key: ctxmcp.KeyOf(o)}
		if w.chance(70) {
			p.At = day(w.rnd.IntN(60))
		}
		c.Postpone = append(c.Postpone, p)
	}
	if w.chance(10) {
		w.asked++
		c.Ask = append(c.Ask, memory.Review{
			ID: fmt.Sprintf("r%d", w.rnd.IntN(w.asked+1)), Tenant: o.TenantID, Namespace: o.Home().Namespace(),
			Kind: pick(w, memory.ReviewKinds()...), Subjects: []string{pick(w, w.made...).ObjectID}, Asked: day(w.asked),
		})
	}
	if w.chance(5) {
		c.Settle = append(c.Settle, memory.Settlement{
			Tenant: o.TenantID, ID: fmt.Sprintf("r%d", w.rnd.IntN(w.asked+1)), At: day(w.asked), Decision: "so",
		})
	}
}

func (w *world) model() string { return pick(w, "m", "m", "other") }

// vector returns one of unit length, or, rarely, none: a refusal.
func (w *world) vector(percent int) []float32 {
	if w.chance(percent) {
		return nil
	}
	v, squares := make([]float32, 7), 0.0
	for i := range v {
		v[i] = float32(w.rnd.NormFloat64())
		squares += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(squares))
	}
	return v
}

func (w *world) object() ctxmcp.ContextObject {
	o := object(fmt.Sprintf("o%d", w.rnd.IntN(80)), pick(w, "red", "green", "blue fish", "Red fish.", "one two", "two 二つ"))
	o.Version, o.FactID = 1+w.rnd.IntN(4), fmt.Sprintf("f%d", w.rnd.IntN(20))
	o.TenantID, o.UserID = pick(w, "acme", "acme", "globex"), pick(w, "ann", "bob", "an")
	o.ProjectID, o.SessionID, o.TaskID = pick(w, "", "web", "web2"), pick(w, "", "s1"), pick(w, "", "t1")
	o.Layer = pick(w, ctxmcp.Layers()...)
	o.Classification, o.ObjectType = pick(w, ctxmcp.Classifications()...), pick(w, ctxmcp.ObjectTypes()...)
	o.SourceKind = pick(w, ctxmcp.SourceKinds()...)
	o.ContradictionStatus, o.Archived = pick(w, ctxmcp.ContradictionStatuses()...), w.chance(10)
	o.PermissionScope = ctxmcp.PermissionScope{AllowRoles: w.roles(), DenyRoles: w.roles()}
	o.ValidFrom, o.TxStart = day(w.rnd.IntN(40)), day(w.rnd.IntN(40))
	o.LastConfirmed = o.TxStart
	if w.chance(40) {
		o.ValidUntil = o.ValidFrom.Add(time.Duration(w.rnd.IntN(20)) * 24 * time.Hour)
	}
	o.Author = pick(w, "", "Ann", "Bob")
	if w.chance(30) {
		o.Domains = []string{pick(w, "shop.example", "wiki.example")}
	}
	if w.chance(30) {
		o.DerivedFrom = []string{fmt.Sprintf("o%d", w.rnd.IntN(80)), "x"}
	}
	if w.chance(30) {
		o.DecayRule, o.ConfidenceScore = &ctxmcp.DecayRule{HalfLifeDays: 10, MinimumThreshold: 0.5}, 0.8
	}
	o.RetirementRule = pick(w, ctxmcp.RetirementRules()...)
	if w.chance(50) {
		o.Claim = ctxmcp.Claim{Subject: pick(w, "Sky", "sky ", "Sea"), Predicate: pick(w, "colour", "Colour"), Value: "blue"}
	}
	return o
}

func (w *world) roles() []string {
	if w.chance(70) {
		return nil
	}
	return []string{pick(w, "dev", "ops", "guest")}
}

func (w *world) query() memory.Query {
	q := memory.Query{Tenant: pick(w, "acme", "globex"), Clearance: pick(w, ctxmcp.Classifications()...), Roles: w.roles()}
	switch w.rnd.IntN(3) {
	case 0:
		q.Everywhere = true
	case 1:
		q.Under = &ctxmcp.Scope{User: pick(w, "ann", "an", ""), Project: pick(w, "", "web"), Session: pick(w, "", "s1")}
	default:
		for _, s := range (ctxmcp.Scope{User: "ann", Project: pick(w, "", "web", "web2"), Session: "s1", Task: "t1"}).Ancestors() {
			q.Namespaces = append(q.Namespaces, s.Namespace())
		}
	}
	if w.chance(20) {
		q.Projects = []string{"web"}
	}
	q.Unrestricted = w.chance(15)
	w.times(&q)
	w.what(&q)
	return q
}

func (w *world) times(q *memory.Query) {
	if w.chance(60) {
		q.AsOf = day(w.rnd.IntN(60))
	}
	if w.chance(40) {
		q.BelievedAt = day(w.rnd.IntN(60))
	}
	q.EveryVersion, q.Archived = w.chance(25), w.chance(50)
}

func (w *world) what(q *memory.Query) {
	if len(w.made) > 0 {
		o := pick(w, w.made...)
		switch w.rnd.IntN(10) {
		case 0:
			q.ObjectIDs = []string{o.ObjectID, pick(w, w.made...).ObjectID}
		case 1:
			q.FactIDs = []string{o.FactID}
		case 2:
			q.Slots = []string{o.Claim.Slot(), "none"}
		case 3:
			q.Subjects = []string{ctxmcp.Normalize(o.Claim.Subject), "sea"}
		case 4:
			q.ContentKey = memory.ContentKey(o.Content)
		case 5:
			q.Session = o.SessionID
		case 6:
			q.ObjectEnd = o.ObjectID[1:]
		case 7:
			q.DisplacedBy = []string{o.ObjectID, pick(w, w.made...).ObjectID}
		case 8:
			q.DerivedFrom = []string{o.ObjectID, pick(w, w.made...).ObjectID}
		}
	}
	if w.chance(20) {
		q.Types = []ctxmcp.ObjectType{pick(w, ctxmcp.ObjectTypes()...), ctxmcp.Preference}
	}
	if w.chance(15) {
		q.Sources = []ctxmcp.SourceKind{pick(w, ctxmcp.SourceKinds()...), ctxmcp.Web}
	}
	if w.chance(40) {
		q.Statuses = []ctxmcp.ContradictionStatus{ctxmcp.Clean}
	}
	if w.chance(15) {
		q.Origin = "shop.example"
	}
	if w.chance(15) {
		q.Limit = 1 + w.rnd.IntN(5)
	}
	if q.Newest = w.chance(20); q.Newest && len(w.made) > 0 && w.chance(50) {
		mark := memory.MarkOf(pick(w, w.made...))
		q.Before = &mark
	}
}

// compare asks the store and the reference the same.
func (w *world) compare(t *testing.T, s Store, step int) {
	t.Helper()
	ctx, q := context.Background(), w.query()
	want, _ := w.reference.Find(ctx, q)
	if diff := cmp.Diff(want, find(t, s, q)); diff != "" {
		t.Fatalf("step %d: Find(%+v) differs (-want +got):\n%s", step, q, diff)
	}
	expectedCount, _ := w.reference.Count(ctx, q)
	if n, err := s.Count(ctx, q); err != nil || n != expectedCount {
		t.Fatalf("step %d: Count(%+v) = %d, %v, want %d", step, q, n, err, expectedCount)
	}
	q.Limit, q.Whole = 0, pick(w, 0, 3, 20, 1000)
	terms := []string{pick(w, "red", "green", "fish", "two"), pick(w, "blue", "二", "none")}
	expected, _ := w.reference.Search(ctx, q, terms, 1<<30)
	got, err := s.Search(ctx, q, terms, 1<<30)
	if err != nil {
		t.Fatalf("step %d: Search: %v", step, err)
	}
	for _, f := range []*ranking.Found{&expected, &got} {
		slices.SortFunc(f.Candidates, func(a, b ranking.Candidate) int { return memory.Compare(*a.Object, *b.Object) })
		for _, term := range terms {
			f.Frequency[term] += 0
		}
	}
	if diff := cmp.Diff(expected, got, cmpopts.EquateEmpty(), unread); diff != "" {
		t.Fatalf("step %d: Search(%+v, %v) differs (-want +got):\n%s", step, q, terms, diff)
	}
	w.compareAround(t, s, step, q)
	w.compareTenure(t, s, step)
	w.compareNearest(t, s, step, q)
}

// unread leaves out what was read in a candidate: it follows from the rest.
var unread = cmpopts.IgnoreUnexported(ranking.Candidate{})

// compareNearest asks for the versions nearest to a vector.
func (w *world) compareNearest(t *testing.T, s Store, step int, q memory.Query) {
	t.Helper()
	model, v, most := w.model(), w.vector(0), pick(w, 1, 3, 1000)
	want, wantMissing, _ := w.reference.Nearest(context.Background(), q, model, v, most)
	got, missing, err := s.Nearest(context.Background(), q, model, v, most)
	if err != nil {
		t.Fatalf("step %d: Nearest: %v", step, err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), unread); diff != "" || missing != wantMissing {
		t.Fatalf("step %d: Nearest(%+v, %s, most %d) differs; missing = %v, want %v (-want +got):\n%s",
			step, q, model, most, missing, wantMissing, diff)
	}
}

// compareAround asks for the versions at some places.
func (w *world) compareAround(t *testing.T, s Store, step int, q memory.Query) {
	t.Helper()
	var places []ranking.Place
	for range 5 {
		if len(w.made) > 0 {
			places = append(places, ranking.Place{Session: ranking.SessionKey(new(pick(w, w.made...))), Position: w.rnd.IntN(8)})
		}
	}
	want, _ := w.reference.Around(context.Background(), q, places)
	got, err := s.Around(context.Background(), q, places)
	if err != nil {
		t.Fatalf("step %d: Around: %v", step, err)
	}
	byPlace := func(a, b ranking.Candidate) int { return memory.Compare(*a.Object, *b.Object) }
	slices.SortFunc(want, byPlace)
	slices.SortFunc(got, byPlace)
	if diff := cmp.Diff(want, slices.CompactFunc(got, func(a, b ranking.Candidate) bool { return byPlace(a, b) == 0 }), unread); diff != "" {
		t.Fatalf("step %d: Around(%+v, %v) differs (-want +got):\n%s", step, q, places, diff)
	}
}

// compareTenure asks for the memories that are due, and for the questions to people.
func (w *world) compareTenure(t *testing.T, s Store, step int) {
	t.Helper()
	ctx, at := context.Background(), day(w.rnd.IntN(60))
	want, _ := w.reference.Due(ctx, at, 1<<30)
	got, err := s.Due(ctx, at, 1<<30)
	if err != nil {
		t.Fatalf("step %d: Due: %v", step, err)
	}
	byTenant := func(a, b ctxmcp.ContextObject) int {
		return order.Or(order.Compare(a.TenantID, b.TenantID), memory.Compare(a, b))
	}
	slices.SortFunc(want, byTenant)
	slices.SortFunc(got, byTenant)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("step %d: Due(%v) differs (-want +got):\n%s", step, at, diff)
	}
	q := memory.ReviewQuery{Tenant: pick(w, "acme", "globex"), Under: ctxmcp.Scope{User: pick(w, "ann", "an", "")}}
	if w.chance(30) {
		q.Projects = []string{"web"}
	}
	if w.chance(30) {
		q.Subject = pick(w, w.made...).ObjectID
	}
	if w.chance(20) {
		q.IDs = []string{fmt.Sprintf("r%d", w.rnd.IntN(w.asked+1))}
	}
	q.Limit = w.rnd.IntN(4)
	asked, _ := w.reference.Reviews(ctx, q)
	open, err := s.Reviews(ctx, q)
	if diff := cmp.Diff(asked, open); err != nil || diff != "" {
		t.Fatalf("step %d: Reviews(%+v) = %v, differs (-want +got):\n%s", step, q, err, diff)
	}
	w.compareExperiences(t, s, step)
	home := pick(w, w.made...).Home().Namespace()
	last, _ := w.reference.LastWrite(ctx, q.Tenant, home)
	if got, err := s.LastWrite(ctx, q.Tenant, home); err != nil || !got.Equal(last) {
		t.Fatalf("step %d: LastWrite(%s) = %v, %v, want %v", step, home, got, err, last)
	}
}
