package compiler

import "slices"

// settleDoubts has each doubt name a statement that is a candidate still, and no later statement stand in a part behind the one that it puts in doubt: guidance
// in doubt becomes a fact where the later statement is one, or decides on less. Older forms of inputs leave doubts as they are.
func (s *state) settleDoubts() {
	if !s.in.labelled() {
		return
	}
	byID := map[string]*item{}
	for _, it := range s.items {
		byID[it.id()] = it
	}
	for again := true; again; again = again && s.in.chained() { // what becomes a fact may be the later statement of others
		again = false
		for _, it := range s.live() {
			if it.doubt == nil {
				continue
			}
			if it.doubt = heldBy(byID, it.doubt); it.doubt == it || it.doubt != nil && dayOf(it.doubt) < dayOf(it) {
				it.doubt = nil
			}
			if by := it.doubt; by != nil && it.rung == guidanceRung && (by.rung < guidanceRung || guidePlace(by) > guidePlace(it)) {
				it.rung, it.why, again = guidanceRung-1, "guidance that is in doubt", true
			}
		}
	}
}

// guidanceRung is the place of guidance on the ladder.
const guidanceRung = 4

// heldBy returns the statement that holds in the place of one: itself, or that by which it was left out; nil if that is none of them.
func heldBy(byID map[string]*item, it *item) *item {
	for range byID {
		if it == nil || it.drop == nil {
			return it
		}
		it = byID[it.drop.by]
	}
	return nil
}

// pairUp sees to it that a statement in doubt never stands without the later one. Where that has no room, statements that rank below the one in doubt give
// way to it, the last first; where that is not enough, the later one takes its place. Room that is left is given out again.
func (a *allotment) pairUp(items []*item) {
	if !a.in.labelled() {
		return
	}
	gone := map[*item]bool{} // for want of room for their later statements
	settled := false
	for round := 0; !settled; round++ {
		settled = true
		late := round > len(items) // from here on nothing comes in any more
		for i, it := range items {
			if !isAlone(it) || priorityOf(it) == criticalPriority {
				continue
			}
			settled = false
			if late || gone[it.doubt] || !a.makeRoom(items, i, it.doubt) {
				a.release(it)
				if gone[it] = true; !late && !gone[it.doubt] {
					a.takeForm(it.doubt, a.room)
				}
			}
		}
	}
	for _, p := range []priority{guidePriority, mediumPriority, lowPriority} {
		a.takeFirst(slices.DeleteFunc(slices.Clone(items), func(it *item) bool { return it.doubt != nil && it.doubt.form < 0 }), p, a.room)
	}
}

// isAlone reports whether an item is shown in doubt, without the statement that puts it in doubt.
func isAlone(it *item) bool { return it.form >= 0 && it.doubt != nil && it.doubt.form < 0 }

// makeRoom takes an item in the place of the lowest of those that rank below a place. It reports whether that was enough, and changes nothing if not.
func (a *allotment) makeRoom(items []*item, place int, wanted *item) bool {
	needed := map[*item]bool{}
	for _, it := range items {
		if it.form >= 0 && it.doubt != nil {
			needed[it.doubt] = true
		}
	}
	least := a.cost(wanted, len(wanted.forms)-1)
	var gone []*item
	freed := 0
	for _, it := range slices.Backward(items[place+1:]) {
		if a.used-freed+least <= a.room {
			break
		}
		if it.form >= 0 && !needed[it] && it.Kind == KindMemory && !it.standard() && priorityOf(it) >= guidePriority {
			gone = append(gone, it)
			freed += a.line("- " + it.forms[it.form].Text)
		}
	}
	if a.used-freed+least > a.room {
		return false
	}
	for _, it := range gone {
		a.release(it)
	}
	return a.takeForm(wanted, a.room)
}

// release gives the room of an item back, but for its heading.
func (a *allotment) release(it *item) {
	a.used -= a.line("- " + it.forms[it.form].Text)
	it.form = -1
}

// newerFirst puts each later statement before those of the same part that it puts in doubt.
func newerFirst(items []*item) []*item {
	all := make([]*item, 0, len(items))
	open := map[*item]bool{}
	for _, it := range items {
		open[it] = true
	}
	var put func(it *item)
	put = func(it *item) {
		if it == nil || !open[it] {
			return
		}
		open[it] = false
		put(it.doubt)
		all = append(all, it)
	}
	for _, it := range items {
		put(it)
	}
	return all
}
