package reduce

import "github.com/ctx-mcp/ctx-mcp/conversation"

// Zones are the parts at both ends of a conversation that are kept as they are.
type Zones struct {
	First int // messages after the system prompt
	Last  int // messages at the end
}

// The scaling of the zones: the recent one is a share of the window with a least size, and both together have at most half
// of the window, so that something is left between them.
const (
	lastShare = 0.15
	leastLast = 8

	zonesShare = 0.5
)

// zonesFor returns the zones for a window. A first or last below 0 asks for the default.
func zonesFor(window, first, last int) Zones {
	if first < 0 {
		first = 1
	}
	if last < 0 {
		last = max(leastLast, int(float64(window)*lastShare))
	}
	total := min(first+last, max(int(float64(window)*zonesShare), 2))
	first = min(first, total-1)
	return Zones{First: first, Last: total - first}
}

// turns returns where the turns of a conversation begin, and its end. A turn is a message, or an assistant's with the
// results that answer it: it stays or goes as one.
func turns(all []conversation.Message) []int {
	var starts []int
	for i := 0; i < len(all); {
		starts = append(starts, i)
		i = conversation.TurnEnd(all, i)
	}
	return append(starts, len(all))
}

// split returns the end of the first zone and the start of the last one, both between turns and in order.
func (z Zones) split(all []conversation.Message) (head, tail int) {
	starts := turns(all)
	lead := conversation.Leading(all)
	head, tail = len(all), 0
	for _, at := range starts {
		if at >= lead+z.First {
			head = at
			break
		}
	}
	for _, at := range starts {
		if at <= len(all)-z.Last {
			tail = at
		}
	}
	return head, max(head, tail)
}
