package console

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/tasks"
)

// tasksPage is a list of tasks.
type tasksPage struct {
	Rows []taskRow `json:"tasks"`
	Page string    `json:"-"`
	Next string    `json:"next,omitempty"`
}

func (tasksPage) title() string { return "Tasks" }

// taskRow is a task in a list.
type taskRow struct {
	ID        string    `json:"task_id"`
	Home      string    `json:"home"`
	Place     string    `json:"place"`
	Producer  string    `json:"producer,omitempty"`
	Summary   string    `json:"summary,omitempty"`
	Version   int       `json:"version"`
	Saved     time.Time `json:"saved"`
	Artifacts int       `json:"artifacts"`
	Link      string    `json:"-"`
}

func taskRowOf(s tasks.State) taskRow {
	return taskRow{s.ID, s.Home.Namespace(), placeOf(s.Home), s.Producer, s.Summary, s.Version, s.Saved, len(s.Artifacts), taskLink(s.ID, s.Home)}
}

// taskLink returns the address of a task: its home tells tasks of one id apart.
func taskLink(id string, home ctxmcp.Scope) string {
	return Base + "tasks/" + url.PathEscape(id) + "?" + url.Values{"home": {home.Namespace()}}.Encode()
}

// tasks answers with a page of the list.
func (c *Console) tasks(v visit) (any, error) {
	mark, err := markIn(v.URL.Query())
	if err != nil {
		return nil, err
	}
	ask := tasks.Browsing{Limit: pageRows + 1}
	if mark != nil {
		ask.Behind = &tasks.Mark{Saved: mark.Created, Key: mark.ID}
	}
	found, err := c.o.Tasks.Browse(v.Context(), v.by, ask)
	if err != nil {
		return nil, err
	}
	p := tasksPage{Rows: []taskRow{}}
	if len(found) > pageRows {
		found = found[:pageRows]
		last := tasks.MarkOf(found[pageRows-1])
		p.Next = markText(&artifacts.Mark{Created: last.Saved, ID: last.Key})
		p.Page = Base + "tasks?behind=" + url.QueryEscape(p.Next)
	}
	for _, s := range found {
		p.Rows = append(p.Rows, taskRowOf(s))
	}
	return p, nil
}

// taskPage is one task: its state, what it hands on, what it has from the tasks above, and the tasks below.
type taskPage struct {
	tasks.State
	Place      string            `json:"place"`
	References []ctxmcp.Artifact `json:"artifacts"`
	Inherited  []tasks.Inherited `json:"inherited,omitempty"`
	Below      []taskRow         `json:"tasks_below,omitempty"`
	Above      string            `json:"-"`
	Facts      []Line            `json:"-"`
}

func (p taskPage) title() string { return "Task " + name(p.ID) }

// task answers with one task: the one at the home in the address, or else the one that was saved last.
func (c *Console) task(v visit) (any, error) {
	found, err := c.o.Tasks.Browse(v.Context(), v.by, tasks.Browsing{ID: v.id, Limit: pageRows})
	if err != nil {
		return nil, err
	}
	home := v.URL.Query().Get("home")
	i := slices.IndexFunc(found, func(s tasks.State) bool { return home == "" || s.Home.Namespace() == home })
	if i < 0 {
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no task %q here", ctxmcp.Clip(v.id, 60)).WithHint("the list of tasks has all of them")
	}
	at := found[i].Home
	view, err := c.o.Tasks.Get(v.Context(), v.by, at, v.id)
	if err != nil {
		return nil, err
	}
	p := taskPage{State: view.State, Place: placeOf(at), References: view.References, Inherited: view.Inherited}
	if p.Parent != "" {
		p.Above = taskLink(p.Parent, at)
	}
	for field, value := range p.Metadata {
		p.Facts = append(p.Facts, Line{Name: field, Text: string(value)})
	}
	slices.SortFunc(p.Facts, func(a, b Line) int { return strings.Compare(a.Name, b.Name) })
	below, err := c.o.Tasks.Browse(v.Context(), v.by, tasks.Browsing{Parent: v.id, Limit: pageRows})
	for _, s := range below {
		if slices.Contains(s.Home.Ancestors(), at) {
			p.Below = append(p.Below, taskRowOf(s))
		}
	}
	return p, err
}
