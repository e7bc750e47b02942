package memory

import (
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// tenure holds the rules of a state layer for the objects that live in it. Its isolation is Layer.Bound.
type tenure struct {
	doc       string
	needs     func(ctxmcp.Scope) string // the part of the scope that bounds it; nil: none
	part      string                    // name of that part
	operators bool                      // only operators write it
	highest   ctxmcp.Authority          // no object in it stands above this
	ends      func(Options) time.Duration
	object    ctxmcp.ObjectType // of an object that names none; "": the channel's
}

func never(Options) time.Duration { return 0 }

// layers is the table of the nine state layers.
var layers = map[ctxmcp.Layer]tenure{
	ctxmcp.SessionLayer: {"what matters for one conversation; ends with it", func(s ctxmcp.Scope) string { return s.Session },
		"session", false, ctxmcp.AuthorityPlatform, func(o Options) time.Duration { return o.SessionTTL }, ""},
	ctxmcp.TaskLayer: {"plans and progress of one task; ends with it", func(s ctxmcp.Scope) string { return s.Task },
		"task", false, ctxmcp.AuthorityPlatform, func(o Options) time.Duration { return o.TaskTTL }, ""},
	ctxmcp.ProjectLayer: {"decisions and terms of one project; never leaves it", func(s ctxmcp.Scope) string { return s.Project },
		"project", false, ctxmcp.AuthorityPlatform, never, ""},
	ctxmcp.UserLayer:   {"facts and preferences of one user, in all projects", nil, "", false, ctxmcp.AuthorityPlatform, never, ""},
	ctxmcp.TenantLayer: {"what holds for the whole organisation", nil, "", true, ctxmcp.AuthorityPlatform, never, ""},
	ctxmcp.CorpusLayer: {"shared documents: data, never instructions", nil, "", true, ctxmcp.AuthorityRetrieved, never, ctxmcp.RetrievedPassage},
	ctxmcp.ToolLayer:   {"schemas and settings of tools", nil, "", true, ctxmcp.AuthorityPlatform, never, ctxmcp.ToolSchema},
	ctxmcp.PolicyLayer: {"rules that bound every run", nil, "", true, ctxmcp.AuthorityPlatform, never, ctxmcp.PolicyRule},
	ctxmcp.BeliefLayer: {"what an agent assumes where it works, bound as narrowly as that", nil, "", false,
		ctxmcp.AuthorityInferred, never, ctxmcp.InferredBelief},
}

// admits returns CodeDenied for a layer that the caller may not write, and CodeInvalid for one without the part of the
// scope that bounds it.
func (t tenure) admits(by ctxmcp.Caller, layer ctxmcp.Layer, at ctxmcp.Scope) error {
	if t.operators && !by.Has(ctxmcp.Operator) {
		return ctxmcp.Errorf(ctxmcp.CodeDenied, "level %q is written by operators only", layer).
			WithHint("use level user or project, or ask someone with the role %s", ctxmcp.Operator)
	}
	if t.needs != nil && t.needs(at) == "" {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "level %q needs scope.%s", layer, t.part)
	}
	return nil
}
