package actions

import (
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// instructionEcho finds the sentence that the action carries out.
func instructionEcho(v *view) []ctxmcp.Finding {
	e := v.echo()
	if e == nil || !e.Harms {
		return nil
	}
	evidence := v.known.Evidence(e)
	said := saidEcho
	if e.Bare() {
		said = saidEchoBare
	}
	return []ctxmcp.Finding{{
		Why:      said.With(e.Call.Tool, evidence[0].Source, strings.Join(e.Indicators, ", ")),
		Evidence: evidence,
	}}
}

// taintedDestination finds addresses of what reaches out that only free text of results has.
func taintedDestination(v *view) []ctxmcp.Finding {
	var found []ctxmcp.Finding
	for _, c := range v.calls {
		if v.known.KindOf([]taint.Call{c}) == ctxmcp.ReadAction {
			continue
		}
		for _, e := range v.known.Destinations(c) {
			found = append(found, ctxmcp.Finding{
				Why:      saidAddress.With(e.Argument),
				Evidence: []ctxmcp.Evidence{e},
			})
		}
	}
	return found
}

// foreignAuthority finds the effects that can do harm and stand on the word of a text that somebody else wrote.
func foreignAuthority(v *view) []ctxmcp.Finding {
	for _, acts := range v.acts {
		for _, a := range acts {
			if a.Class.Danger() < 2 || a.Authority != taint.OfText && (!a.Spurred || a.Asked) {
				continue
			}
			return []ctxmcp.Finding{{
				Why:      saidTextSays.With(strconv.Quote(ctxmcp.Shorten(a.Shown, shownEffect)), a.Class.Doc()),
				Evidence: a.Evidence,
			}}
		}
	}
	return nil
}

const shownEffect = 80 // characters of a command or an address in a finding

// exfiltrationPath finds what was read of high classification in the arguments of an action that goes to an address which the
// user did not name.
func exfiltrationPath(v *view) []ctxmcp.Finding {
	for _, c := range v.calls {
		if k := v.known.KindOf([]taint.Call{c}); k != ctxmcp.OutboundAction && k != ctxmcp.UnknownAction {
			continue
		}
		if l := v.known.Leak(c); l != nil {
			return []ctxmcp.Finding{{
				Why:      saidLeak.With(string(l.Class), l.To),
				Evidence: []ctxmcp.Evidence{l.Evidence},
			}}
		}
	}
	return nil
}
