package actions

import (
	"slices"
	"strconv"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

const (
	paceActions = 5               // the latest gaps, which are compared with those before
	paceFactor  = 5               // how much faster they must be
	paceFloor   = 2 * time.Second // a pace that is quicker than this all along is a machine's, and says nothing
)

// pace holds the gaps between the actions of a session, so that one more is judged without a look at all. The zero value is of a session
// without actions.
type pace struct {
	actions int
	last    time.Time       // of the last action
	latest  []time.Duration // the last gaps, one less than are compared
	before  []time.Duration // all others, the shortest first
}

// add takes in the next action.
func (p *pace) add(at time.Time) {
	if p.actions++; p.actions > 1 {
		p.latest = append(p.latest, at.Sub(p.last))
	}
	p.last = at
	if len(p.latest) == paceActions {
		gap := p.latest[0]
		p.latest = slices.Delete(p.latest, 0, 1)
		n, _ := slices.BinarySearch(p.before, gap)
		p.before = slices.Insert(p.before, n, gap)
	}
}

// velocity compares the last gaps between actions with the median of those before.
func velocity(v *view) []ctxmcp.Finding {
	if v.pace.actions < 2*paceActions {
		return nil
	}
	latest := append(slices.Clone(v.pace.latest), v.at.Sub(v.pace.last))
	slices.Sort(latest)
	before := v.pace.before
	usual, now := before[len(before)/2], latest[len(latest)/2]
	if usual < paceFloor || now*paceFactor > usual {
		return nil
	}
	return finds(saidFaster, strconv.Itoa(paceActions), now.Round(time.Millisecond).String(), usual.Round(time.Millisecond).String())
}
