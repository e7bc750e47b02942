package origin

import (
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/ctx-mcp/ctx-mcp"
)

// Unknown is the domain of a page that is not named, or whose name cannot be written as an id.
const Unknown = "unknown"

// Domain returns the web domain of a URL or a host, as browsers tell sites apart: the part below the public suffix
// (https://publicsuffix.org), so that "https://pay.shop.example/cart" is of "shop.example". An address or a name
// without a suffix is its own. It returns "" for a text that names no host.
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
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	site, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil || !ctxmcp.ValidID(site) {
		site = host
	}
	if !ctxmcp.ValidID(site) {
		return Unknown
	}
	return site
}
