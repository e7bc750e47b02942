package connect

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Server is how a client starts ctx-mcp, or where it reaches it.
type Server struct {
	Command string // the program, absolute
	Args    []string
	Env     map[string]string

	URL   string // of a server that runs elsewhere; then there is no command
	Token Token
}

// Token says where the bearer token of a remote server stands. The zero value is no token.
type Token struct {
	Variable string // of the client's environment, which the client reads itself
	Clear    string // the token itself, which is written into the file
}

// TokenVariable is the variable of the environment that holds the token of a remote server.
const TokenVariable = "CTX_MCP_TOKEN"

// Entry returns the client's entry for the server. It fails if the client cannot reach a remote server by its file, or cannot read the
// token from its environment.
func (c Client) Entry(s Server) (Fields, error) {
	if s.URL == "" {
		return c.local(s), nil
	}
	if c.noRemote != "" {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the file of %s holds no remote servers", c.Title).WithHint("%s", c.noRemote)
	}
	if s.Token.Variable != "" && c.reference == "" {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s reads no token from the environment", c.Title).
			WithHint("--token clear writes the token of $%s into the file, in the clear; --token none writes none", TokenVariable)
	}
	return c.remote(s), nil
}

// Text returns a text that holds nothing but the client's entry, to paste.
func (c Client) Text(s Server) (string, error) {
	entry, err := c.Entry(s)
	if err != nil {
		return "", err
	}
	return c.format.show(c.edit(entry)), nil
}

// authorization returns the value of the header: with the token, or with the reference to its variable.
func (s Server) authorization(reference string) string {
	switch {
	case s.Token.Clear != "":
		return "Bearer " + s.Token.Clear
	case s.Token.Variable != "":
		return "Bearer " + strings.ReplaceAll(reference, "NAME", s.Token.Variable)
	}
	return ""
}

// with returns the fields and one more, if that says anything.
func (f Fields) with(name string, v any) Fields {
	switch v := v.(type) {
	case map[string]string:
		if len(v) == 0 {
			return f
		}
	case Fields:
		if len(v) == 0 {
			return f
		}
	}
	return append(f, Field{name, v})
}

// header returns the header with the token, no fields without one.
func (s Server) header(reference string) Fields {
	if value := s.authorization(reference); value != "" {
		return Fields{{"Authorization", value}}
	}
	return nil
}

// program returns the fields that most clients have for a program, after those given.
func program(first ...Field) func(Server) Fields {
	return func(s Server) Fields {
		return append(append(Fields{}, first...), Field{"command", s.Command}, Field{"args", s.Args}).with("env", s.Env)
	}
}

// endpoint returns the fields that most clients have for a remote server: those given, the URL under a name, the header.
func endpoint(url, reference string, first ...Field) func(Server) Fields {
	return func(s Server) Fields {
		return append(append(Fields{}, first...), Field{url, s.URL}).with("headers", s.header(reference))
	}
}
