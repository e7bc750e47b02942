package tools

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// recalled reads the lines by which recall names artifacts and tasks, asked in the words of one of their summaries.
func (s *sources) recalled(said map[string]int) {
	s.t.Helper()
	s.work()
	query := s.tell(s.phrase(5))
	s.must("put_artifact", map[string]any{"content": s.tell("held"), "artifact_type": "report", "summary": query})
	s.must("save_task_state", map[string]any{"task_id": "asked", "summary": query})
	text, _, err := s.call("recall", map[string]any{"query": query})
	if err != nil {
		s.t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return !strings.HasPrefix(l, "artifact ") && !strings.HasPrefix(l, "task ") })
	s.read(strings.Join(lines, "\n"), said)
}

// artifactIsNamed: the artifact can be read, is of the type and the size, and was put on the day with the summary.
func (p *prompt) artifactIsNamed(m []string) error {
	by, _ := p.services.Caller(p.t.Context())
	at, err := by.Resolve(ctxmcp.Scope{}, p.services.Defaults)
	if err != nil {
		return err
	}
	found, err := p.services.Artifacts.Find(p.t.Context(), by, at, m[4])
	if err != nil {
		return err
	}
	_, err = p.held(m[4])
	if a := found[0]; a.Type != m[1] || !slices.Contains([]string{fmt.Sprintf("%.1f KB", float64(a.Size)/1024), fmt.Sprintf("%d bytes", a.Size)}, m[2]) || a.Created.Format(time.DateOnly) != m[3] || a.Summary != m[5] {
		err = cmp.Or(err, fmt.Errorf("it is %s of %d bytes of %s: %s", a.Type, a.Size, a.Created, a.Summary))
	}
	return err
}

// taskIsNamed: the task is saved, on the day and with the summary.
func (p *prompt) taskIsNamed(m []string) error {
	_, raw, err := p.services.Call(p.t.Context(), "get_task_state", map[string]any{})
	var out getTaskOut
	if err := cmp.Or(err, json.Unmarshal(raw, &out)); err != nil {
		return err
	}
	for _, t := range out.Tasks {
		if t.TaskID == m[2] && t.Saved.Format(time.DateOnly) == m[1] && t.Summary == m[3] {
			return nil
		}
	}
	return fmt.Errorf("the tasks are %v", out.Tasks)
}
