package reduce

import (
	"slices"
	"strconv"
	"strings"
)

// A repair makes a conversation one that providers accept, whatever the caller kept of it. One that is valid it leaves alone.
type repair struct {
	Name string // of warnings
	Doc  string
	run  func([]message) ([]message, int) // what is left, and how much was changed
}

// repairs are applied in order to what comes in.
var repairs = []repair{
	{"dup-id", "a call whose id was used before gets one of its own, with its result", renameCalls},
	{"pairing", "a result without its call in the turn before, a second one, and a call that was passed over are left out", pairUp},
	{"result-order", "in a turn of a user, results stand before text", resultsFirst},
	{"empty", "turns and texts that say nothing are left out", dropEmpty},
	{"first-not-user", "a conversation opens with a turn of the user", openWithUser},
}

// opening stands for the beginning of a conversation that the caller no longer has.
const opening = "[The beginning of this conversation is not kept.]"

// renameCalls gives every call an id of its own. Results follow the call of the turn before them.
func renameCalls(all []message) ([]message, int) {
	used, changed := map[string]bool{}, 0
	var renamed map[string]string // of the last turn that called
	for i := range all {
		m := &all[i]
		if len(m.calls()) > 0 {
			renamed = map[string]string{}
		}
		for j := range m.parts {
			switch p := &m.parts[j]; {
			case p.kind == callPart && used[p.id]:
				fresh := freshID(p.id, used)
				renamed[p.id], used[fresh] = fresh, true
				p.id, p.edited, changed = fresh, true, changed+1
				m.edit()
			case p.kind == callPart:
				used[p.id] = true
			case p.kind == resultPart && renamed[p.id] != "":
				p.id = renamed[p.id]
				m.edit()
			}
		}
	}
	return all, changed
}

func freshID(id string, used map[string]bool) string {
	for n := 2; ; n++ {
		if fresh := id + "_" + strconv.Itoa(n); !used[fresh] {
			return fresh
		}
	}
}

// pairUp leaves out results that answer nothing, and calls that were passed over. Calls of the last turn may still wait.
func pairUp(all []message) ([]message, int) {
	changed := 0
	for i := 0; i < len(all); {
		end := answersEnd(all, i+1)
		waiting := map[string]bool{}
		for _, id := range all[i].calls() {
			waiting[id] = true
		}
		for j := i + 1; j < end; j++ {
			changed += all[j].drop(func(p *part) bool {
				was := waiting[p.id]
				delete(waiting, p.id)
				return p.kind == resultPart && !was
			})
		}
		if i == 0 {
			changed += all[i].drop(func(p *part) bool { return p.kind == resultPart })
		}
		if end < len(all) {
			changed += all[i].drop(func(p *part) bool { return p.kind == callPart && waiting[p.id] })
		}
		i = end
	}
	return all, changed
}

// answersEnd returns the end of the messages from i on that carry results for the turn before: those of the role tool in a
// row, or one turn of the user.
func answersEnd(all []message, i int) int {
	for i < len(all) && all[i].role == ToolRole {
		i++
	}
	if i < len(all) && all[i].role == User && len(all[i].answers()) > 0 && (i == 0 || all[i-1].role != ToolRole) {
		i++
	}
	return i
}

// drop removes parts and returns how many.
func (m *message) drop(which func(*part) bool) int {
	before := len(m.parts)
	kept := m.parts[:0:0]
	for i := range m.parts {
		if !which(&m.parts[i]) {
			kept = append(kept, m.parts[i])
		}
	}
	if n := before - len(kept); n > 0 {
		m.parts = kept
		m.edit()
		return n
	}
	return 0
}

func resultsFirst(all []message) ([]message, int) {
	changed := 0
	order := func(a, b part) int {
		return btoi(a.kind != resultPart) - btoi(b.kind != resultPart)
	}
	for i := range all {
		if m := &all[i]; m.role == User && !slices.IsSortedFunc(m.parts, order) {
			m.parts = slices.Clone(m.parts)
			slices.SortStableFunc(m.parts, order)
			m.edit()
			changed++
		}
	}
	return all, changed
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// dropEmpty leaves out what a provider would refuse as empty. A result may be empty: it answers all the same.
func dropEmpty(all []message) ([]message, int) {
	changed := 0
	kept := all[:0:0]
	for i := range all {
		m := &all[i]
		if len(m.parts) > 1 {
			changed += m.drop(func(p *part) bool { return p.kind == textPart && strings.TrimSpace(p.text) == "" })
		}
		if m.empty() && (m.role != ToolRole || len(m.parts) == 0) {
			changed++
			continue
		}
		kept = append(kept, *m)
	}
	return kept, changed
}

func openWithUser(all []message) ([]message, int) {
	first := leading(all)
	if first == len(all) || all[first].role == User {
		return all, 0
	}
	return slices.Insert(all, first, said(User, opening)), 1
}

// leading returns how many messages stand before the conversation: the system prompt.
func leading(all []message) int {
	n := 0
	for n < len(all) && all[n].leads() {
		n++
	}
	return n
}
