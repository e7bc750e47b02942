package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
	"github.com/ctx-mcp/ctx-mcp/hook/wire"
)

// Policy says what becomes of a call that nothing could judge. The words are settings: append only.
type Policy string

// The policies.
const (
	Dangerous Policy = "dangerous" // what only reads goes on, everything else is denied
	Closed    Policy = "closed"    // it is denied
	Open      Policy = "open"      // it goes on
)

// Policies lists the vocabulary.
func Policies() []Policy { return []Policy{Dangerous, Closed, Open} }

// Answer returns the answer to an event that could not be handled, because of err. It says so to the client's user, and a call that is denied
// says why to the model.
func (p Policy) Answer(client string, input []byte, err error) Answer {
	why := saidUnasked.With(strings.TrimSuffix(message(err), "."))
	e, r, unread := readEvent(client, input)
	f, known := forms()[client]
	switch {
	case known && unread != nil && p.stopsUnread(client, e, r, input):
		out := Answer{Exit: 2} // clients let a call pass on any other failure
		if f.blocks != nil {
			out = f.answer(f.blocks)
		}
		out.Stderr = "ctx-mcp: " + message(err) + "\n"
		return out
	case !known || unread != nil:
		return Answer{Stderr: "ctx-mcp: " + message(err) + "\n", Exit: 1}
	case r.Moment == BeforeTool && !e.own(client) && p.stops(e):
		return f.answer(f.denies(e.Name, why+saidDenied.With(string(p))))
	case r.Moment == AfterTool && p == Closed && f.replacing(e, r) && !e.own(client):
		withheld := why + saidWithheld.With(string(p))
		whole, _ := json.Marshal(withheld) // a string is always JSON
		return f.answer(f.replaces(e.Name, whole, withheld))
	case r.Moment == BeforeTool:
		return f.answer(f.notes(why + p.goesOn(client, e)))
	}
	return f.answer(f.notes(why))
}

// goesOn returns why the call of an event goes on.
func (p Policy) goesOn(client string, e event) string {
	switch {
	case e.own(client):
		return saidOwnGoesOn.With()
	case p == Dangerous:
		return saidReadGoesOn.With(string(p))
	}
	return saidGoesOn.With(string(p))
}

// stopsUnread reports whether an event that could not be read is stopped. A possible call is, unless calls go on unjudged; an input without a sign of a
// call is stopped only under Closed.
func (p Policy) stopsUnread(client string, e event, r Row, input []byte) bool {
	switch {
	case p == Open || e.Name != "" && r.Moment != BeforeTool:
		return false
	case p == Closed || e.Name != "":
		return true
	}
	if len(input) >= wire.MaxField { // its end was not read
		return true
	}
	for _, sign := range signsOfCalls(client) {
		if bytes.Contains(input, []byte(`"`+sign+`"`)) {
			return true
		}
	}
	return false
}

// signsOfCalls lists the words in quotation marks of which the input of a call has one, whatever else is wrong with it.
func signsOfCalls(client string) []string {
	signs := []string{"tool_name", "tool_input", "toolName", "tool_call"}
	for _, r := range Rows() {
		if r.Client == client && r.Moment == BeforeTool {
			signs = append(signs, r.Event)
		}
	}
	return signs
}

// stops reports whether the call of an event is denied.
func (p Policy) stops(e event) bool {
	if p == Dangerous {
		c := e.call()
		calls, err := taint.Resolve(context.Background(), c.Tool, c.Operation, taint.DecodeObject(context.Background(), c.Arguments))
		return err != nil || taint.New().KindOf(calls) != ctxmcp.ReadAction
	}
	return p != Open
}

// message returns what an error says to a person.
func message(err error) string {
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok {
		return e.Message
	}
	return "an internal error"
}
