package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/console/visits"
)

// SignInReturn is the address behind Base that a browser comes back to from a sign-in.
const SignInReturn = "signin/back"

// SignIn is the way in of people whom another server knows.
type SignIn struct {
	At    string        // who signs people in, as the page names it
	Flow  Flow          // the way there and back
	Lasts time.Duration // until a person signs in again
}

// Flow leads a browser to another server and back. The secret is known to the browser alone: an answer that does not fit it is somebody else's.
type Flow interface {
	// Begin returns the address to go to; anew asks for a password even of a browser that is known there.
	Begin(ctx context.Context, secret string, anew bool) (address string, err error)
	// Finish returns who signed in, by the parameters of the address that the browser came back to.
	Finish(ctx context.Context, secret string, answer url.Values) (ctxmcp.Caller, error)
}

// A browser that has gone to sign in is known by another cookie than one that is in. It must be sent when the browser comes back from another site, so
// it is Lax; it opens nothing by itself.
const (
	flowCookie = "ctx_mcp_signin"
	flowTime   = 10 * time.Minute
)

// flow returns the cookie of a sign-in. By https its name keeps a neighbour in the domain from setting it (RFC 6265bis, section 4.1.3.2).
func (c *Console) flow(r *http.Request) *http.Cookie {
	cookie := &http.Cookie{Name: flowCookie, Path: Base + "signin", HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if c.gate.secure(r) {
		cookie.Name, cookie.Path, cookie.Secure = "__Host-"+flowCookie, "/", true
	}
	return cookie
}

// signIn sends a browser to sign in.
func (c *Console) signIn(w http.ResponseWriter, r *http.Request) {
	secret := c.gate.fresh()
	address, err := c.o.SignIn.Flow.Begin(r.Context(), secret, r.URL.Query().Has("anew"))
	if err != nil {
		c.notIn(w, r, err)
		return
	}
	cookie := c.flow(r)
	cookie.Value, cookie.MaxAge = secret+"."+url.QueryEscape(within(r.URL.Query().Get("to"))), int(flowTime/time.Second)
	http.SetCookie(w, cookie)
	http.Redirect(w, r, address, http.StatusSeeOther)
}

// signedIn lets a browser in that comes back. The page goes on by itself: a browser sends no Strict cookie along the way that another site began.
func (c *Console) signedIn(w http.ResponseWriter, r *http.Request) {
	cookie := c.flow(r)
	kept, err := r.Cookie(cookie.Name)
	if err != nil {
		c.notIn(w, r, ctxmcp.Errorf(ctxmcp.CodeDenied, "this browser began no sign-in here, or began it more than %d minutes ago", flowTime/time.Minute).
			WithHint("sign in from the page of this server, under the name that it has in the address now: %s", r.Host))
		return
	}
	cookie.MaxAge = -1
	http.SetCookie(w, cookie) // one answer ends the sign-in, whatever it is
	secret, place, _ := strings.Cut(kept.Value, ".")
	by, err := c.o.SignIn.Flow.Finish(r.Context(), secret, r.URL.Query())
	if err != nil {
		c.notIn(w, r, err)
		return
	}
	to, err := url.QueryUnescape(place)
	if err != nil {
		to = ""
	}
	if err := c.gate.admitted(w, r, visits.Visit{By: by, Until: c.o.Now().Add(c.o.SignIn.Lasts)}); err != nil {
		c.notIn(w, r, err)
		return
	}
	show(w, http.StatusOK, "arrived", frame{Data: Base + within(to)})
}

// notIn says why a browser was not let in. The log has the cause, which may name what the answer was not.
func (c *Console) notIn(w http.ResponseWriter, r *http.Request, err error) {
	c.o.Logger.WarnContext(r.Context(), "a browser was not signed in", "error", err)
	c.fail(w, r, err)
}
