package actions

import (
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// tally holds the counts behind the accumulated state. Its methods return another one and change nothing.
type tally struct {
	actions  int
	distance float64                             // sum over the actions
	classes  map[string]map[ctxmcp.DataClass]int // tool -> class -> actions
	tools    []string
	entities []string
}

// maxEntities bounds the entities of a session.
const maxEntities = 500

// with adds an action.
func (t tally) with(calls []taint.Call, class ctxmcp.DataClass, distance float64, entities []string) tally {
	t.actions++
	t.distance += distance
	t.tools, t.entities = slices.Clone(t.tools), slices.Clone(t.entities)
	for _, c := range calls {
		t.tools = include(t.tools, c.Tool)
	}
	for _, e := range entities[:min(len(entities), maxEntities-len(t.entities))] {
		t.entities = include(t.entities, e)
	}
	return t.moved(calls[0].Tool, "", class)
}

// moved says that the data of one action through the tool is of another class than was thought; "" is of none.
func (t tally) moved(tool string, from, to ctxmcp.DataClass) tally {
	t.classes = maps.Clone(t.classes)
	if t.classes == nil {
		t.classes = map[string]map[ctxmcp.DataClass]int{}
	}
	counts := maps.Clone(t.classes[tool])
	if counts == nil {
		counts = map[ctxmcp.DataClass]int{}
	}
	if from != "" {
		counts[from]--
	}
	counts[to]++
	t.classes[tool] = counts
	return t
}

// state returns the accumulated state, sharing nothing.
func (t tally) state(method string) State {
	s := State{
		Classifications: []ctxmcp.DataClass{}, ToolsUsed: append([]string{}, t.tools...), Entities: append([]string{}, t.entities...),
		ActionCount: t.actions, Distance: t.mean(), DistanceMethod: method, ByOrigin: map[string]ctxmcp.DataClass{},
	}
	for _, class := range ctxmcp.DataClasses() {
		for tool, counts := range t.classes {
			if counts[class] > 0 {
				s.ByOrigin[tool] = class
				if !slices.Contains(s.Classifications, class) {
					s.Classifications = append(s.Classifications, class)
				}
			}
		}
	}
	return s
}

// top returns the most sensitive class that was accessed, "" for none.
func (t tally) top() ctxmcp.DataClass {
	var top ctxmcp.DataClass
	for _, counts := range t.classes {
		for class, n := range counts {
			if n > 0 {
				top = highest(top, class)
			}
		}
	}
	return top
}

// mean returns the mean distance of the actions from the request.
func (t tally) mean() float64 {
	if t.actions == 0 {
		return 0
	}
	return ctxmcp.Round(t.distance / float64(t.actions))
}

func include(list []string, one string) []string {
	if slices.Contains(list, one) {
		return list
	}
	return append(list, one)
}
