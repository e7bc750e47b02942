package conversation

import (
	"slices"
	"strconv"
	"strings"
)

// A Repair makes any part of a conversation that a caller kept one that providers accept. It leaves alone a valid one.
type Repair struct {
	Name string // of warnings
	Doc  string
	Run  func([]Message) ([]Message, int) // returns the repaired conversation, and how much was changed
}

// Repairs are applied in order to the messages of a caller.
var Repairs = []Repair{
	{"dup-id", "a call whose id was used before gets one of its own, with its result", renameCalls},
	{"pairing", "a result without its call in the turn before, a second one, and a call that was passed over are left out", pairUp},
	{"result-order", "in a turn of a user, results stand before text", resultsFirst},
	{"empty", "turns and texts that say nothing are left out", dropEmpty},
	{"first-not-user", "a conversation opens with a turn of the user", openWithUser},
}

// opening stands for the beginning of a conversation that the caller no longer has.
const opening = "[The beginning of this conversation is not kept.]"

// renameCalls gives every call an id of its own. Results follow the call of the turn before them.
func renameCalls(all []Message) ([]Message, int) {
	used, changed := map[string]bool{}, 0
	var renamed map[string]string // of the last turn that called
	for i := range all {
		m := &all[i]
		if len(m.Calls()) > 0 {
			renamed = map[string]string{}
		}
		for j := range m.Parts {
			switch p := &m.Parts[j]; {
			case p.Given:
			case p.Kind == Call && used[p.ID]:
				fresh := freshID(p.ID, used)
				renamed[p.ID], used[fresh] = fresh, true
				p.ID, p.Edited, changed = fresh, true, changed+1
				m.Edit()
			case p.Kind == Call:
				used[p.ID] = true
			case p.Kind == Result && renamed[p.ID] != "":
				p.ID = renamed[p.ID]
				m.Edit()
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
func pairUp(all []Message) ([]Message, int) {
	changed := 0
	for i := 0; i < len(all); {
		begin := callersEnd(all, i)
		end := AnswersEnd(all, begin)
		waiting := map[string]bool{}
		for j := i; j < begin; j++ {
			for _, id := range all[j].Calls() {
				waiting[id] = true
			}
		}
		for j := begin; j < end; j++ {
			changed += all[j].Drop(func(p *Part) bool {
				was := waiting[p.ID]
				delete(waiting, p.ID)
				return p.Kind == Result && !was
			})
		}
		if i == 0 {
			changed += all[i].Drop(func(p *Part) bool { return p.Kind == Result })
		}
		for j := i; j < begin && end < len(all); j++ {
			changed += all[j].Drop(func(p *Part) bool { return p.Kind == Call && waiting[p.ID] })
		}
		i = end
	}
	return all, changed
}

// callersEnd returns the end of the message that begins at i, or, of items, of the turn of the assistant.
func callersEnd(all []Message, i int) int {
	end := i + 1
	for all[i].item && all[i].Role == Assistant && end < len(all) && all[end].item && all[end].Role == Assistant {
		end++
	}
	return end
}

// TurnEnd returns the end of the turn that begins at i: a message, or an assistant's with the results that answer it.
func TurnEnd(all []Message, i int) int {
	end := callersEnd(all, i)
	for j := i; j < end; j++ {
		if len(all[j].Calls()) > 0 {
			return AnswersEnd(all, end)
		}
	}
	return end
}

// AnswersEnd returns the end of the messages from i on that carry results for the turn before: those of the role tool in a
// row, or one turn of the user.
func AnswersEnd(all []Message, i int) int {
	for i < len(all) && all[i].Role == ToolRole {
		i++
	}
	if i < len(all) && all[i].Role == User && len(all[i].Answers()) > 0 && (i == 0 || all[i-1].Role != ToolRole) {
		i++
	}
	return i
}

func resultsFirst(all []Message) ([]Message, int) {
	changed := 0
	order := func(a, b Part) int {
		return btoi(a.Kind != Result) - btoi(b.Kind != Result)
	}
	for i := range all {
		if m := &all[i]; m.Role == User && !slices.IsSortedFunc(m.Parts, order) {
			m.Parts = slices.Clone(m.Parts)
			slices.SortStableFunc(m.Parts, order)
			m.Edit()
			changed++
		}
	}
	return all, changed
}

// btoi returns 1 for true.
func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// dropEmpty leaves out the turns and texts that a provider would refuse as empty. A result may be empty: it answers all the same.
func dropEmpty(all []Message) ([]Message, int) {
	changed := 0
	kept := all[:0:0]
	for i := range all {
		m := &all[i]
		if len(m.Parts) > 1 {
			changed += m.Drop(func(p *Part) bool { return p.Kind == Text && strings.TrimSpace(p.Text) == "" })
		}
		if m.Empty() && (m.Role != ToolRole || len(m.Parts) == 0) {
			changed++
			continue
		}
		kept = append(kept, *m)
	}
	return kept, changed
}

func openWithUser(all []Message) ([]Message, int) {
	first := Leading(all)
	if first == len(all) || all[first].Role == User {
		return all, 0
	}
	return slices.Insert(all, first, Said(User, opening)), 1
}

// Leading returns the number of messages that stand before the conversation: the system prompt.
func Leading(all []Message) int {
	n := 0
	for n < len(all) && all[n].Leads() {
		n++
	}
	return n
}
