package memory_test

import (
	"context"
	"slices"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestBearingShowsNothingHidden: a memory that bears on a task and does not hold there is told of, if the caller could have
// read it by naming its place. One that they could not read is not there at all.
func TestBearingShowsNothingHidden(t *testing.T) {
	overStores(t, func(t *testing.T, store memory.Store) {
		s, _ := newService(store)
		put := func(by ctxmcp.Caller, project string, d memory.Draft) string {
			d.Content, d.Source.Kind = "The database listens on a port that is kept here: "+project+".", ctxmcp.UserStatement
			d.Scope = ctxmcp.Scope{User: by.User, Project: project}
			return remember(t, s, by, d).ObjectID
		}
		bob, evil := ann, ann
		bob.User, evil.Tenant = "bob", "evil"
		here, elsewhere := put(ann, "b", memory.Draft{}), put(ann, "a", memory.Draft{})
		put(bob, "b", memory.Draft{})
		put(evil, "b", memory.Draft{})
		secret := put(ann, "c", memory.Draft{Classification: ctxmcp.HighlyRestricted})
		denied := put(ann, "d", memory.Draft{Permissions: ctxmcp.PermissionScope{DenyRoles: []string{"contractor"}}})

		by := ann
		by.Clearance, by.Roles = ctxmcp.Restricted, []string{"contractor"}
		ids := bearing(t, s, by)
		if want := []string{here, elsewhere}; !sameSet(ids, want) {
			t.Errorf("Candidates = %v, want %v, and nothing of %v", ids, want, []string{secret, denied})
		}
		by.Projects = []string{"b"}
		if ids := bearing(t, s, by); !sameSet(ids, []string{here}) {
			t.Errorf("Candidates for a caller of project b = %v, want %v", ids, []string{here})
		}
	})
}

func bearing(t *testing.T, s *memory.Service, by ctxmcp.Caller) (ids []string) {
	t.Helper()
	b, err := s.Candidates(context.Background(), by, memory.Ask{
		Query: "Which port does the database listen on?", Scope: ctxmcp.Scope{User: "ann", Project: "b"}}, nil, 10)
	if err != nil {
		t.Fatalf("Candidates: %v", err)
	}
	for _, m := range b.Memories {
		ids = append(ids, m.Object.ObjectID)
	}
	for _, o := range slices.Concat(b.AlwaysOn, b.OutOfScope) {
		ids = append(ids, o.ObjectID)
	}
	return ids
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// TestBearingKeepsRoom: the memories of another project take no place from those that hold here.
func TestBearingKeepsRoom(t *testing.T) {
	overStores(t, func(t *testing.T, store memory.Store) {
		s, _ := newService(store)
		for range 80 {
			d := said("The database listens on a port, and this is another project.", "", "", "")
			d.Claim, d.Scope = ctxmcp.Claim{}, ctxmcp.Scope{User: "ann", Project: "a"}
			d.Content += " " + s.NewID()
			remember(t, s, ann, d)
		}
		d := said("The database listens on port 7001.", "", "", "")
		d.Claim, d.Scope = ctxmcp.Claim{}, ctxmcp.Scope{User: "ann", Project: "b"}
		here := remember(t, s, ann, d).ObjectID
		b, err := s.Candidates(context.Background(), ann, memory.Ask{
			Query: "Which port does the database listen on?", Scope: ctxmcp.Scope{User: "ann", Project: "b"}}, nil, 1)
		if err != nil {
			t.Fatalf("Candidates: %v", err)
		}
		if len(b.Memories) != 1 || b.Memories[0].Object.ObjectID != here {
			t.Errorf("Candidates found %d memories here, want %s", len(b.Memories), here)
		}
	})
}

// TestContradict: claims of equal standing of a project and of its user, which no write compared, wait for a person, once.
func TestContradict(t *testing.T) {
	overStores(t, func(t *testing.T, store memory.Store) {
		s, clock := newService(store)
		d := said("The release is on Monday.", "release", "day", "Monday")
		mine := remember(t, s, ann, d).ObjectID
		d = said("The release is on Friday.", "release", "day", "Friday")
		d.Scope.Project = "web"
		theirs := remember(t, s, ann, d).ObjectID
		clock.set(day(1))
		for range 2 {
			if err := s.Contradict(context.Background(), ann, []string{mine, theirs}); err != nil {
				t.Fatalf("Contradict: %v", err)
			}
		}
		items, err := s.Reviews(context.Background(), ann, 0)
		if err != nil || len(items) != 1 || len(items[0].Candidates) != 2 {
			t.Fatalf("Reviews = %+v, %v; want one of both claims", items, err)
		}
		if _, err := s.Settle(context.Background(), ann, items[0].ID, theirs); err != nil {
			t.Fatalf("Settle: %v", err)
		}
		r, err := s.Recall(context.Background(), ann, memory.Ask{Query: "When is the release?", Scope: d.Scope})
		if err != nil || len(r.Memories) != 1 || r.Memories[0].Object.ObjectID != theirs {
			t.Errorf("Recall = %+v, %v; want what was decided", r.Memories, err)
		}
	})
}
