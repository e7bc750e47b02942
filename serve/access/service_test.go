package access_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

var epoch = time.Date(2026, 1, 1, 12, 0, 0, 123_456_789, time.UTC)

// desk is a service over an empty store, whose clock stands still until it is set.
type desk struct {
	*access.Service
	store *inmem.Store
	now   time.Time
}

func newDesk() *desk {
	d := &desk{store: &inmem.Store{}, now: epoch}
	d.Service = &access.Service{Store: d.store, Now: func() time.Time { return d.now }, Random: rand.Reader}
	return d
}

// full returns a draft with every field set.
func full() access.Draft {
	return access.Draft{
		Name: "Ann's laptop", Tenant: "acme", User: "ann", Roles: []string{"ops", "dev"}, Projects: []string{"web"},
		Clearance: ctxmcp.Confidential, Authority: new(ctxmcp.AuthorityDeveloper), Expires: epoch.Add(time.Hour),
	}
}

func create(t *testing.T, d *desk, draft access.Draft) (access.Token, string) {
	t.Helper()
	tok, text, err := d.Create(t.Context(), draft)
	if err != nil {
		t.Fatalf("Create: %v", err)
	}
	return tok, text
}

func TestCreate(t *testing.T) {
	d := newDesk()
	tok, text := create(t, d, full())
	want := access.Token{
		ID: tok.ID, Name: "Ann's laptop", Created: ctxmcp.Instant(epoch), Expires: ctxmcp.Instant(epoch.Add(time.Hour)),
		Caller: ctxmcp.Caller{Tenant: "acme", User: "ann", Roles: []string{"ops", "dev"}, Projects: []string{"web"},
			Clearance: ctxmcp.Confidential, Authority: ctxmcp.AuthorityDeveloper},
		Digest: sha256.Sum256([]byte(text[len("ctx_")+10+1:])),
	}
	if diff := cmp.Diff(want, tok); diff != "" {
		t.Errorf("Create differs (-want +got):\n%s", diff)
	}
	if form := regexp.MustCompile(`^ctx_[a-z2-7]{10}_[0-9A-Za-z]{43}$`); !form.MatchString(text) || text[4:14] != tok.ID {
		t.Errorf("Create = %q, want ctx_%s_ and 43 letters and digits", text, tok.ID)
	}
	listed, err := d.List(t.Context())
	if diff := cmp.Diff([]access.Token{tok}, listed); err != nil || diff != "" {
		t.Errorf("List: %v, differs (-want +got):\n%s", err, diff)
	}
	caller, err := d.Authenticate(t.Context(), text)
	if diff := cmp.Diff(want.Caller, caller); err != nil || diff != "" {
		t.Errorf("Authenticate: %v, differs (-want +got):\n%s", err, diff)
	}
}

// TestDefaults: the default of a field that a draft leaves out is never the most that a token can have.
func TestDefaults(t *testing.T) {
	d := newDesk()
	tok, _ := create(t, d, access.Draft{Tenant: "acme", User: "ann"})
	want := ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Restricted, Authority: ctxmcp.AuthorityUser}
	if diff := cmp.Diff(want, tok.Caller); diff != "" {
		t.Errorf("Create differs (-want +got):\n%s", diff)
	}
	if want := tok.Created.AddDate(0, 0, 90); !tok.Expires.Equal(want) {
		t.Errorf("Expires = %v, want %v", tok.Expires, want)
	}
	if tok, _ := create(t, d, access.Draft{Tenant: "acme", User: "ann", Endless: true}); !tok.Expires.IsZero() {
		t.Errorf("Expires of an endless token = %v, want never", tok.Expires)
	}
}

func TestDrafts(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*access.Draft)
		want string // part of the message; empty: the draft is right
	}{
		{"as it is", func(*access.Draft) {}, ""},
		{"no name", func(d *access.Draft) { d.Name = "" }, ""},
		{"longest name", func(d *access.Draft) { d.Name = strings.Repeat("é", 100) }, ""},
		{"name too long", func(d *access.Draft) { d.Name = strings.Repeat("é", 101) }, "name"},
		{"two lines", func(d *access.Draft) { d.Name = "a\nb" }, "name"},
		{"escape sequence", func(d *access.Draft) { d.Name = "\x1b[2J" }, "name"},
		{"turned direction", func(d *access.Draft) { d.Name = "a\u202eb" }, "name"},
		{"name not UTF-8", func(d *access.Draft) { d.Name = "\xff" }, "name"},
		{"no tenant", func(d *access.Draft) { d.Tenant = "" }, "tenant"},
		{"no user", func(d *access.Draft) { d.User = "" }, "user"},
		{"namespace as user", func(d *access.Draft) { d.User = "ann:project_x" }, "user"},
		{"user too long", func(d *access.Draft) { d.User = strings.Repeat("a", ctxmcp.MaxIDLength+1) }, "user"},
		{"empty role", func(d *access.Draft) { d.Roles = []string{"dev", ""} }, "roles"},
		{"two roles in one", func(d *access.Draft) { d.Roles = []string{"dev,ops"} }, "roles"},
		{"project with a space", func(d *access.Draft) { d.Projects = []string{"a b"} }, "projects"},
		{"unknown clearance", func(d *access.Draft) { d.Clearance = "secret" }, "clearance"},
		{"platform", func(d *access.Draft) { d.Authority = new(ctxmcp.AuthorityPlatform) }, ""},
		{"retrieved", func(d *access.Draft) { d.Authority = new(ctxmcp.AuthorityRetrieved) }, ""},
		{"above platform", func(d *access.Draft) { d.Authority = new(ctxmcp.Authority(-1)) }, "authority"},
		{"below retrieved", func(d *access.Draft) { d.Authority = new(ctxmcp.Authority(5)) }, "authority"},
		{"expired", func(d *access.Draft) { d.Expires = epoch.Add(-time.Hour) }, "expires"},
		{"expires now", func(d *access.Draft) { d.Expires = epoch }, "expires"},
		{"year 10000", func(d *access.Draft) { d.Expires = epoch.AddDate(8000, 0, 0) }, "expires"},
		{"endless, yet expires", func(d *access.Draft) { d.Endless = true }, "endless"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, draft := newDesk(), full()
			c.edit(&draft)
			_, text, err := d.Create(t.Context(), draft)
			if c.want == "" {
				if err != nil {
					t.Errorf("Create: %v", err)
				}
				return
			}
			if ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid || !strings.Contains(err.Error(), c.want) || text != "" {
				t.Errorf("Create = %q, %v, want a refusal that names %s", text, err, c.want)
			}
			if listed, _ := d.List(t.Context()); len(listed) != 0 {
				t.Errorf("a refused draft was saved: %+v", listed)
			}
		})
	}
}

// TestRefusalsAreOne: anything but an active token gets the same answer, to the letter.
func TestRefusalsAreOne(t *testing.T) {
	d := newDesk()
	_, good := create(t, d, full())
	endless := full()
	endless.Expires, endless.Endless = time.Time{}, true
	other, otherText := create(t, d, endless)
	revoked, revokedText := create(t, d, endless)
	if err := d.Revoke(t.Context(), revoked.ID); err != nil {
		t.Fatal(err)
	}
	edited := other
	edited.ID, edited.Caller.Authority = "aaaaaaaaaa", -1
	if err := d.store.SaveToken(t.Context(), edited); err != nil {
		t.Fatal(err)
	}
	d.now = epoch.Add(time.Hour) // good's first instant without
	for name, text := range map[string]string{
		"empty":            "",
		"words":            "let me in",
		"expired":          good,
		"revoked":          revokedText,
		"wrong secret":     otherText[:len(otherText)-1] + string('A'+(otherText[len(otherText)-1]-'A'+1)%26),
		"another's secret": otherText[:14] + good[14:],
		"unknown id":       "ctx_bbbbbbbbbb" + otherText[14:],
		"cut":              otherText[:len(otherText)-1],
		"longer":           otherText + "0",
		"line after it":    otherText + "\n",
		"upper case":       strings.ToUpper(otherText),
		"id alone":         "ctx_" + other.ID + "_",
		"digest as secret": fmt.Sprintf("ctx_%s_%.43x", other.ID, other.Digest),
		"edited row":       "ctx_aaaaaaaaaa" + otherText[14:],
		"very long":        "ctx_" + strings.Repeat("a", 1<<20),
		"not UTF-8":        otherText[:57] + "\xff",
	} {
		caller, err := d.Authenticate(t.Context(), text)
		e, ok := errors.AsType[*ctxmcp.Error](err)
		if !ok || e.Code != ctxmcp.CodeDenied || e.Message != "the bearer token is not valid" || caller.User != "" {
			t.Errorf("%s: Authenticate = %+v, %v, want the refusal", name, caller, err)
			continue
		}
		if len(text) > 15 && strings.Contains(fmt.Sprintf("%+v %v", e, e.Err), text[15:]) {
			t.Errorf("%s: the refusal quotes the secret", name)
		}
	}
	if _, err := d.Authenticate(t.Context(), otherText); err != nil {
		t.Errorf("Authenticate of the active token: %v", err)
	}
}

// TestLastInstant: a token counts up to its end, and not at it.
func TestLastInstant(t *testing.T) {
	d := newDesk()
	tok, text := create(t, d, full())
	d.now = tok.Expires.Add(-time.Microsecond)
	if _, err := d.Authenticate(t.Context(), text); err != nil {
		t.Errorf("Authenticate just before the end: %v", err)
	}
	for at, want := range map[time.Time]access.State{
		tok.Expires.Add(-time.Microsecond): access.Active,
		tok.Expires:                        access.Expired,
	} {
		if got := tok.State(at); got != want {
			t.Errorf("State(%v) = %s, want %s", at, got, want)
		}
	}
	tok.Revoked = epoch
	if got := tok.State(tok.Expires); got != access.Revoked {
		t.Errorf("State of a revoked token = %s, want %s", got, access.Revoked)
	}
}

func TestRevoke(t *testing.T) {
	d := newDesk()
	tok, text := create(t, d, full())
	for _, c := range []struct {
		id   string
		want ctxmcp.Code
	}{
		{"", ctxmcp.CodeInvalid}, {text, ctxmcp.CodeInvalid}, {strings.ToUpper(tok.ID), ctxmcp.CodeInvalid},
		{"aaaaaaaaaa", ctxmcp.CodeNotFound},
	} {
		err := d.Revoke(t.Context(), c.id)
		if err == nil || ctxmcp.CodeOf(err) != c.want || strings.Contains(err.Error(), text[15:]) {
			t.Errorf("Revoke(%q) = %v, want %s, without the secret", c.id, err, c.want)
		}
	}
	if _, err := d.Authenticate(t.Context(), text); err != nil {
		t.Fatalf("Authenticate: %v", err)
	}
	for range 2 {
		d.now = d.now.Add(time.Minute)
		if err := d.Revoke(t.Context(), tok.ID); err != nil {
			t.Fatalf("Revoke: %v", err)
		}
		if _, err := d.Authenticate(t.Context(), text); ctxmcp.CodeOf(err) != ctxmcp.CodeDenied {
			t.Errorf("Authenticate of a revoked token = %v, want denied", err)
		}
	}
	listed, err := d.List(t.Context())
	if want := ctxmcp.Instant(epoch.Add(time.Minute)); err != nil || !listed[0].Revoked.Equal(want) {
		t.Errorf("List = %+v, %v, want one revoked at %v", listed, err, want)
	}
}

// broken is a store that cannot answer.
type broken struct{ access.Store }

func (broken) FindToken(context.Context, string) (*access.Token, error) {
	return nil, errors.New("disk on fire")
}

// TestUnavailable: a store that fails is no verdict on the token.
func TestUnavailable(t *testing.T) {
	d := newDesk()
	_, text := create(t, d, full())
	d.Store = broken{}
	_, err := d.Authenticate(t.Context(), text)
	e, ok := errors.AsType[*ctxmcp.Error](err)
	if !ok || e.Code != ctxmcp.CodeUnavailable || strings.Contains(e.Message+e.Hint, "fire") {
		t.Errorf("Authenticate over a broken store = %v, want unavailable, without its text", err)
	}
}

// TestRandom: a token is never made of fewer random bytes than it should be, and small numbers keep the form.
func TestRandom(t *testing.T) {
	d := newDesk()
	d.Random = strings.NewReader(strings.Repeat("x", 41))
	if _, text, err := d.Create(t.Context(), full()); err == nil || text != "" {
		t.Errorf("Create with 41 random bytes = %q, %v, want an error", text, err)
	}
	for _, fill := range []byte{0, 255} {
		d.Random = io.LimitReader(constant(fill), 42)
		_, text := create(t, d, full())
		if _, err := d.Authenticate(t.Context(), text); err != nil || len(text) != 58 {
			t.Errorf("Authenticate(%q): %v", text, err)
		}
	}
	d.Random = io.LimitReader(constant(0), 42)
	if _, text, err := d.Create(t.Context(), full()); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict || text != "" {
		t.Errorf("Create of an id that is taken = %q, %v, want a conflict", text, err)
	}
}

// constant reads as one byte for ever.
type constant byte

func (c constant) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(c)
	}
	return len(p), nil
}

// FuzzAuthenticate: of all texts, the one that Create returned opens the token.
func FuzzAuthenticate(f *testing.F) {
	d := newDesk()
	d.Random = constant(7)
	_, text, err := d.Create(context.Background(), full())
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{text, text + " ", " " + text, "Bearer " + text, strings.ToLower(text), text[:57], ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, guess string) {
		_, err := d.Authenticate(t.Context(), guess)
		if (err == nil) != (guess == text) || err != nil && ctxmcp.CodeOf(err) != ctxmcp.CodeDenied {
			t.Errorf("Authenticate(%q) = %v", guess, err)
		}
	})
}
