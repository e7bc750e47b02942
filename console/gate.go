package console

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
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
}

func newGate(o Options) *gate { return &gate{o: o, visitors: map[[sha256.Size]byte]*visitor{}} }

// ask shows the page on which a secret is given. The script of the page gives the one in the fragment of its address.
func (g *gate) ask(w http.ResponseWriter, r *http.Request) {
	show(w, http.StatusOK, "enter", frame{Secret: g.o.Secret, Data: r.URL.Query().Get("refused") != ""})
}

// enter lets a browser in, and sends it to the first page.
func (g *gate) enter(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	secret := strings.TrimSpace(r.PostFormValue("secret"))
	by, err := g.o.Admit(r.Context(), secret)
	if err != nil {
		g.o.Logger.WarnContext(r.Context(), "a browser was not let in", "error", err)
		http.Redirect(w, r, Base+"enter?refused=1", http.StatusSeeOther)
		return
	}
	cookie := g.admitted(by, secret)
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: cookie, Path: Base, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil})
	http.Redirect(w, r, Base, http.StatusSeeOther)
}

// admitted takes note of a browser, and returns its cookie.
func (g *gate) admitted(by ctxmcp.Caller, secret string) string {
	fresh := make([]byte, 32)
	if _, err := io.ReadFull(g.o.Random, fresh); err != nil {
		panic(err) // the system has no randomness: nobody is let in
	}
	admit := func(ctx context.Context) (ctxmcp.Caller, error) { return g.o.Admit(ctx, secret) }
	if g.o.Once {
		admit = func(context.Context) (ctxmcp.Caller, error) { return by, nil }
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forgetIdle()
	g.visitors[sha256.Sum256(fresh)] = &visitor{admit, g.o.Now()}
	return base64.RawURLEncoding.EncodeToString(fresh)
}

// forgetIdle makes room for one more browser.
func (g *gate) forgetIdle() {
	var oldest [sha256.Size]byte
	var since time.Time
	for key, v := range g.visitors {
		if g.o.Now().Sub(v.seen) > idleAfter {
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
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: Base, MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, Base+"enter", http.StatusSeeOther)
}

// keyOf returns the digest of the request's cookie.
func keyOf(r *http.Request) (key [sha256.Size]byte, ok bool) {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return key, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	return sha256.Sum256(raw), err == nil
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
	if v != nil && g.o.Now().Sub(v.seen) > idleAfter {
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
