package judge

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// ReadsWeb reports whether an effect reads a public page: of a site that the user did not name, since no account of the user's is known there, and to which the
// agent came by itself or in a session that searched the web, not by a link in the user's mail or files.
func (a Act) ReadsWeb(searched bool) bool {
	if a.Class != effect.NetworkRead || a.Authority != taint.OfAgent && (a.Authority == taint.OfUser || !searched) {
		return false
	}
	for _, v := range a.Deciding {
		if v.Role == effect.Host && strings.Contains(v.Text, "://") && !effect.IsOwn(effect.HostOf(v.Text)) {
			return true
		}
	}
	return false
}

// besidePage reports whether neither the user nor a result names the page of an address, while the user named another page of its host: a page that is named
// allows no run of its neighbours.
func (j Judge) besidePage(v effect.Value) bool {
	return v.Role == effect.Host && !j.Known.SeenWhole(v.Text) && j.Known.SaysPage(effect.HostOf(v.Text))
}

// cited reports whether an address in a text of a call is cited only: no text that has it urges the act of the call. To write down an address, or to
// hand it on to somebody whom the user named, sends nothing there.
func (j Judge) cited(v effect.Value, c effect.Class, call taint.Call, name []string) bool {
	return v.Role == effect.Content && c.Danger() == 2 && (j.Known.SeenWhole(v.Text) || j.Known.Gave(v.Text)) && !j.Known.Urges(v.Text, call, name)
}
