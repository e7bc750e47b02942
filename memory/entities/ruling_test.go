package entities_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// ruling is ann's decision, an hour after everything that was said.
var ruling = entities.Ruling{By: "ann", Authority: ctxmcp.AuthorityUser, At: start.Add(time.Hour), Reason: "review"}

// seen reads everything that a project sees.
func (r *registry) seen(project string) *entities.Known {
	c := r.context(project, ctxmcp.AuthorityUser)
	var ids []string
	for _, e := range r.nodes {
		ids = append(ids, e.ID)
	}
	return entities.NewKnown(entities.Query{View: c.View, IDs: ids}.Select(r.nodes), nil)
}

// decide carries out a ruling that must be possible.
func (r *registry) decide(t *testing.T, c entities.Change, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("the ruling: %v", err)
	}
	r.apply(t, c)
}

// versions returns the versions of a node.
func (r *registry) versions(id string) []entities.Entity {
	return slices.DeleteFunc(slices.Clone(r.nodes), func(e entities.Entity) bool { return e.ID != id })
}

// groups returns who is one with whom, by name.
func (r *registry) groups(project string) map[string][]string {
	k, all := r.seen(project), map[string][]string{}
	for _, root := range k.Roots() {
		for _, e := range k.Names(root.ID) {
			all[root.Name] = append(all[root.Name], e.Name)
		}
	}
	return all
}

// TestRulingsAreReversible: merge and split, keep and each undoing lead back, and the history keeps every step.
func TestRulingsAreReversible(t *testing.T) {
	r := &registry{}
	johnson := r.say(t, "web", ctxmcp.AuthorityUser, "Alice Johnson works in sales.").Decisions[0].Node
	alice := r.say(t, "web", ctxmcp.AuthorityUser, "The keys are with Alice.").Decisions[0].Node
	before := r.groups("web")
	apart := map[string][]string{"Alice Johnson": {"Alice Johnson"}, "Alice": {"Alice"}}
	if diff := cmp.Diff(apart, before); diff != "" {
		t.Fatalf("the beginning differs (-want +got):\n%s", diff)
	}
	change, err := r.seen("web").Merge(alice, johnson, ruling)
	r.decide(t, change, err)
	if diff := cmp.Diff(map[string][]string{"Alice Johnson": {"Alice Johnson", "Alice"}}, r.groups("web")); diff != "" {
		t.Errorf("after the merge (-want +got):\n%s", diff)
	}
	change, err = entities.Undo(r.versions(alice), ruling)
	r.decide(t, change, err)
	if e := r.root(alice); e.State != entities.Pending || len(e.Candidates) != 1 || e.Version != 3 {
		t.Errorf("after the undoing = %+v, want it pending again, as version 3", e)
	}
	change, err = r.seen("web").Keep(alice, ruling)
	r.decide(t, change, err)
	if e := r.root(alice); e.State != entities.Canonical || e.By != "ann" {
		t.Errorf("after the keeping = %+v, want ann's canonical one", e)
	}
	change, err = entities.Undo(r.versions(alice), ruling)
	r.decide(t, change, err)
	change, err = r.seen("web").Merge(alice, johnson, ruling)
	r.decide(t, change, err)
	change, err = r.seen("web").Split(alice, ruling)
	r.decide(t, change, err)
	if diff := cmp.Diff(apart, r.groups("web")); diff != "" {
		t.Errorf("after the split (-want +got):\n%s", diff)
	}
	change, err = entities.Undo(r.versions(alice), ruling)
	r.decide(t, change, err)
	if diff := cmp.Diff(map[string][]string{"Alice Johnson": {"Alice Johnson", "Alice"}}, r.groups("web")); diff != "" {
		t.Errorf("after the split was undone (-want +got):\n%s", diff)
	}
	if n := len(r.versions(alice)); n != 8 {
		t.Errorf("the history has %d versions, want 8", n)
	}
}

// TestRefusedRulings: entities that cannot be one are not merged, and a ruling without authority is refused.
func TestRefusedRulings(t *testing.T) {
	r := &registry{}
	web := r.say(t, "web", ctxmcp.AuthorityUser, "Our designer is Nadia Berg.").Decisions[0].Node
	other := r.say(t, "web", ctxmcp.AuthorityUser, "Our tester is Tom Baker.").Decisions[0].Node
	wide := r.say(t, "", ctxmcp.AuthorityUser, "My brother is Ivo Lang.").Decisions[0].Node
	api := r.say(t, "api", ctxmcp.AuthorityUser, "Our lead is Gina Rossi.").Decisions[0].Node
	inferred := ruling
	inferred.Authority = ctxmcp.AuthorityInferred
	tests := []struct {
		name string
		code ctxmcp.Code
		rule func(*entities.Known) (entities.Change, error)
	}{
		{"with itself", ctxmcp.CodeInvalid, func(k *entities.Known) (entities.Change, error) { return k.Merge(web, web, ruling) }},
		{"of another project", ctxmcp.CodeNotFound, func(k *entities.Known) (entities.Change, error) { return k.Merge(api, web, ruling) }},
		{"into another project", ctxmcp.CodeNotFound, func(k *entities.Known) (entities.Change, error) { return k.Merge(web, api, ruling) }},
		{"a wide one into a narrow one", ctxmcp.CodeInvalid, func(k *entities.Known) (entities.Change, error) { return k.Merge(wide, web, ruling) }},
		{"on less authority", ctxmcp.CodeDenied, func(k *entities.Known) (entities.Change, error) { return k.Merge(web, other, inferred) }},
		{"keep what does not wait", ctxmcp.CodeConflict, func(k *entities.Known) (entities.Change, error) { return k.Keep(web, ruling) }},
		{"split what is not merged", ctxmcp.CodeConflict, func(k *entities.Known) (entities.Change, error) { return k.Split(web, ruling) }},
		{"undo what was not decided", ctxmcp.CodeConflict, func(*entities.Known) (entities.Change, error) { return entities.Undo(r.versions(web), ruling) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if c, err := tt.rule(r.seen("web")); ctxmcp.CodeOf(err) != tt.code || !c.IsZero() {
				t.Errorf("the ruling = %+v, %v, want %s", c, err, tt.code)
			}
		})
	}
}

// TestDecisions: the verdict on a name, after a history.
func TestDecisions(t *testing.T) {
	user, web := ctxmcp.AuthorityUser, ctxmcp.AuthorityRetrieved
	tests := []struct {
		name      string
		history   []string // said in the project; "*" first: read on the web
		authority ctxmcp.Authority
		text      string
		mention   string
		want      entities.Verdict
	}{
		{"the very name", []string{"I met Nadia Berg."}, user, "I saw Nadia Berg.", "Nadia Berg", entities.Bound},
		{"a first name after a full one", []string{"I met Nadia Berg."}, user, "I saw Nadia.", "Nadia", entities.Undecided},
		{"a first name beside neighbours", []string{"I met Nadia Berg at Globex Corporation with Tom Baker."}, user,
			"Then Tom Baker saw Nadia.", "Nadia", entities.Bound},
		{"an address beside neighbours", []string{"I met Nadia Berg with Tom Baker."}, user,
			"Then Tom Baker wrote to nadia.berg@globex.example.", "nadia.berg@globex.example", entities.Bound},
		{"an address alone", []string{"I met Nadia Berg."}, user, "Write to nadia.berg@globex.example.", "nadia.berg@globex.example", entities.Undecided},
		{"two of one first name", []string{"I met Alice Johnson with Tom Baker.", "I met Alice Chen with Tom Baker."}, user,
			"Then Tom Baker saw Alice.", "Alice", entities.Undecided},
		{"another family name", []string{"I met Alice Johnson with Tom Baker."}, user, "Then Tom Baker saw Alice Chen.", "Alice Chen", entities.Created},
		{"another address at one domain", []string{"I met Nadia Berg (nadia@globex.example)."}, user,
			"Nadia Berg's email is berg@globex.example.", "berg@globex.example", entities.Created},
		{"another number", []string{"Restart web-01 now."}, user, "Restart web-02 now.", "web-02", entities.Created},
		{"a person and an office", []string{"I met Austin."}, user, "It is in the Austin office.", "Austin office", entities.Created},
		{"a retrieved full name", []string{"I met Nadia Berg."}, web, "A page about Nadia Berg.", "Nadia Berg", entities.Undecided},
		{"a retrieved alias", []string{"I met Nadia Berg."}, web, "Nadia Berg, also known as Ghost, left.", "Ghost", entities.Undecided},
		{"a retrieved number of a document", []string{"Read ADR-7 first."}, web, "As ADR-7 says.", "ADR-7", entities.Bound},
		{"what was retrieved first", []string{"*A page about Nadia Berg."}, user, "I met Nadia Berg.", "Nadia Berg", entities.Created},
		{"a beginning that names nobody", nil, user, "Caching is slow. We saw Nadia.", "Nadia", entities.Created},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &registry{}
			for _, said := range tt.history {
				if said[0] == '*' {
					r.say(t, "web", web, said[1:])
				} else {
					r.say(t, "web", user, said)
				}
			}
			res := r.say(t, "web", tt.authority, tt.text)
			i := slices.IndexFunc(res.Decisions, func(d entities.Decision) bool { return d.Mention.Text == tt.mention })
			if i < 0 || res.Decisions[i].Verdict != tt.want {
				t.Errorf("decisions of %q = %+v, want %s %s", tt.text, res.Decisions, tt.mention, tt.want)
			}
		})
	}
}

// TestPendingCarriesNoConstraint: who is in doubt binds nobody, until a person has decided.
func TestPendingCarriesNoConstraint(t *testing.T) {
	r := &registry{}
	johnson := r.say(t, "web", ctxmcp.AuthorityUser, "Alice Johnson signs releases.").Decisions[0].Node
	alice := r.say(t, "web", ctxmcp.AuthorityUser, "Nothing ships without Alice.").Decisions[0].Node
	if r.root(alice).CarriesConstraints() || !r.root(johnson).CarriesConstraints() {
		t.Errorf("the pending one carries constraints: %v, the canonical one: %v", r.root(alice).CarriesConstraints(), r.root(johnson).CarriesConstraints())
	}
	change, err := r.seen("web").Merge(alice, johnson, ruling)
	r.decide(t, change, err)
	if !r.root(alice).CarriesConstraints() {
		t.Error("the merged one carries no constraints")
	}
}

// TestResolveIsPure: the same input gives the same bytes, in any order of the registry's rows.
func TestResolveIsPure(t *testing.T) {
	r := &registry{}
	for _, text := range []string{"Samuel Ortiz (Sam) met Tom Baker.", "Alice Chen met Tom Baker.", "Alice Johnson met Sam."} {
		r.say(t, "web", ctxmcp.AuthorityUser, text)
	}
	mentions := entities.Extract("Alice and Tom Baker wrote to sam@acme.io about Kafka.")
	resolve := func(order func([]entities.Entity)) string {
		made := r.made
		defer func() { r.made = made }()
		c := r.context("web", ctxmcp.AuthorityUser)
		found := entities.Query{View: c.View, Keys: entities.Keys(mentions)}.Select(r.nodes)
		order(found)
		return fmt.Sprintf("%+v", entities.Resolve(entities.NewKnown(found, r.references), mentions, c).Change)
	}
	want := resolve(func([]entities.Entity) {})
	for range 10 {
		if got := resolve(slices.Reverse); got != want {
			t.Fatalf("the change = %s, want %s", got, want)
		}
	}
}
