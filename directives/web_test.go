package directives

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestPublic: every range of special purpose is refused, also where it is written in IPv6.
func TestPublic(t *testing.T) {
	for text, want := range map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "2606:2800:220:1:248:1893:25c8:1946": true, "172.32.0.1": true, "100.128.0.1": true,
		"127.0.0.1": false, "127.8.8.8": false, "10.1.2.3": false, "172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false, "0.1.2.3": false, "224.0.0.1": false, "239.1.1.1": false, "240.0.0.1": false,
		"255.255.255.255": false, "192.0.2.1": false, "198.18.0.1": false, "198.51.100.1": false, "203.0.113.1": false, "192.0.0.170": false,
		"::1": false, "::": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd12:3456::1": false, "ff02::1": false,
		"::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::127.0.0.1": false, "64:ff9b::7f00:1": false, "64:ff9b::a00:1": false,
		"2002:7f00:1::": false, "2001:0:7f00:1::": false, "2001:db8::1": false, "fec0::1": false, "100::1": false, "::ffff:8.8.8.8": true,
	} {
		if got := public(netip.MustParseAddr(text)); got != want {
			t.Errorf("public(%s) = %v, want %v", text, got, want)
		}
	}
	if public(netip.Addr{}) {
		t.Error("no address is public")
	}
}

// names is a resolver with answers of its own: of a name that has several, each look-up gets the next.
type names map[string][]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	host = strings.ToLower(host)
	answers := n[host]
	if len(answers) == 0 {
		return nil, errors.New("no such host")
	}
	if len(answers) > 1 {
		n[host] = answers[1:]
	}
	var all []netip.Addr
	for _, text := range strings.Fields(answers[0]) {
		all = append(all, netip.MustParseAddr(text))
	}
	return all, nil
}

const somewhere = "93.184.216.34" // a public address, which no test connects to

// web returns a provider whose connections to somewhere reach the handler, and no other connection is made.
func web(t *testing.T, resolver names, handler http.HandlerFunc, hosts ...string) Web {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return Web{Hosts: hosts, Resolver: resolver, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		if host, _, _ := net.SplitHostPort(address); host != somewhere {
			t.Errorf("a connection to %s was made", address)
			return nil, errors.New("not in a test")
		}
		return (&net.Dialer{}).DialContext(ctx, network, strings.TrimPrefix(server.URL, "http://"))
	}}
}

func fetchPage(t *testing.T, w Web, rest string) (Fetched, error) {
	t.Helper()
	return w.Fetch(t.Context(), Call{Scheme: "http", Rest: rest, Budget: Budget{Bytes: 1000, Items: 5}})
}

func TestWeb(t *testing.T) {
	w := web(t, names{"docs.example": {somewhere}, "a.b.example": {somewhere}}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
		_, _ = io.WriteString(w, "caf\xe9 "+r.Host+r.URL.RequestURI())
	}, "docs.example", "*.b.example", "ported.example:8443")
	for rest, want := range map[string]string{
		"//docs.example/a?b=c": "café docs.example/a?b=c", "//DOCS.example:80/": "café DOCS.example:80/", "//a.b.example/": "café a.b.example/",
	} {
		got, err := fetchPage(t, w, rest)
		if err != nil || got.Found[0].Text != want || got.Found[0].MediaType != "text/html" {
			t.Errorf("Fetch(%s) = %+v, %v, want %q", rest, got, err, want)
		}
	}
	for rest, code := range map[string]ctxmcp.Code{
		"//other.example/": ctxmcp.CodeDenied, "//b.example/": ctxmcp.CodeDenied, "//evilb.example/": ctxmcp.CodeDenied,
		"//docs.example.evil.example/": ctxmcp.CodeDenied, "//docs.example:8080/": ctxmcp.CodeDenied, "//ported.example/": ctxmcp.CodeDenied,
		"//ann:pass@docs.example/": ctxmcp.CodeInvalid, "//": ctxmcp.CodeInvalid, "docs.example": ctxmcp.CodeInvalid,
		"//docs.example@evil.example/": ctxmcp.CodeInvalid, "//evil.example#docs.example": ctxmcp.CodeDenied, "//evil.example\\@docs.example/": ctxmcp.CodeInvalid,
		"//127.0.0.1/": ctxmcp.CodeDenied, "//[::1]/": ctxmcp.CodeDenied, "//2130706433/": ctxmcp.CodeDenied,
	} {
		if _, err := fetchPage(t, w, rest); ctxmcp.CodeOf(err) != code {
			t.Errorf("Fetch(%s) = %v, want %s", rest, err, code)
		}
	}
}

// TestWebIntoPrivateNetwork: a name that is allowed leads into no private network, whatever it resolves to, and whenever.
func TestWebIntoPrivateNetwork(t *testing.T) {
	page := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/there":
			http.Redirect(w, r, "http://inside.example/", http.StatusFound)
		case "/address":
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
		case "/elsewhere":
			http.Redirect(w, r, "http://evil.example/", http.StatusFound)
		case "/again":
			http.Redirect(w, r, "http://rebound.example/x", http.StatusFound)
		case "/file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		default:
			_, _ = io.WriteString(w, "inside")
		}
	}
	for rest, resolver := range map[string]names{
		"//inside.example/":        {"inside.example": {"10.0.0.7"}},
		"//loop.example/":          {"loop.example": {"::ffff:127.0.0.1"}},
		"//mixed.example/":         {"mixed.example": {somewhere + " 127.0.0.1"}},
		"//docs.example/there":     {"docs.example": {somewhere}, "inside.example": {"192.168.0.1"}},
		"//docs.example/address":   {"docs.example": {somewhere}},
		"//docs.example/file":      {"docs.example": {somewhere}},
		"//docs.example/round":     {"docs.example": {somewhere}},
		"//docs.example/elsewhere": {"docs.example": {somewhere}, "evil.example": {somewhere}},
		"//rebound.example/again":  {"rebound.example": {somewhere, "127.0.0.1"}},
	} {
		w := web(t, resolver, page, "inside.example", "loop.example", "mixed.example", "docs.example", "rebound.example")
		got, err := fetchPage(t, w, rest)
		if err == nil || len(got.Found) > 0 {
			t.Errorf("Fetch(%s) = %+v, %v, want an error", rest, got, err)
		}
	}
}

// TestWebPrivateHosts: a host that the operator opened is read in a private network, and never at an address of the link; another one is not.
func TestWebPrivateHosts(t *testing.T) {
	private := map[string]bool{"10.0.0.7": true, "192.168.1.1": true, "127.0.0.1": true, "fd12::1": true, "169.254.169.254": false, "0.0.0.0": false,
		"fe80::1": false, "10.0.0.7 169.254.169.254": false}
	for addresses, want := range private {
		for host, opened := range map[string]bool{"wiki.corp.example": true, "sub.lab.example": true, "other.example": false} {
			w := Web{Private: []string{"wiki.corp.example", "*.lab.example"}, Resolver: names{host: {addresses}},
				Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("reached") }}
			_, err := w.dial(t.Context(), "tcp", net.JoinHostPort(host, "80"))
			if reached := err != nil && err.Error() == "reached"; reached != (want && opened) {
				t.Errorf("dial of %s at %s: %v", host, addresses, err)
			}
		}
	}
}

// TestWebHostile: a page that is endless, packed, slow, broken or no text costs its budget and no more.
func TestWebHostile(t *testing.T) {
	for path, code := range map[string]ctxmcp.Code{
		"/endless": ctxmcp.CodeTooLarge, "/packed": ctxmcp.CodeTooLarge, "/slow": ctxmcp.CodeUnavailable, "/picture": ctxmcp.CodeInvalid,
		"/missing": ctxmcp.CodeNotFound, "/failing": ctxmcp.CodeUnavailable, "/headers": ctxmcp.CodeUnavailable,
	} {
		w := web(t, names{"docs.example": {somewhere}}, func(w http.ResponseWriter, r *http.Request) {
			switch path {
			case "/endless":
				for r.Context().Err() == nil {
					if _, err := io.WriteString(w, strings.Repeat("x", 4096)); err != nil {
						return
					}
				}
			case "/packed":
				w.Header().Set("Content-Type", "text/plain")
				w.Header().Set("Content-Encoding", "gzip")
				z := gzip.NewWriter(w)
				_, _ = z.Write(make([]byte, 1<<20))
				_ = z.Close()
			case "/slow":
				<-r.Context().Done()
			case "/picture":
				w.Header().Set("Content-Type", "image/png")
			case "/missing":
				http.NotFound(w, r)
			case "/failing":
				w.WriteHeader(http.StatusInternalServerError)
			case "/headers":
				w.Header().Set("X", strings.Repeat("x", 1<<20))
			}
		}, "docs.example")
		patience := time.Minute
		if path == "/slow" {
			patience = 100 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		got, err := w.Fetch(ctx, Call{Scheme: "http", Rest: "//docs.example" + path, Budget: Budget{Bytes: 1000, Items: 5}})
		cancel()
		if ctxmcp.CodeOf(err) != code || len(got.Found) > 0 {
			t.Errorf("Fetch(%s) = %+v, %v, want %s", path, got, err, code)
		}
	}
}
