package gateway

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// maxName is how long a name of a tool may be for every client.
const maxName = 64

// unfit are the characters that some client refuses in a name.
var unfit = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

// origin is the place that a name of ours stands for.
type origin struct{ server, name string }

// names gives every tool, or every prompt, of the servers a name of its own: server__tool. They are taken in the order in which they are
// given; a name that was changed, or that another one has already, ends in a part of its digest. taken are names that are given to others.
func names(all []origin, taken map[string]bool) (of map[origin]string, by map[string]origin) {
	of, by = map[origin]string{}, map[string]origin{}
	for _, o := range all {
		whole := o.server + "__" + o.name
		name := unfit.ReplaceAllString(whole, "_")
		if name != whole || len(name) > maxName {
			name = digested(name, whole)
		}
		for n := 0; taken[name] || by[name] != (origin{}); n++ {
			name = digested(name, fmt.Sprint(whole, "\x00", o.server, n))
		}
		of[o], by[name] = name, o
	}
	return of, by
}

// digested returns a name that ends in six digits of the digest of a text.
func digested(name, of string) string {
	return name[:min(len(name), maxName-7)] + "_" + ctxmcp.Digest(of)[:6]
}

// scheme begins the URIs of the servers' resources. What follows is the server, a slash, and the URI as the server has it.
const scheme = "upstream:"

// wrapURI returns the URI by which the clients of the gateway name a resource of a server. Templates stay templates.
func wrapURI(server, uri string) string { return scheme + server + "/" + uri }

// unwrapURI returns the server and its URI of one that wrapURI made.
func unwrapURI(uri string) (o origin, ok bool) {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok {
		return origin{}, false
	}
	o.server, o.name, ok = strings.Cut(rest, "/")
	return o, ok
}
