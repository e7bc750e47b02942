// Package tasks keeps the state that one step of a workflow hands to the next: references to artifacts and what there is
// to know of them, never the payloads.
//
// It owns the versions of a state, the chain of parents, and the selection of declared fields. It refuses to hold what an
// artifact holds. Its invariant: a task sees its own artifacts and those of the tasks that it descends from, and no others
// but what belongs to no task.
package tasks
