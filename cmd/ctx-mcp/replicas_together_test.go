package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/postgres/postgrestest"
)

// burst is the number of messages that a caller of the replicas has at once. They earn next to nothing while the test runs.
const burst = 60

// startTogether starts replicas of one database, and makes a token. It returns the schema's name in the database, too.
func startTogether(t *testing.T, n int) (all []*replica, database *postgrestest.Server, schema, token string) {
	t.Helper()
	if os.Getenv("TEST_POSTGRES") == "" {
		t.Skip("SKIPPED: make test-postgres runs replicas on PostgreSQL")
	}
	database, err := postgrestest.Start("fsync=off", "synchronous_commit=off")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, r := range all {
			r.kill()
		}
		if err := database.Stop(); err != nil {
			t.Error(err)
		}
	})
	store := database.Empty(t)
	_, rest, _ := strings.Cut(store, "search_path=")
	schema, _, _ = strings.Cut(rest, "&")
	for i := range n {
		r := &replica{store: store, dir: t.TempDir(), env: []string{"CTX_MCP_HTTP_RATE_LIMIT=0.0001", "CTX_MCP_HTTP_RATE_BURST=60"}}
		if i > 0 {
			giveKeys(t, all[0].dir, r.dir)
		}
		if err := r.start(t); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all, database, schema, tokenOf(t, all[0])
}

// tokenOf makes a token for a user.
func tokenOf(t *testing.T, r *replica) string {
	t.Helper()
	text, err := r.run(t, "token", "create", "--tenant", "acme", "--user", "ann")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(text)
}

// run runs a command in the folder of a replica.
func (r *replica) run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	c := binary(t, r.dir, args...)
	c.Env = append(c.Env, "CTX_MCP_STORE="+r.store)
	text, err := c.Output()
	return string(text), err
}

// TestReplicasTogether: messages and sign-ins at one server count at all of them, behind a balancer that knows nobody: the rate of a caller's messages,
// and the browsers that are in.
func TestReplicasTogether(t *testing.T) {
	all, database, schema, token := startTogether(t, 3)
	t.Run("rate", func(t *testing.T) {
		var passed, refused atomic.Int64
		var clients sync.WaitGroup
		for _, r := range all {
			for range 2 {
				clients.Go(func() {
					c := newCaller(token)
					for range burst {
						switch _, err := c.call(r.at(), "recall", map[string]any{"query": "tea"}); {
						case err == nil:
							passed.Add(1)
						case strings.Contains(err.Error(), "too many messages"):
							refused.Add(1)
						default:
							t.Error(err)
						}
					}
				})
			}
		}
		clients.Wait()
		if passed.Load() != burst || refused.Load() != 5*burst {
			t.Errorf("of 360 messages to three servers %d passed and %d were refused, want %d and %d", passed.Load(), refused.Load(), burst, 5*burst)
		}
	})
	t.Run("pages", func(t *testing.T) {
		b := browser(t) // its cookies are for the host, whatever the port
		b.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		in := func(why string, want bool) {
			t.Helper()
			for i, r := range all {
				answer, err := b.Get("http://" + r.at() + "/ui/memories")
				if err != nil {
					t.Fatal(err)
				}
				_ = answer.Body.Close()
				if got := answer.StatusCode == http.StatusOK; got != want {
					t.Errorf("%s: at server %d the browser is in: %t (%s)", why, i, got, answer.Status)
				}
			}
		}
		post := func(r *replica, path string, form url.Values) {
			t.Helper()
			answer, err := b.PostForm("http://"+r.at()+"/ui/"+path, form)
			if err == nil && answer.StatusCode != http.StatusSeeOther {
				text, failed := io.ReadAll(answer.Body)
				err = errors.Join(failed, errors.New(answer.Status+" "+string(text)))
			}
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
		}
		in("before", false)
		post(all[0], "enter", url.Values{"secret": {token}})
		in("let in by the first", true)
		text, err := database.SQL("SELECT visits::text, encode(sealed, 'escape') FROM " + schema + ".visits")
		if err != nil {
			t.Fatal(err)
		}
		_, secret, _ := strings.Cut(strings.TrimPrefix(token, "ctx_"), "_")
		for _, c := range b.Jar.Cookies(&url.URL{Scheme: "http", Host: all[0].at(), Path: "/ui/"}) {
			if strings.Contains(text, c.Value) {
				t.Errorf("the database shows the cookie %s", c.Name)
			}
		}
		if !strings.Contains(text, "\\x") || secret == "" || strings.Contains(text, secret) {
			t.Errorf("the database shows the token, or no visit: %s", text)
		}
		post(all[1], "leave", nil)
		in("left the second", false)
		post(all[2], "enter", url.Values{"secret": {token}})
		in("let in by the third", true)
		all[2].kill()
		if err := all[2].start(t); err != nil {
			t.Fatal(err)
		}
		in("after the server that let it in was started anew", true)
		list, err := all[0].run(t, "token", "list", "--json")
		if err != nil {
			t.Fatal(err)
		}
		var tokens []struct{ ID string }
		if err := json.Unmarshal([]byte(list), &tokens); err != nil || len(tokens) != 1 {
			t.Fatalf("the tokens are %s, %v", list, err)
		}
		if _, err := all[0].run(t, "token", "revoke", tokens[0].ID); err != nil {
			t.Fatal(err)
		}
		in("after the token was revoked", false)
	})
}
