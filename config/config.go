package config

import (
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/reduce"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

// Config is every setting as it is in force, and where each value came from.
type Config struct {
	DataDir              string
	Store                string // address of a database; empty: a file in DataDir
	KeysDir              string // of the keys that the servers of a database share; empty: DataDir
	Blobs                string // folder, or address of a bucket; empty: a folder in DataDir
	Toolsets             []tools.Toolset
	ReadOnly             bool
	Tenant, User         string
	Roles                []string
	CallerKind           string // agent or harness
	Clearance            ctxmcp.Classification
	Authority            ctxmcp.Authority
	Project, Session     string
	Here                 string // project of the folder in which a command runs; no setting
	MinLength, MaxLength int
	Entities             bool
	MinLetters           float64
	MinRelevance         float64
	ManyValued           []string
	SingleValued         []string
	SessionTTL, TaskTTL  time.Duration
	RefreshOnUse         bool
	LearnFromUse         bool
	BriefInInstructions  bool
	IgnoreActs           bool
	MinClaim             float64
	ArtifactThreshold    int
	ArtifactKeep         int
	ArtifactSweepAt      int
	ArtifactMaxAge       time.Duration
	ArtifactMaxBytes     int
	Reduce               reduce.Options
	CacheRelax           float64 // of Reduce, where 0 means 0
	PreserveFirst        int     // likewise
	ChatURL, ChatModel   string
	ChatKey              string
	ChatTimeout          time.Duration
	KeepRaw              string
	RawKey, RawKeyFile   string
	FilesystemRoots      []string
	FilesystemDotFiles   bool
	FilesystemHardLinks  bool
	WebHosts             []string
	PrivateHosts         []string
	Upstreams            string
	UpstreamIdle         time.Duration
	DirectiveTimeout     time.Duration
	DirectiveBytes       int
	DirectiveItems       int
	PII                  packets.PII
	Schemas              map[string]string
	SchemaDir            string
	Shapes               map[string]packets.Shape // read of SchemaDir
	PacketKeep           int
	PacketMaxAge         time.Duration
	Rules                string
	AskTimeout           time.Duration
	RedactionAllow       []string
	RedactionHide        []string
	RedactionRules       string
	MemoryAllow          []string
	TokenLimits          map[string]int
	TokenCounter         string
	EmbeddingsURL        string
	EmbeddingsModel      string
	EmbeddingsKey        string
	EmbeddingsDimensions int
	EmbeddingsTimeout    time.Duration
	EmbeddingsCache      int
	EncryptionKey        string
	EncryptionKeyFile    string
	EncryptionKeyCommand string
	ErasureKeys          string
	ErasureSeal          bool
	EventsFile           string
	StepUpTimeout        time.Duration
	DeferTimeout         time.Duration
	MaxWaiting           int
	PolicyFile           string
	PolicyPreset         string
	PolicyDefault        string
	PolicyJudge          bool // a model answers questions that the rules let it
	JudgeTimeout         time.Duration
	Addr                 string
	Auth                 string
	PublicURL            string
	MetricsToken         bool
	AllowedOrigins       []string
	CORSOrigins          []string
	AllowedHosts         []string
	RateLimit            float64
	RateBurst            int
	MaxBodyBytes         int
	ShutdownGrace        time.Duration
	LogLevel, LogFormat  string
	TLS                  TLS
	Hooks
	Gateway
	Accumulator
	Limits
	Quotas Quotas
	OAuth  OAuth

	Servers map[string]upstream.Server // of the file that Upstreams names

	File   string                 // the configuration file that was asked for, or found
	Input  func() ([]byte, error) // reads the standard input for a file that is named -; nil: no file is
	source map[string]string      // key -> "default", "file:line", "$NAME", "--flag"
	piped  struct {
		setting string // that the standard input was read for
		text    []byte
	}
}

// New returns the defaults.
func New() *Config {
	return &Config{
		DataDir: defaultDataDir(), Toolsets: tools.DefaultToolsets(), Tenant: "local", User: accountName(), CallerKind: agentCaller,
		Clearance: ctxmcp.HighlyRestricted, Authority: ctxmcp.AuthorityUser,
		Entities: true, BriefInInstructions: true, LearnFromUse: true, MinLength: 50, MaxLength: 50_000, MinLetters: 0.3, MinRelevance: 0.15, MinClaim: 0.85,
		MemoryAllow:       []string{"EMAIL", "PHONE"},
		ArtifactThreshold: 10_000, ArtifactKeep: 100, ArtifactSweepAt: 150, ArtifactMaxBytes: 64 << 20, KeepRaw: KeepNone,
		Reduce: reduce.Options{
			Limit: 200_000, Trigger: 0.65, LowMark: 0.3, ArtifactThreshold: 10_000, CompressTo: 8_000, MaxResult: 30_000,
			Window: 100,
		},
		CacheRelax: 0.1, PreserveFirst: 1,
		ChatTimeout:  20 * time.Second,
		UpstreamIdle: 5 * time.Minute, DirectiveTimeout: 15 * time.Second, DirectiveBytes: 1 << 20, DirectiveItems: 20,
		PII: packets.FlagPII, PacketKeep: 500, PacketMaxAge: 30 * 24 * time.Hour,
		SessionTTL: 24 * time.Hour, TaskTTL: 30 * 24 * time.Hour, AskTimeout: 2 * time.Minute, EmbeddingsTimeout: 3 * time.Second,
		PolicyPreset: "balanced", JudgeTimeout: 2 * time.Second, StepUpTimeout: 15 * time.Minute, DeferTimeout: 5 * time.Minute, MaxWaiting: 16,
		EmbeddingsCache: sqlite.DefaultVectorMemory, TokenCounter: CountByModel,
		Addr: "127.0.0.1:8080", Auth: "auto", MaxBodyBytes: 32 << 20, ShutdownGrace: 10 * time.Second,
		LogLevel: "info", LogFormat: "text", Hooks: newHooks(), Gateway: newGateway(), Accumulator: newAccumulator(), Limits: newLimits(), Quotas: newQuotas(), OAuth: newOAuth(), source: map[string]string{},
	}
}

// defaultDataDir returns the platform's place for data of a user, or "" if there is none.
func defaultDataDir() string {
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "ctx-mcp")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "ctx-mcp")
	}
	return filepath.Join(home, ".local", "share", "ctx-mcp")
}

// accountName returns the name of the account that runs the process, as an id.
func accountName() string {
	if u, err := user.Current(); err == nil {
		if id := slug(u.Username); id != "" {
			return id
		}
	}
	return "user"
}

// Load puts the configuration in force: defaults, then the file, then the environment, then the flags. A flag that
// given reports is set already. It returns CodeInvalid for a value that cannot be in force.
func (c *Config) Load(getenv func(string) string, given func(flag string) bool) error {
	byFlag := func(s Setting) bool { return s.Flag != "" && given(s.Flag) }
	for _, s := range settings {
		c.source[s.Key] = "default"
	}
	if err := c.loadFile(getenv, byFlag); err != nil {
		return err
	}
	for _, s := range settings {
		if byFlag(s) {
			c.source[s.Key] = "--" + s.Flag
			continue
		}
		text := getenv(s.Env())
		if text == "" {
			continue
		}
		if err := s.value(c).Set(text); err != nil {
			return invalid("%s: %v", s.Env(), s.hide(err))
		}
		c.source[s.Key] = "$" + s.Env()
	}
	if err := c.loadUpstreams(getenv); err != nil {
		return err
	}
	return c.check()
}

// hide keeps the text of a secret out of an error.
func (s Setting) hide(err error) error {
	if s.Secret {
		return errors.New("its value cannot be used")
	}
	return err
}

// Source returns where the value of a setting came from: "default", "FILE:LINE", "$NAME" or "--flag".
func (c *Config) Source(key string) string { return c.source[key] }

// Value returns the place of a setting in the configuration.
func (c *Config) Value(s Setting) Value { return s.value(c) }

// invalid returns the error for a configuration that cannot be in force.
func invalid(format string, args ...any) error {
	return ctxmcp.Errorf(ctxmcp.CodeInvalid, format, args...)
}
