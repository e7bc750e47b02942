package memory

import (
	"cmp"
	"net/url"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/origin"
)

// domains returns the web domains that a draft is learned from: that of a web page, and that of a document or a tool's
// output that has a web address.
func (d *Draft) domains() []string {
	site := ""
	switch kind := d.kind(); {
	case kind == ctxmcp.Web:
		site = cmp.Or(origin.Domain(d.Source.Origin), origin.Unknown)
	case kind == ctxmcp.Document || kind == ctxmcp.ToolOutput:
		if u, err := url.Parse(d.Source.Origin); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
			site = origin.Domain(d.Source.Origin)
		}
	}
	if site == "" {
		return nil
	}
	return []string{site}
}

// otherDomains reports whether two objects were learned from different web domains.
func otherDomains(a, b ctxmcp.ContextObject) bool {
	return len(a.Domains) > 0 && len(b.Domains) > 0 && !slices.Equal(a.Domains, b.Domains)
}

// union returns the distinct entries of both lists, in order; nil if there are none.
func union(a, b []string) []string {
	if len(a)+len(b) == 0 {
		return nil
	}
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}
