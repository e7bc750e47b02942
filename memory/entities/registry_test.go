package entities_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// registry applies changes, as any store does.
type registry struct {
	nodes      []entities.Entity
	references []entities.Reference
	made       int
}

func (r *registry) apply(t *testing.T, c entities.Change) {
	t.Helper()
	for _, cl := range c.Close {
		i := slices.IndexFunc(r.nodes, func(e entities.Entity) bool { return e.ID == cl.ID && e.Version == cl.Version && e.TxEnd.IsZero() })
		if i < 0 {
			t.Fatalf("the change closes %s version %d, which is not open", cl.ID, cl.Version)
		}
		r.nodes[i].TxEnd = cl.TxEnd
	}
	r.nodes = append(r.nodes, c.Insert...)
	r.references = append(r.references, c.Mention...)
}

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// context returns the context of something said in a project of ann's.
func (r *registry) context(project string, authority ctxmcp.Authority) entities.Context {
	home := ctxmcp.Scope{User: "ann", Project: project}
	var covering []string
	for _, s := range home.Ancestors() {
		covering = append(covering, s.Namespace())
	}
	return entities.Context{
		View: entities.View{Tenant: "acme", Namespaces: covering, Clearance: ctxmcp.HighlyRestricted},
		Home: home.Namespace(), Authority: authority, Classification: ctxmcp.Restricted,
		At:    start.Add(time.Duration(len(r.nodes)) * time.Second),
		NewID: func() string { r.made++; return fmt.Sprintf("e%03d", r.made) },
	}
}

// known reads the part of the registry that a context sees around some mentions.
func (r *registry) known(c entities.Context, mentions []entities.Mention) *entities.Known {
	q := entities.Query{View: c.View, Keys: entities.Keys(mentions)}
	found := q.Select(r.nodes)
	var ids []string
	for _, e := range found {
		ids = append(ids, e.ID)
	}
	return entities.NewKnown(found, entities.Together(r.references, c.Tenant, ids, 64))
}

// say resolves a text said in a project and carries the change out.
func (r *registry) say(t *testing.T, project string, authority ctxmcp.Authority, text string) entities.Resolution {
	t.Helper()
	c := r.context(project, authority)
	mentions := entities.Extract(text)
	res := entities.Resolve(r.known(c, mentions), mentions, c)
	r.apply(t, res.Change.From(fmt.Sprintf("o%03d", len(r.references))))
	return res
}

// root follows the edges of all there is.
func (r *registry) root(id string) entities.Entity {
	for {
		i := slices.IndexFunc(r.nodes, func(e entities.Entity) bool { return e.ID == id && e.TxEnd.IsZero() })
		if i < 0 || r.nodes[i].State != entities.Merged {
			return r.nodes[max(i, 0)]
		}
		id = r.nodes[i].Into
	}
}
