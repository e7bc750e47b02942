package memory

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// narrowRelevance is the least relevance with which a preference that does not say when it matters is recalled for a task.
const narrowRelevance = 0.5

// activation is the gate between a memory and a task: it opens if the type of the task is among those that the object
// applies to, and the question touches why it matters. An object that names no types applies to all, and one that gives
// no reason is not asked for it; but a preference without either is matched narrowly, so that a word said in one place
// does not colour all others. It returns why the gate stays shut, or "".
func activation(m *Memory, task ctxmcp.TaskType, asked ranking.Question) Omission {
	o := m.Object
	switch {
	case len(o.ApplicableTaskTypes) > 0 && !slices.Contains(o.ApplicableTaskTypes, task):
		return OtherTask
	case o.WhyItMatters != "" && !asked.Touches(o.WhyItMatters):
		return NotActive
	case unconditional(o) && m.Relevance < narrowRelevance:
		return NotActive
	default:
		return ""
	}
}

// unconditional reports whether o is a preference that says neither when nor why it matters.
func unconditional(o ctxmcp.ContextObject) bool {
	return o.ObjectType == ctxmcp.Preference && o.WhyItMatters == "" && len(o.ApplicableTaskTypes) == 0
}

// unconditionalWarning is the warning when such a preference is stored.
const unconditionalWarning = "this preference says neither why_it_matters nor task_types: it is matched narrowly when a task is named"
