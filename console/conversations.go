package console

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/reduce"
	"github.com/ctx-mcp/ctx-mcp/trail"
)

// conversationsPage is a list of reductions, the latest first.
type conversationsPage struct {
	Rows []epochRow `json:"reductions"`
	Next string     `json:"next,omitempty"`
	Page string     `json:"-"`
}

func (conversationsPage) title() string { return "Conversations" }

// epochRow is one reduction of a conversation.
type epochRow struct {
	reduce.Epoch
	At           time.Time `json:"at"`
	Conversation string    `json:"conversation,omitempty"` // the first archive names it; empty: nothing was moved out
	Archives     []string  `json:"archives"`               // what the digest stands for
	Before       []bar     `json:"-"`
	After        []bar     `json:"-"`
}

func epochOf(e trail.Entry) epochRow {
	row := epochRow{At: e.At, Archives: strings.Fields(e.ObjectID)}
	_ = json.Unmarshal([]byte(e.Detail), &row.Epoch) // of a later version: what is known is shown
	if len(row.Archives) > 0 {
		row.Conversation = row.Archives[0]
	}
	scale := max(row.TokensBefore, row.Limit)
	row.Before, row.After = []bar{{Name: "before", Tokens: row.TokensBefore}}, []bar{{Name: "after", Tokens: row.TokensAfter}}
	place(row.Before, scale)
	place(row.After, scale)
	return row
}

// conversations answers with a page of the list.
func (c *Console) conversations(v visit) (any, error) {
	q := trail.Query{Action: reduce.ReduceAction, Limit: pageRows + 1}
	var err error
	if behind := v.URL.Query().Get("behind"); behind != "" {
		if q.Before, err = strconv.ParseInt(behind, 10, 64); err != nil {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "behind is no place of a list").WithHint("follow the link to the next page")
		}
	}
	found, err := c.o.Trail.List(v.Context(), v.by, q)
	if err != nil {
		return nil, err
	}
	p := conversationsPage{Rows: []epochRow{}}
	if len(found) > pageRows {
		found = found[:pageRows]
		p.Next = strconv.FormatInt(found[pageRows-1].Seq, 10)
		p.Page = Base + "conversations?behind=" + url.QueryEscape(p.Next)
	}
	for _, e := range found {
		p.Rows = append(p.Rows, epochOf(e))
	}
	return p, nil
}

// conversationPage is the reductions of one conversation in their order, with the artifacts that keep what was moved out.
type conversationPage struct {
	ID     string      `json:"conversation"`
	Epochs []epochPart `json:"epochs"`
}

func (p conversationPage) title() string { return "Conversation " + name(p.ID) }

// epochPart is one reduction with what it moved out.
type epochPart struct {
	epochRow
	Kept []ctxmcp.Artifact `json:"kept"`
	Said []movedText       `json:"moved_texts"`    // their beginnings
	Gone []string          `json:"gone,omitempty"` // ids of artifacts that have had their time
}

// conversation answers with the reductions of one conversation.
func (c *Console) conversation(v visit) (any, error) {
	found, err := c.o.Trail.List(v.Context(), v.by, trail.Query{Action: reduce.ReduceAction, Object: v.id, Limit: mostFound})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "no reduction of a conversation kept anything in %q", ctxmcp.Clip(v.id, 60)).WithHint("the list of conversations has all of them")
	}
	p, left := conversationPage{ID: v.id}, mostBeginnings
	for _, e := range slices.Backward(found) {
		part := epochPart{epochRow: epochOf(e), Kept: []ctxmcp.Artifact{}, Said: []movedText{}}
		for _, id := range part.Moved {
			a, err := c.o.Artifacts.Owned(v.Context(), v.by, id)
			switch {
			case err == nil:
				part.Kept = append(part.Kept, a)
			case ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound:
				part.Gone = append(part.Gone, id)
			default:
				return nil, err
			}
		}
		for _, a := range part.Kept[:min(len(part.Kept), left)] {
			text, err := c.beginning(v, a)
			if err != nil {
				return nil, err
			}
			part.Said, left = append(part.Said, text), left-1
		}
		p.Epochs = append(p.Epochs, part)
	}
	return p, nil
}

// movedText is the beginning of a text that was moved out of a conversation.
type movedText struct {
	Artifact string `json:"artifact_id"`
	Text     string `json:"text"`
	More     bool   `json:"more,omitempty"`
}

// The bounds of the beginnings that a page shows.
const (
	movedTokens    = 400 // of each
	mostBeginnings = 20
)

// beginning reads the beginning of an artifact.
func (c *Console) beginning(v visit, a ctxmcp.Artifact) (movedText, error) {
	s, err := c.o.Artifacts.Read(v.Context(), v.by, a.Home, artifacts.Ask{ID: a.ID, MaxTokens: movedTokens})
	return movedText{a.ID, s.Content, s.NextOffset != nil}, err
}
