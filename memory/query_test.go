package memory_test

import (
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// TestMatch: a query selects the object, and no longer does when any one thing about it is changed.
func TestMatch(t *testing.T) {
	object := ctxmcp.ContextObject{
		ObjectID: "o", FactID: "f", Version: 1, Content: "Ann lives in Rome", ObjectType: ctxmcp.IdentityFact,
		Claim: ctxmcp.Claim{Subject: "Ann", Predicate: "lives in", Value: "Rome"}, Classification: ctxmcp.Confidential,
		PermissionScope: ctxmcp.PermissionScope{AllowRoles: []string{"dev"}, DenyRoles: []string{"guest"}}, TenantID: "acme",
		UserID: "ann", ProjectID: "web", SessionID: "s", Layer: ctxmcp.ProjectLayer, ValidFrom: day(1), ValidUntil: day(10),
		TxStart: day(2), ContradictionStatus: ctxmcp.Clean,
	}
	query := func() memory.Query {
		return memory.Query{
			Tenant: "acme", Namespaces: []string{"user_ann:project_web"}, Projects: []string{"web"}, Roles: []string{"dev"},
			Clearance: ctxmcp.Confidential, AsOf: day(1), BelievedAt: day(2), ObjectIDs: []string{"n", "o"}, FactIDs: []string{"f"},
			Slots: []string{object.Claim.Slot()}, Subjects: []string{"ann"}, ContentKey: memory.ContentKey("ann lives in Rome."),
			Types: []ctxmcp.ObjectType{ctxmcp.IdentityFact}, Statuses: []ctxmcp.ContradictionStatus{ctxmcp.Clean},
		}
	}
	if !query().Match(object) {
		t.Fatal("the query does not select the object")
	}
	for name, change := range map[string]func(*memory.Query, *ctxmcp.ContextObject){
		"tenant":             func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Tenant = "globex" },
		"no tenant":          func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Tenant = "" },
		"no place":           func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Namespaces = nil },
		"a longer namespace": func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Namespaces = []string{"user_ann:project_web2"} },
		"a place around":     func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Namespaces = []string{"user_ann"} },
		"a place inside": func(q *memory.Query, _ *ctxmcp.ContextObject) {
			q.Namespaces = []string{"user_ann:project_web:session_s"}
		},
		"under another": func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Namespaces, q.Under = nil, &ctxmcp.Scope{User: "an"} },
		"under a part of it": func(q *memory.Query, _ *ctxmcp.ContextObject) {
			q.Namespaces, q.Under = nil, &ctxmcp.Scope{Session: "s"}
		},
		"another project":   func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Projects = []string{"app"} },
		"a higher class":    func(_ *memory.Query, o *ctxmcp.ContextObject) { o.Classification = ctxmcp.HighlyRestricted },
		"an unknown class":  func(_ *memory.Query, o *ctxmcp.ContextObject) { o.Classification = "odd" },
		"no role":           func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Roles = nil },
		"a denied role":     func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Roles = []string{"dev", "guest"} },
		"before it is true": func(q *memory.Query, _ *ctxmcp.ContextObject) { q.AsOf = day(1).Add(-1000) },
		"when it ends":      func(q *memory.Query, _ *ctxmcp.ContextObject) { q.AsOf = day(10) },
		"before it is held": func(q *memory.Query, _ *ctxmcp.ContextObject) { q.BelievedAt = day(2).Add(-1000) },
		"when it ended":     func(_ *memory.Query, o *ctxmcp.ContextObject) { o.TxEnd = day(2) },
		"no longer held": func(q *memory.Query, o *ctxmcp.ContextObject) {
			q.BelievedAt, o.TxEnd = ctxmcp.ContextObject{}.TxEnd, day(3)
		},
		"another object":       func(q *memory.Query, _ *ctxmcp.ContextObject) { q.ObjectIDs = []string{"O", "oo"} },
		"another fact":         func(q *memory.Query, _ *ctxmcp.ContextObject) { q.FactIDs = []string{"o"} },
		"another slot":         func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Slots = []string{"ann"} },
		"another subject":      func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Subjects = []string{"Ann"} },
		"other words":          func(q *memory.Query, _ *ctxmcp.ContextObject) { q.ContentKey = memory.ContentKey("Ann lives in Oslo") },
		"another type":         func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Types = []ctxmcp.ObjectType{ctxmcp.Preference} },
		"another status":       func(_ *memory.Query, o *ctxmcp.ContextObject) { o.ContradictionStatus = ctxmcp.Quarantined },
		"archived":             func(_ *memory.Query, o *ctxmcp.ContextObject) { o.Archived = true },
		"everywhere, archived": func(q *memory.Query, o *ctxmcp.ContextObject) { q.Everywhere, o.Archived = true, true },
	} {
		q, o := query(), object
		if change(&q, &o); q.Match(o) {
			t.Errorf("%s: the query selects the object", name)
		}
	}
	for name, change := range map[string]func(*memory.Query, *ctxmcp.ContextObject){
		"under": func(q *memory.Query, _ *ctxmcp.ContextObject) {
			q.Namespaces, q.Under = nil, &ctxmcp.Scope{User: "ann"}
		},
		"everywhere":         func(q *memory.Query, _ *ctxmcp.ContextObject) { q.Namespaces, q.Everywhere = nil, true },
		"any time":           func(q *memory.Query, _ *ctxmcp.ContextObject) { q.AsOf = ctxmcp.ContextObject{}.TxEnd },
		"an earlier version": func(q *memory.Query, o *ctxmcp.ContextObject) { q.EveryVersion, o.TxEnd = true, day(2) },
		"the archive":        func(q *memory.Query, o *ctxmcp.ContextObject) { q.Archived, o.Archived = true, true },
		"no restriction": func(q *memory.Query, o *ctxmcp.ContextObject) {
			q.Unrestricted, q.Roles, o.Classification = true, nil, "odd"
		},
		"no project": func(q *memory.Query, o *ctxmcp.ContextObject) {
			q.Projects, q.Everywhere, o.ProjectID = []string{"app"}, true, ""
		},
	} {
		q, o := query(), object
		if change(&q, &o); !q.Match(o) {
			t.Errorf("%s: the query does not select the object", name)
		}
	}
}

func TestLess(t *testing.T) {
	ordered := []ctxmcp.ContextObject{
		{TxStart: day(1), ObjectID: "b", Version: 2}, {TxStart: day(2), ObjectID: "a", Version: 3},
		{TxStart: day(2), ObjectID: "b", Version: 1}, {TxStart: day(2), ObjectID: "b", Version: 2},
	}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := memory.Compare(a, b); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("Compare(%d, %d) = %d", i, j, got)
			}
		}
	}
}

func TestContentKey(t *testing.T) {
	for _, same := range [][2]string{
		{"I like tea.", "i like  tea"}, {"I like tea", " I like\n tea!"}, {"Don't do it", "don't do it."}, {"", " . "},
	} {
		if memory.ContentKey(same[0]) != memory.ContentKey(same[1]) {
			t.Errorf("%q and %q have two keys", same[0], same[1])
		}
	}
	for _, other := range [][2]string{
		{"userID", "userid"}, {"Config.yml", "config.yml"}, {"US", "us"}, {"Élan", "élan"}, {"is it?", "is it"},
		{"a b", "ab"}, {"C++", "c++"}, {"-1", "1"}, {"Tea, please", "Tea please"}, {"NaCl", "nacl"}, {"A1", "a1"},
	} {
		if memory.ContentKey(other[0]) == memory.ContentKey(other[1]) {
			t.Errorf("%q and %q have one key", other[0], other[1])
		}
	}
}

// FuzzContentKey: texts with one key differ at most in white space, in case, and in a full stop at the end.
func FuzzContentKey(f *testing.F) {
	f.Add("I like tea.", "i LIKE tea")
	f.Add("Config.yml", "config.yml")
	f.Add("a\u00a0b", "a b")
	f.Fuzz(func(t *testing.T, a, b string) {
		read := func(s string) string {
			return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(s), " ")), ".! ")
		}
		if memory.ContentKey(a) == memory.ContentKey(b) && read(a) != read(b) {
			t.Errorf("%q and %q have one key", a, b)
		}
		if memory.ContentKey(a) != memory.ContentKey("\n "+a+" \t") {
			t.Errorf("%q has another key with white space around it", a)
		}
	})
}

// TestVocabulary holds every word of this package that is stored or sent, so that a rename is a visible act.
func TestVocabulary(t *testing.T) {
	var b strings.Builder
	b.WriteString("Every word of the vocabularies of package memory. Words are stored and sent: lines are added, never changed.\n")
	for _, v := range []struct{ name, words string }{
		{"status", ctxmcp.Words(memory.Statuses())},
		{"mode", ctxmcp.Words(memory.Modes())},
		{"review", ctxmcp.Words(memory.ReviewKinds())},
		{"omission", ctxmcp.Words([]memory.Omission{memory.BelowRelevance, memory.OtherTask, memory.NotActive, memory.HasFaded, memory.Contradicted, memory.OverLimit, memory.OverBudget})},
	} {
		for word := range strings.SplitSeq(v.words, ", ") {
			b.WriteString(v.name + " " + word + "\n")
		}
	}
	golden.Want(t, "testdata/vocabulary.golden", b.String())
}

func TestLongQuestion(t *testing.T) {
	s, _ := newService(stores["inmem"](t))
	_, err := s.Recall(t.Context(), ann, memory.Ask{Query: strings.Repeat("é", 10_001), Scope: atHome})
	wantError(t, err, ctxmcp.CodeTooLarge, "query has over 10000 characters")
	if _, err := s.Recall(t.Context(), ann, memory.Ask{Query: strings.Repeat("é", 10_000), Scope: atHome}); err != nil {
		t.Errorf("Recall of a question at the limit = %v", err)
	}
}

// TestOneVersionTwice: a change that inserts a version twice is refused before a store sees it; tenants are apart.
func TestOneVersionTwice(t *testing.T) {
	ours := ctxmcp.ContextObject{ObjectID: "o", Version: 1, TenantID: "acme"}
	next, theirs := ours, ours
	next.Version, theirs.TenantID = 2, "globex"
	if err := (memory.Change{Insert: []ctxmcp.ContextObject{ours, next, theirs}}).Check(); err != nil {
		t.Errorf("Check of three versions = %v, want nil", err)
	}
	wantError(t, memory.Change{Insert: []ctxmcp.ContextObject{ours, next, ours}}.Check(), ctxmcp.CodeConflict, "object o has one version twice")
}
