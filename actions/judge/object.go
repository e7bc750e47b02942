package judge

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

// removesToldOf reports whether an effect takes away a file by a whole path that only somebody else's text has, and the text tells to do something.
// Where no workspace is known, such a path counts as outside of it.
func (j Judge) removesToldOf(e effect.Effect) bool {
	return slices.ContainsFunc(e.Deciding, func(v effect.Value) bool {
		if v.Role != effect.Path || !strings.HasPrefix(v.Text, "/") && !strings.HasPrefix(v.Text, "~/") {
			return false
		}
		s := j.stands(v)
		return s.Told && (s.Authority == taint.OfText || s.Authority == taint.OfRecord && !j.Known.HandsOn() && !j.Known.AskedFor(requests[effect.Destroy], nil))
	})
}

// isOther reports whether an effect is about a code that a text names beside the one that was looked up.
func (j Judge) isOther(v effect.Value, s taint.Standing, a *Act) bool {
	about := v.Role == effect.Subject || v.Role == effect.Recipient
	return about && (a.Class.Danger() >= 3 || a.Class.Danger() == 2 && s.Itself) && j.Known.IsOther(v.Text)
}

// isUnverified reports whether an effect changes the security of an account that only a sentence names, and no record that was looked up: nobody has checked
// whose it is.
func isUnverified(v effect.Value, s taint.Standing, a *Act) bool {
	return a.Class == effect.Security && v.Role == effect.Recipient && s.Authority == taint.OfRecord && s.Told
}

// tellsOfOther takes the user's word from the end of a thing of which the user did not speak, where a text tells to end it.
func (j Judge) tellsOfOther(a *Act, c taint.Call, name []string) {
	if a.Class != effect.Destroy || a.Named || a.Shown != c.Tool || j.handsOn(a) {
		return
	}
	if s, told := j.Known.TellsOfOther(c, name); told {
		a.Elsewhere, a.Authority, a.Told, a.Speaks, a.Evidence = true, s.Authority, s.Told, s.Speaks, s.Evidence
	}
}

// copiesToStranger reports whether a copy of a message goes to an address that only somebody else's text has, while the message itself is for somebody
// who is the user's, or known: the user has not asked for one more reader. A user whose own record names the reader has asked for one.
func (j Judge) copiesToStranger(a *Act) bool {
	return a.Class == effect.Message && !j.handsOn(a) && slices.ContainsFunc(a.Standings, func(copied Standing) bool {
		if !strings.Contains(copied.Argument, "cc") || copied.Authority != taint.OfText && copied.Authority != taint.OfRecord {
			return false
		}
		return slices.ContainsFunc(a.Standings, func(s Standing) bool {
			return (s.Authority == taint.OfUser || s.Authority == taint.OfKnown) && strings.Contains(s.Text, "@") && s.Role == effect.Recipient
		}) && !slices.ContainsFunc(a.Standings, func(s Standing) bool { return s.Text != copied.Text && j.Known.InRecordOf(copied.Text, s.Text) })
	})
}

// setsNamed reports whether an effect changes the record of a name on the network that the user said as it is: who has a name point elsewhere has spoken of
// its record.
func (j Judge) setsNamed(a *Act) bool {
	named, zone := false, zoneOf(a)
	for _, v := range a.Deciding {
		host := effect.HostOf(v.Text)
		if zone != "" && host == "" && strings.HasSuffix(v.Argument, "/name") { // a name within its zone
			host = strings.ToLower(v.Text) + "." + zone
		} else if v.Role != effect.Host || host != v.Text {
			continue
		}
		if strings.HasSuffix(v.Argument, "name") && !j.Known.SaysHost(host) {
			return false
		}
		named = named || strings.HasSuffix(v.Argument, "name")
	}
	return named && a.Class == effect.Security && j.Known.AsksSomething()
}

// zoneOf returns the zone that an effect names beside the names in it, "" for none.
func zoneOf(a *Act) string {
	for _, v := range a.Deciding {
		if host := effect.HostOf(v.Text); v.Role == effect.Host && host == v.Text && (strings.HasSuffix(v.Argument, "/zone") || strings.HasSuffix(v.Argument, "/domain") || strings.HasSuffix(v.Argument, "zone_name")) {
			return host
		}
	}
	return ""
}

// setsToGiven reports whether an effect sets something to an address that the user gave, and to no other: who gives the address has spoken of it.
func setsToGiven(a *Act) bool {
	given := false
	for _, s := range a.Standings {
		switch {
		case s.Authority == taint.OfUser && s.Role == effect.Host && strings.ContainsAny(s.Text, "@:") && !strings.HasPrefix(effect.HostOf(s.Text), "0."):
			given = true
		case s.Authority == taint.OfText, s.Authority == taint.OfRecord, s.Role == effect.Host && s.Authority != taint.OfUser:
			return false
		}
	}
	return given && a.Class == effect.Security
}
