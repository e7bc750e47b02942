package compiler

// The bounds of the conversation in a budget.
const (
	pinnedShare = 2 // a half of the room is for the user's words that hold as long as the task does, but for the last of them
	fullTurns   = 3 // at the end of a conversation that finds no room whole: these are shown in full, earlier ones with their results by reference
	stride      = 4 // turns by which the beginning of such a conversation moves on: between, a prompt cache keeps it
)

// takePinned takes the user's words that hold as long as the task does, the last request first, and the first one next.
func (a *allotment) takePinned() {
	var pinned []int
	for i := len(a.history) - 1; i >= 0; i-- {
		if a.history[i].pinned {
			pinned = append(pinned, i)
		}
	}
	if n := len(pinned); n > 2 {
		first := pinned[n-1]
		copy(pinned[2:], pinned[1:n-1])
		pinned[1] = first
	}
	most := a.room
	for _, i := range pinned {
		if a.used+a.history[i].forms[0].tokens <= most {
			a.take(i, 0)
		}
		most = a.room / pinnedShare
	}
}

// take takes a turn in a form.
func (a *allotment) take(i, form int) {
	a.history[i].form = form
	a.used += a.history[i].forms[form].tokens
}

// takeNewest takes up to most turns from the end, each in the fullest form that fits, until one finds no room.
func (a *allotment) takeNewest(most int) {
	for i := len(a.history) - 1; i >= 0 && len(a.history)-i <= most; i-- {
		if !a.history[i].kept() && !a.takeFitting(i, 0) {
			return
		}
	}
}

// takeFitting takes a turn in the fullest form that fits, from one on, and reports whether one did.
func (a *allotment) takeFitting(i, from int) bool {
	t := &a.history[i]
	for form := min(from, len(t.forms)-1); form < len(t.forms); form++ {
		if a.used+t.forms[form].tokens <= a.room {
			a.take(i, form)
			return true
		}
	}
	return false
}

// reserveNotes makes room for the notes about turns that are left out, where the conversation cannot stay whole.
func (a *allotment) reserveNotes() {
	if a.noted = !a.silent && !a.fitsWhole(); a.noted {
		a.used += a.noteTokens()
	}
}

// fitsWhole reports whether there is room for every turn that was not taken yet, in full.
func (a *allotment) fitsWhole() bool {
	whole := a.used
	for i := range a.history {
		if !a.history[i].kept() {
			whole += a.history[i].forms[0].tokens
		}
	}
	return whole <= a.room
}

// takeOlder takes the turns that are left: whole, if all of them fit so. Else the newest without a gap, but for the user's words that hold on; an
// answer without its question would say something else.
func (a *allotment) takeOlder() {
	if a.fitsWhole() {
		a.takeNewest(len(a.history))
		return
	}
	if !a.noted {
		a.used += a.noteTokens()
	}
	first := a.firstThatFits()
	for i := len(a.history) - 1; i >= first; i-- {
		if a.history[i].kept() {
			continue
		}
		if !a.takeFitting(i, a.leastForm(i)) {
			return
		}
	}
}

// leastForm returns the fullest form in which a turn may be shown where not all find room.
func (a *allotment) leastForm(i int) int {
	if len(a.history)-i <= fullTurns {
		return 0
	}
	return len(a.history[i].forms) - 1
}

// firstThatFits returns the turn from which on all find room, moved on to the next stride.
func (a *allotment) firstThatFits() int {
	first, used := len(a.history), a.used
	for i := len(a.history) - 1; i >= 0; i-- {
		if t := &a.history[i]; !t.kept() {
			if used += t.forms[a.leastForm(i)].tokens; used > a.room {
				break
			}
		}
		first = i
	}
	if first == 0 {
		return 0
	}
	return min((first+stride-1)/stride*stride, max(first, len(a.history)-fullTurns))
}

// noteTokens bounds the notes about turns that are left out: there is one before each stretch that is shown.
func (a *allotment) noteTokens() int {
	if len(a.history) == 0 {
		return 0
	}
	note := a.leftOut(a.history)
	n := a.counter.Count(sentText(&note)) + a.in.Policy.MessageTokens
	gaps := 1
	for i := 1; i < len(a.history); i++ {
		if a.history[i].pinned && !a.history[i-1].kept() {
			gaps++
		}
	}
	return n * gaps
}
