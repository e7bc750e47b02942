package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// node returns the first version of a person's node in the home of object.
func node(id, name string) entities.Entity {
	return entities.Entity{
		ID: id, Version: 1, Tenant: "acme", Home: "user_ann:project_web", Name: name, Key: entities.KeyOf(entities.Proper, name),
		Form: entities.Proper, Kind: entities.Person, ObjectID: "a", Authority: ctxmcp.AuthorityUser, Classification: ctxmcp.Restricted,
		State: entities.Canonical, Score: 1, Reason: "named for the first time", TxStart: epoch,
	}
}

// inWeb is ann's view from her project web.
func inWeb() entities.View {
	return entities.View{
		Tenant: "acme", Namespaces: []string{"", "user_ann", "project_web", "user_ann:project_web"}, Clearance: ctxmcp.HighlyRestricted,
	}
}

func mentions(entity string, objects ...string) []entities.Reference {
	var all []entities.Reference
	for _, o := range objects {
		all = append(all, entities.Reference{Tenant: "acme", EntityID: entity, ObjectID: o, Purpose: entities.InContent})
	}
	return all
}

func learn(t *testing.T, s Store, c entities.Change) {
	t.Helper()
	apply(t, s, memory.Change{Entities: c})
}

func lookup(t *testing.T, s Store, q entities.Query) []entities.Entity {
	t.Helper()
	found, err := s.Lookup(context.Background(), q)
	if err != nil {
		t.Fatalf("Lookup: %v", err)
	}
	return found
}

// wantNodes checks the nodes that q selects, by id.
func wantNodes(t *testing.T, s Store, q entities.Query, want ...string) {
	t.Helper()
	got := []string{}
	for _, e := range lookup(t, s, q) {
		got = append(got, e.ID)
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("Lookup(%+v) differs (-want +got):\n%s", q, diff)
	}
}

// entityRoundTrip: a store gives back every field as it was given, and the versions in order.
func entityRoundTrip(t *testing.T, s Store) {
	full := node("e1", "Samuel Ortiz")
	full.Permissions = ctxmcp.PermissionScope{AllowRoles: []string{"dev"}, DenyRoles: []string{"guest"}}
	full.State, full.Candidates, full.Score = entities.Pending, []entities.Candidate{{ID: "e0", Score: 0.9}}, 0.9
	learn(t, s, entities.Change{Insert: []entities.Entity{full}})
	next := full
	next.Version, next.State, next.Candidates, next.Into, next.By, next.TxStart = 2, entities.Merged, nil, "e0", "ann", day(1)
	learn(t, s, entities.Change{
		Close:  []entities.Closing{{Tenant: "acme", ID: "e1", Version: 1, TxEnd: day(1)}},
		Insert: []entities.Entity{next},
	})
	full.TxEnd = day(1)
	versions, err := s.Versions(context.Background(), "acme", "e1")
	if diff := cmp.Diff([]entities.Entity{full, next}, versions); err != nil || diff != "" {
		t.Errorf("Versions = %v, which differ (-want +got):\n%s", err, diff)
	}
	q := entities.Query{View: inWeb(), IDs: []string{"e1"}}
	wantNodes(t, s, q) // not for one without the role
	q.Roles = []string{"dev"}
	if diff := cmp.Diff([]entities.Entity{next}, lookup(t, s, q)); diff != "" {
		t.Errorf("Lookup differs (-want +got):\n%s", diff)
	}
	q.Roles = []string{"dev", "guest"}
	wantNodes(t, s, q)
	q.Roles, q.Clearance = []string{"dev"}, ctxmcp.Public
	wantNodes(t, s, q)
}

// entityFamilies: with a node come those it is one with, within the view, under any name.
func entityFamilies(t *testing.T, s Store) {
	root, alias, other, elsewhere := node("root", "Samuel Ortiz"), node("alias", "Sam"), node("other", "Samantha"), node("far", "Sam")
	alias.State, alias.Into = entities.Merged, "root"
	deep := node("deep", "Sammy")
	deep.State, deep.Into = entities.Merged, "alias"
	elsewhere.Home = "user_ann:project_api"
	learn(t, s, entities.Change{Insert: []entities.Entity{root, alias, other, elsewhere, deep}})
	wantNodes(t, s, entities.Query{View: inWeb(), Keys: []string{"=sam"}}, "alias", "deep", "root")
	wantNodes(t, s, entities.Query{View: inWeb(), Keys: []string{"=sam"}, Alone: true}, "alias")
	wantNodes(t, s, entities.Query{View: inWeb(), Keys: []string{"=samuel ortiz"}}, "alias", "deep", "root")
	wantNodes(t, s, entities.Query{View: inWeb(), Keys: []string{"^sam"}}, "alias", "deep", "other", "root")
	wantNodes(t, s, entities.Query{View: inWeb(), IDs: []string{"deep", "far"}}, "alias", "deep", "root")
	wantNodes(t, s, entities.Query{View: inWeb(), Keys: []string{"=sa", "", "^"}})
	other2 := inWeb()
	other2.Tenant = "globex"
	wantNodes(t, s, entities.Query{View: other2, Keys: []string{"=sam"}})
}

// entityExpectations: of two who name something new at a time, one is told to look again.
func entityExpectations(t *testing.T, s Store) {
	q := entities.Query{View: inWeb(), Keys: []string{"=nova"}, Alone: true}
	nobody := []entities.Expectation{{Query: q}}
	first, second := node("e1", "Nova"), node("e2", "Nova")
	learn(t, s, entities.Change{Expect: nobody, Insert: []entities.Entity{first}})
	conflicts := func(c entities.Change) {
		t.Helper()
		wantConflict(t, s, memory.Change{Entities: c, Insert: []ctxmcp.ContextObject{object("x", "text")}})
		wantFound(t, s, everything())
	}
	conflicts(entities.Change{Expect: nobody, Insert: []entities.Entity{second}})
	conflicts(entities.Change{Insert: []entities.Entity{first}})
	again := first
	again.Version = 2
	conflicts(entities.Change{Insert: []entities.Entity{again}}) // while the first version is open
	end := entities.Closing{Tenant: "acme", ID: "e1", Version: 1, TxEnd: day(1)}
	conflicts(entities.Change{Close: []entities.Closing{end, end}})
	conflicts(entities.Change{Insert: []entities.Entity{second, second}})
	learn(t, s, entities.Change{Close: []entities.Closing{end}, Insert: []entities.Entity{again}})
	conflicts(entities.Change{Close: []entities.Closing{end}})
	learn(t, s, entities.Change{Expect: []entities.Expectation{{Query: q, Open: []string{"e1"}}}, Insert: []entities.Entity{second}})
	wantNodes(t, s, q, "e1", "e2")
}

// entityCrowd: of the many that share a part of a name, the last made are brought.
func entityCrowd(t *testing.T, s Store) {
	var c entities.Change
	for i := range entities.MostByKey + 2 {
		c.Insert = append(c.Insert, node(fmt.Sprintf("e%03d", i), fmt.Sprintf("Sam No%d", i)))
	}
	learn(t, s, c)
	found := lookup(t, s, entities.Query{View: inWeb(), Keys: []string{"^sam"}})
	if len(found) != entities.MostByKey || found[0].ID != "e002" {
		t.Errorf("Lookup of a common key = %d nodes from %s, want the last %d", len(found), found[0].ID, entities.MostByKey)
	}
}

// entityErasure: with an object go the names that no other gives, and its references.
func entityErasure(t *testing.T, s Store) {
	once, twice := node("once", "Samuel Ortiz"), node("twice", "Nova")
	apply(t, s, memory.Change{
		Insert:   []ctxmcp.ContextObject{object("a", "Samuel Ortiz made Nova"), object("b", "Nova is blue")},
		Entities: entities.Change{Insert: []entities.Entity{once, twice}, Mention: append(mentions("once", "a"), mentions("twice", "a", "b")...)},
	})
	apply(t, s, memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "a"}}})
	wantNodes(t, s, entities.Query{View: inWeb(), Keys: []string{"=samuel ortiz", "^sam", "=nova"}, IDs: []string{"once"}}, "twice")
	if versions, err := s.Versions(context.Background(), "acme", "once"); err != nil || len(versions) != 0 {
		t.Errorf("Versions after the erasure = %v, %v, want none", versions, err)
	}
	left, err := s.Together(context.Background(), "acme", []string{"once", "twice"}, 10)
	if diff := cmp.Diff(mentions("twice", "b"), left); err != nil || diff != "" {
		t.Errorf("Together after the erasure = %v, which differs (-want +got):\n%s", err, diff)
	}
}

// entityLists: a person looks through one node of each entity of theirs and of the whole tenant, by descending id, page by page.
func entityLists(t *testing.T, s Store) {
	var all []entities.Entity
	add := func(id, name string, change func(*entities.Entity)) {
		e := node(id, name)
		if change != nil {
			change(&e)
		}
		all = append(all, e)
		learn(t, s, entities.Change{Insert: []entities.Entity{e}})
	}
	add("n1", "Anna Berg", nil)
	add("n2", "Berg", func(e *entities.Entity) { e.Into, e.State = "n1", entities.Merged })
	add("n3", "Bob Ross", func(e *entities.Entity) { e.Home = "user_bob" })
	add("n4", "Cara Berg", func(e *entities.Entity) { e.Home = "" })
	add("n5", "Dan Berg", func(e *entities.Entity) { e.Home = "user_ann" })
	add("n6", "Eve Berg", func(e *entities.Entity) { e.Home = "user_ann:project_ops:session_s" })
	add("n7", "Fay Berg", func(e *entities.Entity) { e.Permissions.AllowRoles = []string{"lead"} })
	add("n8", "Gil Berg", func(e *entities.Entity) { e.Classification = ctxmcp.HighlyRestricted })
	add("n9", "Hal Berg", func(e *entities.Entity) { e.Tenant = "globex" })
	add("n10", "Ivy Berg", func(e *entities.Entity) { e.Home = "user_ann_b" })
	slices.SortFunc(all, func(a, b entities.Entity) int { return strings.Compare(b.ID, a.ID) })
	for _, l := range []entities.Listing{
		{}, {Key: entities.KeyOf(entities.Proper, "Berg")}, {Key: "nobody"}, {Projects: []string{"web"}}, {Projects: []string{"op"}},
		{Roles: []string{"lead"}}, {Clearance: ctxmcp.HighlyRestricted},
	} {
		l.Tenant, l.User, l.Limit = "acme", "ann", 2
		if l.Clearance == "" {
			l.Clearance = ctxmcp.Restricted
		}
		for {
			var want, got []string
			for _, e := range all {
				if l.Match(e) && len(want) < l.Limit {
					want = append(want, e.ID)
				}
			}
			found, err := s.List(context.Background(), l)
			for _, e := range found {
				got = append(got, e.ID)
			}
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Fatalf("List(%+v) = %v, differs (-want +got):\n%s", l, err, diff)
			}
			if len(got) == 0 {
				break
			}
			l.Behind = got[len(got)-1]
		}
	}
}
