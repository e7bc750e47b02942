package memory

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/ctx-mcp/ctx-mcp"
)

// unknownDomain is the domain of what was learned from a page that is not named.
const unknownDomain = "unknown"

// Domain returns the web domain of a URL or a host, as browsers tell sites apart: the part below the public suffix
// (https://publicsuffix.org), so that "https://pay.shop.example/cart" is of "shop.example". An address or a name without
// a suffix is its own. It returns "" for what names no host.
func Domain(origin string) string {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		u, err = url.Parse("https://" + origin)
	}
	if err != nil || u.Hostname() == "" || !strings.ContainsAny(u.Hostname(), ".:") && u.Hostname() != "localhost" {
		return ""
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if net.ParseIP(host) != nil {
		return strings.ReplaceAll(host, ":", "-")
	}
	site, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil || !ctxmcp.ValidID(site) {
		site = host
	}
	if !ctxmcp.ValidID(site) {
		return unknownDomain
	}
	return site
}

// domains returns the web domains that a draft is learned from: that of a web page, and that of a document or a tool's
// output that has a web address.
func (d *Draft) domains() []string {
	site := ""
	switch kind := d.kind(); {
	case kind == ctxmcp.Web:
		site = orElse(Domain(d.Source.Origin), unknownDomain)
	case kind == ctxmcp.Document || kind == ctxmcp.ToolOutput:
		if u, err := url.Parse(d.Source.Origin); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
			site = Domain(d.Source.Origin)
		}
	}
	if site == "" {
		return nil
	}
	return []string{site}
}

// union returns the distinct entries of both lists, in order; nil if there are none.
func union(a, b []string) []string {
	if len(a)+len(b) == 0 {
		return nil
	}
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}
