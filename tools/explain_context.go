package tools

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/compiler"
)

func explainContext() Tool {
	return define(definition{name: "explain_context", title: "Explain context", toolset: ContextTools, harness: true, readOnly: true, idempotent: true},
		func(ctx context.Context, c call, in explainIn) (explainOut, error) {
			name, err := in.name()
			if err != nil {
				return explainOut{}, err
			}
			kept, err := c.Compiler.Kept(ctx, c.by, c.named, name)
			if err != nil {
				return explainOut{}, err
			}
			out := explainOut{TraceID: kept.TraceID, ContextRef: kept.Ref, Lines: []compiler.Origin{}}
			if in.Line == "" && in.CompareWith == "" {
				out.whole = &whole{
					Instant: Time(kept.Inputs.Instant), Trace: kept.Output.Trace, Zones: kept.Output.Zones, Tokens: kept.Output.Tokens,
					Budget: kept.Output.Budget, Warnings: kept.Output.Warnings,
				}
			}
			if in.Line != "" {
				out.Lines = kept.Explain(in.Line)
			}
			if in.CompareWith != "" {
				earlier, err := c.Compiler.Kept(ctx, c.by, c.named, in.CompareWith)
				if err != nil {
					return explainOut{}, err
				}
				changes := kept.Compare(earlier)
				out.Comparison = &changes
			}
			return out, nil
		})
}

type explainIn struct {
	TraceID     string `json:"trace_id,omitempty"`
	ContextRef  string `json:"context_ref,omitempty" jsonschema_description:"Instead of trace_id"`
	CompareWith string `json:"compare_with,omitempty" jsonschema_description:"An earlier one: what changed, and why"`
	Line        string `json:"line,omitempty" holds:"text" jsonschema_description:"Words of the output: what put them there"`
	place
}

// name returns what the compile is called: exactly one of the two is given.
func (in explainIn) name() (string, error) {
	if (in.TraceID == "") == (in.ContextRef == "") {
		return "", ctxmcp.Errorf(ctxmcp.CodeInvalid, "give trace_id or context_ref").WithHint("compile_context returns both: either will do")
	}
	return in.TraceID + in.ContextRef, nil
}

// explainOut answers what was asked: of a line, or of two compiles, nothing else.
type explainOut struct {
	TraceID    string               `json:"trace_id"`
	ContextRef string               `json:"context_ref"`
	Lines      []compiler.Origin    `json:"lines"`
	Comparison *compiler.Comparison `json:"comparison,omitempty"`
	*whole
}

// whole is the whole of a compile.
type whole struct {
	Instant  Time            `json:"instant"`
	Trace    compiler.Trace  `json:"trace"`
	Zones    []compiler.Zone `json:"zones"`
	Tokens   int             `json:"tokens"`
	Budget   int             `json:"budget"`
	Warnings []string        `json:"warnings"`
}
