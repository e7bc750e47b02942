package memory

import (
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// verdict names the one of two claims in one slot that holds for the time that both claim.
type verdict string

const (
	undecided verdict = ""     // this protocol cannot tell
	newHolds  verdict = "new"  // the held claim loses the shared time
	heldHolds verdict = "held" // the new claim loses it
	bothHold  verdict = "both" // they do not contradict each other
	neither   verdict = "neither"
)

// ruling is a verdict with the mark of the loser in the shared time, and the reason. A loser without a mark has no version
// there: it never claimed more than its rest.
type ruling struct {
	verdict verdict
	mark    ctxmcp.ContradictionStatus
	reason  string
}

// dispute is a new claim and a held one that share a slot and some time.
type dispute struct {
	new, held ctxmcp.ContextObject
	begun     time.Time // when the held claim began: with the earliest version of its object
	dated     bool      // the caller said when the new claim begins
	now       time.Time
	alike     bool // they claim the same, under whatever names
}

// protocol is one step of reconciliation. The first that can tell decides.
type protocol struct {
	name string
	doc  string
	rule func(dispute) ruling
}

// protocols is the order of reconciliation: claims that agree are no conflict, then the update path, then authority, then web
// origin, then valid time, then the recency of the report, then trust. Claims that none of them tells apart are a true
// contradiction: both are quarantined for the time that they share, and a person is asked.
var protocols = [...]protocol{
	{"agreement", "the same value in other words stands beside the first, or takes its place if it says all of it", byAgreement},
	{"update path", "the source that the held claim names as its update path brings it up to date", byUpdatePath},
	{"authority", "the claim on higher authority holds; the other is overridden or quarantined", byAuthority},
	{"origin", "what two web domains say is each one's own: neither displaces the other", byOrigin},
	{"valid time", "the claim that begins later holds from then on, by the table of Allen's relations", byValidTime},
	{"report", "one source that says something else of the same time, and dates neither, corrects itself", byReport},
	{"trust", "the better trusted and surer source holds; the other is disputed", byTrust},
}

// arbitrate returns which of the two claims holds.
func arbitrate(d dispute) ruling {
	for _, p := range protocols {
		if r := p.rule(d); r.verdict != undecided {
			return r
		}
	}
	return ruling{neither, ctxmcp.Quarantined, "equal in authority, time and trust: a true contradiction"}
}

func byAgreement(d dispute) ruling {
	switch {
	case !d.alike:
		return ruling{}
	case !slices.Equal(d.new.Domains, d.held.Domains):
		return ruling{bothHold, "", "the same value, learned elsewhere"}
	case d.held.ContradictionStatus == ctxmcp.Quarantined:
		return ruling{heldHolds, ctxmcp.Quarantined, "the same claim is in an open conflict"}
	case !d.held.Authority.Outranks(d.new.Authority) && saysAll(d.new, d.held):
		return ruling{newHolds, ctxmcp.Overridden, "the new words say all that the held ones do"}
	default:
		return ruling{bothHold, "", "the same value in other words"}
	}
}

// byUpdatePath lets a system of record update a claim that names it, whatever authority made the claim. A web page is no such
// system: its own word would count.
//
// It also keeps others from undoing that: between equals, only the update path replaces a claim that names one.
func byUpdatePath(d dispute) ruling {
	record := d.new.SourceKind == ctxmcp.ToolOutput || d.new.SourceKind == ctxmcp.Document || d.new.SourceKind == ctxmcp.System
	switch {
	case d.held.UpdatePath == "" || d.new.ValidFrom.Before(d.begun):
		return ruling{}
	case record && d.new.SourceOrigin == d.held.UpdatePath:
		return ruling{newHolds, ctxmcp.Overridden, "it comes from the update path of the held claim"}
	case d.new.Authority == ctxmcp.AuthorityRetrieved && d.held.Authority == ctxmcp.AuthorityRetrieved:
		return ruling{heldHolds, ctxmcp.Quarantined, "the held claim is brought up to date from its update path alone"}
	default:
		return ruling{}
	}
}

func byAuthority(d dispute) ruling {
	switch {
	case d.new.Authority.Outranks(d.held.Authority):
		return ruling{newHolds, ctxmcp.Overridden, "the new claim stands on higher authority"}
	case d.held.Authority.Outranks(d.new.Authority):
		return ruling{heldHolds, ctxmcp.Quarantined, "the held claim stands on higher authority"}
	default:
		return ruling{}
	}
}

func byOrigin(d dispute) ruling {
	if otherDomains(d.new, d.held) {
		return ruling{bothHold, "", "learned from different web domains"}
	}
	return ruling{}
}

// allen rules by the relation of the new claim's time to the held one's which holds for the time that they share. The rule behind
// all of it: a claim holds from its beginning until one of equal authority that began later. So a late arrival, a
// backdated correction and an announcement all land where they belong, whenever they are told.
var allen = map[ctxmcp.Relation]ruling{
	ctxmcp.Before: {bothHold, "", "the new claim ended before the held one began"},
	ctxmcp.Meets:  {bothHold, "", "the new claim ends at the instant at which the held one begins"},
	ctxmcp.MetBy:  {bothHold, "", "the held claim ends at the instant at which the new one begins"},
	ctxmcp.After:  {bothHold, "", "the held claim ended before the new one begins"},

	ctxmcp.Overlaps:   {heldHolds, "", "the held claim began later: the new one holds until then"},
	ctxmcp.FinishedBy: {heldHolds, "", "the held claim began later, and both end together: the new one holds until then"},
	ctxmcp.Contains:   {heldHolds, "", "the held claim began later and ends earlier: it splits the new one"},

	ctxmcp.OverlappedBy: {newHolds, ctxmcp.Overridden, "the new claim began later and ends later: the held one is cut at its beginning"},
	ctxmcp.Finishes:     {newHolds, ctxmcp.Overridden, "the new claim began later, and both end together: the held one is cut at its beginning"},
	ctxmcp.During:       {newHolds, ctxmcp.Overridden, "the new claim began later and ends earlier: it splits the held one"},

	ctxmcp.Starts:    {reason: "both began together: time does not tell them apart"},
	ctxmcp.StartedBy: {reason: "both began together: time does not tell them apart"},
	ctxmcp.Equals:    {reason: "both hold for the same time: time does not tell them apart"},
}

func byValidTime(d dispute) ruling {
	return allen[d.new.Valid().Relation(ctxmcp.Interval{From: d.begun, To: d.held.ValidUntil})]
}

// byReport lets a source correct itself. A claim without a date begins when it is reported, or when its report was observed:
// two of one instant are a correction, while two that are dated alike contradict each other.
func byReport(d dispute) ruling {
	if d.dated || !sameSource(d.new, d.held) {
		return ruling{}
	}
	return ruling{newHolds, ctxmcp.Overridden, "the same source said otherwise since"}
}

// sameSource reports whether two objects come from one author through one source.
func sameSource(a, b ctxmcp.ContextObject) bool {
	return a.SourceKind == b.SourceKind && a.SourceOrigin == b.SourceOrigin && a.Author == b.Author
}

func byTrust(d dispute) ruling {
	switch by := compareTrust(d.new, d.held, d.now); {
	case by > 0:
		return ruling{newHolds, ctxmcp.Disputed, "the new claim is from a better trusted or surer source"}
	case by < 0:
		return ruling{heldHolds, ctxmcp.Disputed, "the held claim is from a better trusted or surer source"}
	default:
		return ruling{}
	}
}

// compareTrust compares the trust in two sources, then the confidence in their words, as it has faded.
func compareTrust(a, b ctxmcp.ContextObject, now time.Time) int {
	if a.SourceAuthority != b.SourceAuthority {
		return sign(a.SourceAuthority - b.SourceAuthority)
	}
	return sign(a.Confidence(now) - b.Confidence(now))
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	default:
		return 0
	}
}
