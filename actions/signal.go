package actions

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// signal is one thing that may be wrong with an action in its session. It says so, and decides nothing.
type signal struct {
	name string // sent and stored: append only
	doc  string
	find func(*view) []ctxmcp.Finding
	// later: a result can raise it too.
	later bool
}

// signals is the table, in the order in which findings are told.
var signals = []signal{
	{name: "instruction_echo", doc: "the action carries out a sentence of a result, and not what the user asked for", find: instructionEcho},
	{name: "tainted_destination", doc: "the action goes to an address that stands in free text of a result only", find: taintedDestination},
	{name: "foreign_authority", doc: "what decides the action stands only in a text that somebody else wrote, or such a text has just told the agent to act", find: foreignAuthority},
	{name: "exfiltration_path", doc: "what was read of high classification leaves for an address that the user did not name", find: exfiltrationPath},
	{name: "scope_expansion", doc: "the tool is outside of the expected scope", find: scopeExpansion},
	{name: "classification_escalation", doc: "more sensitive data was accessed than the request expects", find: classificationEscalation, later: true},
	{name: "unusual_sequence", doc: "a far-reaching action that the user did not ask for follows right on a read", find: unusualSequence},
	{name: "drift_detected", doc: "the actions are far from the request in meaning, or suddenly in words", find: drift},
	{name: "velocity_anomaly", doc: "actions come much faster than before", find: velocity},
	{name: "chain_length_warning", doc: "there are more actions than is usual", find: longChain},
	{name: "chain_length_exceeded", doc: "there are more actions than a chain should have", find: endlessChain},
}

// Signal is a row of the table, for documents and configuration.
type Signal struct{ Name, Doc string }

// Signals lists the signals.
func Signals() []Signal {
	var all []Signal
	for _, s := range signals {
		all = append(all, Signal{s.name, s.doc})
	}
	return all
}

// noSignals returns every signal that is on, none raised.
func noSignals(o Options) map[string]bool {
	raised := map[string]bool{}
	for _, s := range signals {
		if !slices.Contains(o.Disabled, s.name) {
			raised[s.name] = false
		}
	}
	return raised
}

// findings asks every signal about the action.
func (v *view) findings() []ctxmcp.Finding {
	all := []ctxmcp.Finding{}
	for _, s := range signals {
		if !slices.Contains(v.opts.Disabled, s.name) {
			all = append(all, v.found(s)...)
		}
	}
	return all
}

func (v *view) found(s signal) []ctxmcp.Finding {
	found := s.find(v)
	for i := range found {
		found[i].Signal = s.name
		if found[i].Evidence == nil {
			found[i].Evidence = []ctxmcp.Evidence{}
		}
	}
	return found
}

// afterResult returns the signals of the latest action, with those that its result raised.
func (a *accumulator) afterResult() map[string]bool {
	raised := map[string]bool{}
	for name, on := range a.signals {
		raised[name] = on
	}
	for _, s := range signals {
		if _, on := raised[s.name]; on && s.later && len(s.find(&view{accumulator: a})) > 0 {
			raised[s.name] = true
		}
	}
	return raised
}
