package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/console"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// reception is a console to which people sign in at a real authorization server, under another name of this machine: for a browser these are two sites.
type reception struct {
	*looker
	provider *provider

	mu  sync.Mutex
	now time.Time // of the console
}

func (r *reception) clock() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

func (r *reception) pass(span time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = r.now.Add(span)
}

// openReception starts the authorization server with variables, and the console.
func openReception(t *testing.T, env ...string) *reception {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	t.Cleanup(server.Close)
	address := "http://" + server.Listener.Addr().String()
	r := &reception{provider: openProvider(t, append(env, "NAMED=localhost", "RETURN="+address+console.Base+console.SignInReturn)...), now: time.Now()}
	r.looker = look(t, func(c *config.Config, o *console.Options) {
		c.PublicURL, c.OAuth.Issuer, c.OAuth.HarnessRole, o.Now = address, r.provider.url, "ctx-harness", r.clock
		c.OAuth.SignIn.ClientID, c.OAuth.SignIn.Secret = "pages", "pages secret: %&+"
	})
	options := r.app.console()
	options.Admit, options.Secret, options.SignIn = r.app.access.Authenticate, "token", r.app.signIn()
	server.Config.Handler = serve.ThisMachine(uiRoot(console.New(options)))
	server.Start()
	r.server.Close()
	r.server = server
	return r
}

// person is a browser that follows no redirect by itself.
type person struct {
	*reception
	client *http.Client
}

func (r *reception) person() *person {
	p := &person{r, browser(r.T)}
	p.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return p
}

// visit asks for an address, and returns the status, the place that the answer sends the browser to, and the page.
func (p *person) visit(address string) (status int, place, page string) {
	p.Helper()
	answer, err := p.client.Get(address)
	if err != nil {
		p.Fatal(err)
	}
	place = answer.Header.Get("Location")
	status, page = p.body(answer, nil)
	return status, place, page
}

// begin begins a sign-in, and returns the address at the authorization server.
func (p *person) begin(further string) string {
	p.Helper()
	status, place, page := p.visit(p.server.URL + "/ui/signin" + further)
	if status != http.StatusSeeOther || !strings.HasPrefix(place, p.provider.url) {
		p.Fatalf("beginning a sign-in: %d %s\n%s", status, place, page)
	}
	return place
}

// as goes through the pages of the authorization server under a name, "" for a refusal, and returns the address that the browser comes back to.
func (p *person) as(name, address string) string {
	p.Helper()
	for range 8 {
		if strings.HasPrefix(address, p.server.URL) {
			return address
		}
		answer, err := p.client.Get(address)
		if err == nil && strings.Contains(address, "/interaction/") {
			_ = answer.Body.Close()
			form := url.Values{"name": {name}}
			if name == "" {
				form.Set("no", "1")
			}
			answer, err = p.client.PostForm(address, form)
		}
		if err != nil {
			p.Fatal(err)
		}
		_ = answer.Body.Close()
		place, err := answer.Location()
		if err != nil {
			p.Fatalf("%s sends the browser nowhere: %s", address, answer.Status)
		}
		address = place.String()
	}
	p.Fatal("the authorization server turns in a circle")
	return ""
}

// wantIn checks who is in.
func (p *person) wantIn(name string) {
	p.Helper()
	status, _, page := p.visit(p.server.URL + "/ui/memories")
	if status != http.StatusOK || !strings.Contains(page, " · "+name) {
		p.Errorf("the page of %s: %d\n%s", name, status, page)
	}
}

// wantOut checks that nobody is in.
func (p *person) wantOut(why string) {
	p.Helper()
	if status, place, _ := p.visit(p.server.URL + "/ui/memories"); status != http.StatusSeeOther || !strings.HasPrefix(place, "/ui/enter") {
		p.Errorf("%s: the browser is in: %d %s", why, status, place)
	}
}

// changed returns an address with parameters changed; nil takes one away.
func changed(p *person, address string, changes map[string][]string) string {
	p.Helper()
	u, err := url.Parse(address)
	if err != nil {
		p.Fatal(err)
	}
	q := u.Query()
	for name, values := range changes {
		if q[name] = values; values == nil {
			q.Del(name)
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// TestOAuthSignIn: a person signs in, comes back to the page that they asked for, leaves, and is asked for a password again; a session ends.
func TestOAuthSignIn(t *testing.T) {
	for _, in := range []string{"token", "userinfo"} {
		t.Run("claims in "+in, func(t *testing.T) {
			r := openReception(t, "CLAIMS_IN="+in)
			r.said("The person of another tenant keeps bees.")
			p := r.person()
			if _, place, _ := p.visit(p.server.URL + "/ui/memories?state=every"); place != "/ui/enter?to=memories%3Fstate%3Devery" {
				t.Errorf("a stranger is sent to %s", place)
			}
			if _, _, page := p.visit(p.server.URL + "/ui/enter?to=memories%3Fstate%3Devery"); !strings.Contains(page, `href="/ui/signin?to=memories%3Fstate%3Devery"`) {
				t.Errorf("the page does not lead to the sign-in:\n%s", page)
			}
			back := p.as("ann", p.begin("?to="+url.QueryEscape("memories?state=every")))
			status, _, page := p.visit(back)
			if status != http.StatusOK || !strings.Contains(page, `content="0;url=/ui/memories?state=every"`) {
				t.Fatalf("coming back: %d\n%s", status, page)
			}
			p.wantIn("ann")
			if _, _, page := p.visit(p.server.URL + "/ui/memories"); strings.Contains(page, "bees") {
				t.Error("a person sees the memories of another tenant")
			}
			p.wantCookies()
			if _, err := p.client.PostForm(p.server.URL+"/ui/leave", nil); err != nil {
				t.Fatal(err)
			}
			p.wantOut("left")
			if _, _, page := p.visit(p.server.URL + "/ui/enter?out=1"); !strings.Contains(page, `href="/ui/signin?anew=1"`) {
				t.Errorf("the page after leaving:\n%s", page)
			}
			anew := p.begin("?anew=1")
			if answer, err := p.client.Get(anew); err != nil || !strings.Contains(answer.Header.Get("Location"), "/interaction/") {
				t.Errorf("who has left is signed in without being asked: %v", err)
			}
			p.visit(p.as("ann", anew))
			p.wantIn("ann")
			r.pass(8*time.Hour - time.Second)
			p.wantIn("ann")
			r.pass(time.Second)
			if _, place, _ := p.visit(p.server.URL + "/ui/health"); place != "/ui/enter?ended=1&to=health" {
				t.Errorf("at the end of a session the browser is sent to %s", place)
			}
		})
	}
}

// wantCookies checks the cookies that a return gives: the one of the session is Strict, and that of the sign-in is gone.
func (p *person) wantCookies() {
	p.Helper()
	other := p.person()
	answer, err := other.client.Get(other.as("ann", other.begin("")))
	if err != nil {
		p.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.Header.Get("Referrer-Policy") != "no-referrer" || answer.Header.Get("Cache-Control") != "no-store" {
		p.Errorf("the page after a sign-in tells others where it was: %v", answer.Header)
	}
	cookies := map[string]*http.Cookie{}
	for _, c := range answer.Cookies() {
		cookies[c.Name] = c
	}
	if c := cookies["ctx_mcp_ui"]; c == nil || c.SameSite != http.SameSiteStrictMode || !c.HttpOnly || c.Path != "/ui/" {
		p.Errorf("the cookie of the session is %v", c)
	}
	if c := cookies["ctx_mcp_signin"]; c == nil || c.MaxAge >= 0 {
		p.Errorf("the cookie of the sign-in is %v", c)
	}
}

// TestOAuthSignInRefusals: answers that are not to this sign-in, and people who are nobody here, let no browser in, and the page says why.
func TestOAuthSignInRefusals(t *testing.T) {
	r := openReception(t)
	other := openProvider(t, "NAMED=localhost", "RETURN="+r.server.URL+"/ui/signin/back")
	for _, tt := range []struct {
		name   string
		answer func(p *person) string // the address that the browser comes back to
		status int
		says   string
	}{
		{"another state", func(p *person) string {
			return changed(p, p.as("ann", p.begin("")), map[string][]string{"state": {"x"}})
		}, 403, "not the answer to the sign-in that this browser began last"},
		{"no state", func(p *person) string {
			return changed(p, p.as("ann", p.begin("")), map[string][]string{"state": nil})
		}, 403, "not the answer"},
		{"two codes", func(p *person) string {
			back := p.as("ann", p.begin(""))
			return back + "&code=x"
		}, 403, "not the answer"},
		{"the sign-in of another browser", func(p *person) string {
			b := p.person()
			return b.as("mallory", b.begin(""))
		}, 403, "began no sign-in here"},
		{"the answer to the sign-in of another browser", func(p *person) string {
			b := p.person()
			p.begin("")
			return b.as("mallory", b.begin(""))
		}, 403, "not the answer"},
		{"the code of another browser", func(p *person) string {
			b := p.person()
			mine, theirs := p.as("ann", p.begin("")), b.as("mallory", b.begin(""))
			return changed(p, mine, map[string][]string{"code": paramsOf(p, theirs)["code"]})
		}, 403, "does not take this code"},
		{"a code that was used", func(p *person) string {
			b := p.person()
			back := b.as("ann", b.begin(""))
			at, _ := url.Parse(p.server.URL + "/ui/signin")
			cookies := b.client.Jar.Cookies(at)
			b.visit(back)
			p.client.Jar.SetCookies(at, cookies)
			return back
		}, 403, "does not take this code"},
		{"a made-up code", func(p *person) string {
			return changed(p, p.as("ann", p.begin("")), map[string][]string{"code": {"x"}})
		}, 403, "does not take this code"},
		{"another nonce", func(p *person) string {
			return p.as("ann", changed(p, p.begin(""), map[string][]string{"nonce": {"x"}}))
		}, 403, "does not count for this sign-in"},
		{"no nonce", func(p *person) string {
			return p.as("ann", changed(p, p.begin(""), map[string][]string{"nonce": nil}))
		}, 403, "does not count for this sign-in"},
		{"another challenge", func(p *person) string {
			return p.as("ann", changed(p, p.begin(""), map[string][]string{"code_challenge": {strings.Repeat("x", 43)}}))
		}, 403, "does not take this code"},
		{"the answer of another issuer", func(p *person) string {
			return p.as("ann", strings.Replace(p.begin(""), p.provider.url, other.url, 1))
		}, 403, "of another authorization server than " + r.provider.url},
		{"the answer of another issuer in the name of ours", func(p *person) string {
			back := p.as("ann", strings.Replace(p.begin(""), p.provider.url, other.url, 1))
			return changed(p, back, map[string][]string{"iss": {p.provider.url}})
		}, 403, "does not take this code"},
		{"an answer that names no issuer", func(p *person) string {
			return changed(p, p.as("ann", p.begin("")), map[string][]string{"iss": nil})
		}, 403, "of another authorization server"},
		{"a person who says no", func(p *person) string { return p.as("", p.begin("")) }, 403, "did not sign you in: access_denied"},
		{"an error that is a text", func(p *person) string {
			return changed(p, p.as("", p.begin("")), map[string][]string{"error": {"call 555 now"}})
		}, 403, "an error without a known name"},
		{"a person without a tenant", func(p *person) string { return p.as("stray", p.begin("")) }, 403, "claim tenant names no tenant"},
		{"an issuer that is down", func(p *person) string {
			back := p.as("ann", p.begin(""))
			p.provider.test("down")
			return back
		}, 503, "cannot be asked who you are"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := r.person()
			status, _, page := p.visit(tt.answer(p))
			p.provider.test("up")
			if status != tt.status || !strings.Contains(page, tt.says) || strings.Contains(page, "555") {
				t.Errorf("status %d, want %d and %q\n%s", status, tt.status, tt.says, page)
			}
			p.wantOut(tt.name)
		})
	}
}

func paramsOf(p *person, address string) url.Values {
	p.Helper()
	u, err := url.Parse(address)
	if err != nil {
		p.Fatal(err)
	}
	return u.Query()
}

// TestOAuthSignInStaysHere: wherever an address asks the browser to be sent after a sign-in, it is sent to a page of the console.
func TestOAuthSignInStaysHere(t *testing.T) {
	r := openReception(t)
	for to, want := range map[string]string{
		"https://evil.example/": "/ui/", "//evil.example": "/ui/", "/\\evil.example": "/ui/", "..//evil.example": "/ui/", "%2e%2e//evil.example": "/ui/",
		"memories\r\nSet-Cookie: a=b": "/ui/", "signin": "/ui/", "javascript:x": "/ui/javascript:x", "memories;url=x": "/ui/memories;url=x",
	} {
		p := r.person()
		status, _, page := p.visit(p.as("ann", p.begin("?to="+url.QueryEscape(to))))
		if status != http.StatusOK || !strings.Contains(page, `content="0;url=`+want+`"`) {
			t.Errorf("to %q: %d\n%s", to, status, page)
		}
	}
}

// TestConsoleSignIn: the same in a real browser, which sends cookies by its own rules.
func TestConsoleSignIn(t *testing.T) {
	chromium(t)
	r := openReception(t)
	w := r.open(1200)
	w.also = r.provider.url
	w.do(chromedp.Navigate(r.server.URL+"/ui/health"), chromedp.WaitVisible(`a[href^="/ui/signin"]`))
	for _, found := range violations(w) {
		t.Errorf("the entrance: %s", found)
	}
	const named = `document.readyState === "complete" && document.querySelector("#name")`
	w.click(`a[href^="/ui/signin"]`, named)
	w.do(chromedp.SendKeys("#name", "ann"))
	w.click("#in", `location.pathname === "/ui/health" && document.querySelector("footer").innerText.includes("ann")`)
	w.click(`form[action="/ui/leave"] button`, `document.querySelector('[role="status"]')`)
	w.click(`a[href^="/ui/signin"]`, named)
	w.click(`button[name="no"]`, `document.body.innerText.includes("did not sign you in: access_denied")`)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = slices.DeleteFunc(w.said, func(said string) bool { return strings.Contains(said, "status of 403") }) // of that page
}

// click clicks on something, and returns once the page answers a condition.
func (w *window) click(on, condition string) {
	w.Helper()
	evaluate[bool](w, "(document.querySelector('"+on+"').click(), true)")
	w.until(condition)
}

// TestSignInBehindTLS: where browsers come by https, the cookie of a sign-in can be set by this host alone, and both travel by https alone.
func TestSignInBehindTLS(t *testing.T) {
	l := look(t, nil)
	options := l.app.console()
	options.Admit = l.app.access.Authenticate
	options.Secure, options.SignIn = true, &console.SignIn{At: "https://login.example.org", Flow: everybody{}, Lasts: time.Hour}
	server := httptest.NewServer(console.New(options))
	defer server.Close()
	r := &reception{looker: l}
	p := r.person()
	for _, path := range []string{"/ui/signin", "/ui/signin/back"} {
		request, err := http.NewRequest(http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.AddCookie(&http.Cookie{Name: "__Host-ctx_mcp_signin", Value: "x."})
		answer, err := p.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		i := slices.IndexFunc(answer.Cookies(), func(c *http.Cookie) bool { return c.Name == "__Host-ctx_mcp_signin" })
		if i < 0 || answer.Cookies()[i].Path != "/" || answer.Cookies()[i].SameSite != http.SameSiteLaxMode {
			t.Errorf("%s sets %v", path, answer.Cookies())
		}
		for _, c := range answer.Cookies() {
			if !c.Secure || !c.HttpOnly || c.Domain != "" {
				t.Errorf("%s sets %v", path, c)
			}
		}
	}
}

// everybody signs in at once.
type everybody struct{}

func (everybody) Begin(context.Context, string, bool) (string, error) {
	return "https://login.example.org/", nil
}

func (everybody) Finish(context.Context, string, url.Values) (ctxmcp.Caller, error) {
	return ctxmcp.Caller{Tenant: "acme", User: "ann"}, nil
}
