package effect

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

var (
	urlForm  = language.NewPattern(`(?i)\b(?:[a-z][a-z0-9+.-]*://|www\.)[^\s"'<>()\[\]{}\\` + "`" + `]+`)
	mailForm = language.NewPattern(`[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`)
	hostForm = language.NewPattern(`(?i)^(?:[\w.-]+@)?((?:[a-z0-9_-]+\.)+[a-z]{2,})(?::\d+)?(?:[/?#:].*)?$`)
)

// urlsIn returns the addresses in a text.
func urlsIn(text string) []string {
	var all []string
	for _, u := range urlForm.FindAllString(text, 32) {
		all = append(all, strings.TrimRight(u, ".,;:!?"))
	}
	return all
}

// HostOf returns the host of an address in lower case, without www; "" for a text that is no address.
func HostOf(text string) string {
	if i := strings.Index(text, "://"); i > 0 {
		u, err := url.Parse(text)
		if err == nil {
			return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
		}
		text = text[i+3:]
	}
	if rest, is := strings.CutPrefix(strings.ToLower(text), "www."); is {
		host, _, _ := strings.Cut(rest, "/")
		return host
	}
	if m := hostForm.FindStringSubmatch(text); m != nil {
		host := strings.ToLower(m[1])
		if at := strings.LastIndexByte(host, '.'); host == strings.ToLower(text) && language.FileEndings.Has(host[at+1:]) {
			return ""
		}
		return strings.TrimPrefix(host, "www.")
	}
	_, host, named := strings.Cut(text, "@")
	if !named {
		host = text
	}
	if at := strings.IndexAny(host, ":/"); at > 0 {
		host = host[:at]
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return a.String()
	}
	return ""
}

// IsHere reports whether a host is this very machine.
func IsHere(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || host == "host.docker.internal" || host == "0.0.0.0" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

// ownNames end names that no public registry hands out: of the network or the cluster itself (RFC 6762, RFC 8375, ICANN's .internal, Kubernetes).
var ownNames = strings.Fields(".local .localdomain .internal .lan .home.arpa .svc .svc.cluster.local")

// IsOwn reports whether a host is this machine or has a name of the own network.
func IsOwn(host string) bool {
	return IsHere(host) || slices.ContainsFunc(ownNames, func(end string) bool { return strings.HasSuffix(host, end) })
}

// Carried returns the texts that an address carries: the values of its query, a fragment, long parts of its path, labels of its host.
func Carried(text string) []string {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil
	}
	var all []string
	add := func(s string) {
		if len(s) > 2 {
			all = append(all, s)
		}
	}
	for _, values := range u.Query() {
		for _, v := range values {
			add(v)
		}
	}
	if fragment, err := url.QueryUnescape(u.Fragment); err == nil {
		add(fragment)
	}
	for part := range strings.SplitSeq(u.Path, "/") {
		add(part)
	}
	labels := strings.Split(u.Hostname(), ".")
	for _, l := range labels[:max(0, len(labels)-2)] {
		add(l)
	}
	return all
}
