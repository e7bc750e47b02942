package tasks

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// maxListed bounds a list of tasks.
const maxListed = 50

// List returns the tasks that are visible from at, the one that was saved last first, and how many there are: a list has at most 50. Of
// several with one id it has the innermost.
func (s *Service) List(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope) (list []State, all int, err error) {
	found, err := s.Store.FindTasks(ctx, by.Tenant, outwards(at), "")
	if err != nil {
		return nil, 0, err
	}
	innermost := map[string]State{}
	for _, t := range found {
		innermost[t.ID] = t
	}
	for _, t := range innermost {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b State) int { return cmp.Or(b.Saved.Compare(a.Saved), cmp.Compare(a.ID, b.ID)) })
	return list[:min(len(list), maxListed)], len(list), nil
}

// outwards returns the namespaces in which a task that is visible from at may have its home.
func outwards(at ctxmcp.Scope) (namespaces []string) {
	at.Task = ""
	for _, outer := range at.Ancestors() {
		namespaces = append(namespaces, outer.Namespace())
	}
	return namespaces
}

// Listing returns a list of tasks as text for a prompt. All says how many there are.
func Listing(list []State, all int) string {
	if all == 0 {
		return "No task is saved here."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d task(s), the last saved first:", all)
	for _, t := range list {
		fmt.Fprintf(&b, "\n  %s, version %d of %s", t.ID, t.Version, t.Saved.Format("2006-01-02"))
		if t.Summary != "" {
			b.WriteString(": " + ctxmcp.Clip(strings.Join(strings.Fields(t.Summary), " "), 200))
		}
	}
	if all > len(list) {
		fmt.Fprintf(&b, "\n  %d more", all-len(list))
	}
	return b.String()
}
