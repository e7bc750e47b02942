package serve

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// admits reports whether a request may be looked at, and answers 403 if not. A web page must not reach a server on its
// reader's machine, neither under its own name that it rebinds to a loopback address (Host) nor by a plain
// cross-origin request (Origin).
func (h *Handler) admits(w http.ResponseWriter, r *http.Request) bool {
	if !h.admitsHost(r) {
		refuse(w, http.StatusForbidden, serverError, "requests for this Host are refused; allow it in the configuration")
		return false
	}
	if !h.admitsOrigin(r) {
		refuse(w, http.StatusForbidden, serverError, "requests from this Origin are refused; allow it in the configuration")
		return false
	}
	return true
}

// ThisMachine lets requests through whose Host is a name of this machine, and refuses others: a page elsewhere may have rebound its own
// name to it.
func ThisMachine(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !Loopback(hostname(r.Host)) {
			http.Error(w, "requests for this Host are refused: open the address that the command printed", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// admitsHost accepts loopback names, the address that the connection came in on, and the allowed hosts.
func (h *Handler) admitsHost(r *http.Request) bool {
	name := hostname(r.Host)
	return Loopback(name) || sameAddress(r, name) || slices.ContainsFunc(h.o.AllowedHosts, func(host string) bool {
		return strings.EqualFold(host, r.Host) || strings.EqualFold(host, name)
	})
}

// admitsOrigin accepts a request without an origin, loopback origins, the server's own, and the allowed ones.
func (h *Handler) admitsOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	if len(origins) > 1 {
		return false
	}
	if slices.Contains(h.o.AllowedOrigins, origins[0]) {
		return true
	}
	u, err := url.Parse(origins[0])
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.Scheme+"://"+u.Host != origins[0] {
		return false
	}
	return Loopback(u.Hostname()) || strings.EqualFold(u.Host, r.Host)
}

// hostname returns the host of a Host header, without port and brackets.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// Loopback reports whether a name or address means this machine.
func Loopback(name string) bool {
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}

// sameAddress reports whether name is the address that the request's connection was accepted on. A rebound name never
// is: it is not an address.
func sameAddress(r *http.Request, name string) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return false
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap() == local.AddrPort().Addr().Unmap()
}
