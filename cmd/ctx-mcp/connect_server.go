package main

import (
	"net/url"

	"github.com/ctx-mcp/ctx-mcp/connect"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// server returns the server that the entry starts or reaches.
func (k *connecting) server() (connect.Server, error) {
	if k.url == "" {
		return serverEntry(k.config)
	}
	u, err := url.Parse(k.url)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return connect.Server{}, usage("--url is %q: use the address of the server's /mcp, such as https://ctx.example.org/mcp", k.url)
	}
	s := connect.Server{URL: k.url}
	switch k.token {
	case "env":
		s.Token.Variable = connect.TokenVariable
	case "clear":
		if s.Token.Clear = k.sys.getenv(connect.TokenVariable); s.Token.Clear == "" {
			return s, usage("--token clear needs the token in %s", connect.TokenVariable)
		}
	case "none":
	default:
		return s, usage("--token is %q: use env, clear or none", k.token)
	}
	return s, nil
}

// openly reports whether the server is reached without encryption, over a network.
func (k *connecting) openly() bool {
	u, err := url.Parse(k.url)
	return err == nil && u.Scheme == "http" && !serve.Loopback(u.Hostname())
}
