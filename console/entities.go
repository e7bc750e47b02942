package console

import (
	"net/url"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// entitiesPage is a list of who and what memory knows.
type entitiesPage struct {
	Named string      `json:"named,omitempty"`
	Rows  []entityRow `json:"entities"`
	Next  string      `json:"next,omitempty"`
	Page  string      `json:"-"`
}

func (entitiesPage) title() string { return "Entities" }

// entityRow is a node in a list.
type entityRow struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	State  string `json:"state"`
	Place  string `json:"place"`
	Memory string `json:"object_id,omitempty"` // that named it first
	Why    string `json:"reason,omitempty"`
	By     string `json:"by,omitempty"`
}

func entityRowOf(e entities.Entity) entityRow {
	home, _ := ctxmcp.ParseNamespace(e.Home)
	return entityRow{e.ID, e.Name, string(e.Kind), string(e.State), placeOf(home), e.ObjectID, e.Reason, e.By}
}

// entities answers with a page of the list, or of those that a part of a name finds.
func (c *Console) entities(v visit) (any, error) {
	ask := v.URL.Query()
	p := entitiesPage{Named: strings.TrimSpace(ask.Get("named")), Rows: []entityRow{}}
	found, err := c.o.Entities.ListEntities(v.Context(), v.by, p.Named, ask.Get("behind"), pageRows+1)
	if err != nil {
		return nil, err
	}
	if len(found) > pageRows {
		found = found[:pageRows]
		p.Next = found[pageRows-1].ID
		ask.Set("behind", p.Next)
		p.Page = Base + "entities?" + ask.Encode()
	}
	for _, e := range found {
		p.Rows = append(p.Rows, entityRowOf(e))
	}
	return p, nil
}

// entityPage is one entity: its names, and what claims say of it and others.
type entityPage struct {
	Root   entityRow    `json:"entity"`
	Asked  string       `json:"asked"` // the node in the address
	Names  []entityRow  `json:"names"`
	Edges  []entityEdge `json:"relations"`
	Beside []entityRow  `json:"candidates,omitempty"` // whom it may be one with
	Graph  graph        `json:"-"`
}

func (p entityPage) title() string { return p.Root.Name }

// entityEdge is a claim of one entity about another.
type entityEdge struct {
	From      entityRow `json:"subject"`
	Predicate string    `json:"predicate"`
	To        entityRow `json:"value"`
	Memory    memoryRow `json:"memory"`
}

// mostEdges bounds the relations of a page; the memories of the entity have the rest.
const mostEdges = 60

// entity answers with one entity, as it is known from its home.
func (c *Console) entity(v visit) (any, error) {
	at, err := c.o.Entities.PlaceOf(v.Context(), v.by, v.id)
	if err != nil {
		return nil, err
	}
	found, err := c.o.Entities.FindEntities(v.Context(), v.by, at, v.id)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no such entity any more")
	}
	p := entityPage{Root: entityRowOf(found[0].Root), Asked: v.id}
	for _, n := range found[0].Names {
		p.Names = append(p.Names, entityRowOf(n))
	}
	known := map[string]entityRow{p.Root.ID: p.Root}
	if p.Beside, err = c.candidates(v, at, found[0].Root, known); err != nil {
		return nil, err
	}
	if p.Edges, err = c.edges(v, at, p.Root.ID, known); err != nil {
		return nil, err
	}
	p.Graph = graphOf(p.Root, p.Edges)
	return p, nil
}

// candidates returns whom a name may be of that nobody has decided on.
func (c *Console) candidates(v visit, at ctxmcp.Scope, e entities.Entity, known map[string]entityRow) (all []entityRow, err error) {
	for _, candidate := range e.Candidates {
		row, err := c.known(v, at, candidate.ID, known)
		if err != nil {
			return nil, err
		}
		if row.ID != "" {
			all = append(all, row)
		}
	}
	return all, nil
}

// edges returns what claims say of an entity and another one.
func (c *Console) edges(v visit, at ctxmcp.Scope, id string, known map[string]entityRow) ([]entityEdge, error) {
	all := []entityEdge{}
	relations, err := c.o.Entities.Relations(v.Context(), v.by, at, id)
	if err != nil {
		return nil, err
	}
	for _, r := range relations[:min(len(relations), mostEdges)] {
		edge := entityEdge{Predicate: r.Predicate, Memory: rowOf(r.Object, c.o.Now())}
		if edge.From, err = c.known(v, at, r.Subject, known); err != nil {
			return nil, err
		}
		if edge.To, err = c.known(v, at, r.Value, known); err != nil {
			return nil, err
		}
		all = append(all, edge)
	}
	return all, nil
}

// known returns an entity by its id, asking for each once. One that cannot be seen from the place is a row without an id.
func (c *Console) known(v visit, at ctxmcp.Scope, id string, known map[string]entityRow) (entityRow, error) {
	if row, is := known[id]; is {
		return row, nil
	}
	found, err := c.o.Entities.FindEntities(v.Context(), v.by, at, id)
	if err != nil {
		return entityRow{}, err
	}
	if len(found) > 0 {
		known[id] = entityRowOf(found[0].Root)
	}
	return known[id], nil
}

// decideEntity makes two entities one, takes a name out of one, or takes the last decision about a name back.
func (c *Console) decideEntity(v visit) (string, error) {
	at, err := c.o.Entities.PlaceOf(v.Context(), v.by, v.id)
	if err != nil {
		return "", err
	}
	ctx, reason := v.Context(), reasonOf(v, "decided on the page")
	switch decision := v.PostFormValue("decision"); decision {
	case "merge":
		err = c.merge(v, at, strings.TrimSpace(v.PostFormValue("into")), reason)
	case "split":
		err = c.o.Entities.SplitEntity(ctx, v.by, at, v.id, reason)
	case "undo":
		err = c.o.Entities.UndoEntity(ctx, v.by, at, v.id, reason)
	default:
		err = ctxmcp.Errorf(ctxmcp.CodeInvalid, "%q is no decision on an entity", ctxmcp.Clip(decision, 40)).WithHint("merge, split or undo")
	}
	return "entities/" + url.PathEscape(v.id), err
}

// merge makes an entity one with another that is named by its id or its name, from whichever of the two homes sees both.
func (c *Console) merge(v visit, at ctxmcp.Scope, into, reason string) error {
	target, err := c.target(v, at, into)
	if err != nil {
		return err
	}
	err = c.o.Entities.MergeEntities(v.Context(), v.by, at, v.id, target, reason)
	if ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		return err
	}
	there, notThere := c.o.Entities.PlaceOf(v.Context(), v.by, target)
	if notThere != nil {
		return err
	}
	return c.o.Entities.MergeEntities(v.Context(), v.by, there, v.id, target, reason)
}

// target returns the id of the entity that a person names. It returns CodeConflict where the name is of several.
func (c *Console) target(v visit, at ctxmcp.Scope, named string) (string, error) {
	if named == "" {
		return "", ctxmcp.Errorf(ctxmcp.CodeInvalid, "nobody is named").WithHint("give the id or the name of the entity that it is one with")
	}
	if madeID.MatchString(named) {
		return named, nil
	}
	found, err := c.o.Entities.FindEntities(v.Context(), v.by, at, named)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", ctxmcp.Errorf(ctxmcp.CodeNotFound, "nothing here goes by the name %q", ctxmcp.Clip(named, 60)).WithHint("the list of entities has all of them")
	case len(found) > 1:
		return "", ctxmcp.Errorf(ctxmcp.CodeConflict, "%d entities go by that name", len(found)).WithHint("give the id of the one that is meant: %s", idsOf(found))
	}
	return found[0].Root.ID, nil
}

func idsOf(found []memory.Entity) string {
	var ids []string
	for _, e := range found {
		ids = append(ids, e.Root.ID)
	}
	return strings.Join(ids, ", ")
}
