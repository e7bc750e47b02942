package directives

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/ctx-mcp/ctx-mcp"
)

// Resolver looks up the addresses of a host. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Web brings pages of hosts that the operator allows: "https://example.org/page". It connects to addresses that it has looked up
// and checked itself, so that no name leads into a private network: not at first, not after a redirect, and not
// because a name changed between the check and the connection.
type Web struct {
	Hosts    []string // example.org, or *.example.org for those below it; with a port if it is not the scheme's
	Private  []string // those of the hosts, in the same form, that may have addresses in private networks
	Resolver Resolver
	// Dial connects to an address that was checked. *net.Dialer has such a method.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

const maxRedirects = 5

// Fetch implements Provider.
func (w Web) Fetch(ctx context.Context, c Call) (Fetched, error) {
	target, err := url.Parse(c.Scheme + ":" + c.Rest)
	if err != nil || target.Host == "" || target.User != nil {
		return Fetched{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%q is not an address", ctxmcp.Clip(c.Scheme+":"+c.Rest, maxEcho)).
			WithHint("such as https://example.org/page, without user and password")
	}
	if err := w.allowed(target); err != nil {
		return Fetched{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return Fetched{}, err
	}
	request.Header.Set("User-Agent", "ctx-mcp")
	request.Header.Set("Accept", "text/*, application/json;q=0.9, */*;q=0.1")
	transport := &http.Transport{DialContext: w.dial, DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10}
	client := &http.Client{Transport: transport, CheckRedirect: w.redirect}
	response, err := client.Do(request)
	if err != nil {
		return Fetched{}, told(target.Host, err)
	}
	defer response.Body.Close()
	return w.read(response, c.Budget)
}

// told keeps an Error that was meant for the caller, and says of any other only that the host did not answer.
func told(host string, err error) error {
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the address, whose query may be a secret
	}
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s did not answer", ctxmcp.Clip(host, maxEcho)).WithCause(err)
}

// allowed returns CodeDenied for an address of a host that is not allowed.
func (w Web) allowed(target *url.URL) error {
	port := target.Port()
	if port == defaultPort(target.Scheme) {
		port = ""
	}
	ok := slices.ContainsFunc(w.Hosts, func(allowed string) bool {
		name, p, ported := strings.Cut(allowed, ":")
		return (ported || port == "") && (!ported || p == port || p == target.Port()) && covers(name, target.Hostname())
	})
	if !ok || target.Scheme != "http" && target.Scheme != "https" {
		return ctxmcp.Errorf(ctxmcp.CodeDenied, "the host %q is not one that is allowed", ctxmcp.Clip(target.Host, maxEcho)).
			WithHint("the operator lists hosts in context.http_hosts")
	}
	return nil
}

// covers reports whether a name in a list, or everything below it, is the host.
func covers(listed, host string) bool {
	listed, host = strings.ToLower(listed), strings.ToLower(strings.TrimSuffix(host, "."))
	if below, wild := strings.CutPrefix(listed, "*."); wild {
		return strings.HasSuffix(host, "."+below)
	}
	return host == listed
}

func defaultPort(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}

func (w Web) redirect(next *http.Request, before []*http.Request) error {
	if len(before) > maxRedirects {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the page leads on more than %d times", maxRedirects)
	}
	if before[len(before)-1].URL.Scheme == "https" && next.URL.Scheme != "https" {
		return ctxmcp.Errorf(ctxmcp.CodeDenied, "the page leads from https to http")
	}
	next.Header.Del("Referer")
	return w.allowed(next.URL)
}

// dial connects to the first address of the host that answers. Every one must be public, or private where the operator opened the host: any
// other name that has a private address too is not trusted at all.
func (w Web) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	found, err := w.Resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	opened := slices.ContainsFunc(w.Private, func(name string) bool { return covers(name, host) })
	for _, ip := range found {
		if !public(ip) && !(opened && private(ip)) {
			return nil, ctxmcp.Errorf(ctxmcp.CodeDenied, "%s has an address that is not public", ctxmcp.Clip(host, maxEcho)).
				WithHint("the operator opens hosts of private networks in context.private_hosts")
		}
	}
	failure := fmt.Errorf("%s has no address", host)
	for _, ip := range found {
		conn, err := w.Dial(ctx, network, net.JoinHostPort(ip.Unmap().String(), port))
		if err == nil {
			return conn, nil
		}
		failure = err
	}
	return nil, failure
}

// reserved are the ranges that are not of the public network, beside those that netip knows, by IANA's registries of special
// purpose addresses; with those that carry an IPv4 address within, which could be a private one.
var reserved = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "240.0.0.0/4", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
	"3fff::/20", "5f00::/16", "fec0::/10")

func prefixes(list ...string) []netip.Prefix {
	var all []netip.Prefix
	for _, text := range list {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// public reports whether the address is one of the public network.
func public(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	return ip.IsValid() && ip.IsGlobalUnicast() && !ip.IsPrivate() && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() &&
		!slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// private reports whether the address is one of a private network or of this machine. Addresses of the link are none: clouds keep the
// credentials of a machine there.
func private(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	return ip.IsPrivate() || ip.IsLoopback()
}

// read returns the body as UTF-8.
func (w Web) read(response *http.Response, b Budget) (Fetched, error) {
	address := response.Request.URL
	if response.StatusCode != http.StatusOK {
		code := ctxmcp.CodeUnavailable
		if response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusGone {
			code = ctxmcp.CodeNotFound
		}
		return Fetched{}, ctxmcp.Errorf(code, "%s answered with status %d", ctxmcp.Clip(address.Host, maxEcho), response.StatusCode)
	}
	media, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil {
		media = ""
	}
	if !textual(media) {
		return Fetched{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s is %s, not text", ctxmcp.Clip(address.String(), maxEcho), ctxmcp.Clip(media, maxEcho))
	}
	raw, err := io.ReadAll(io.LimitReader(response.Body, b.Bytes+1))
	if err != nil {
		return Fetched{}, told(address.Host, err)
	}
	if int64(len(raw)) > b.Bytes {
		return Fetched{}, TooLarge(b.Bytes, b.Items)
	}
	ctx := response.Request.Context()
	text, err := decode(ctx, raw, response.Header.Get("Content-Type"))
	if ctx.Err() != nil {
		return Fetched{}, told(address.Host, ctx.Err())
	}
	if err != nil {
		return Fetched{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the page is in an encoding that cannot be read").WithCause(err)
	}
	if !legible(text) {
		return Fetched{Skipped: []Skipped{{address.String(), notText}}}, nil
	}
	return Fetched{Found: []Found{{URI: address.String(), MediaType: media, Text: text}}}, nil
}

// textual reports whether a media type is of text; a page may leave it out.
func textual(media string) bool {
	_, kind, _ := strings.Cut(media, "/")
	return media == "" || strings.HasPrefix(media, "text/") || slices.Contains([]string{"json", "xml", "javascript", "yaml", "x-yaml", "x-ndjson", "toml"}, kind) ||
		strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml")
}

// decode returns text in UTF-8, by the encoding that the header or the page names, while ctx lasts.
func decode(ctx context.Context, raw []byte, media string) (string, error) {
	encoding, _, _ := charset.DetermineEncoding(raw, media)
	text, err := io.ReadAll(encoding.NewDecoder().Reader(during{ctx, bytes.NewReader(raw)}))
	return string(text), err
}
