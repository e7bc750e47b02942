package tools

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

// Tool is one tool as it is published, with what carries it out.
type Tool struct {
	Name    string
	Toolset Toolset
	Harness bool // see definition
	MCP     mcp.Tool
	short   mcp.Tool // the definition in the profile of agents
	// Arguments is the type that the arguments are read into; its tags say which of them are names (see checkNames).
	Arguments reflect.Type
	// Results is the whole schema of the structured content of its results, which the published one shortens.
	Results func() json.RawMessage
	content bool // see definition
	checker func() *schema.Checker
	derived func(unsaid ...string) json.RawMessage // the schema of the arguments as clients get it, without the properties at some paths
	run     func(ctx context.Context, c call, arguments json.RawMessage) (any, error)
}

// ReadOnly reports whether the tool changes nothing.
func (t Tool) ReadOnly() bool { return *t.MCP.Annotations.ReadOnlyHint }

// definition is a tool's description of itself beside its types.
type definition struct {
	name    string
	title   string
	toolset Toolset
	// The four annotations of the protocol. All are always sent: the library's defaults claim that a tool destroys.
	readOnly, destructive, idempotent, openWorld bool
	terms                                        schema.Terms
	// heavy reports whether a call with these arguments, an In, does work that is proportional to content; nil: no call does.
	// One whose arguments are large is heavy in any case.
	heavy func(in any) bool
	// content says that the arguments may be content, as large as a message; else they have maxArguments bytes.
	content bool
	// harness says that a program calls the tool around its model, which could not use it itself: the description begins with that.
	harness bool
}

// maxArguments is the size in bytes of arguments that are no content: that of a memory, escaped, and of what goes with it.
const maxArguments = 4 << 20

// always is for a tool whose every call is heavy.
func always(any) bool { return true }

// when is for a tool that is heavy with some arguments.
func when[In any](heavy func(In) bool) func(any) bool {
	return func(in any) bool { return heavy(in.(In)) }
}

// largeArguments is the size, in bytes, from which arguments are content: most of the work of any tool is to read them.
const largeArguments = 64 << 10

// call holds the caller, its place, and the services that answer.
type call struct {
	by    ctxmcp.Caller
	named ctxmcp.Scope // the part of the scope that the arguments name
	at    ctxmcp.Scope // the same, completed by the defaults of the server
	*Services
}

// scoped is the input of a tool: every tool takes a scope.
type scoped interface{ scope() ctxmcp.Scope }

// place is the scope among the arguments of a tool. Every input embeds it, or home.
type place struct {
	Scope ctxmcp.Scope `json:"scope,omitzero" for:"harness"`
}

func (p place) scope() ctxmcp.Scope { return p.Scope }

// home is the place of a tool that most often names it, with the names in a scope.
type home struct {
	Scope ctxmcp.Scope `json:"scope,omitzero" jsonschema_description:"project, session, task, user" for:"harness"`
}

func (h home) scope() ctxmcp.Scope { return h.Scope }

// texts holds the descriptions, one for each tool.
//
//go:embed *.md
var texts embed.FS

func description(name string) string {
	text, err := texts.ReadFile(name + ".md")
	if err != nil {
		panic(err) // a tool without its text does not build
	}
	return strings.TrimSpace(string(text))
}

// define makes a tool from its definition, its types and its handler. It resolves the scope of every call, and refuses the call
// with the errors of ctxmcp.Caller.Resolve before the handler runs.
func define[In scoped, Out any](d definition, handle func(context.Context, call, In) (Out, error)) Tool {
	input := sync.OnceValue(func() json.RawMessage { return schema.Input(reflect.TypeFor[In](), d.terms) })
	checkMarks(reflect.TypeFor[In]())
	checker := sync.OnceValue(func() *schema.Checker { // the first call needs it, and a start does not
		c, err := schema.NewChecker(input(), "argument")
		if err != nil {
			panic(fmt.Sprintf("tool %s: %v", d.name, err))
		}
		return c
	})
	derived := func(unsaid ...string) json.RawMessage { return schema.PublishedInput(input(), unsaid...) }
	said := published()[d.name]
	if said.whole == nil {
		said = publication{derived(), derived(ofHarness(reflect.TypeFor[In](), "")...)}
	}
	t := mcp.NewToolWithRawSchema(d.name, description(d.name), said.whole)
	t.RawOutputSchema = schema.PublishedOutput
	t.Title = d.title
	t.Annotations = mcp.ToolAnnotation{
		ReadOnlyHint: &d.readOnly, DestructiveHint: &d.destructive, IdempotentHint: &d.idempotent, OpenWorldHint: &d.openWorld,
	}
	short := t
	short.RawInputSchema = said.short
	return Tool{Name: d.name, Toolset: d.toolset, Harness: d.harness, MCP: t, short: short, Results: sync.OnceValue(func() json.RawMessage { return schema.Output(reflect.TypeFor[Out]()) }),
		Arguments: reflect.TypeFor[In](), content: d.content, checker: checker, derived: derived,
		run: func(ctx context.Context, c call, arguments json.RawMessage) (any, error) {
			secret := func(text string) (bool, error) { return c.secret(ctx, c.by.Tenant, text) }
			if err := checkNames(reflect.TypeFor[In](), arguments, secret); err != nil {
				return nil, err
			}
			var in In
			if err := decode(arguments, &in); err != nil {
				return nil, err
			}
			at, err := c.by.Resolve(in.scope(), c.Defaults)
			if err != nil {
				return nil, err
			}
			c.named, c.at = in.scope(), at
			if len(arguments) < largeArguments && (d.heavy == nil || !d.heavy(in)) {
				return handle(ctx, c, in)
			}
			ctx, leave, err := c.enter(ctx)
			if err != nil {
				return nil, err
			}
			defer leave()
			return handle(ctx, c, in)
		}}
}

// Time is an instant in arguments and results, RFC 3339 in UTC.
type Time time.Time

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	parsed, err := ctxmcp.ParseInstant(text)
	*t = Time(parsed)
	return err
}

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Time(t).UTC().Format(time.RFC3339Nano))
}

// IsZero reports whether no instant is given.
func (t Time) IsZero() bool { return time.Time(t).IsZero() }

// OpenTime is an instant in results, null for an end that has not come.
type OpenTime time.Time

// NullableString implements schema.Nullable.
func (OpenTime) NullableString() {}

// MarshalJSON implements json.Marshaler.
func (t OpenTime) MarshalJSON() ([]byte, error) {
	if time.Time(t).IsZero() {
		return []byte("null"), nil
	}
	return Time(t).MarshalJSON()
}

// OpenText is a text in results, null where there is none.
type OpenText string

// NullableString implements schema.Nullable.
func (OpenText) NullableString() {}

// MarshalJSON implements json.Marshaler.
func (t OpenText) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}
