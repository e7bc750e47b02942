package compiler

import (
	"encoding/json"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// OutputSchema names the form of Output.
const OutputSchema = "ctx-mcp/compiled/1"

// Output is the result of a compile: the prompt, and the trace of how it came to be. It holds no time of its own and
// no random id.
type Output struct {
	Schema string `json:"schema"` // OutputSchema
	Format Format `json:"format"`
	// System holds the system blocks of the Anthropic form: an array; nil in the others.
	System json.RawMessage `json:"system,omitempty"`
	// Messages are of the provider's form; in the text form there is one, of the role user.
	Messages    []json.RawMessage `json:"messages"`
	Zones       []Zone            `json:"zones"`
	Tokens      int               `json:"tokens"`
	Budget      int               `json:"budget"`
	Utilization float64           `json:"utilization"`
	Counter     string            `json:"counter"`
	Trace       Trace             `json:"trace"`
	Lines       []Line            `json:"lines"` // what put each line of the output there
	// Pins is the static prefix, for the next compile of the session.
	Pins     []Pin    `json:"pins"`
	Warnings []string `json:"warnings"`
}

// ZoneName names a part of the output by how long it stays the same. The words are sent: append only.
type ZoneName string

// The zones, in order.
const (
	ZoneSystem  ZoneName = "system"  // system prompt, platform and developer rules
	ZonePolicy  ZoneName = "policy"  // rules of the tenant and the project, tool schemas
	ZoneHistory ZoneName = "history" // the conversation: it only grows
	ZoneDynamic ZoneName = "dynamic" // memory, retrieved data, task state and the user's turn
)

// Zone is a part of the output. Digest is the SHA-256 of its text, in hexadecimal.
type Zone struct {
	Name      ZoneName `json:"name"`
	Tokens    int      `json:"tokens"`
	Digest    string   `json:"digest"`
	Cacheable bool     `json:"cacheable"`
}

// Trace says what became of every candidate: each has a row in exactly one of the three lists.
type Trace struct {
	Task        ctxmcp.TaskType `json:"active_task,omitempty"`
	Compiled    []Compiled      `json:"compiled_objects"`
	Omitted     []Omitted       `json:"omitted_objects"`
	Quarantined []Quarantined   `json:"quarantined_objects"`
	Retrieval   Retrieval       `json:"retrieval_metadata"`
	Cache       CacheMetadata   `json:"cache_metadata"`
	Steps       []Step          `json:"steps"`
	Status      string          `json:"validation_status"` // CLEAN or WARNINGS
	Metrics     Metrics         `json:"observability_metrics"`
	// Conflicts are claims that nothing told apart: they wait for a person.
	Conflicts []Conflict `json:"conflicts"`
}

// Compiled is a candidate that is in the output.
type Compiled struct {
	ObjectID            string                     `json:"object_id"`
	Version             int                        `json:"version"`
	Kind                Kind                       `json:"kind"`
	ObjectType          ctxmcp.ObjectType          `json:"object_type"`
	Authority           ctxmcp.Authority           `json:"authority_level"`
	SourceOrigin        string                     `json:"source_origin"`
	SourceAuthority     float64                    `json:"source_authority"`
	Confidence          float64                    `json:"confidence_score"`
	Classification      ctxmcp.Classification      `json:"security_classification"`
	ContradictionStatus ctxmcp.ContradictionStatus `json:"contradiction_status"`
	Tier                Tier                       `json:"priority_tier"`
	CompiledAs          Rung                       `json:"compiled_as"`
	Rung                int                        `json:"rung"`
	Why                 string                     `json:"why"`  // it stands on that rung
	Form                string                     `json:"form"` // full, or the name of a shorter form
	Zone                ZoneName                   `json:"zone"`
	Relevance           float64                    `json:"relevance"`
	Tokens              int                        `json:"tokens"`
	AttachedTo          string                     `json:"attached_to,omitempty"` // of a rescued passage
	Affinity            float64                    `json:"affinity,omitempty"`
}

// Omitted is a candidate that is left out.
type Omitted struct {
	ObjectID   string    `json:"object_id"`
	Version    int       `json:"version"`
	Kind       Kind      `json:"kind"`
	Stage      string    `json:"stage"`
	Reason     Reason    `json:"reason"`
	Tier       Tier      `json:"priority_tier,omitempty"`
	Detail     string    `json:"detail,omitempty"`
	ValidUntil time.Time `json:"valid_until,omitzero"`
	By         string    `json:"by,omitempty"` // the object that displaced it, or says it already
	Relevance  float64   `json:"relevance"`
}

// Quarantined is a candidate that contradicts another one, or is held back for what it is.
type Quarantined struct {
	ObjectID            string                     `json:"object_id"`
	Version             int                        `json:"version"`
	Kind                Kind                       `json:"kind"`
	Stage               string                     `json:"stage"`
	Reason              Reason                     `json:"reason"`
	ContradictionStatus ctxmcp.ContradictionStatus `json:"contradiction_status"`
	By                  string                     `json:"by,omitempty"`
	Detail              string                     `json:"detail,omitempty"`
}

// Retrieval counts what was looked at.
type Retrieval struct {
	QueryHash  string   `json:"query_hash"`
	Retrieved  int      `json:"retrieved_candidate_count"`
	Compiled   int      `json:"compiled_candidate_count"`
	Precision  *float64 `json:"context_precision_estimate,omitempty"` // nil: there was no memory to judge
	Neighbours int      `json:"graph_neighbours"`
}

// CacheMetadata says what a provider's prompt cache can keep.
type CacheMetadata struct {
	Key           string   `json:"prompt_cache_key"`
	StaticTokens  int      `json:"static_prefix_tokens"`
	HistoryTokens int      `json:"history_tokens"`
	DynamicTokens int      `json:"dynamic_suffix_tokens"`
	Breakpoints   int      `json:"breakpoints"`
	Minimum       int      `json:"minimum_tokens"` // under which the provider caches nothing
	Appended      []string `json:"appended,omitempty"`
	Rebuilt       string   `json:"rebuilt,omitempty"` // why the prefix of the session was not kept
}

// Step is the work of one stage.
type Step struct {
	Stage string         `json:"stage"`
	In    int            `json:"in"`
	Out   int            `json:"out"`
	Drops map[Reason]int `json:"drops,omitempty"`
	Notes []string       `json:"notes,omitempty"`
}

// Metrics are figures of one compile. Precision and recall are estimates by relevance, in [0, 1]; nil where there was nothing to judge.
type Metrics struct {
	Precision      *float64    `json:"context_precision,omitempty"`
	Recall         *float64    `json:"context_recall,omitempty"`
	DecayEvictions int         `json:"state_decay_evictions"`
	Conflicts      int         `json:"entity_resolution_conflicts"`
	Redactions     []Redaction `json:"redactions"`
	Injections     int         `json:"injection_markers"`
	CacheableShare float64     `json:"cacheable_share"`
}

// Conflict is a set of claims that contradict each other, none of which holds.
type Conflict struct {
	Slot    string   `json:"slot"`
	Objects []string `json:"object_ids"`
}

// Line says what put a stretch of the output there. Block counts the texts of the output from 0, in order; First and Last
// count its lines from 1.
type Line struct {
	Block    int      `json:"block"`
	First    int      `json:"first_line"`
	Last     int      `json:"last_line"`
	ObjectID string   `json:"object_id,omitempty"` // empty: the request, or the compiler's own words
	Version  int      `json:"version,omitempty"`
	Source   string   `json:"source"`
	Rule     string   `json:"rule"` // the stage and the rule
	Zone     ZoneName `json:"zone"`
}
