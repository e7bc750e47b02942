package console

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// cookieName is the cookie of a browser that was let in.
const cookieName = "ctx_mcp_ui"

// The bounds of what the gate keeps.
const (
	maxVisitors = 256            // browsers at once; the one that was idle longest goes
	idleAfter   = 12 * time.Hour // a browser that asks for nothing is to show its secret again
	maxForm     = 1 << 20        // bytes of one form
	maxPlace    = 1 << 10        // bytes of the address of a page to go on at
)

// gate lets browsers in that show the secret, and knows them by a cookie afterwards. It keeps no secret longer than it is checked with:
// where Admit is asked again, it is kept in memory alone.
type gate struct {
	o        Options
	mu       sync.Mutex
	visitors map[[sha256.Size]byte]*visitor // by the digest of the cookie
}

// visitor is one browser.
type visitor struct {
	admit func(ctx context.Context) (ctxmcp.Caller, error)
	seen  time.Time
	until time.Time // from then on it is to sign in again; zero: as long as it asks for something
}

// over reports whether the browser is to show who it is again.
func (v *visitor) over(now time.Time) bool {
	return now.Sub(v.seen) > idleAfter || !v.until.IsZero() && !now.Before(v.until)
}

func newGate(o Options) *gate { return &gate{o: o, visitors: map[[sha256.Size]byte]*visitor{}} }

// entrance is the page on which a browser is let in.
type entrance struct {
	Refused, Ended, Out bool   // the secret was not known; the session has ended; the person has left
	To                  string // the page to go on at, behind Base
	SignIn              string // address behind Base at which a sign-in begins, "" without one
	At                  string // who signs people in
}

// ask shows the page on which a secret is given. The script of the page gives the one in the fragment of its address.
func (g *gate) ask(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	e := entrance{Refused: q.Has("refused"), Ended: q.Has("ended"), Out: q.Has("out"), To: within(q.Get("to"))}
	if g.o.SignIn != nil {
		e.SignIn, e.At = "signin?"+e.further().Encode(), g.o.SignIn.At
	}
	show(w, http.StatusOK, "enter", frame{Secret: g.o.Secret, Data: e})
}

// further returns the parameters of the address at which a sign-in begins. Who has left is asked for a password again.
func (e entrance) further() url.Values {
	q := url.Values{}
	if e.To != "" {
		q.Set("to", e.To)
	}
	if e.Out {
		q.Set("anew", "1")
	}
	return q
}

// outside sends a browser that is not in to the page that lets it in, and from there back to where it was.
func (g *gate) outside(w http.ResponseWriter, r *http.Request) {
	q := url.Values{}
	if _, was := keyOf(r); was {
		q.Set("ended", "1")
	}
	if to := within(strings.TrimPrefix(r.URL.RequestURI(), Base)); r.Method == http.MethodGet && to != "" {
		q.Set("to", to)
	}
	address := Base + "enter"
	if len(q) > 0 {
		address += "?" + q.Encode()
	}
	http.Redirect(w, r, address, http.StatusSeeOther)
}

// within returns the address of a page behind Base as it is, or "" for anything that a browser could take for another place, or that lets browsers in
// or out itself.
func within(to string) string {
	u, err := url.Parse(Base + to)
	if err != nil || len(to) > maxPlace || !strings.HasPrefix(u.Path, Base) || path.Clean(u.Path)+"/" != strings.TrimSuffix(u.Path, "/")+"/" ||
		strings.ContainsFunc(to, func(r rune) bool { return r <= ' ' || r == '\\' || r == '#' || r > '~' }) {
		return ""
	}
	switch first, _, _ := strings.Cut(strings.TrimPrefix(u.Path, Base), "/"); first {
	case "enter", "leave", "signin":
		return ""
	}
	return to
}

// enter lets a browser in, and sends it to the first page.
func (g *gate) enter(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	secret := strings.TrimSpace(r.PostFormValue("secret"))
	by, err := g.o.Admit(r.Context(), secret)
	if err != nil {
		g.o.Logger.WarnContext(r.Context(), "a browser was not let in", "error", err)
		again := url.Values{"refused": {"1"}}
		if to := within(r.PostFormValue("to")); to != "" {
			again.Set("to", to)
		}
		http.Redirect(w, r, Base+"enter?"+again.Encode(), http.StatusSeeOther)
		return
	}
	v := &visitor{admit: func(ctx context.Context) (ctxmcp.Caller, error) { return g.o.Admit(ctx, secret) }}
	if g.o.Once {
		v.admit = always(by)
	}
	g.admitted(w, r, v)
	http.Redirect(w, r, Base+within(r.PostFormValue("to")), http.StatusSeeOther)
}

func always(by ctxmcp.Caller) func(context.Context) (ctxmcp.Caller, error) {
	return func(context.Context) (ctxmcp.Caller, error) { return by, nil }
}

// admitted takes note of a browser in the place of whom it was before, and gives it its cookie.
func (g *gate) admitted(w http.ResponseWriter, r *http.Request, v *visitor) {
	cookie := g.fresh()
	v.seen = g.o.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	if was, ok := keyOf(r); ok {
		delete(g.visitors, was)
	}
	g.forgetIdle()
	g.visitors[digestOf(cookie)] = v
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: cookie, Path: Base, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: g.secure(r)})
}

// secure reports whether browsers reach the pages by https alone, here or at a proxy.
func (g *gate) secure(r *http.Request) bool { return r.TLS != nil || g.o.Secure }

// fresh returns a value for a cookie that nobody can guess.
func (g *gate) fresh() string {
	raw := make([]byte, 32)
	if _, err := io.ReadFull(g.o.Random, raw); err != nil {
		panic(err) // the system has no randomness: nobody is let in
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

func digestOf(cookie string) [sha256.Size]byte { return sha256.Sum256([]byte(cookie)) }

// forgetIdle makes room for one more browser.
func (g *gate) forgetIdle() {
	var oldest [sha256.Size]byte
	var since time.Time
	for key, v := range g.visitors {
		if v.over(g.o.Now()) {
			delete(g.visitors, key)
		} else if since.IsZero() || v.seen.Before(since) {
			oldest, since = key, v.seen
		}
	}
	if len(g.visitors) >= maxVisitors {
		delete(g.visitors, oldest)
	}
}

// leave forgets the browser.
func (g *gate) leave(w http.ResponseWriter, r *http.Request) {
	if key, ok := keyOf(r); ok {
		g.mu.Lock()
		delete(g.visitors, key)
		g.mu.Unlock()
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: Base, MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: g.secure(r)})
	http.Redirect(w, r, Base+"enter?out=1", http.StatusSeeOther)
}

// keyOf returns the digest of the request's cookie.
func keyOf(r *http.Request) (key [sha256.Size]byte, ok bool) {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return key, false
	}
	return digestOf(cookie.Value), true
}

// caller returns who sent the request. It returns CodeDenied for a browser that was not let in, or whose token counts no longer.
func (g *gate) caller(r *http.Request) (ctxmcp.Caller, error) {
	outside := ctxmcp.Errorf(ctxmcp.CodeDenied, "the browser was not let in").WithHint("open the address that the command printed")
	key, ok := keyOf(r)
	if !ok {
		return ctxmcp.Caller{}, outside
	}
	g.mu.Lock()
	v := g.visitors[key]
	if v != nil && v.over(g.o.Now()) {
		delete(g.visitors, key)
		v = nil
	}
	if v != nil {
		v.seen = g.o.Now()
	}
	g.mu.Unlock()
	if v == nil {
		return ctxmcp.Caller{}, outside
	}
	return v.admit(r.Context())
}

// Code returns a secret that nobody can guess, for Admit to know.
func Code(random io.Reader) (string, error) {
	raw := make([]byte, 16)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", err
	}
	return hex.EncodeToString(raw), nil
}

// policy is the Content-Security-Policy of every page: nothing but the console's own files, and no text becomes markup by a script.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

// guarded sets the headers of every answer.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}
