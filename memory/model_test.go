package memory_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

// horizon is how many days the model tells apart; the last of its cells is every day from then on.
const horizon = 60

// cells says for each day whether something holds on it.
type cells [horizon + 1]bool

func (c cells) any() bool { return slices.Contains(c[:], true) }

// from reports whether every cell from the day on is set.
func (c cells) from(day int) bool { return !slices.Contains(c[day:], false) }

// told is an object in the model: the draft, and the days on which it is held to be true.
type told struct {
	draft    memory.Draft
	home     string
	slot     string
	id       string
	rank     ctxmcp.Authority
	begin    int
	open     cells // days of its open versions
	set      cells // days on which it is quarantined
	live     bool  // not archived: it takes part
	archived bool
	gone     bool // hard deleted
	replaced bool // on some of its days
}

// telling is what a draft is going to say.
type telling struct {
	told
	until  int // the first cell after it
	target *told
}

// model says by simple means what the rules of memory come to: a table of days instead of versions.
type model struct{ all []*told }

// rivals returns what takes part in the slot of n and holds on a day of its time.
func (m *model) rivals(n *telling) []*told {
	var found []*told
	for _, o := range m.all {
		if o.live && o != n.target && o.slot == n.slot && o.home == n.home && slices.Contains(o.open[n.begin:n.until], true) {
			found = append(found, o)
		}
	}
	return found
}

func single(slot string) bool { return slot == "tier" || slot == "city" }

// remember says what becomes of n, and makes it so.
func (m *model) remember(n *telling) (memory.Status, ctxmcp.Code) {
	if n.target != nil && !n.target.open.any() {
		return "", ctxmcp.CodeConflict
	}
	if n.target != nil && n.target.replaced && !slices.Contains(n.target.open[n.begin:n.until], true) {
		return "", ctxmcp.CodeConflict
	}
	if n.target != nil && n.target.rank < n.rank {
		return "", ctxmcp.CodeDenied
	}
	if n.target == nil && m.repeats(n) {
		return memory.Confirmed, ""
	}
	var rivals []*told
	if single(n.slot) {
		rivals = m.rivals(n)
	}
	for day := n.begin; day < n.until; day++ {
		n.open[day] = true
	}
	m.all = append(m.all, &n.told)
	n.live = true
	return m.contest(n, rivals), ""
}

// contest gives each day of n to n or to the rival that holds on it, or to neither.
func (m *model) contest(n *telling, rivals []*told) memory.Status {
	status := memory.Stored
	if n.target != nil {
		rivals = append([]*told{n.target}, rivals...)
	}
	slices.SortStableFunc(rivals, func(a, b *told) int { return int(a.rank) - int(b.rank) })
	quarantined := false
	for day := n.begin; day < n.until; day++ {
		for _, o := range rivals {
			if !n.open[day] || n.set[day] {
				break
			}
			if !o.open[day] {
				continue
			}
			switch m.rule(n, o, day) {
			case "new":
				o.replaced, o.open[day] = true, false
				status = memory.Superseded
			case "held":
				n.open[day] = false
			case "set":
				n.set[day], quarantined = true, true
			case "both":
				n.set[day], o.set[day], o.replaced, quarantined = true, true, true, true
			}
		}
	}
	for day := n.begin; day < n.until-1; day++ {
		n.replaced = n.replaced || n.open[day] && !n.set[day] && !(n.open[day+1] && !n.set[day+1])
	}
	if quarantined {
		return memory.Quarantine
	}
	return status
}

// rule says who holds on a day that n and o both claim.
func (m *model) rule(n *telling, o *told, day int) string {
	same := o.draft.Claim == n.draft.Claim
	switch {
	case o == n.target, n.rank < o.rank:
		return "new"
	case same && o.set[day]:
		return "set"
	case same && o.rank == n.rank:
		return "new"
	case o.rank < n.rank:
		return "set"
	case n.begin > o.begin:
		return "new"
	case n.begin < o.begin:
		return "held"
	default:
		return "both"
	}
}

// repeats reports whether what stands as high says what n says, on all of its days.
func (m *model) repeats(n *telling) bool {
	var covered cells
	for _, o := range m.all {
		if o.live && o.home == n.home && o.rank <= n.rank && o.draft.Claim == n.draft.Claim && !n.draft.Claim.IsZero() {
			for day := range covered {
				covered[day] = covered[day] || o.open[day]
			}
		}
	}
	return !slices.Contains(covered[n.begin:n.until], false) || slices.ContainsFunc(m.all, func(o *told) bool {
		same := n.draft.Claim.IsZero() && o.draft.Claim.IsZero() && o.draft.Content == n.draft.Content
		return same && o.live && o.home == n.home && o.rank <= n.rank && n.until == horizon+1 && o.open.from(n.begin)
	})
}

// forget says what an attempt to forget o comes to, and makes it so.
func (m *model) forget(o *told, mode memory.Mode) ctxmcp.Code {
	switch {
	case o.gone:
		return ctxmcp.CodeNotFound
	case mode == memory.Erase:
		o.gone, o.open = true, cells{}
	case !o.open.any(), mode == memory.Archive && o.archived:
		return ctxmcp.CodeConflict
	case mode == memory.Archive:
		o.live, o.archived = false, true
	default:
		o.open = cells{}
	}
	return ""
}

// holds returns the ids of what takes part and holds on the day.
func (m *model) holds(day int) []string {
	ids := []string{}
	for _, o := range m.all {
		if o.live && o.open[day] && !o.set[day] {
			ids = append(ids, o.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// game plays random operations on a service and on the model.
type game struct {
	t     *testing.T
	rnd   *rand.Rand
	s     *memory.Service
	clock *clock
	today int
	said  int
	model model
	past  []snapshot
}

// snapshot is what the model held at the end of a day, for each day of valid time.
type snapshot struct {
	day   int
	holds [horizon + 1][]string
}

func pick[T any](g *game, from ...T) T { return from[g.rnd.IntN(len(from))] }

func (g *game) chance(percent int) bool { return g.rnd.IntN(100) < percent }

// TestRulesAgainstTheModel plays random histories, and asks both after every step.
func TestRulesAgainstTheModel(t *testing.T) {
	for seed := range uint64(rounds.Of(3, 8)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			store := stores["inmem"](t)
			if seed == 0 {
				store = stores["sqlite"](t)
			}
			s, c := newService(store)
			g := &game{t: t, rnd: rand.New(rand.NewPCG(seed, 1)), s: s, clock: c}
			for range 120 {
				g.step()
			}
			g.keep()
			g.checkPast()
			g.checkHistory()
			checkRows(t, find(t, store, every("acme")))
		})
	}
}

func (g *game) step() {
	g.t.Helper()
	if g.today < horizon-1 && g.chance(35) {
		g.keep()
		g.today++
	}
	g.clock.set(g.clock.now().Add(time.Millisecond))
	if g.clock.now().Before(day(g.today)) {
		g.clock.set(day(g.today))
	}
	if len(g.model.all) > 0 && g.chance(25) {
		g.forget()
	} else {
		g.remember()
	}
	for range 6 {
		g.compare(g.rnd.IntN(horizon + 1))
	}
	g.compareRecall()
}

// kinds are the channels of the game, with the authority that they give.
var kinds = map[ctxmcp.SourceKind]ctxmcp.Authority{
	ctxmcp.UserStatement: ctxmcp.AuthorityUser, ctxmcp.Inference: ctxmcp.AuthorityInferred, ctxmcp.Web: ctxmcp.AuthorityRetrieved,
}

// telling makes up what to say: something new, or again and as of now what was said before.
func (g *game) telling() *telling {
	n := &telling{told: told{begin: g.today}, until: horizon + 1}
	if len(g.model.all) > 0 && g.chance(15) {
		old := pick(g, g.model.all...)
		n.draft, n.slot, n.home, n.rank = old.draft, old.slot, old.home, old.rank
		n.draft.ValidFrom, n.draft.ValidUntil, n.draft.Supersedes = day(g.today), time.Time{}, ""
		return n
	}
	g.said++
	n.draft.Source.Kind = pick(g, ctxmcp.UserStatement, ctxmcp.UserStatement, ctxmcp.UserStatement, ctxmcp.Inference, ctxmcp.Web)
	n.rank, n.slot = kinds[n.draft.Source.Kind], pick(g, "tier", "tier", "city", "likes", "")
	n.draft.Level = pick(g, ctxmcp.UserLayer, ctxmcp.ProjectLayer)
	if len(g.model.all) > 0 && g.chance(15) {
		n.target = pick(g, g.model.all...)
		n.draft.Supersedes, n.draft.Level = n.target.id, n.target.draft.Level
	}
	n.draft.Scope = ctxmcp.Scope{User: "ann", Project: "web"}
	n.home = n.draft.Level.Bound(n.draft.Scope).Namespace()
	n.draft.Content = fmt.Sprintf("The marker %s number %d, told in enough words to be kept", n.slot, g.said)
	if n.slot != "" {
		n.draft.Claim = ctxmcp.Claim{Subject: "account", Predicate: n.slot, Value: fmt.Sprint("value", g.said)}
	}
	g.date(n)
	return n
}

// date gives n a valid time of its own, sometimes.
func (g *game) date(n *telling) {
	if g.chance(50) {
		n.begin = g.rnd.IntN(horizon)
	}
	n.draft.ValidFrom = day(n.begin)
	if g.chance(35) {
		n.until = n.begin + 1 + g.rnd.IntN(horizon-n.begin)
		n.draft.ValidUntil = day(n.until)
	}
}

func (g *game) remember() {
	g.t.Helper()
	n := g.telling()
	if n.target != nil && n.target.gone {
		return
	}
	status, code := g.model.remember(n)
	r, err := g.s.Remember(g.t.Context(), ann, n.draft)
	if code != "" {
		if err == nil || ctxmcp.CodeOf(err) != code {
			g.t.Fatalf("Remember(%+v) = %v, %v, want %s", n.draft, r, err, code)
		}
		return
	}
	if err != nil || r.Status != status {
		g.t.Fatalf("Remember(%+v) = %+v, %v, want %s", n.draft, r, err, status)
	}
	n.id = r.ObjectID
}

func (g *game) forget() {
	g.t.Helper()
	o, mode := pick(g, g.model.all...), pick(g, memory.Retire, memory.Retire, memory.Archive, memory.Erase)
	code := g.model.forget(o, mode)
	_, err := g.s.Forget(g.t.Context(), ann, o.id, mode, "no longer")
	if (err == nil) != (code == "") || err != nil && ctxmcp.CodeOf(err) != code {
		g.t.Fatalf("Forget(%s, %s) = %v, want %q", o.id, mode, err, code)
	}
}

// held returns the ids of what the store holds to be true at noon of the day, and at most once each.
func (g *game) held(q memory.Query, valid int) []string {
	g.t.Helper()
	q.Tenant, q.Everywhere, q.Clearance = "acme", true, ctxmcp.HighlyRestricted
	q.AsOf, q.Statuses = day(valid).Add(12*time.Hour), []ctxmcp.ContradictionStatus{ctxmcp.Clean}
	ids := []string{}
	for _, o := range find(g.t, g.s.Store, q) {
		ids = append(ids, o.ObjectID)
	}
	slices.Sort(ids)
	return ids
}

// compare checks what holds on the day.
func (g *game) compare(valid int) {
	g.t.Helper()
	if diff := cmp.Diff(g.model.holds(valid), g.held(memory.Query{}, valid)); diff != "" {
		g.t.Fatalf("on day %d, as seen on day %d (-want +got):\n%s", valid, g.today, diff)
	}
}

// compareRecall checks that recall answers with all that holds now, and with nothing else.
func (g *game) compareRecall() {
	g.t.Helper()
	all := 0.0
	r, err := g.s.Recall(g.t.Context(), ann, memory.Ask{
		Query: "marker", Limit: 1000, MaxTokens: 1_000_000, MinRelevance: &all, Scope: ctxmcp.Scope{User: "ann", Project: "web"},
	})
	if err != nil {
		g.t.Fatal(err)
	}
	ids, worst := []string{}, r.Best
	for _, m := range r.Memories {
		ids = append(ids, m.Object.ObjectID)
		if m.Relevance < 0 || m.Relevance > worst || worst > 1 {
			g.t.Fatalf("relevance %v after %v, want the best first, in [0, 1]", m.Relevance, worst)
		}
		worst = m.Relevance
	}
	slices.Sort(ids)
	if diff := cmp.Diff(g.model.holds(g.today), ids); diff != "" {
		g.t.Fatalf("recall on day %d (-want +got):\n%s", g.today, diff)
	}
}

// keep remembers what the model holds at the end of the day.
func (g *game) keep() {
	now := snapshot{day: g.today}
	for valid := range now.holds {
		now.holds[valid] = g.model.holds(valid)
	}
	g.past = append(g.past, now)
}

// checkPast: the belief at the end of each day is answered as it was, but for objects that were hard deleted since.
func (g *game) checkPast() {
	gone := map[string]bool{}
	for _, o := range g.model.all {
		gone[o.id] = o.gone
	}
	for _, then := range g.past {
		for range 8 {
			valid := g.rnd.IntN(horizon + 1)
			want := slices.DeleteFunc(slices.Clone(then.holds[valid]), func(id string) bool { return gone[id] })
			got := g.held(memory.Query{BelievedAt: day(then.day).Add(time.Hour)}, valid)
			if diff := cmp.Diff(want, got); diff != "" {
				g.t.Fatalf("on day %d, as believed on day %d (-want +got):\n%s", valid, then.day, diff)
			}
		}
	}
}

// checkHistory: whatever was stored is in the history under its id, in its words, unless it was hard deleted.
func (g *game) checkHistory() {
	for _, o := range g.model.all {
		versions, err := g.s.History(g.t.Context(), ann, memory.HistoryAsk{ObjectID: o.id})
		if o.gone {
			if ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
				g.t.Errorf("History of a deleted object = %v, want not_found", err)
			}
			continue
		}
		said := func(v ctxmcp.ContextObject) bool { return v.ObjectID == o.id && v.Content == o.draft.Content }
		if err != nil || !slices.ContainsFunc(versions, said) {
			g.t.Errorf("History(%s) = %v, %v, which lacks %q", o.id, versions, err, o.draft.Content)
		}
	}
}

// checkRows checks what is true of every set of versions, whatever came before: none is held for no time or true for
// none, none contradicts another, and the numbers of a fact are its own.
func checkRows(t *testing.T, rows []ctxmcp.ContextObject) {
	t.Helper()
	for i, a := range rows {
		if a.Valid().Empty() || a.Tx().Empty() || a.TxEnd.IsZero() != (a.Closing == nil) {
			t.Errorf("%s has an empty time, or ended without a word", describe(a))
		}
		for _, b := range rows[:i] {
			if a.FactID == b.FactID && a.Version == b.Version {
				t.Errorf("%s and %s have one number", describe(a), describe(b))
			}
			meet := a.Valid().Overlaps(b.Valid()) && a.Tx().Overlaps(b.Tx())
			rivals := a.Claim.Slot() == b.Claim.Slot() && a.Home() == b.Home() && single(a.Claim.Predicate) &&
				partakes(a) && partakes(b) && a.Claim.Value != b.Claim.Value
			if meet && (a.ObjectID == b.ObjectID || rivals) {
				t.Errorf("%s and %s hold at once", describe(a), describe(b))
			}
		}
	}
}

func partakes(o ctxmcp.ContextObject) bool {
	return o.ContradictionStatus == ctxmcp.Clean && !o.Archived
}
