package compiler

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// InputsSchema names the form of Inputs. It changes when a stored Inputs could no longer be compiled to the same bytes. Inputs of an earlier
// form are compiled by the rules that were in force then.
const (
	InputsSchema       = "ctx-mcp/compile/6"
	fifthInputsSchema  = "ctx-mcp/compile/5" // which names no artifacts, and settles a doubt without those that it hangs on
	fourthInputsSchema = "ctx-mcp/compile/4" // which labels no conclusion and knows no rules of a person
	thirdInputsSchema  = "ctx-mcp/compile/3" // which knows no other places and leaves less behind
	secondInputsSchema = "ctx-mcp/compile/2" // whose notes say more of what is left out than is there
	firstInputsSchema  = "ctx-mcp/compile/1" // with instants inside, and without Candidate.Trimmed
)

// readable reports whether inputs of a schema can be compiled.
func readable(schema string) bool {
	return slices.Contains([]string{InputsSchema, fifthInputsSchema, fourthInputsSchema, thirdInputsSchema, secondInputsSchema, firstInputsSchema}, schema)
}

// chained reports whether the inputs are compiled by the rules of doubts that hang on each other.
func (in Inputs) chained() bool { return in.labelled() && in.Schema != fifthInputsSchema }

// labelled reports whether the inputs are compiled by the rules of labels, of a person's own rules, and of the places that a statement names.
func (in Inputs) labelled() bool { return in.filled() && in.Schema != fourthInputsSchema }

// filled reports whether the inputs are compiled by the rules of places and of statements left behind.
func (in Inputs) filled() bool { return in.exact() && in.Schema != thirdInputsSchema }

// exact reports whether the notes of the inputs tell where each thing that is left out stands, or that it stands nowhere.
func (in Inputs) exact() bool {
	return in.Schema != firstInputsSchema && in.Schema != secondInputsSchema
}

// Inputs is everything that a compile uses: redacted, and so fit to be kept. Equal Inputs compile to equal bytes.
type Inputs struct {
	Schema     string      `json:"schema"`           // InputsSchema
	Instant    time.Time   `json:"instant,omitzero"` // left out where they are kept: see Undated
	Caller     Caller      `json:"caller"`
	Request    Request     `json:"request"`
	Policy     Policy      `json:"policy"`
	Counter    string      `json:"counter"` // name of the counter of tokens
	Candidates []Candidate `json:"candidates"`
	Entities   []Entity    `json:"entities,omitempty"` // that the question or a candidate names
	Fields     []Field     `json:"fields,omitempty"`   // that the task asks for
	// Prefix is the static prefix that an earlier compile of the session sent: rules that are new since then are appended. Nil: there
	// was none.
	Prefix *Prefix `json:"prefix,omitempty"`
	// Results are those in the messages that come in shorter forms too, or speak to a model; Stretches are the parts of the conversation that are
	// kept, should they find no room.
	Results   []PastResult `json:"results,omitempty"`
	Stretches []Stretch    `json:"stretches,omitempty"`
	// Redactions are of the request: its messages, the user's turn and the system prompt.
	Redactions []Redaction `json:"redactions,omitempty"`
	// Warnings are of gathering: they name the sources that could not be asked.
	Warnings []string `json:"warnings,omitempty"`
}

// Undated returns the inputs without the instant of the compile: what is left is equal for equal compiles.
func (in Inputs) Undated() Inputs {
	if in.Request.AsOf.Equal(in.Instant) {
		in.Request.AsOf = time.Time{}
	}
	in.Instant = time.Time{}
	return in
}

// Dated returns undated inputs with the instant of a compile. Others stay as they are.
func (in Inputs) Dated(at time.Time) Inputs {
	if in.Instant.IsZero() {
		in.Instant = at
	}
	if in.Request.AsOf.IsZero() {
		in.Request.AsOf = in.Instant
	}
	return in
}

// Caller is the asking side, as resolved when the inputs were gathered.
type Caller struct {
	Tenant    string                `json:"tenant_id"`
	User      string                `json:"user_id"`
	Roles     []string              `json:"roles,omitempty"`
	Clearance ctxmcp.Classification `json:"clearance"`
	Projects  []string              `json:"projects,omitempty"` // the only ones; empty: any
}

// Request holds the arguments of the caller. Scope is resolved.
type Request struct {
	UserMessage  string            `json:"user_message"` // empty: the conversation, or a result, carries the step
	SystemPrompt string            `json:"system_prompt,omitempty"`
	Query        string            `json:"query"`          // the first question to memory
	Need         []Need            `json:"need,omitempty"` // the questions beside, and how much each counts
	TaskType     ctxmcp.TaskType   `json:"task_type,omitempty"`
	TaskID       string            `json:"task_id,omitempty"`
	Scope        ctxmcp.Scope      `json:"scope"`
	Origin       string            `json:"origin,omitempty"` // web domain that the task is about
	Messages     []json.RawMessage `json:"messages,omitempty"`
	Directives   []string          `json:"directives,omitempty"`
	MaxTokens    int               `json:"max_tokens"`
	Model        string            `json:"model,omitempty"`
	Format       Format            `json:"format"`
	AsOf         time.Time         `json:"as_of,omitzero"`       // instant of the truth asked for; zero: Inputs.Instant
	BelievedAt   time.Time         `json:"believed_at,omitzero"` // instant of the belief asked for; zero: Instant
}

// Format is the form of the output. The words are sent by clients: append only.
type Format string

// The formats.
const (
	OpenAI    Format = "openai"
	Anthropic Format = "anthropic"
	Text      Format = "text"
)

// Formats lists the vocabulary.
func Formats() []Format { return []Format{OpenAI, Anthropic, Text} }

// Kind says what a candidate is to the prompt. The words are stored: append only.
type Kind string

// The kinds.
const (
	KindMemory     Kind = "memory"      // a context object
	KindToolResult Kind = "tool_result" // the result of a tool, through the envelope
	KindTaskState  Kind = "task_state"  // fields and metadata of a task
	KindDocument   Kind = "document"    // brought by a directive
	KindArtifact   Kind = "artifact"    // named, not told: get_artifact tells it
)

// Candidate is something that may be compiled. Object carries its content and its whole tenure; a candidate that is no
// memory gets the tenure of its channel. Its texts are redacted.
type Candidate struct {
	Kind      Kind                 `json:"kind"`
	Object    ctxmcp.ContextObject `json:"object"`
	Relevance float64              `json:"relevance"`          // to the question, in [0, 1]
	Standing  bool                 `json:"standing,omitempty"` // brought by what it is, not by the question's words
	Shorter   []Form               `json:"shorter,omitempty"`  // true forms with fewer tokens, the longest first
	CallID    string               `json:"tool_call_id,omitempty"`
	Tool      string               `json:"tool,omitempty"`
	Artifact  string               `json:"artifact_id,omitempty"` // where the whole of it is
	Trimmed   bool                 `json:"trimmed,omitempty"`     // the content is not the whole of it
	// Many says that a slot like that of its claim holds several values at a time.
	Many bool `json:"many_valued,omitempty"`
	// Upstream holds the sources that it is derived from, as far as the caller sees them.
	Upstream []Upstream `json:"upstream,omitempty"`
	// Failed says why a source could not bring it.
	Failed     string      `json:"failed,omitempty"`
	Redactions []Redaction `json:"redactions,omitempty"`
	Warnings   []Warning   `json:"warnings,omitempty"` // of its content, such as an attempt to instruct a model
}

// Form is a shorter form of a candidate.
type Form struct {
	Name string `json:"name"` // summary, reference
	Text string `json:"text"`
}

// Upstream is the last version of an object that a candidate is derived from.
type Upstream struct {
	ObjectID   string    `json:"object_id"`
	TxStart    time.Time `json:"tx_start"`
	TxEnd      time.Time `json:"tx_end,omitzero"`
	ValidUntil time.Time `json:"valid_until,omitzero"`
}

// Redaction says how often secrets of a label were hidden.
type Redaction struct {
	Label string `json:"label"`
	Count int    `json:"count"`
}

// Warning is something that whoever builds a prompt should know of a content.
type Warning struct {
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
}

// Entity is a person or a thing that the question or a candidate names.
type Entity struct {
	ID      string   `json:"entity_id"`
	Nodes   []string `json:"nodes,omitempty"` // ids under which objects name it too
	Names   []string `json:"names"`
	Pending bool     `json:"pending,omitempty"` // nobody has decided yet who it is
	Asked   bool     `json:"asked,omitempty"`   // the question names it
}

// Field is a value that the task asks for. A nil Value: no source gives one by the name.
type Field struct {
	Name   string          `json:"name"`
	Value  json.RawMessage `json:"value,omitempty"`
	Source string          `json:"source,omitempty"` // id of what filled it
	Path   string          `json:"path,omitempty"`
	Named  string          `json:"named,omitempty"`  // the place that names it, in words for a model, where the value is to be read from there
	Partly bool            `json:"partly,omitempty"` // a source holds a word of the name
}

// Prefix is the static prefix of a session.
type Prefix = ctxmcp.Prefix

// Pin is a version in a static prefix.
type Pin = ctxmcp.PrefixPin
