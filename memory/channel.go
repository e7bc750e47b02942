package memory

import (
	"cmp"
	"net/url"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// channel holds the properties that a source kind gives an object: authority comes from the channel, never from a text.
type channel struct {
	authority  ctxmcp.Authority
	trust      float64 // source_authority, unless the caller's own bound lowers it
	confidence float64 // where the caller gives none
	scheme     string  // of an origin that is not a URI
	objectType ctxmcp.ObjectType
}

var channels = map[ctxmcp.SourceKind]channel{
	ctxmcp.System:        {ctxmcp.AuthorityDeveloper, 1.0, 1.0, "system", ctxmcp.PolicyRule},
	ctxmcp.UserStatement: {ctxmcp.AuthorityUser, 0.9, 0.95, "user", ctxmcp.IdentityFact},
	ctxmcp.Inference:     {ctxmcp.AuthorityInferred, 0.6, 0.7, "agent", ctxmcp.InferredBelief},
	ctxmcp.ToolOutput:    {ctxmcp.AuthorityRetrieved, 0.5, 0.8, "tool", ctxmcp.RetrievedPassage},
	ctxmcp.Document:      {ctxmcp.AuthorityRetrieved, 0.5, 0.8, "document", ctxmcp.RetrievedPassage},
	ctxmcp.Web:           {ctxmcp.AuthorityRetrieved, 0.3, 0.5, "web", ctxmcp.RetrievedPassage},
}

// authorityFor returns the level that the caller may give a draft of the kind. It returns CodeDenied for a rule from a
// caller that may not make rules; a statement that the caller may not attest counts as an inference.
func (c channel) authorityFor(by ctxmcp.Caller) (ctxmcp.Authority, error) {
	if c.authority == ctxmcp.AuthorityDeveloper && by.Authority > ctxmcp.AuthorityDeveloper {
		return 0, ctxmcp.Errorf(ctxmcp.CodeDenied, "source.kind system is for operators").
			WithHint("leave source.kind out for what you concluded: it is an inference then")
	}
	return max(c.authority, by.Authority), nil
}

// object returns the first version of the draft's object, without ids and transaction time.
func (d *Draft) object(by ctxmcp.Caller, now time.Time) (ctxmcp.ContextObject, error) {
	ch := channels[d.kind()]
	authority, err := ch.authorityFor(by)
	if err != nil {
		return ctxmcp.ContextObject{}, err
	}
	if authority > ch.authority {
		ch.trust = min(ch.trust, channels[ctxmcp.Inference].trust)
	}
	if d.platform {
		authority = ctxmcp.AuthorityPlatform
	}
	layer := layers[d.level()]
	if err := layer.admits(by, d.level(), d.Scope); err != nil {
		return ctxmcp.ContextObject{}, err
	}
	authority = max(authority, layer.highest)
	class := cmp.Or(d.Classification, ctxmcp.Restricted)
	if !by.Cleared(class) {
		return ctxmcp.ContextObject{}, ctxmcp.Errorf(ctxmcp.CodeDenied, "classification %q is above your clearance", class).
			WithHint("name a classification up to %q", by.Ceiling())
	}
	o := ctxmcp.ContextObject{
		Content: d.Content, NormalizedClaim: d.Claim.String(), Claim: d.Claim,
		ObjectType: cmp.Or(d.ObjectType, cmp.Or(layer.object, d.objectType(ch))), CanonicalEntityIDs: []string{},
		SourceKind: d.kind(), SourceOrigin: originURI(d.Source.Origin, ch, by), SourceAuthority: ch.trust,
		ConfidenceScore: ch.confidence, Authority: authority, Author: d.Author,
		Classification: class, PermissionScope: d.Permissions,
		TenantID: by.Tenant, UserID: d.Scope.User, ProjectID: d.Scope.Project, SessionID: d.Scope.Session,
		TaskID: d.Scope.Task, Layer: d.level(),
		ValidFrom: d.validFrom(now), ValidUntil: ctxmcp.Instant(d.ValidUntil), TxStart: now,
		LastConfirmed: now, ObservedAt: ctxmcp.Instant(d.ObservedAt),
		WhyItMatters: d.WhyItMatters, ApplicableTaskTypes: append([]ctxmcp.TaskType{}, d.TaskTypes...),
		BehavioralImplication: d.BehavioralImplication, ContradictionStatus: ctxmcp.Clean,
		DecayRule: d.Decay, UpdatePath: d.UpdatePath, RetirementRule: cmp.Or(d.RetirementRule, ctxmcp.Archive),
		DerivedFrom: d.DerivedFrom, Domains: d.domains(),
	}
	if d.Source.Confidence != nil {
		o.ConfidenceScore = *d.Source.Confidence
	}
	return o, nil
}

// objectType returns the type of a draft of the channel that names none: a user's statement about a project is a decision.
func (d *Draft) objectType(ch channel) ctxmcp.ObjectType {
	if ch.objectType == ctxmcp.IdentityFact && d.level() != ctxmcp.UserLayer {
		return ctxmcp.ProjectDecision
	}
	return ch.objectType
}

// scheme matches the beginning of a URI; the rest may be redacted.
var scheme = language.NewPattern(`^[A-Za-z][A-Za-z0-9+.-]*:\S*$`)

// UsualOrigin returns where what a caller tells over a channel is from, if the caller does not say.
func UsualOrigin(by ctxmcp.Caller, kind ctxmcp.SourceKind) string {
	return originURI("", channels[kind], by)
}

// originURI returns a URI for where a draft comes from. A name without a scheme gets the channel's.
func originURI(given string, ch channel, by ctxmcp.Caller) string {
	if scheme.MatchString(given) {
		return given
	}
	if given == "" {
		given = by.User
	}
	return ch.scheme + "://" + url.PathEscape(given)
}
