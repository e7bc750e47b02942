package console

import (
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/console/visits"
)

// cookieName is the cookie of a browser that was let in.
const cookieName = "ctx_mcp_ui"

// The bounds of the requests of a browser.
const (
	maxForm  = 1 << 20 // bytes of one form
	maxPlace = 1 << 10 // bytes of the address of a page to go on at
)

// gate lets browsers in that show the secret, and knows them by a cookie afterwards.
type gate struct {
	o      Options
	visits visits.Book
	fail   func(http.ResponseWriter, *http.Request, error)
}

func newGate(o Options) *gate {
	g := &gate{o: o, visits: o.Visits}
	if g.visits == nil {
		g.visits = visits.NewMemory()
	}
	return g
}

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

// outside sends a browser that is not in to the page that lets it in, and from there back to where it was; unless nobody can tell whether it is in.
func (g *gate) outside(w http.ResponseWriter, r *http.Request, why error) {
	if ctxmcp.CodeOf(why) == ctxmcp.CodeUnavailable {
		g.fail(w, r, why)
		return
	}
	q := url.Values{}
	if _, err := r.Cookie(cookieName); err == nil {
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
	v := visits.Visit{Secret: secret}
	if g.o.Once {
		v = visits.Visit{By: by}
	}
	if err := g.admitted(w, r, v); err != nil {
		g.fail(w, r, err)
		return
	}
	http.Redirect(w, r, Base+within(r.PostFormValue("to")), http.StatusSeeOther)
}

// admitted takes note of a browser in the place of whom it was before, and gives it its cookie.
func (g *gate) admitted(w http.ResponseWriter, r *http.Request, v visits.Visit) error {
	if was, err := r.Cookie(cookieName); err == nil {
		if err := g.visits.End(r.Context(), was.Value); err != nil {
			return err
		}
	}
	cookie := g.fresh()
	if err := g.visits.Begin(r.Context(), cookie, v, g.o.Now()); err != nil {
		return err
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: cookie, Path: Base, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: g.secure(r)})
	return nil
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

// leave forgets the browser, at every server that knows it.
func (g *gate) leave(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie(cookieName); err == nil {
		if err := g.visits.End(r.Context(), cookie.Value); err != nil {
			g.fail(w, r, err)
			return
		}
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: Base, MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: g.secure(r)})
	http.Redirect(w, r, Base+"enter?out=1", http.StatusSeeOther)
}

// caller returns who sent the request. It returns CodeDenied for a browser that was not let in, or whose token counts no longer, and CodeUnavailable
// where that cannot be looked up.
func (g *gate) caller(r *http.Request) (ctxmcp.Caller, error) {
	outside := ctxmcp.Errorf(ctxmcp.CodeDenied, "the browser was not let in").WithHint("open the address that the command printed")
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return ctxmcp.Caller{}, outside
	}
	v, known, err := g.visits.Find(r.Context(), cookie.Value, g.o.Now())
	switch {
	case err != nil:
		return ctxmcp.Caller{}, err
	case !known:
		return ctxmcp.Caller{}, outside
	case v.Secret == "":
		return v.By, nil
	}
	return g.o.Admit(r.Context(), v.Secret)
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
