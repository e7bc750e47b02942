package envelope

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// Keeper keeps redacted text.
type Keeper interface {
	// Ready decides on the artifact that a draft of the scope becomes, whose bytes its Write writes. None at all says that nothing is kept.
	Ready(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, d artifacts.Draft, o artifacts.Original) (artifacts.Pending, error)
}

// Ledger records results that were wrapped, with their artifacts, at once or not at all.
type Ledger interface {
	ApplyArtifacts(ctx context.Context, c artifacts.Change) error
}

// Options tunes a Service. The zero value works.
type Options struct {
	Threshold int // characters above which a result is kept as an artifact; default 10 000
	MaxTokens int // of a message, if the caller names none; default 2000
}

func (o Options) withDefaults() Options {
	o.Threshold = cmp.Or(o.Threshold, 10_000)
	o.MaxTokens = cmp.Or(o.MaxTokens, 2000)
	return o
}

// Service wraps results. Its fields are set once, before use.
type Service struct {
	Keeper  Keeper
	Ledger  Ledger
	Counter tokens.Counter
	// Redact hides the secrets of a text of the tenant.
	Redact  redact.Func
	Key     []byte // for the nonces of the delimiters; none: whoever knows the content can foresee them
	Now     func() time.Time
	Logger  *slog.Logger
	Options Options
}

// Result is the answer of a tool to a call.
type Result struct {
	CallID    string
	Tool      string
	Value     json.RawMessage // any JSON; a string stands for its text
	Text      string          // instead of Value: the text itself
	Strategy  Strategy        // empty: auto
	MaxTokens int             // of the whole message; zero: the default
	Fields    []string        // for FieldWhitelist
	Bare      bool            // without delimiters around the content
	Once      bool            // where the scope has kept the same result before, that artifact stands for it
	// Question is the reader's question: answers to it are shown before the rest. Its first 4,000 bytes are read, and it is written
	// nowhere. Empty: parts that stand out are shown.
	Question string
	// CallIDs are the calls that wait for a result. With them, an unknown id is refused.
	CallIDs []string
}

// Strategy chooses the part of a result that is shown where not all of it is. The words are sent by clients: append only.
type Strategy string

// The strategies.
const (
	Auto           Strategy = "auto"            // the parts of this kind of content that a model needs
	FirstN         Strategy = "first_n"         // the beginning
	FieldWhitelist Strategy = "field_whitelist" // the named fields of an object, or of each record
	Summary        Strategy = "summary"         // kind and sizes, without the content
)

// Strategies lists the vocabulary.
func Strategies() []Strategy { return []Strategy{Auto, FirstN, FieldWhitelist, Summary} }

const maxName = 200 // characters of the name of a tool, or of the id of a call

// Wrapped is a result as a model may see it, with the outcome of the rest.
type Wrapped struct {
	CallID        string
	Content       string
	Artifact      *ctxmcp.Artifact // nil: nothing was kept
	Redactions    []Redaction
	Warnings      []Warning
	Kind          string // of content, by name
	OriginalChars int
	KeptChars     int // of the text that the artifact holds
	TrimmedChars  int // of the content, without its frame
	Tokens        int // of the content with its frame
	Counter       string
	Truncated     bool // something was left out
}

// Redaction says how often something was hidden. The fingerprint is the same for the same secret; guessable ones have none.
type Redaction struct {
	Label       string `json:"label"`
	Count       int    `json:"count"`
	Fingerprint string `json:"fingerprint,omitempty"`
}

// Warning is something that whoever builds the prompt should know.
type Warning = containment.Warning
