package console

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/trail"
)

// trailPage is a page of the audit trail.
type trailPage struct {
	Action string      `json:"action,omitempty"`
	Object string      `json:"object,omitempty"`
	From   string      `json:"from,omitempty"`
	Until  string      `json:"until,omitempty"`
	Rows   []trailLine `json:"lines"`
	Next   string      `json:"next,omitempty"`
	Page   string      `json:"-"`
	Kinds  []string    `json:"-"`
}

func (trailPage) title() string { return "Audit trail" }

// trailLine is a line of the trail, with the pages of the things that it is about.
type trailLine struct {
	Seq    int64     `json:"seq"`
	At     time.Time `json:"at"`
	User   string    `json:"user"`
	Action string    `json:"action"`
	About  []string  `json:"objects"`
	Detail string    `json:"detail,omitempty"`
	under  string
}

// Link returns the address of a thing that the line is about, or "" where it has no page.
func (l trailLine) Link(id string) string {
	if l.under == "" || id == "" {
		return ""
	}
	return Base + l.under + "/" + url.PathEscape(id)
}

// trailKinds are the families of actions, and the pages of what they are about. Words that are not here are shown without a link.
var trailKinds = []struct{ family, under string }{
	{"remember", "memories"}, {"forget", "memories"}, {"restore", "memories"}, {"review", ""}, {"entity", "entities"}, {"put_artifact", "artifacts"},
	{"wrap_tool_result", "artifacts"}, {"reduce_messages", "conversations"}, {"save_task_state", "tasks"}, {"seal_packet", "contexts"},
	{"session_start", "sessions"}, {"session_action", "sessions"}, {"session_result", "sessions"}, {"session_ruling", "sessions"}, {"session_end", "sessions"},
}

func trailLineOf(e trail.Entry) trailLine {
	l := trailLine{Seq: e.Seq, At: e.At, User: e.User, Action: e.Action, About: strings.Fields(e.ObjectID), Detail: detailText(e.Detail)}
	family, _, _ := strings.Cut(e.Action, ".")
	for _, k := range trailKinds {
		if k.family == family {
			l.under = k.under
		}
	}
	return l
}

// detailText writes the details of a line for a person: those in JSON by name, without what says nothing.
func detailText(detail string) string {
	var fields map[string]any
	if json.Unmarshal([]byte(detail), &fields) != nil {
		return detail
	}
	var parts []string
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		switch value := fields[field].(type) {
		case nil, bool:
			if value == true {
				parts = append(parts, words(field))
			}
		case []any:
			if len(value) > 0 {
				parts = append(parts, words(field)+": "+strconv.Itoa(len(value)))
			}
		default:
			parts = append(parts, words(field)+": "+fmt.Sprint(value))
		}
	}
	return strings.Join(parts, ", ")
}

// trail answers with the lines that the address selects, the latest first.
func (c *Console) trail(v visit) (any, error) {
	ask := v.URL.Query()
	p := trailPage{Action: ask.Get("action"), Object: strings.TrimSpace(ask.Get("object")), From: ask.Get("from"), Until: ask.Get("until"), Rows: []trailLine{}}
	for _, k := range trailKinds {
		p.Kinds = append(p.Kinds, k.family)
	}
	q := trail.Query{Action: p.Action, Object: p.Object, Limit: pageRows + 1}
	var err error
	if q.From, err = instant("from", p.From); err != nil {
		return nil, err
	}
	if q.Until, err = instant("until", p.Until); err != nil {
		return nil, err
	}
	if before := ask.Get("behind"); before != "" {
		if q.Before, err = strconv.ParseInt(before, 10, 64); err != nil {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "behind is no line of the trail").WithHint("follow the link to the next page")
		}
	}
	found, err := c.o.Trail.List(v.Context(), v.by, q)
	if err != nil {
		return nil, err
	}
	if len(found) > pageRows {
		found = found[:pageRows]
		p.Next = strconv.FormatInt(found[pageRows-1].Seq, 10)
		ask.Set("behind", p.Next)
		p.Page = Base + "audit?" + ask.Encode()
	}
	for _, e := range found {
		p.Rows = append(p.Rows, trailLineOf(e))
	}
	return p, nil
}
