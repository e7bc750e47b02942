package console

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp/memory"
)

// homePage is the first page that a person sees: the counts of everything, and the questions that wait.
type homePage struct {
	Held    int          `json:"memories"`
	Waiting int          `json:"waiting"`
	Latest  []memoryRow  `json:"latest"`
	Recent  []contextRow `json:"contexts"`
	Running []sessionRow `json:"sessions"`
}

func (homePage) title() string { return "Overview" }

// home answers with an overview.
func (c *Console) home(v visit) (any, error) {
	page, err := c.o.Memory.Browse(v.Context(), v.by, memory.Browsing{Limit: homeRows})
	if err != nil {
		return nil, err
	}
	p := homePage{Held: page.Held}
	for _, o := range page.Objects {
		p.Latest = append(p.Latest, rowOf(o, c.o.Now()))
	}
	waits, err := c.items(v.Context(), v.by)
	if err != nil {
		return nil, err
	}
	p.Waiting = len(waits)
	if p.Recent, _, err = c.contextRows(v, nil, homeRows); err != nil {
		return nil, err
	}
	p.Running, _, err = c.sessionRows(v, nil, homeRows)
	return p, err
}

// homeRows is how many rows of each list the overview has.
const homeRows = 5

// health answers with the state of the store.
func (c *Console) health(v visit) (any, error) {
	if c.o.Health == nil {
		return healthPage{}, nil
	}
	lines, err := c.o.Health(context.WithoutCancel(v.Context()))
	return healthPage{lines}, err
}

type healthPage struct {
	Lines []Line `json:"lines"`
}

func (healthPage) title() string { return "Health" }
