package compiler

import (
	"fmt"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/envelope"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// The shares of what the conversation and the results of the request have of the budget, in hundredths.
const (
	roomyShare   = 40 // a conversation that takes no more is shown as it is
	newestShare  = 50 // for the results of the last calls together
	olderShare   = 8  // for each result before them
	keptShare    = 35 // what stands before the end of the conversation that takes this much may find no room, and is kept
	leastResult  = 150
	worthKeeping = 150 // tokens of a result for which a reference is shorter
	stretchOf    = 20  // messages of a part of the conversation that is kept, at the least
	mostParts    = 8   // of the conversation
)

// conversation reads the need of the step, and prepares what of the conversation may find no room: long results in shorter forms, and what
// stands far back as artifacts.
func (g *gathering) conversation() error {
	r := &g.in.Request
	read, err := readMessages(r.Messages)
	if err != nil {
		return err
	}
	said, read := turnOf(r.UserMessage, read)
	if strings.TrimSpace(g.ask.Query) == "" {
		if r.Need = needOf(said, read); len(r.Need) > 0 && r.Need[0].Weight == 1 {
			r.Query, r.Need = r.Need[0].Text, r.Need[1:]
		}
	}
	if area := areaNeed(said, *r); area.Text != "" {
		r.Need = append(r.Need, area)
	}
	c := counted(g.Counter(g.ask.Model), read)
	roomy := r.MaxTokens*roomyShare/100 >= c.total()
	if err := g.pastResults(read, c, roomy); err != nil || roomy {
		return err
	}
	return g.stretches(read, c)
}

// count is the tokens of each message of a conversation.
type count []int

func counted(c Counter, read []conversation.Message) count {
	all := make(count, len(read))
	for i := range read {
		all[i] = c.Count(sentText(&read[i]))
	}
	return all
}

func (c count) total() (n int) {
	for _, each := range c {
		n += each
	}
	return n
}

// pastResults says which results of the conversation speak to a model, and makes shorter forms of those that are long.
func (g *gathering) pastResults(read []conversation.Message, c count, roomy bool) error {
	counter := g.Counter(g.ask.Model)
	newest := lastCaller(read)
	shortened := callerBefore(read, fullTurns) // the results behind it may be shown cut
	waiting := 0                               // results of the last calls
	for i := newest + 1; newest >= 0 && i < len(read); i++ {
		waiting += len(read[i].Answers())
	}
	tools, number := map[string]string{}, 0
	for i := range read {
		for j := range read[i].Parts {
			p := &read[i].Parts[j]
			if p.Kind == conversation.Call {
				tools[p.ID] = p.Name
			}
			if p.Kind != conversation.Result {
				continue
			}
			past := PastResult{Number: number, Warnings: g.markers(p.Text)}
			number++
			if size := counter.Count(p.Text); !roomy && size > worthKeeping {
				limit := g.in.Request.MaxTokens * olderShare / 100
				if newest >= 0 && i > newest {
					limit = g.in.Request.MaxTokens * newestShare / 100 / max(waiting, 1)
				}
				var err error
				if i <= shortened {
					limit = size // it is shown by reference, or whole
				}
				if past.Shorter, err = g.shorter(p.Text, tools[p.ID], size, max(limit, leastResult)); err != nil {
					return err
				}
			}
			if len(past.Shorter) > 0 || len(past.Warnings) > 0 {
				g.in.Results = append(g.in.Results, past)
			}
			if err := g.ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// lastCaller returns the place of the last message that calls tools; -1 if there is none.
func lastCaller(read []conversation.Message) int { return callerBefore(read, 0) }

// callerBefore returns the place of the last message but so many that calls tools; -1 if there is none.
func callerBefore(read []conversation.Message, after int) int {
	for i := len(read) - 1; i >= 0; i-- {
		if len(read[i].Calls()) > 0 {
			if after == 0 {
				return i
			}
			after--
		}
	}
	return -1
}

// shorter keeps a result of the conversation, once however often it comes by, and returns its shorter forms.
func (g *gathering) shorter(text, tool string, size, limit int) ([]Form, error) {
	if tool == "" {
		tool = "tool"
	}
	a, err := g.keepOnce(artifacts.Draft{Content: text, Type: "tool_result", Tool: containment.OneLine(tool)})
	if err != nil || a.ID == "" {
		return nil, err
	}
	var forms []Form
	if size > limit {
		short, err := g.Results.Shorten(g.ctx, envelope.Result{CallID: "past", Tool: tool, MaxTokens: limit, Question: g.question()}, text, a)
		if err != nil {
			return nil, err
		}
		forms = append(forms, Form{"trimmed", short})
	}
	return append(forms, Form{"reference", fmt.Sprintf("%d characters left out here, for want of room: get_artifact artifact_id=%s", len([]rune(text)), a.ID)}), nil
}

// keepOnce keeps a text that was redacted, unless the scope has it; without a keeper it returns an artifact without an id.
func (g *gathering) keepOnce(d artifacts.Draft) (ctxmcp.Artifact, error) {
	if g.Keeper == nil {
		return ctxmcp.Artifact{}, nil
	}
	a, err := g.Keeper.KeepOnce(g.ctx, g.by, g.at, d, artifacts.Original{})
	if err == nil {
		g.sources = append(g.sources, packets.Artifact(a))
	}
	return a, err
}

// stretches keeps the parts of the conversation that may find no room.
func (g *gathering) stretches(read []conversation.Message, c count) error {
	old, tail := len(read), 0
	for old > 0 && tail <= g.in.Request.MaxTokens*keptShare/100 {
		old--
		tail += c[old]
	}
	size := stretchOf
	for (old+size-1)/size > mostParts {
		size *= 2
	}
	for first := 0; first < old; first += size {
		end := min(first+size, len(read))
		if first+size > len(read) { // so that it is another one on few steps only
			end = min(first+(old-first+stride-1)/stride*stride, len(read))
		}
		var b strings.Builder
		for i := first; i < end; i++ {
			fmt.Fprintf(&b, "%s: %s\n", read[i].Role, strings.TrimSpace(sentText(&read[i])))
		}
		a, err := g.keepOnce(artifacts.Draft{Content: b.String(), Type: "conversation", MediaType: "text/plain; charset=utf-8"})
		if err != nil || a.ID == "" {
			return err
		}
		g.in.Stretches = append(g.in.Stretches, Stretch{first, end, a.ID})
	}
	return nil
}
