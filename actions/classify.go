package actions

import (
	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// highest returns the most sensitive of the classes that are set, and "" where none is.
func highest(classes ...ctxmcp.DataClass) ctxmcp.DataClass {
	var top ctxmcp.DataClass
	for _, c := range classes {
		if c != "" && (top == "" || c.Rank() > top.Rank()) {
			top = c
		}
	}
	return top
}

// detected returns the class that the findings of redaction speak for: a person's data is confidential, a secret restricted.
func detected(labels []string) ctxmcp.DataClass {
	var top ctxmcp.DataClass
	for _, label := range labels {
		if redact.Personal(label) {
			top = highest(top, ctxmcp.ConfidentialData)
		} else {
			top = ctxmcp.RestrictedData
		}
	}
	return top
}

// classify returns the class of an action's data: the operator's word if there is one, else the highest that was declared or
// detected, else, since nothing is known of it, the highest of all.
func (o Options) classify(tool string, known ...ctxmcp.DataClass) ctxmcp.DataClass {
	if c, set := o.Classifications[tool]; set {
		return c
	}
	if c := highest(known...); c != "" {
		return c
	}
	return ctxmcp.RestrictedData
}
