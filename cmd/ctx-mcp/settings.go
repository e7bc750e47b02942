package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

// setting is one thing that can be configured: in the file under its key, in the environment, and, where it has a flag,
// on the command line. The table below is the only place where settings are written; flags, configuration file,
// `ctx-mcp config show` and the table in the README come from it.
type setting struct {
	key     string // in the file: section.name
	flag    string // without the dashes; empty: none
	command string // the command that has the flag; empty: all
	secret  bool   // masked wherever it is shown
	doc     string
	value   func(*config) value
}

// env returns the setting's variable: CTX_MCP_ and the flag, or the key where there is none.
func (s setting) env() string {
	name := s.flag
	if name == "" {
		name = s.key
	}
	return "CTX_MCP_" + strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(name))
}

// value is a typed place in the configuration. It is a pflag.Value.
type value interface {
	String() string
	Set(text string) error
	Type() string
}

var settings = append([]setting{
	{key: "data_dir", flag: "data-dir", doc: "where all state is kept",
		value: func(c *config) value { return (*textValue)(&c.DataDir) }},
	{key: "toolsets", flag: "toolsets", doc: "toolsets to offer, separated by commas, or all",
		value: func(c *config) value { return (*toolsetsValue)(&c.Toolsets) }},
	{key: "read_only", flag: "read-only", doc: "offer only tools that change nothing",
		value: func(c *config) value { return (*boolValue)(&c.ReadOnly) }},
	{key: "identity.tenant", flag: "tenant", doc: "tenant of a caller without a token",
		value: func(c *config) value { return (*idValue)(&c.Tenant) }},
	{key: "identity.user", flag: "user", doc: "user of a caller without a token; default the account's name",
		value: func(c *config) value { return (*idValue)(&c.User) }},
	{key: "identity.roles", doc: "roles of a caller without a token",
		value: func(c *config) value { return (*listValue)(&c.Roles) }},
	{key: "identity.clearance", doc: "most sensitive class that a caller without a token may see",
		value: func(c *config) value { return (*clearanceValue)(&c.Clearance) }},
	{key: "identity.authority", doc: "most authority that a caller without a token may assert: 0 platform to 4 retrieved",
		value: func(c *config) value { return (*authorityValue)(&c.Authority) }},
	{key: "scope.project", flag: "project", doc: "project of calls that name none; default over stdio: the git root or folder",
		value: func(c *config) value { return (*idValue)(&c.Project) }},
	{key: "scope.session", flag: "session", doc: "session of calls that name none",
		value: func(c *config) value { return (*idValue)(&c.Session) }},
	{key: "memory.min_length", doc: "characters that an agent's own memory must have",
		value: func(c *config) value { return (*intValue)(&c.MinLength) }},
	{key: "memory.max_length", doc: "characters that a memory may have",
		value: func(c *config) value { return (*intValue)(&c.MaxLength) }},
	{key: "memory.min_letters", doc: "share of letters that an agent's own memory must have",
		value: func(c *config) value { return (*shareValue)(&c.MinLetters) }},
	{key: "memory.entities", doc: "find out whom and what memories name, and hold the names of one thing together",
		value: func(c *config) value { return (*boolValue)(&c.Entities) }},
	{key: "memory.min_relevance", doc: "relevance, 0 to 1, below which recall leaves a memory out",
		value: func(c *config) value { return (*shareValue)(&c.MinRelevance) }},
	{key: "memory.session_ttl", doc: "after its last write a session is over, and its own memories with it",
		value: func(c *config) value { return (*durationValue)(&c.SessionTTL) }},
	{key: "memory.task_ttl", doc: "after its last write a task is over, and its own memories with it",
		value: func(c *config) value { return (*durationValue)(&c.TaskTTL) }},
	{key: "memory.refresh_on_use", doc: "being recalled counts as a confirmation, for memories that fade",
		value: func(c *config) value { return (*boolValue)(&c.RefreshOnUse) }},
	{key: "memory.ignore_acts", doc: "keep \"I sold the car\" as a text only, and end nothing that was said before",
		value: func(c *config) value { return (*boolValue)(&c.IgnoreActs) }},
	{key: "memory.min_claim", doc: "confidence from which a claim that is read from a text is attached to it; 1: never",
		value: func(c *config) value { return (*shareValue)(&c.MinClaim) }},
	{key: "memory.many_valued", doc: "predicates of claims that hold several values at a time, besides likes, owns and the like",
		value: func(c *config) value { return (*listValue)(&c.ManyValued) }},
	{key: "memory.single_valued", doc: "predicates of claims that hold one value at a time, whatever the default",
		value: func(c *config) value { return (*listValue)(&c.SingleValued) }},
	{key: "memory.rules", doc: "file of platform and developer rules, YAML",
		value: func(c *config) value { return (*textValue)(&c.Rules) }},
	{key: "ask.timeout", doc: "how long a tool waits for the user's answer to its question; 0: nobody is asked",
		value: func(c *config) value { return (*waitValue)(&c.AskTimeout) }},
	{key: "memory.redaction_allow", doc: "labels that are left alone in memories, besides redaction.allow",
		value: func(c *config) value { return (*labelsValue)(&c.MemoryAllow) }},
	{key: "artifacts.threshold", doc: "characters above which a tool result is kept as an artifact",
		value: func(c *config) value { return (*intValue)(&c.ArtifactThreshold) }},
	{key: "artifacts.max_bytes", doc: "size of one artifact",
		value: func(c *config) value { return (*intValue)(&c.ArtifactMaxBytes) }},
	{key: "artifacts.keep", doc: "artifacts of a session that a sweep leaves; those of a live task stay in any case",
		value: func(c *config) value { return (*intValue)(&c.ArtifactKeep) }},
	{key: "artifacts.sweep_at", doc: "artifacts of a session beyond which it is swept",
		value: func(c *config) value { return (*intValue)(&c.ArtifactSweepAt) }},
	{key: "artifacts.max_age", doc: "after which an artifact is retired; 0: never",
		value: func(c *config) value { return (*durationValue)(&c.ArtifactMaxAge) }},
	{key: "artifacts.keep_raw", doc: "originals of what was redacted: none, or encrypted, for operators",
		value: func(c *config) value { return (*keepRawValue)(&c.KeepRaw) }},
	{key: "artifacts.raw_key", secret: true, doc: "age identity that encrypts originals: AGE-SECRET-KEY-1...; without one encryption.key does",
		value: func(c *config) value { return (*textValue)(&c.RawKey) }},
	{key: "artifacts.raw_key_file", doc: "file with that identity, as age-keygen writes it",
		value: func(c *config) value { return (*textValue)(&c.RawKeyFile) }},
	{key: "context.filesystem_roots", doc: "folders whose files directives may bring; empty: none",
		value: func(c *config) value { return (*listValue)(&c.FilesystemRoots) }},
	{key: "context.http_hosts", doc: "hosts whose pages directives may bring: example.org, *.example.org; empty: none",
		value: func(c *config) value { return (*listValue)(&c.WebHosts) }},
	{key: "context.upstreams", doc: "file of MCP servers that directives may ask: mcpServers, JSON or YAML",
		value: func(c *config) value { return (*textValue)(&c.Upstreams) }},
	{key: "context.upstream_idle", doc: "after which an upstream server that is not asked is stopped",
		value: func(c *config) value { return (*durationValue)(&c.UpstreamIdle) }},
	{key: "context.timeout", doc: "how long a directive may take",
		value: func(c *config) value { return (*durationValue)(&c.DirectiveTimeout) }},
	{key: "context.max_bytes", doc: "of all that a directive brings; what has more is refused",
		value: func(c *config) value { return (*intValue)(&c.DirectiveBytes) }},
	{key: "context.max_items", doc: "files, pages or memories that a directive brings",
		value: func(c *config) value { return (*intValue)(&c.DirectiveItems) }},
	{key: "context.pii", doc: "what names people, in packets: flag it, redact it, or reject the packet",
		value: func(c *config) value { return (*piiValue)(&c.PII) }},
	{key: "context.schemas", doc: "versions of the context schemas in force: refund=v0.5.0,incident=v0.5.0",
		value: func(c *config) value { return (*tableValue)(&c.Schemas) }},
	{key: "context.packet_keep", doc: "packets of a session that a sweep leaves",
		value: func(c *config) value { return (*intValue)(&c.PacketKeep) }},
	{key: "context.packet_max_age", doc: "after which a packet is retired, and holds its artifacts no longer",
		value: func(c *config) value { return (*durationValue)(&c.PacketMaxAge) }},
	{key: "context.limit", doc: "tokens that a prompt can have, for a model that is in no table",
		value: func(c *config) value { return (*intValue)(&c.Reduce.Limit) }},
	{key: "prompt.telemetry_threshold", doc: "share of the limit above which a conversation is reduced",
		value: func(c *config) value { return (*shareValue)(&c.Reduce.Trigger) }},
	{key: "prompt.cache_hint", doc: "a prompt cache is in use, unless a call says otherwise",
		value: func(c *config) value { return (*boolValue)(&c.Reduce.CacheHint) }},
	{key: "prompt.cache_relax", doc: "while a prompt cache is in use, prompt.telemetry_threshold is higher, and prompt.low_mark lower, by this share",
		value: func(c *config) value { return (*shareValue)(&c.Reduce.CacheRelax) }},
	{key: "prompt.low_mark", doc: "share of the limit down to which a conversation is reduced",
		value: func(c *config) value { return (*shareValue)(&c.Reduce.LowMark) }},
	{key: "tool.result_artifact_threshold", doc: "characters of a result in a conversation above which it becomes an artifact",
		value: func(c *config) value { return (*intValue)(&c.Reduce.ArtifactThreshold) }},
	{key: "tool.compress_truncate", doc: "characters that are left of such a result, and of one that is compressed",
		value: func(c *config) value { return (*intValue)(&c.Reduce.CompressTo) }},
	{key: "tool.max_result_chars", doc: "characters that a result in a conversation can have in any case",
		value: func(c *config) value { return (*intValue)(&c.Reduce.MaxResult) }},
	{key: "conversation.window", doc: "messages beyond which the oldest are moved out of a conversation that is too long",
		value: func(c *config) value { return (*intValue)(&c.Reduce.Window) }},
	{key: "conversation.preserve_first", doc: "messages after the system prompt that stay",
		value: func(c *config) value { return (*intValue)(&c.Reduce.PreserveFirst) }},
	{key: "conversation.preserve_last", doc: "messages at the end that stay; 0: by the window",
		value: func(c *config) value { return (*intValue)(&c.Reduce.PreserveLast) }},
	{key: "chat.base_url", doc: "OpenAI-compatible endpoint of a model that summarises; empty: none",
		value: func(c *config) value { return (*textValue)(&c.ChatURL) }},
	{key: "chat.model", doc: "name of that model",
		value: func(c *config) value { return (*textValue)(&c.ChatModel) }},
	{key: "chat.api_key", secret: true, doc: "key for that endpoint",
		value: func(c *config) value { return (*textValue)(&c.ChatKey) }},
	{key: "chat.timeout", doc: "how long a reduction waits for the summary",
		value: func(c *config) value { return (*durationValue)(&c.ChatTimeout) }},
	{key: "redaction.allow", doc: "labels of secrets that are left alone",
		value: func(c *config) value { return (*labelsValue)(&c.RedactionAllow) }},
	{key: "redaction.hide", secret: true, doc: "values that are always hidden, of 6 bytes or more",
		value: func(c *config) value { return (*listValue)(&c.RedactionHide) }},
	{key: "redaction.rules", doc: "file of more rules for secrets, TOML in the form of gitleaks",
		value: func(c *config) value { return (*textValue)(&c.RedactionRules) }},
	{key: "tokens.limits", doc: "tokens that prompts of models can have, where the built-in table is wrong: model=200000, separated by commas",
		value: func(c *config) value { return (*limitsValue)(&c.TokenLimits) }},
	{key: "tokens.counter", doc: "model: by the tokenizer or the estimate of each model; ratio: by characters alone, such as chars/3.7",
		value: func(c *config) value { return (*counterValue)(&c.TokenCounter) }},
	{key: "embeddings.base_url", doc: "OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1; empty: none",
		value: func(c *config) value { return (*textValue)(&c.EmbeddingsURL) }},
	{key: "embeddings.model", doc: "name of the embedding model",
		value: func(c *config) value { return (*textValue)(&c.EmbeddingsModel) }},
	{key: "embeddings.api_key", secret: true, doc: "key for the endpoint",
		value: func(c *config) value { return (*textValue)(&c.EmbeddingsKey) }},
	{key: "embeddings.dimensions", doc: "dimensions to ask for; 0: the model's own",
		value: func(c *config) value { return (*intValue)(&c.EmbeddingsDimensions) }},
	{key: "embeddings.timeout", doc: "how long recall waits for the vector of its question",
		value: func(c *config) value { return (*durationValue)(&c.EmbeddingsTimeout) }},
	{key: "embeddings.cache_bytes", doc: "memory that copies of vectors may take; what needs more is compared on disk",
		value: func(c *config) value { return (*intValue)(&c.EmbeddingsCache) }},
	{key: "encryption.key", secret: true, doc: "seals the parameters and results of actions, and what is private of receipts: 32 bytes in base64",
		value: func(c *config) value { return (*textValue)(&c.EncryptionKey) }},
	{key: "encryption.key_file", doc: "file with that key",
		value: func(c *config) value { return (*textValue)(&c.EncryptionKeyFile) }},
	{key: "encryption.key_command", doc: "command that prints that key; run by sh when the server starts",
		value: func(c *config) value { return (*textValue)(&c.EncryptionKeyCommand) }},
	{key: "policy.preset", doc: "rules that decide on actions: observe, balanced or strict",
		value: func(c *config) value { return (*presetValue)(&c.PolicyPreset) }},
	{key: "policy.file", doc: "file with rules in Cedar, in place of the preset",
		value: func(c *config) value { return (*textValue)(&c.PolicyFile) }},
	{key: "policy.default", doc: "what no rule speaks of: allow or deny; empty: as the preset has it, of a file deny",
		value: func(c *config) value { return (*fallbackValue)(&c.PolicyDefault) }},
	{key: "policy.step_up_timeout", doc: "an action that nobody approves within it is denied",
		value: func(c *config) value { return (*durationValue)(&c.StepUpTimeout) }},
	{key: "policy.defer_timeout", doc: "the same of one that is deferred",
		value: func(c *config) value { return (*durationValue)(&c.DeferTimeout) }},
	{key: "policy.max_waiting", doc: "actions of a session that wait at a time; one more is denied",
		value: func(c *config) value { return (*intValue)(&c.MaxWaiting) }},
	{key: "events.file", doc: "file to which every decision is appended as an event, JSON Lines in OCSF; -: standard error; empty: none",
		value: func(c *config) value { return (*textValue)(&c.EventsFile) }},
	{key: "http.addr", flag: "addr", command: "http", doc: "address to listen on",
		value: func(c *config) value { return (*textValue)(&c.Addr) }},
	{key: "http.auth", flag: "auth", command: "http", doc: "token: every call needs one; auto: if one exists when the server starts",
		value: func(c *config) value { return (*authValue)(&c.Auth) }},
	{key: "http.public_url", doc: "scheme://host that clients use, if a proxy changes it",
		value: func(c *config) value { return (*textValue)(&c.PublicURL) }},
	{key: "http.allowed_origins", doc: "origins of web pages that may call, besides loopback ones",
		value: func(c *config) value { return (*listValue)(&c.AllowedOrigins) }},
	{key: "http.cors_origins", doc: "origins of web pages whose scripts may call from a browser and read the answers",
		value: func(c *config) value { return (*listValue)(&c.CORSOrigins) }},
	{key: "http.allowed_hosts", doc: "names of this host that may be asked for, besides loopback ones",
		value: func(c *config) value { return (*listValue)(&c.AllowedHosts) }},
	{key: "http.rate_limit", doc: "messages of one caller a second, on average; 0: any number",
		value: func(c *config) value { return (*rateValue)(&c.RateLimit) }},
	{key: "http.rate_burst", doc: "messages of one caller at once; 0: what http.rate_limit allows in 10 seconds",
		value: func(c *config) value { return (*intValue)(&c.RateBurst) }},
	{key: "http.max_body_bytes", doc: "size of one request",
		value: func(c *config) value { return (*intValue)(&c.MaxBodyBytes) }},
	{key: "http.shutdown_grace", doc: "how long running calls may go on when the server stops",
		value: func(c *config) value { return (*durationValue)(&c.ShutdownGrace) }},
	{key: "log.level", flag: "log-level", doc: "debug, info, warn or error",
		value: func(c *config) value { return (*levelValue)(&c.LogLevel) }},
	{key: "log.format", flag: "log-format", doc: "text or json",
		value: func(c *config) value { return (*formatValue)(&c.LogFormat) }},
}, accumulatorSettings...)

type textValue string

func (v *textValue) String() string        { return string(*v) }
func (v *textValue) Set(text string) error { *v = textValue(text); return nil }
func (v *textValue) Type() string          { return "text" }

type idValue string

func (v *idValue) String() string { return string(*v) }
func (v *idValue) Type() string   { return "id" }
func (v *idValue) Set(text string) error {
	if text != "" && !ctxmcp.ValidID(text) {
		return fmt.Errorf("%q is not an id: use A-Z a-z 0-9 _ . -", text)
	}
	*v = idValue(text)
	return nil
}

type boolValue bool

func (v *boolValue) String() string   { return strconv.FormatBool(bool(*v)) }
func (v *boolValue) Type() string     { return "bool" }
func (v *boolValue) IsBoolFlag() bool { return true }
func (v *boolValue) Set(text string) error {
	b, err := strconv.ParseBool(text)
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", text)
	}
	*v = boolValue(b)
	return nil
}

type intValue int

func (v *intValue) String() string { return strconv.Itoa(int(*v)) }
func (v *intValue) Type() string   { return "number" }
func (v *intValue) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a whole number from 0", text)
	}
	*v = intValue(n)
	return nil
}

type shareValue float64

func (v *shareValue) String() string { return strconv.FormatFloat(float64(*v), 'g', -1, 64) }
func (v *shareValue) Type() string   { return "share" }
func (v *shareValue) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= 1) {
		return fmt.Errorf("%q is not between 0 and 1", text)
	}
	*v = shareValue(x)
	return nil
}

type rateValue float64

func (v *rateValue) String() string { return strconv.FormatFloat(float64(*v), 'g', -1, 64) }
func (v *rateValue) Type() string   { return "rate" }
func (v *rateValue) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= 1e6) {
		return fmt.Errorf("%q is not a number from 0 to 1e6", text)
	}
	*v = rateValue(x)
	return nil
}

type durationValue time.Duration

func (v *durationValue) String() string { return time.Duration(*v).String() }
func (v *durationValue) Type() string   { return "duration" }
func (v *durationValue) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is not a duration such as 10s", text)
	}
	*v = durationValue(d)
	return nil
}

// waitValue is a duration that may be 0.
type waitValue time.Duration

func (v *waitValue) String() string { return time.Duration(*v).String() }
func (v *waitValue) Type() string   { return "duration" }
func (v *waitValue) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not 0 or a duration such as 2m", text)
	}
	*v = waitValue(d)
	return nil
}

type listValue []string

func (v *listValue) String() string { return strings.Join(*v, ",") }
func (v *listValue) Type() string   { return "list" }
func (v *listValue) Set(text string) error {
	*v = nil
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			*v = append(*v, part)
		}
	}
	return nil
}

type toolsetsValue []tools.Toolset

func (v *toolsetsValue) String() string { return strings.ReplaceAll(ctxmcp.Words(*v), " ", "") }
func (v *toolsetsValue) Type() string   { return "list" }
func (v *toolsetsValue) Set(text string) error {
	if text == "all" {
		*v = tools.Toolsets()
		return nil
	}
	var names listValue
	if err := names.Set(text); err != nil {
		return err
	}
	*v = nil
	for _, name := range names {
		if err := word(name, tools.Toolsets()); err != nil {
			return err
		}
		*v = append(*v, tools.Toolset(name))
	}
	return nil
}

type clearanceValue ctxmcp.Classification

func (v *clearanceValue) String() string { return string(*v) }
func (v *clearanceValue) Type() string   { return "class" }
func (v *clearanceValue) Set(text string) error {
	*v = clearanceValue(text)
	return word(text, ctxmcp.Classifications())
}

type authorityValue ctxmcp.Authority

func (v *authorityValue) String() string { return strconv.Itoa(int(*v)) }
func (v *authorityValue) Type() string   { return "level" }
func (v *authorityValue) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < int(ctxmcp.AuthorityPlatform) || n > int(ctxmcp.AuthorityRetrieved) {
		return fmt.Errorf("%q is not a level from 0 to 4", text)
	}
	*v = authorityValue(n)
	return nil
}

// word returns an error that lists the allowed words unless text is one.
func word[W ~string](text string, list []W) error {
	if !slices.Contains(list, W(text)) {
		return fmt.Errorf("%q is not known: use one of %s", text, ctxmcp.Words(list))
	}
	return nil
}

type authValue string

func (v *authValue) String() string { return string(*v) }
func (v *authValue) Type() string   { return "word" }
func (v *authValue) Set(text string) error {
	*v = authValue(text)
	return word(text, []string{"auto", "token"})
}

type levelValue string

func (v *levelValue) String() string { return string(*v) }
func (v *levelValue) Type() string   { return "word" }
func (v *levelValue) Set(text string) error {
	*v = levelValue(text)
	return word(text, []string{"debug", "info", "warn", "error"})
}

type formatValue string

func (v *formatValue) String() string { return string(*v) }
func (v *formatValue) Type() string   { return "word" }
func (v *formatValue) Set(text string) error {
	*v = formatValue(text)
	return word(text, []string{"text", "json"})
}

type labelsValue []string

func (v *labelsValue) String() string { return strings.Join(*v, ",") }
func (v *labelsValue) Type() string   { return "list" }
func (v *labelsValue) Set(text string) error {
	known := []string{}
	for _, l := range redact.Labels() {
		known = append(known, l.Name)
	}
	if err := (*listValue)(v).Set(text); err != nil {
		return err
	}
	for _, label := range *v {
		if err := word(label, known); err != nil {
			return err
		}
	}
	return nil
}

// limitsValue is numbers of tokens by name of model.
type limitsValue map[string]int

func (v *limitsValue) Type() string { return "list" }
func (v *limitsValue) String() string {
	var all []string
	for _, model := range slices.Sorted(maps.Keys(*v)) {
		all = append(all, fmt.Sprintf("%s=%d", model, (*v)[model]))
	}
	return strings.Join(all, ",")
}
func (v *limitsValue) Set(text string) error {
	var parts listValue
	if err := parts.Set(text); err != nil {
		return err
	}
	limits := map[string]int{}
	for _, part := range parts {
		model, number, _ := strings.Cut(part, "=")
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if model = strings.TrimSpace(model); model == "" || err != nil || n <= 0 {
			return fmt.Errorf("%q is not model=tokens, with tokens above 0", part)
		}
		limits[model] = n
	}
	*v = limits
	return nil
}

// The ways to count tokens.
const (
	countByModel = "model"
	countByRatio = "ratio"
)

type counterValue string

func (v *counterValue) String() string { return string(*v) }
func (v *counterValue) Type() string   { return "word" }
func (v *counterValue) Set(text string) error {
	*v = counterValue(text)
	return word(text, []string{countByModel, countByRatio})
}
