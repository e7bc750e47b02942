package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Draft is a request to remember. Only Content is required; Scope is resolved already.
type Draft struct {
	Content               string
	Author                string // who said it
	ObservedAt            time.Time
	ObjectType            ctxmcp.ObjectType
	Claim                 ctxmcp.Claim
	WhyItMatters          string
	TaskTypes             []ctxmcp.TaskType
	BehavioralImplication string
	Source                Source
	Level                 ctxmcp.Layer
	Classification        ctxmcp.Classification
	Permissions           ctxmcp.PermissionScope
	ValidFrom             time.Time
	ValidUntil            time.Time
	Supersedes            string // object id
	Decay                 *ctxmcp.DecayRule
	RetirementRule        ctxmcp.RetirementRule
	UpdatePath            string
	DerivedFrom           []string // object ids
	IdempotencyKey        string
	Scope                 ctxmcp.Scope

	platform bool // a platform rule of the configuration
}

// Source says where a draft comes from. Confidence is in [0, 1]; nil takes the kind's own.
type Source struct {
	Kind       ctxmcp.SourceKind
	Origin     string
	Confidence *float64
}

// kind returns the channel of the draft; one that names none is the agent's own inference.
func (d *Draft) kind() ctxmcp.SourceKind {
	if d.Source.Kind == "" {
		return ctxmcp.Inference
	}
	return d.Source.Kind
}

// level returns the layer of the draft: as said, else the project's where one is named, else the user's.
func (d *Draft) level() ctxmcp.Layer {
	switch {
	case d.Level != "":
		return d.Level
	case d.Scope.Project != "":
		return ctxmcp.ProjectLayer
	default:
		return ctxmcp.UserLayer
	}
}

// validFrom returns when the draft begins to be true: as said, else when it was observed, else now. An observer whose
// clock runs ahead has not seen the future.
func (d *Draft) validFrom(now time.Time) time.Time {
	switch {
	case !d.ValidFrom.IsZero():
		return ctxmcp.Instant(d.ValidFrom)
	case !d.ObservedAt.IsZero() && d.ObservedAt.Before(now):
		return ctxmcp.Instant(d.ObservedAt)
	default:
		return now
	}
}

func (d *Draft) key(by ctxmcp.Caller) Key { return Key{by.Tenant, by.User, d.IdempotencyKey} }

// digest tells one request from another, after redaction.
func (d *Draft) digest() string {
	text, err := json.Marshal(d)
	if err != nil { // a Draft holds nothing that JSON cannot
		panic(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
