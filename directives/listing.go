package directives

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// listScheme is the scheme of directives that tell what there is: "list:" every scheme, "list:mcp" the servers, "list:mcp/NAME" the tools of one.
const listScheme = "list"

// maxEntries bounds the entries of a list.
const maxEntries = 200

// Lister is a provider that can tell what it offers.
type Lister interface {
	// List returns the directives that the provider serves, one a line with what it is. Within names a part of them, and is empty for all. It
	// returns the codes of Fetch.
	List(ctx context.Context, scheme, within string) ([]string, error)
}

// grammar shows how a directive of each scheme is written, and what it brings.
var grammar = map[string]string{
	"filesystem": "filesystem:docs/plan.md  a file, or all files of a folder",
	"memory":     "memory:how we deploy  what is remembered about it",
	"artifact":   "artifact:ID?lines=10-40  an artifact, or a part of it: lines, pattern or path",
	"task":       "task:ID?fields=a,b  what a task hands on, or fields of it",
	"http":       "http://example.org/page  a page",
	"https":      "https://example.org/page  a page",
	"mcp":        "mcp:server/tool?name=value  the answer of a tool; mcp:server/scheme://…  a resource",
}

// list tells what directives may name.
func (s *Service) list(ctx context.Context, rest string) (Fetched, error) {
	scheme, within, _ := strings.Cut(rest, "/")
	lines, err := s.listed(ctx, scheme, within)
	if err != nil {
		return Fetched{}, err
	}
	got := Fetched{}
	if len(lines) > maxEntries {
		got.Skipped = []Skipped{{listScheme + ":" + rest, "over the number of entries"}}
		lines = lines[:maxEntries]
	}
	got.Found = []Found{{URI: listScheme + ":" + rest, MediaType: artifacts.Text, Text: strings.Join(lines, "\n")}}
	return got, nil
}

func (s *Service) listed(ctx context.Context, scheme, within string) ([]string, error) {
	if scheme == "" {
		return s.schemes(), nil
	}
	p, known := s.Providers[scheme]
	switch lister, lists := p.(Lister); {
	case !known:
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "there is no scheme %q", ctxmcp.Clip(scheme, maxEcho)).WithHint("list: tells all")
	case p == nil:
		return []string{scheme + ": is off; the operator opens it in the section context of the configuration"}, nil
	case lists:
		return lister.List(ctx, scheme, within)
	}
	return []string{grammar[scheme]}, nil
}

// schemes tells of every scheme how its directives are written, or that it is off.
func (s *Service) schemes() (lines []string) {
	for _, scheme := range slices.Sorted(maps.Keys(s.Providers)) {
		switch p := s.Providers[scheme]; {
		case p == nil:
			lines = append(lines, scheme+":  off")
		default:
			line := grammar[scheme]
			if _, lists := p.(Lister); lists {
				line += "; list:" + scheme + " tells which"
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// List implements Lister.
func (w Web) List(_ context.Context, scheme, _ string) ([]string, error) {
	var lines []string
	for _, host := range w.Hosts {
		lines = append(lines, scheme+"://"+host+"/…")
	}
	return lines, nil
}

// List implements Lister: the files and folders at the top of every root, or below a folder of it. Names that begin with a dot are left out.
func (f Filesystem) List(ctx context.Context, _, within string) ([]string, error) {
	var lines []string
	found := within == ""
	for _, at := range f.Roots {
		below, ok := relative(at, within)
		if !ok || hidden(below) || leadsToHidden(at, below) {
			continue
		}
		names, err := entries(at, below)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		found = true
		lines = append(lines, names...)
	}
	if !found {
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no folder %q in those that are allowed", ctxmcp.Clip(within, maxEcho)).
			WithHint("list:filesystem tells what is at the top")
	}
	slices.Sort(lines)
	return slices.Compact(lines), nil
}

// List implements Lister.
func (m MCP) List(ctx context.Context, _, within string) ([]string, error) {
	if within == "" {
		var lines []string
		for _, name := range m.Upstream.Servers() {
			lines = append(lines, "mcp:"+name+"/…  list:mcp/"+name+" tells its tools")
		}
		return lines, nil
	}
	return m.Upstream.Tools(ctx, within)
}
