package compiler

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// address matches what data can be sent to: the host of a link, and that of a mail address.
var address = language.NewPattern(`(?i)(?:\bhttps?://|\bwww\.|[\w.+-]@)([a-z0-9-]+(?:\.[a-z0-9-]+)+)`)

// hostsIn returns the hosts of the addresses in a text.
func hostsIn(text string) (all []string) {
	for _, m := range address.FindAllStringSubmatch(text, -1) {
		all = append(all, strings.ToLower(m[1]))
	}
	return all
}

// traceAddresses keeps what an agent inferred from carrying an address into the guidance that nobody with a say has named: one that was learned
// from others makes the whole of it data, as what it was learned from; any other leaves it a fact.
func (s *state) traceAddresses() {
	learned, named := map[string]bool{}, map[string]bool{}
	note := func(into map[string]bool, text string) {
		for _, h := range hostsIn(text) {
			into[h] = true
		}
	}
	for _, it := range s.items {
		switch {
		case it.contained || it.Kind == KindMemory && (it.Object.Authority >= ctxmcp.AuthorityRetrieved || len(it.Object.Domains) > 0):
			note(learned, it.text)
			for _, d := range it.Object.Domains {
				learned[strings.ToLower(d)] = true
			}
		case it.Object.Authority <= ctxmcp.AuthorityUser:
			note(named, it.text)
		}
	}
	note(named, s.said)
	for i := range s.history {
		for j := range s.history[i].forms[0].messages {
			if m := &s.history[i].forms[0].messages[j]; m.Role == conversation.User {
				note(named, saidBy(m))
			}
		}
	}
	for _, it := range s.live() {
		if it.Kind != KindMemory || it.contained || it.Object.Authority <= ctxmcp.AuthorityUser {
			continue
		}
		for _, h := range hostsIn(it.text + " " + it.Object.BehavioralImplication) {
			switch {
			case named[h]:
			case learned[h]:
				it.contained = true
			default:
				it.capped = "it names an address that the user has not"
			}
		}
	}
}
