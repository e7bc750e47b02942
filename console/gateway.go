package console

import (
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/gateway"
)

// gatewayPage is the servers behind the gateway, and the tools that it holds back until a person approves them.
type gatewayPage struct {
	Here    bool            `json:"here"` // this page may show and decide it
	Servers []gatewayServer `json:"servers"`
	Held    []heldTool      `json:"held_back"`
	Saved   savings         `json:"saved"`
}

func (gatewayPage) title() string { return "Gateway" }

// gatewayServer is what is known of one server.
type gatewayServer struct {
	Name      string    `json:"server"`
	Tools     int       `json:"tools"`
	HeldBack  int       `json:"held_back"`
	Prompts   int       `json:"prompts"`
	Resources int       `json:"resources"`
	Seen      time.Time `json:"seen,omitzero"`
	Error     string    `json:"error,omitempty"`
}

// heldTool is a tool that is not offered, with the change of its definition.
type heldTool struct {
	Server string         `json:"server"`
	Tool   string         `json:"tool"`
	Name   string         `json:"name"`
	Doubt  string         `json:"doubt"`
	Kinds  []string       `json:"instructions,omitempty"` // of instructions that its definition seems to give
	Digest string         `json:"digest"`                 // of the definition that is shown: that one is approved, and no other
	Lines  []artifactLine `json:"-"`
}

// gateway answers with the servers and the tools that are held back.
func (c *Console) gateway(v visit) (any, error) {
	p := gatewayPage{Here: c.o.Gateway != nil, Servers: []gatewayServer{}, Held: []heldTool{}}
	var err error
	if p.Saved, err = c.saved(v); err != nil || !p.Here {
		return p, err
	}
	servers, err := c.o.Gateway.Status(v.Context())
	if err != nil {
		return nil, err
	}
	for _, s := range servers {
		p.Servers = append(p.Servers, gatewayServer{s.Server, s.Tools, s.HeldBack, s.Prompts, s.Resources, s.Seen, s.Error})
	}
	held, err := c.o.Gateway.HeldBack(v.Context())
	for _, q := range held {
		p.Held = append(p.Held, heldTool{q.Server, q.Tool, q.Name, string(q.Doubt), q.Kinds, ctxmcp.DigestRef(q.Is), changedLines(q.Was, q.Is)})
	}
	return p, err
}

// approve lets a tool be offered with the definition that was shown. It returns CodeConflict where the definition has changed since.
func (c *Console) approve(v visit) (string, error) {
	if c.o.Gateway == nil {
		return "", ctxmcp.Errorf(ctxmcp.CodeDenied, "tools are not approved here").WithHint("open the pages with ctx-mcp ui on the machine of the gateway")
	}
	held, err := c.o.Gateway.HeldBack(v.Context())
	if err != nil {
		return "", err
	}
	for _, q := range held {
		if q.Server == v.PostFormValue("server") && q.Tool == v.PostFormValue("tool") {
			if ctxmcp.DigestRef(q.Is) != v.PostFormValue("digest") {
				return "", ctxmcp.Errorf(ctxmcp.CodeConflict, "the tool has changed again since it was shown").WithHint("look at it anew")
			}
			return "gateway", c.o.Gateway.Approve(q)
		}
	}
	return "", ctxmcp.Errorf(ctxmcp.CodeNotFound, "no such tool is held back").WithHint("the page of the gateway has those that are")
}

var _ Gateway = (*gateway.Book)(nil)

// changedLines returns the difference of two definitions, with the lines that are new, and those that are gone, marked.
func changedLines(was, is string) (all []artifactLine) {
	for line := range strings.Lines(string(diff.Diff("pinned", []byte(was), "now", []byte(is)))) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "diff ") {
			all = append(all, artifactLine{Mark: lineMark(line, true), Text: line})
		}
	}
	return all
}
