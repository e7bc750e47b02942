package gateway

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
)

// Server is one server behind the gateway.
type Server struct {
	upstream.Server
	Shared bool // one connection serves all users
	Plain  bool // its tools and prompts keep their own names, where no other has them
	OAuth  OAuth
}

// OAuth is how users sign in to a server, where the server alone does not say it.
type OAuth struct {
	ClientID     string   `json:"client_id"`
	ClientSecret string   `json:"client_secret"` // or ${vault:NAME}
	Scopes       []string `json:"scopes"`
	Port         int      `json:"port"` // of the address on this machine that the browser comes back to
}

// inherited are the variables of the environment that every program gets, as clients of MCP give them. All others stay here: they may be secrets.
var inherited = []string{
	"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME",
	"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE",
}

// entry is a server as the files of clients have it. Fields that concern the client alone are passed over.
type entry struct {
	Command   string            `json:"command"`
	Args      []string          `json:"args"`
	Env       map[string]string `json:"env"`
	Dir       string            `json:"cwd"`
	URL       string            `json:"url"`
	HTTPURL   string            `json:"httpUrl"`   // Gemini CLI, Qwen Code
	ServerURL string            `json:"serverUrl"` // Windsurf
	Headers   map[string]string `json:"headers"`
	Type      string            `json:"type"`
	Shared    bool              `json:"shared"`
	Prefix    *bool             `json:"prefix"`
	OAuth     OAuth             `json:"oauth"`
	Disabled  bool              `json:"disabled"`
}

// ReadServers reads a file of servers in the form that clients have: {"mcpServers": {"name": {…}}}. Values may name variables of the
// environment as ${NAME} or ${NAME:-default}. Servers that are disabled are left out. It returns CodeInvalid for a file that cannot be meant; no
// error quotes a value.
func ReadServers(text []byte, getenv func(string) string) (map[string]Server, error) {
	var file struct {
		Servers map[string]entry `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, `it is not of the form {"mcpServers": {"name": {"command", "args", "env"} or {"url", "headers"}}}`).WithCause(err)
	}
	all := map[string]Server{}
	for _, name := range slices.Sorted(maps.Keys(file.Servers)) {
		e := file.Servers[name]
		if e.Disabled {
			continue
		}
		s, err := e.server(name, getenv)
		if err != nil {
			return nil, err
		}
		all[name] = s
	}
	return all, nil
}

func (e entry) server(name string, getenv func(string) string) (Server, error) {
	s := Server{Shared: e.Shared, Plain: e.Prefix != nil && !*e.Prefix, OAuth: e.OAuth, Server: upstream.Server{
		Command: e.Command, Args: e.Args, Env: e.Env, Dir: e.Dir, URL: first(e.URL, e.HTTPURL, e.ServerURL), Headers: e.Headers,
	}}
	if e.Type == "sse" {
		return s, ctxmcp.Errorf(ctxmcp.CodeInvalid, "server %q: the transport of 2024 (sse) is not spoken here", name).WithHint("use its address for Streamable HTTP")
	}
	if err := s.Resolve(name, getenv); err != nil {
		return s, err
	}
	if s.Command != "" {
		env := map[string]string{}
		for _, v := range inherited {
			if value := getenv(v); value != "" {
				env[v] = value
			}
		}
		maps.Copy(env, s.Env)
		s.Env = env
	}
	return s, nil
}

func first(texts ...string) string {
	i := max(0, slices.IndexFunc(texts, func(t string) bool { return t != "" }))
	return texts[i]
}

// Secrets returns the values that the servers of a file are given and nobody else is to see: those of env and headers that are no words of
// ordinary text.
func Secrets(text []byte, getenv func(string) string) []string {
	var file struct {
		Servers map[string]entry `json:"mcpServers"`
	}
	if json.Unmarshal(text, &file) != nil {
		return nil
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(file.Servers)) {
		e := file.Servers[name]
		s := upstream.Server{Command: e.Command, URL: first(e.URL, e.HTTPURL, e.ServerURL), Env: e.Env, Headers: e.Headers}
		if s.Resolve(name, getenv) != nil {
			continue
		}
		for _, v := range append(s.Secrets(), e.OAuth.ClientSecret) {
			if len(v) >= minSecret && !strings.ContainsAny(v, "/\\:") {
				all = append(all, v)
			}
		}
	}
	return all
}

// minSecret is how long a value is that is hidden wherever it stands.
const minSecret = 12

// ID returns the name under which what belongs to a server is kept: other arguments or another address make another server,
// other credentials do not.
func (s Server) ID(name string) string {
	return name + "-" + ctxmcp.Digest(strings.Join(append([]string{s.Command, s.URL, s.Dir}, s.Args...), "\x00"))[:8]
}
