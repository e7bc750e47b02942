package upstream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/ctx-mcp/ctx-mcp"
)

// Server is one upstream server, in the form that clients of MCP have for it: a command, or an address.
type Server struct {
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"` // all of its environment
	Dir     string            `json:"cwd,omitempty"`

	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`

	Type  string   `json:"type,omitempty"`  // stdio or http; by what is given
	Tools []string `json:"tools,omitempty"` // that may be called although they do not say that they change nothing
	Only  []string `json:"only,omitempty"`  // the only ones that may be called; empty: all that say so, and Tools
}

// variable is a reference to the environment in a value: ${NAME}, or ${NAME:-default}.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// Parse reads servers in the form {"mcpServers": {"name": {…}}}, as JSON or YAML. Values may name variables of the environment
// as ${NAME}. It returns CodeInvalid for what cannot be meant.
func Parse(text []byte, getenv func(string) string) (map[string]Server, error) {
	raw, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "it is neither JSON nor YAML").WithCause(err)
	}
	var file struct {
		Servers map[string]Server `json:"mcpServers"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "it is not of the form mcpServers: {name: {command, args, env, cwd} or {url, headers}}: %s",
			strings.TrimPrefix(err.Error(), "json: "))
	}
	for name, s := range file.Servers {
		if err := s.Resolve(name, getenv); err != nil {
			return nil, err
		}
		file.Servers[name] = s
	}
	return file.Servers, nil
}

// Resolve puts the values of variables into the fields, and returns CodeInvalid for a server that cannot be meant.
func (s *Server) Resolve(name string, getenv func(string) string) error {
	s.expand(getenv)
	return s.check(name)
}

func (s *Server) expand(getenv func(string) string) {
	one := func(text string) string {
		return variable.ReplaceAllStringFunc(text, func(ref string) string {
			m := variable.FindStringSubmatch(ref)
			if v := getenv(m[1]); v != "" {
				return v
			}
			return m[3]
		})
	}
	s.Command, s.Dir, s.URL = one(s.Command), one(s.Dir), one(s.URL)
	s.Args = slices.Clone(s.Args)
	for i := range s.Args {
		s.Args[i] = one(s.Args[i])
	}
	for _, values := range []map[string]string{s.Env, s.Headers} {
		for name, v := range values {
			values[name] = one(v)
		}
	}
}

func (s *Server) check(name string) error {
	invalid := func(what string) error { return ctxmcp.Errorf(ctxmcp.CodeInvalid, "server %q: %s", name, what) }
	if !ctxmcp.ValidID(name) {
		return invalid("the name is not an id")
	}
	switch {
	case (s.Command == "") == (s.URL == ""):
		return invalid("it has a command or a url, one of both")
	case s.Type == "stdio" && s.Command == "", (s.Type == "http" || s.Type == "streamable-http") && s.URL == "",
		!slices.Contains([]string{"", "stdio", "http", "streamable-http"}, s.Type):
		return invalid(fmt.Sprintf("the type is %q", s.Type))
	case s.Command != "" && len(s.Headers) > 0, s.URL != "" && (len(s.Args)+len(s.Env) > 0 || s.Dir != ""):
		return invalid("args, env and cwd go with a command, headers with a url")
	}
	if s.URL != "" {
		if u, err := url.Parse(s.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return invalid("the url is not one of http or https")
		}
	}
	return nil
}

// Secrets returns the values that a server is given and nobody else is to see.
func (s Server) Secrets() []string {
	var all []string
	for _, values := range []map[string]string{s.Env, s.Headers} {
		for _, v := range values {
			all = append(all, v)
			if _, token, ok := strings.Cut(v, " "); ok { // a header's Bearer TOKEN
				all = append(all, token)
			}
		}
	}
	slices.Sort(all)
	return all
}
