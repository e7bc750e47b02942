package config

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// noFlags reports that no flag is on the command line.
func noFlags(string) bool { return false }

// environment returns the variables of a process that has only these.
func environment(of map[string]string) func(string) string {
	return func(name string) string { return of[name] }
}

// fileWith returns a configuration that reads a file with the text.
func fileWith(t *testing.T, text string) *Config {
	t.Helper()
	c := New()
	c.DataDir, c.File = t.TempDir(), filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(c.File, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// Each source goes before those that stand in front of it: the default, the file, the environment, the flag.
func TestPrecedence(t *testing.T) {
	for _, test := range []struct {
		name, file string
		env        map[string]string
		flag       bool
		want, from string
	}{
		{"default", "", nil, false, "info", "default"},
		{"file", "log:\n  level: warn\n", nil, false, "warn", "config.yaml:2"},
		{"dotted key", "log.level: warn\n", nil, false, "warn", "config.yaml:1"},
		{"environment", "log:\n  level: warn\n", map[string]string{"CTX_MCP_LOG_LEVEL": "error"}, false, "error", "$CTX_MCP_LOG_LEVEL"},
		{"flag", "log:\n  level: warn\n", map[string]string{"CTX_MCP_LOG_LEVEL": "error"}, true, "debug", "--log-level"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := fileWith(t, test.file)
			given := func(flag string) bool { return test.flag && flag == "log-level" }
			if test.flag {
				c.LogLevel = "debug"
			}
			if err := c.Load(environment(test.env), given); err != nil {
				t.Fatal(err)
			}
			if from := c.Source("log.level"); c.LogLevel != test.want || !strings.HasSuffix(from, test.from) {
				t.Errorf("log.level = %s from %s, want %s from %s", c.LogLevel, from, test.want, test.from)
			}
		})
	}
}

// A file, a section, a list and a table are read as the form of YAML has them; a mistake is named with its line.
func TestFile(t *testing.T) {
	c := fileWith(t, "identity:\n  tenant: acme\n  roles: [reader, operator]\ncontext:\n  schemas:\n    refund: v0.5.0\ntokens:\n  limits: some=1000\n")
	if err := c.Load(environment(nil), noFlags); err != nil {
		t.Fatal(err)
	}
	if c.Tenant != "acme" || !slices.Equal(c.Roles, []string{"reader", "operator"}) || c.Schemas["refund"] != "v0.5.0" || c.TokenLimits["some"] != 1000 {
		t.Errorf("read %q, %v, %v, %v", c.Tenant, c.Roles, c.Schemas, c.TokenLimits)
	}
	for _, bad := range []struct{ text, want string }{
		{"log:\n  loud: true\n", `config.yaml:2: unknown key "log.loud"; ctx-mcp config show lists the known ones`},
		{"log: info\n", "config.yaml:1: log is a section, not a value"},
		{"log:\n  level: {a: b}\n", "config.yaml:2: log.level: it is a value, not a section"},
		{"\nread_only: perhaps\n", `config.yaml:2: read_only: "perhaps" is neither true nor false`},
		{"encryption:\n  key: [sesame, {a: b}]\n", "config.yaml:2: encryption.key: its value cannot be used"},
		{"log: [", "config.yaml: not YAML"},
	} {
		err := fileWith(t, bad.text).Load(environment(nil), noFlags)
		if ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("Load(%q) = %v, want invalid: %s", bad.text, err, bad.want)
		}
	}
	missing := New()
	missing.DataDir = t.TempDir()
	err := missing.Load(environment(map[string]string{"CTX_MCP_CONFIG": filepath.Join(t.TempDir(), "none.yaml")}), noFlags)
	if ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
		t.Errorf("a named file that is missing: %v, want invalid", err)
	}
}

// TestPlaced: the file in the platform's folder may end in .yml; with a second one beside it neither counts silently.
func TestPlaced(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	want := func(file string, fails bool) {
		t.Helper()
		if got, err := placed(folder); (err != nil) != fails || got != file {
			t.Errorf("placed = %q, %v; want %q, an error: %v", got, err, file, fails)
		}
	}
	want(path("config.yaml"), false)
	for _, step := range []struct {
		write, want string
		fails       bool
	}{{"config.yml", path("config.yml"), false}, {"config.yaml", "", true}} {
		if err := os.WriteFile(path(step.write), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		want(step.want, step.fails)
	}
}

// A configuration that could not work is refused.
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"no data", func(c *Config) { c.DataDir = "" }, "no home directory"},
		{"no user", func(c *Config) { c.User = "" }, "identity.tenant and identity.user"},
		{"lengths", func(c *Config) { c.MinLength = c.MaxLength + 1 }, "memory.max_length"},
		{"half an endpoint", func(c *Config) { c.EmbeddingsURL = "http://127.0.0.1:1/v1" }, "embeddings.base_url and embeddings.model"},
		{"a password in an address", func(c *Config) { c.EmbeddingsURL, c.EmbeddingsModel = "http://a:b@127.0.0.1/v1", "m" }, "holds a password"},
		{"body", func(c *Config) { c.MaxBodyBytes = 0 }, "http.max_body_bytes"},
		{"origin", func(c *Config) { c.CORSOrigins = []string{"example.org"} }, "is not an origin"},
		{"artifacts", func(c *Config) { c.ArtifactKeep = c.ArtifactSweepAt + 1 }, "artifacts.keep"},
		{"originals", func(c *Config) { c.KeepRaw = KeepEncrypted }, "artifacts.keep_raw"},
		{"contexts", func(c *Config) { c.PacketKeep = 0 }, "context.packet_keep"},
		{"folders", func(c *Config) { c.FilesystemRoots = []string{"no/such/folder"} }, "is not a folder"},
		{"schemas", func(c *Config) { c.Schemas = map[string]string{"compile": "v0"} }, "context.schemas"},
		{"marks", func(c *Config) { c.Reduce.LowMark = c.Reduce.Trigger }, "prompt.low_mark"},
		{"chat", func(c *Config) { c.ChatModel = "m" }, "chat.base_url and chat.model"},
		{"chain", func(c *Config) { c.ChainWarning = c.ChainLimit + 1 }, "chain_length_warning"},
		{"summaries", func(c *Config) { c.KeepRecent = c.TriggerAt }, "context_accumulator.summarization"},
		{"two keys", func(c *Config) { c.EncryptionKey, c.EncryptionKeyFile = "a", "b" }, "set one of encryption.key"},
		{"seal without keys", func(c *Config) { c.ErasureSeal = true }, "erasure.seal needs erasure.keys"},
		{"keys beside the data", func(c *Config) { c.ErasureKeys = filepath.Join(c.DataDir, "keys") }, "erasure.keys is in data_dir"},
		{"keys beside the rows", func(c *Config) { c.Store, c.ErasureKeys = "postgres://h/d", "postgres://h/d" }, "erasure.keys is the database of the rows"},
		{"upstreams", func(c *Config) { c.Upstreams = "no/such/file" }, "context.upstreams"},
	} {
		c := fileWith(t, "")
		test.change(c)
		err := c.Load(environment(nil), noFlags)
		if ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: Load = %v, want invalid: %s", test.name, err, test.want)
		}
	}
	if err := fileWith(t, "").Load(environment(nil), noFlags); err != nil {
		t.Errorf("the defaults are refused: %v", err)
	}
}

// Every setting has a name, a variable and a key of its own, a doc, and a default that reads back as it is written.
func TestSettings(t *testing.T) {
	seen := map[string]string{}
	for _, s := range Settings() {
		for _, name := range []string{"key " + s.Key, "variable " + s.Env()} {
			if other, twice := seen[name]; twice {
				t.Errorf("%s and %s have one %s", s.Key, other, name)
			}
			seen[name] = s.Key
		}
		if s.Doc == "" {
			t.Errorf("%s has no doc", s.Key)
		}
		c := New()
		written := c.Value(s).String()
		if err := c.Value(s).Set(written); err != nil || c.Value(s).String() != written {
			t.Errorf("%s: the default %q reads back as %q: %v", s.Key, written, c.Value(s).String(), err)
		}
	}
}

// The text of a secret is in no listing and in no error.
func TestSecretsAreHidden(t *testing.T) {
	const secret = "sesame-open-now"
	c, env := fileWith(t, ""), map[string]string{}
	for _, s := range Settings() {
		if s.Secret {
			env[s.Env()] = secret
		}
	}
	if len(env) == 0 {
		t.Fatal("no setting is a secret")
	}
	if err := c.Load(environment(env), noFlags); err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	all, err := c.InForce()
	if err != nil {
		t.Fatal(err)
	}
	if err := Print(&shown, all); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(shown.String(), secret) || strings.Count(shown.String(), "********") != len(env) {
		t.Errorf("shown:\n%s", shown.String())
	}
	for _, s := range Settings() {
		if !strings.Contains(shown.String(), s.Key+" ") {
			t.Errorf("%s is not listed", s.Key)
		}
	}
}
