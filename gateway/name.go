package gateway

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
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

// wish is a tool or a prompt that is to get a name.
type wish struct {
	origin
	plain   bool // its own name is wanted for it
	offered bool // clients see it: a hidden tool takes no name from a visible one
}

// clash is a name that several wish for. None of them gets it, so that no call is made of another server than was meant.
type clash struct {
	name string
	by   []origin // that are offered, under the names that begin with their servers
}

// plainNames gives names as names does, but for wishes that are plain: they get their own name, unless it is taken, begins with one of the servers,
// or is that of another.
func plainNames(wishes []wish, servers []string, taken map[string]bool) (of map[origin]string, by map[string]origin, clashes []clash) {
	var all []origin
	offered, held := map[string]int{}, map[string]int{}
	for _, w := range wishes {
		all = append(all, w.origin)
		switch {
		case w.plain && w.offered:
			offered[ownName(w.name)]++
		case w.plain:
			held[ownName(w.name)]++
		}
	}
	of, by = names(all, taken)
	reserved := func(name string) bool {
		return taken[name] || by[name] != (origin{}) || slices.ContainsFunc(servers, func(s string) bool { return strings.HasPrefix(name, s+"__") })
	}
	lost := map[string][]origin{}
	own := map[origin]string{}
	for _, w := range wishes {
		name := ownName(w.name)
		switch {
		case !w.plain:
		case !reserved(name) && (offered[name] == 1 && w.offered || offered[name]+held[name] == 1):
			own[w.origin] = name
		case w.offered:
			lost[name] = append(lost[name], w.origin)
		}
	}
	for o, name := range own {
		delete(by, of[o])
		of[o], by[name] = name, o
	}
	for _, name := range slices.Sorted(maps.Keys(lost)) {
		clashes = append(clashes, clash{name, lost[name]})
	}
	return of, by, clashes
}

// ownName returns the name of a tool or a prompt as every client takes it.
func ownName(name string) string {
	fit := unfit.ReplaceAllString(name, "_")
	if fit != name || len(fit) > maxName {
		return digested(fit, name)
	}
	return name
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
