package console

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// memoryPage is one memory with everything that was ever held of its fact.
type memoryPage struct {
	Object    ctxmcp.ContextObject   `json:"object"`
	State     string                 `json:"state"`
	Versions  []ctxmcp.ContextObject `json:"versions"`            // of the fact, in the order in which they were held
	Displaced []string               `json:"displaced,omitempty"` // ids of what it took the place of
	Asked     []contestPair          `json:"reviews,omitempty"`   // questions about it that wait for a person
	Derived   []memoryRow            `json:"derived,omitempty"`   // what names it as a source
	Contexts  []contextRow           `json:"contexts"`            // that it reached last
	Questions []question             `json:"questions"`
	Plane     plane                  `json:"-"`
}

func (p memoryPage) title() string { return "Memory " + name(p.Object.ObjectID) }

// memory answers with one memory.
func (c *Console) memory(v visit) (any, error) {
	versions, err := c.o.Memory.History(v.Context(), v.by, memory.HistoryAsk{ObjectID: v.id, Scope: ctxmcp.Scope{User: v.by.User}})
	if err != nil {
		return nil, err
	}
	p := memoryPage{Versions: versions}
	for _, o := range versions {
		if strings.HasSuffix(o.ObjectID, v.id) {
			p.Object = o
		}
	}
	for _, o := range versions {
		if o.LinkNow() == p.Object.ObjectID && o.ObjectID != p.Object.ObjectID {
			p.Displaced = append(p.Displaced, o.ObjectID)
		}
	}
	now := ctxmcp.Instant(c.o.Now())
	p.State = stateOf(p.Object, now)
	if p.Questions, err = questionsIn(v.URL.Query(), versions, now); err != nil {
		return nil, err
	}
	if err := c.displaced(v, &p); err != nil {
		return nil, err
	}
	p.Plane = planeOf(versions, p.Questions, now, Base+"memories/"+p.Object.ObjectID, v.URL.Query())
	return p, c.named(v, &p)
}

// displaced adds what the memory took the place of in other facts than its own.
func (c *Console) displaced(v visit, p *memoryPage) error {
	found, err := c.o.Memory.DisplacedBy(v.Context(), v.by, p.Object.ObjectID, pageRows)
	for _, o := range found {
		if o.ObjectID != p.Object.ObjectID && !slices.Contains(p.Displaced, o.ObjectID) {
			p.Displaced = append(p.Displaced, o.ObjectID)
		}
	}
	return err
}

// named adds the memories that name this one as a source, the contexts that hold it, and the questions about it.
func (c *Console) named(v visit, p *memoryPage) error {
	derived, err := c.o.Memory.DerivedFrom(v.Context(), v.by, p.Object.ObjectID, pageRows)
	if err != nil {
		return err
	}
	for _, o := range derived {
		p.Derived = append(p.Derived, rowOf(o, c.o.Now()))
	}
	found, err := c.o.Packets.Holding(v.Context(), v.by, p.Object.ObjectID, homeRows)
	if err != nil {
		return err
	}
	p.Contexts = rowsOf(found)
	open, err := c.o.Memory.Reviews(v.Context(), v.by, mostFound)
	for _, r := range open {
		if slices.ContainsFunc(r.Candidates, func(side memory.ReviewCandidate) bool { return side.ID == p.Object.ObjectID }) {
			p.Asked = append(p.Asked, contestPair{ID: r.ID, Question: r.Question})
		}
	}
	return err
}

// reasonOf returns the reason of a form, or the default.
func reasonOf(v visit, otherwise string) string {
	return cmp.Or(strings.TrimSpace(v.PostFormValue("reason")), otherwise)
}

// correct stores what a person says instead of a memory. What was held stays in its history.
func (c *Console) correct(v visit) (string, error) {
	r, err := c.o.Memory.Remember(v.Context(), v.by, memory.Draft{
		Content: v.PostFormValue("content"), Supersedes: v.id, Source: memory.Source{Kind: ctxmcp.UserStatement},
		Scope: ctxmcp.Scope{User: v.by.User, Project: v.PostFormValue("project")},
	})
	if err != nil {
		return "", err
	}
	if r.Status == memory.Rejected {
		return "", ctxmcp.Errorf(ctxmcp.CodeInvalid, "nothing was stored: %s", r.Reason).WithHint("say it in a sentence or two")
	}
	return "memories/" + cmp.Or(r.ObjectID, v.id), nil
}

// retire ends the memories that were ticked, all of them or none. To erase them for good is another thing, and only where it is allowed.
func (c *Console) retire(v visit) (string, error) {
	mode := memory.Retire
	if v.PostFormValue("mode") == string(memory.Erase) {
		if !c.o.AllowErase {
			return "", ctxmcp.Errorf(ctxmcp.CodeDenied, "memories cannot be erased here").WithHint("start the page with --allow-erase")
		}
		mode = memory.Erase
	}
	ids := slices.Compact(slices.Sorted(slices.Values(v.PostForm["id"])))
	if shown := v.PostFormValue("all"); shown != "" {
		var err error
		if ids, err = c.selected(v, shown); err != nil {
			return "", err
		}
	}
	if len(ids) == 0 {
		return "", ctxmcp.Errorf(ctxmcp.CodeInvalid, "no memory is chosen").WithHint("tick those that are to be retired")
	}
	if _, err := c.o.Memory.ForgetAll(v.Context(), v.by, ids, mode, reasonOf(v, "retired on the page")); err != nil {
		return "", err
	}
	if len(ids) == 1 && mode == memory.Retire {
		return "memories/" + ids[0], nil
	}
	return "memories", nil
}

// mostRetired is how many memories one form ends.
const mostRetired = 1000

// selected returns the ids of all that the filter of a form selects. It returns CodeConflict where they are not as many as were shown, and
// CodeTooLarge for more than mostRetired.
func (c *Console) selected(v visit, shown string) (ids []string, err error) {
	b, err := browsingIn(v.PostForm)
	if err != nil {
		return nil, err
	}
	b.Limit = mostRetired
	page, err := c.o.Memory.Browse(v.Context(), v.by, b)
	switch {
	case err != nil:
		return nil, err
	case page.Next != "":
		return nil, ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the filter selects %d memories, and %d are retired at once at most", page.Held, mostRetired).WithHint("narrow the filter")
	case strconv.Itoa(page.Held) != shown:
		return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "the filter selects %d memories now, and showed %s", page.Held, shown).WithHint("look at them anew")
	}
	for _, o := range page.Objects {
		ids = append(ids, o.ObjectID)
	}
	return ids, nil
}

// restore takes back that a memory was displaced or retired.
func (c *Console) restore(v visit) (string, error) {
	_, err := c.o.Memory.Restore(v.Context(), v.by, v.id)
	return "memories/" + v.id, err
}
