package entities

import (
	"cmp"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Context describes the memory whose mentions are resolved.
type Context struct {
	View           // of who may see the memory, from where it lives
	Home           string
	Authority      ctxmcp.Authority
	Classification ctxmcp.Classification
	Permissions    ctxmcp.PermissionScope
	At             time.Time
	NewID          func() string
	// Apart has the roots that a name of the memory does not mean, by the key of the name: the words tell them apart. It may be nil.
	Apart map[string][]string
}

// Decision is the outcome for a mention.
type Decision struct {
	Mention  Mention
	Node     string // that bears the name
	EntityID string // canonical
	Verdict  Verdict
	Score    float64 // of the similarity with the entity, or with the best candidate; 1 for the very name
}

// Resolution is the meaning of the mentions of a memory, and the change of the registry that follows from them. From
// completes the change with the id of the memory.
type Resolution struct {
	Decisions []Decision
	Change    Change
	Known     *Known // with the created nodes
}

// IDs returns the canonical entities, each once, in the order in which they are named.
func (r Resolution) IDs() []string {
	ids := []string{}
	for _, d := range r.Decisions {
		if !slices.Contains(ids, d.EntityID) {
			ids = append(ids, d.EntityID)
		}
	}
	return ids
}

// Resolve decides which entity each mention names: a known one, one that waits for review, or a new one. It is a pure
// function of its arguments. Mentions that the text says are of one thing are decided together.
func Resolve(k *Known, mentions []Mention, c Context) Resolution {
	r := &resolver{known: k, c: c, mentions: mentions, decided: map[int]Decision{}}
	r.markBeside()
	for i, m := range mentions {
		if m.Same == i {
			r.decide(r.cluster(i))
		}
	}
	for i := range mentions {
		if d, ok := r.decided[i]; ok {
			root, _ := r.known.Root(d.Node)
			d.EntityID = root.ID
			r.out.Decisions = append(r.out.Decisions, d)
			r.refer(d)
		}
	}
	r.expect()
	r.out.Known = r.known
	return r.out
}

// resolver collects a resolution.
type resolver struct {
	known    *Known
	c        Context
	mentions []Mention
	beside   []string // roots that bear exactly a name of the text
	decided  map[int]Decision
	out      Resolution
}

func (r *resolver) markBeside() {
	for _, m := range r.mentions {
		if roots := r.known.Named(m.Form, m.Key); len(roots) == 1 && !slices.Contains(r.beside, roots[0].ID) {
			r.beside = append(r.beside, roots[0].ID)
		}
	}
}

// cluster returns the places of the mentions that the text says are the same as the one at i.
func (r *resolver) cluster(i int) []int {
	var places []int
	for j, m := range r.mentions {
		if m.Same == i {
			places = append(places, j)
		}
	}
	return places
}

// decide finds the entity that a cluster names.
func (r *resolver) decide(places []int) {
	rivals := r.rivals(places)
	tentative := r.mentions[places[0]].Tentative && len(places) == 1
	if len(rivals) == 0 {
		if !tentative {
			r.create(places, Canonical, nil)
		}
		return
	}
	best := rivals[0]
	score := r.cap(probability(best.bits), best, rivals[1:])
	switch {
	case tentative && score < MergeFrom && !best.pair.exact():
	case score >= MergeFrom:
		r.bind(places, best, score)
		r.unite(places, best, rivals[1:])
	case score > ReviewOver:
		r.create(places, Pending, candidates(rivals, r.c))
	default:
		r.create(places, Canonical, nil)
	}
}

// create makes an entity of the cluster: one node for each name, the first the canonical one.
func (r *resolver) create(places []int, state State, who []Candidate) {
	root := r.newNode(r.mentions[places[0]])
	root.State, root.Candidates, root.Reason = state, who, "named for the first time"
	verdict, score := Created, 1.0
	if state == Pending {
		verdict, score, root.Reason = Undecided, who[0].Score, "it may be another that is known"
	}
	root.Score = score
	r.insert(root)
	r.decided[places[0]] = Decision{Mention: r.mentions[places[0]], Node: root.ID, Verdict: verdict, Score: score}
	for _, place := range places[1:] {
		node := r.alias(r.mentions[place], root.ID, 1, "the text says so")
		r.decided[place] = Decision{Mention: r.mentions[place], Node: node, Verdict: verdict, Score: score}
	}
}

// bind decides that the cluster names a known entity. Names that it does not bear yet become nodes that are one with it.
func (r *resolver) bind(places []int, best rival, score float64) {
	root := best.pair.nodes[0]
	verdict := Bound
	if root.State == Pending {
		verdict, score = Undecided, root.Score
		if r.promote(root, best) {
			verdict = Bound
		}
	}
	reason := "the names are alike: " + best.pair.comparison
	if len(places) > 1 {
		reason = "the text says so"
	}
	for _, place := range places {
		m := r.mentions[place]
		node := r.bearer(m, best.pair.nodes)
		if node == "" {
			node = r.alias(m, root.ID, score, reason)
		}
		r.decided[place] = Decision{Mention: m, Node: node, Verdict: verdict, Score: score}
	}
}

// bearer returns the node of an entity that bears the very name, as it is written, and raises its authority to that
// of the memory. Retrieved text adds no spelling to an entity of higher authority.
func (r *resolver) bearer(m Mention, nodes []Entity) string {
	spelled := func(e Entity) bool { return ctxmcp.Normalize(e.Name) == ctxmcp.Normalize(m.Text) }
	respelled := ""
	for _, e := range nodes {
		if e.Form != m.Form || e.Key != m.Key {
			continue
		}
		if !spelled(e) {
			respelled = cmp.Or(respelled, e.ID)
			continue
		}
		if r.c.Authority < e.Authority {
			r.replace(e, func(next *Entity) { next.Authority, next.Reason = r.c.Authority, "said on higher authority" })
		}
		return e.ID
	}
	if r.c.Authority == ctxmcp.AuthorityRetrieved && authority(nodes) < ctxmcp.AuthorityRetrieved {
		return respelled
	}
	return ""
}

// promote merges a pending entity into its candidate if the registry leaves no question by now.
func (r *resolver) promote(pending Entity, seen rival) bool {
	for _, v := range r.rivals([]int{seen.place}) {
		if v.pair.nodes[0].ID == pending.ID || v.pair.nodes[0].State != Canonical {
			continue
		}
		var others []rival
		for _, o := range r.rivals([]int{seen.place}) {
			if id := o.pair.nodes[0].ID; id != pending.ID && id != v.pair.nodes[0].ID {
				others = append(others, o)
			}
		}
		score := r.cap(probability(v.bits), v, others)
		if score < MergeFrom {
			return false
		}
		r.merge(pending, v.pair.nodes[0].ID, score, "its neighbours tell by now")
		return true
	}
	return false
}

// unite merges other entities that a name of the cluster bears exactly into the best: the text says that they are one.
func (r *resolver) unite(places []int, best rival, others []rival) {
	if len(places) < 2 || r.c.Authority == ctxmcp.AuthorityRetrieved {
		return
	}
	for _, o := range others {
		root := o.pair.nodes[0]
		sure := probability(o.bits) >= MergeFrom && o.pair.exact() && o.place != best.place
		if sure && root.State == Canonical && covers(best.pair.nodes[0].Home, root.Home) {
			r.merge(root, best.pair.nodes[0].ID, 1, "the text says so")
		}
	}
}
