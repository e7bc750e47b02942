package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/reduce"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/tokens"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

// Config is every setting as it is in force, and where each value came from.
type Config struct {
	DataDir              string
	Toolsets             []tools.Toolset
	ReadOnly             bool
	Tenant, User         string
	Roles                []string
	Clearance            ctxmcp.Classification
	Authority            ctxmcp.Authority
	Project, Session     string
	MinLength, MaxLength int
	Entities             bool
	MinLetters           float64
	MinRelevance         float64
	ManyValued           []string
	SingleValued         []string
	SessionTTL, TaskTTL  time.Duration
	RefreshOnUse         bool
	IgnoreActs           bool
	MinClaim             float64
	ArtifactThreshold    int
	ArtifactKeep         int
	ArtifactSweepAt      int
	ArtifactMaxAge       time.Duration
	ArtifactMaxBytes     int
	Reduce               reduce.Options
	ChatURL, ChatModel   string
	ChatKey              string
	ChatTimeout          time.Duration
	KeepRaw              string
	RawKey, RawKeyFile   string
	FilesystemRoots      []string
	FilesystemDotFiles   bool
	FilesystemHardLinks  bool
	WebHosts             []string
	Upstreams            string
	UpstreamIdle         time.Duration
	DirectiveTimeout     time.Duration
	DirectiveBytes       int
	DirectiveItems       int
	PII                  packets.PII
	Schemas              map[string]string
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
	EventsFile           string
	StepUpTimeout        time.Duration
	DeferTimeout         time.Duration
	MaxWaiting           int
	PolicyFile           string
	PolicyPreset         string
	PolicyDefault        string
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
	accumulator
	limits
	quotas quotas

	servers map[string]upstream.Server // of the file that Upstreams names

	file   string            // the configuration file that was asked for, or found
	source map[string]string // key -> "default", "file:line", "$NAME", "--flag"
}

// newConfig returns the defaults.
func newConfig() *Config {
	return &Config{
		DataDir: defaultDataDir(), Toolsets: tools.DefaultToolsets(), Tenant: "local", User: accountName(),
		Clearance: ctxmcp.HighlyRestricted, Authority: ctxmcp.AuthorityUser,
		Entities: true, MinLength: 50, MaxLength: 50_000, MinLetters: 0.3, MinRelevance: 0.15, MinClaim: 0.85,
		MemoryAllow:       []string{"EMAIL", "PHONE"},
		ArtifactThreshold: 10_000, ArtifactKeep: 100, ArtifactSweepAt: 150, ArtifactMaxBytes: 64 << 20, KeepRaw: keepNone,
		Reduce: reduce.Options{
			Limit: 200_000, Trigger: 0.65, CacheRelax: 0.1, LowMark: 0.3, ArtifactThreshold: 10_000, CompressTo: 8_000, MaxResult: 30_000,
			Window: 100, PreserveFirst: 1,
		},
		ChatTimeout:  20 * time.Second,
		UpstreamIdle: 5 * time.Minute, DirectiveTimeout: 15 * time.Second, DirectiveBytes: 1 << 20, DirectiveItems: 20,
		PII: packets.FlagPII, PacketKeep: 500, PacketMaxAge: 30 * 24 * time.Hour,
		SessionTTL: 24 * time.Hour, TaskTTL: 30 * 24 * time.Hour, AskTimeout: 2 * time.Minute, EmbeddingsTimeout: 3 * time.Second,
		PolicyPreset: "balanced", StepUpTimeout: 15 * time.Minute, DeferTimeout: 5 * time.Minute, MaxWaiting: 16,
		EmbeddingsCache: sqlite.DefaultVectorMemory, TokenCounter: countByModel,
		Addr: "127.0.0.1:8080", Auth: "auto", MaxBodyBytes: 32 << 20, ShutdownGrace: 10 * time.Second,
		LogLevel: "info", LogFormat: "text", accumulator: newAccumulatorConfig(), limits: newLimits(), quotas: newQuotas(), source: map[string]string{},
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

// addFlags adds the flags of a command; "" is for those of every command.
func (c *Config) addFlags(flags *pflag.FlagSet, command string) {
	if command == "" {
		flags.StringVar(&c.file, "config", "", "configuration `file`, YAML (env CTX_MCP_CONFIG)")
	}
	for _, s := range settings {
		if s.Flag == "" || s.Command != command {
			continue
		}
		v := s.value(c)
		f := flags.VarPF(v, s.Flag, "", s.Doc+" (env "+s.env()+")")
		if v.Type() == "bool" {
			f.NoOptDefVal = "true"
		}
	}
}

// load puts the configuration in force: defaults, then the file, then the environment, then the flags.
func (c *Config) load(getenv func(string) string, flags *pflag.FlagSet) error {
	given := map[string]string{}
	flags.Visit(func(f *pflag.Flag) { given[f.Name] = f.Value.String() })
	for _, s := range settings {
		if _, byFlag := given[s.Flag]; !byFlag || s.Flag == "" {
			c.source[s.Key] = "default"
		}
	}
	byFlag := func(s Setting) bool { _, is := given[s.Flag]; return is && s.Flag != "" }
	if err := c.loadFile(getenv, byFlag); err != nil {
		return err
	}
	for _, s := range settings {
		if byFlag(s) {
			c.source[s.Key] = "--" + s.Flag
			continue
		}
		text := getenv(s.env())
		if text == "" {
			continue
		}
		if err := s.value(c).Set(text); err != nil {
			return usage("%s: %v", s.env(), s.hide(err))
		}
		c.source[s.Key] = "$" + s.env()
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

func (c *Config) check() error {
	switch {
	case c.DataDir == "":
		return usage("there is no home directory to keep data in: set --data-dir or CTX_MCP_DATA_DIR")
	case c.Tenant == "" || c.User == "":
		return usage("identity.tenant and identity.user cannot be empty")
	case c.MinLength > c.MaxLength, c.MaxLength == 0:
		return usage("memory.max_length is 0, or below memory.min_length")
	case (c.EmbeddingsURL == "") != (c.EmbeddingsModel == ""):
		return usage("embeddings.base_url and embeddings.model go together: set both or neither")
	}
	if err := errors.Join(c.checkHTTP(), c.checkArtifacts(), c.checkContexts(), c.checkReduction(), c.accumulator.check(), c.checkEncryption()); err != nil {
		return err
	}
	abs, err := filepath.Abs(c.DataDir)
	if err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	c.DataDir = abs
	return nil
}

// models returns what is known of models, with the limits of the configuration.
func (c *Config) models() *tokens.Models {
	return &tokens.Models{Limits: c.TokenLimits, ByRatio: c.TokenCounter == countByRatio}
}

// checkHTTP refuses addresses that could do nothing, or that would show a password.
func (c *Config) checkHTTP() error {
	if c.MaxBodyBytes == 0 {
		return usage("http.max_body_bytes is 0")
	}
	if u, err := url.Parse(c.EmbeddingsURL); err != nil || u.User != nil {
		return usage("embeddings.base_url is not a URL, or holds a password: put that into embeddings.api_key")
	}
	origins := slices.Concat(c.AllowedOrigins, c.CORSOrigins)
	if c.PublicURL != "" {
		origins = append(origins, c.PublicURL)
	}
	for _, origin := range origins {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return usage("%q is not an origin such as https://app.example.org", origin)
		}
	}
	return nil
}

// unknownVariable returns a variable of the environment that begins like a setting's and is none.
func unknownVariable(environ, known []string) string {
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "CTX_MCP_") && !slices.Contains(known, name) {
			return name
		}
	}
	return ""
}
