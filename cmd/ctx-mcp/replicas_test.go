package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp/postgres/postgrestest"
)

const (
	replicas        = 3
	defaultClients  = 8
	tenantsOfAll    = 4
	defaultDisorder = 15 * time.Second
	measured        = 4 * time.Second // for each number of replicas
	actionsEach     = 25              // of one session
	stillstand      = time.Second     // of a disk that answers nobody
)

// clientsOfAll returns how many clients call.
func clientsOfAll(t *testing.T) int {
	text := os.Getenv("CLIENTS")
	if text == "" {
		return defaultClients
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("CLIENTS is %q, want a number from 1", text)
	}
	return n
}

// disorder returns how long replicas are killed.
func disorder(t *testing.T) time.Duration {
	text := os.Getenv("MINUTES")
	if text == "" {
		return defaultDisorder
	}
	minutes, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatalf("MINUTES: %v", err)
	}
	return time.Duration(minutes * float64(time.Minute))
}

// TestReplicas: servers of one database behind a plain balancer lose nothing that they have acknowledged and write nothing twice, while they and the
// database are killed, connections are cut and the database stands still as with a slow disk. A client reads what it wrote, an erasure counts at every
// server, and the log of receipts is whole. It takes a minute, so make test-postgres asks for it; make replicas MINUTES=10 CLIENTS=64 runs it for
// longer.
func TestReplicas(t *testing.T) {
	if os.Getenv("TEST_POSTGRES") == "" {
		t.Skip("SKIPPED: make test-postgres runs replicas on PostgreSQL")
	}
	alone := startAlone(t)
	t.Logf("a server with a file: %.0f acknowledged calls a second of %d clients", alone.pace(t, 1), len(alone.users))
	alone.replicas[0].kill()
	f := startFleet(t)
	for n := 1; n <= replicas; n++ {
		t.Logf("%d replicas: %.0f acknowledged calls a second of %d clients", n, f.pace(t, n), len(f.users))
	}
	var over atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.load(t, func() bool { return !over.Load() })
	}()
	f.disturb(t, time.Now().Add(disorder(t)))
	over.Store(true)
	<-ended
	f.check(t)
}

// fleet is the servers of a database, and what their clients know.
type fleet struct {
	database *postgrestest.Server
	schema   string
	replicas []*replica
	front    *balancer
	users    []*user

	acknowledged atomic.Int64 // calls
}

// startFleet starts the servers, each with a folder of its own, and makes a token for each user.
func startFleet(t *testing.T) *fleet {
	t.Helper()
	database, err := postgrestest.Start("max_connections=200")
	if err != nil {
		t.Fatal(err)
	}
	f := &fleet{database: database, front: newBalancer(t)}
	t.Cleanup(func() {
		for _, r := range f.replicas {
			r.kill()
		}
		if err := database.Stop(); err != nil {
			t.Error(err)
		}
	})
	store := database.Empty(t)
	_, rest, _ := strings.Cut(store, "search_path=")
	f.schema, _, _ = strings.Cut(rest, "&")
	for i := range replicas {
		r := &replica{store: store, dir: t.TempDir()}
		if i > 0 {
			if err := r.start(t); err == nil || !strings.Contains(err.Error(), "copy redaction.key") {
				t.Fatalf("a server without the keys of the first: %v, want that it is refused", err)
			}
			giveKeys(t, f.replicas[0].dir, r.dir)
		}
		if err := r.start(t); err != nil {
			t.Fatal(err)
		}
		f.replicas = append(f.replicas, r)
	}
	f.addUsers(t, store)
	return f
}

// startAlone starts one server on a file, with as many users.
func startAlone(t *testing.T) *fleet {
	t.Helper()
	r := &replica{dir: t.TempDir()}
	f := &fleet{front: newBalancer(t), replicas: []*replica{r}}
	f.addUsers(t, "")
	if err := r.start(t); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.kill)
	return f
}

// pace returns the calls of all users a second that so many servers acknowledge.
func (f *fleet) pace(t *testing.T, servers int) float64 {
	f.front.to(f.replicas[:servers]...)
	before, begun := f.acknowledged.Load(), time.Now()
	f.load(t, func() bool { return time.Since(begun) < measured })
	return float64(f.acknowledged.Load()-before) / time.Since(begun).Seconds()
}

// addUsers makes a token for each user.
func (f *fleet) addUsers(t *testing.T, store string) {
	t.Helper()
	for i := range clientsOfAll(t) {
		c := binary(t, f.replicas[0].dir, "token", "create", "--tenant", fmt.Sprint("tenant", i%tenantsOfAll), "--user", fmt.Sprint("user", i), "--roles", "harness")
		c.Env = append(c.Env, "CTX_MCP_STORE="+store)
		token, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		f.users = append(f.users, &user{fleet: f, number: i, caller: newCaller(strings.TrimSpace(string(token))), rnd: rand.New(rand.NewPCG(uint64(i), 19)),
			stored: map[string]string{}, erased: map[string]bool{}})
	}
}

// load has every user call as long as more says.
func (f *fleet) load(t *testing.T, more func() bool) {
	var all sync.WaitGroup
	for _, u := range f.users {
		all.Go(func() {
			for more() && !t.Failed() {
				u.step(t)
			}
		})
	}
	all.Wait()
}

// disturb kills servers and the database, and cuts connections, one after the other until the end. Before each it waits until calls were acknowledged
// again.
func (f *fleet) disturb(t *testing.T, until time.Time) {
	rnd := rand.New(rand.NewPCG(19, 1))
	counts := map[string]int{}
	for n := 0; time.Now().Before(until) && !t.Failed(); n++ {
		for before := f.acknowledged.Load(); f.acknowledged.Load() < before+100 && !t.Failed(); {
			time.Sleep(10 * time.Millisecond)
		}
		switch {
		case n%6 == 3:
			counts["database killed"]++
			if err := f.database.Kill(); err != nil {
				t.Error(err)
			}
			if err := f.database.Restart("max_connections=200"); err != nil {
				t.Error(err)
			}
		case n%2 == 0:
			counts["server killed"]++
			r := f.replicas[rnd.IntN(replicas)]
			r.kill()
			if err := r.start(t); err != nil {
				t.Error(err)
			}
			f.front.to(f.replicas...)
		case n%6 == 5:
			counts["database held"]++
			f.hold(t)
		default:
			counts["connections cut"]++
			f.front.cut()
		}
	}
	t.Logf("disturbed: %v", counts)
}

// hold lets the database stand still for a while.
func (f *fleet) hold(t *testing.T) {
	release, err := f.database.Hold()
	if err != nil {
		t.Error(err)
		return
	}
	time.Sleep(stillstand)
	if err := release(); err != nil {
		t.Error(err)
	}
}

// user is a client with what it was told.
type user struct {
	*fleet
	number  int
	caller  *caller
	rnd     *rand.Rand
	calls   int
	stored  map[string]string // content by id, of memories that were acknowledged
	erased  map[string]bool   // content
	decided int               // actions that were acknowledged
}

// patienceOfUsers is how often a user repeats a call that was not answered: the database takes seconds to come back.
const patienceOfUsers = 400

// insist calls until there is an answer, by any server.
func (u *user) insist(t *testing.T, tool string, arguments map[string]any) string {
	var err error
	for range patienceOfUsers {
		var text string
		if text, err = u.caller.call(u.front.listener.Addr().String(), tool, arguments); err == nil {
			u.acknowledged.Add(1)
			return text
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%s was not answered: %v", tool, err)
	return "{}"
}

func (u *user) word() string {
	var b strings.Builder
	for range 9 {
		b.WriteByte("bcdfghjklmnpqrstvwxz"[u.rnd.IntN(20)])
	}
	return b.String()
}

// step makes one or a few calls.
func (u *user) step(t *testing.T) {
	u.calls++
	switch u.rnd.IntN(8) {
	case 0, 1, 2, 3:
		u.remember(t)
	case 4, 5, 6:
		u.decide(t)
	default:
		u.erase(t)
	}
}

// remember stores a memory, and looks for it at whichever server is next.
func (u *user) remember(t *testing.T) {
	name := u.word()
	content := fmt.Sprintf("The crate %s in the shed of the %s farm belongs to the %s people.", name, u.word(), u.word())
	var told struct {
		Status   string
		ObjectID string `json:"object_id"`
	}
	text := u.insist(t, "remember", map[string]any{"content": content, "idempotency_key": fmt.Sprint("key", u.number, "-", u.calls)})
	if err := json.Unmarshal([]byte(text), &told); err != nil || told.ObjectID == "" {
		t.Errorf("remember: %v, %s", err, text)
		return
	}
	u.stored[told.ObjectID] = content
	if text := u.insist(t, "recall", map[string]any{"query": "crate " + name}); !strings.Contains(text, content) {
		t.Errorf("user %d does not find %q after having written it: %s", u.number, content, text)
	}
}

// decide asks for a decision on an action. A session has a few.
func (u *user) decide(t *testing.T) {
	session := fmt.Sprintf("s%d-%d", u.number, u.decided/actionsEach)
	if u.decided%actionsEach == 0 {
		u.insist(t, "start_session", map[string]any{"session_id": session, "original_request": map[string]any{"text": "Keep notes of the farms."}})
	}
	id := fmt.Sprint("a", u.number, "-", u.calls)
	u.insist(t, "record_action", map[string]any{"session_id": session, "action_id": id, "tool": "notes", "operation": "write",
		"parameters": map[string]any{"text": "note " + id}})
	u.decided++
}

// erase erases a memory. No server that answers tells it afterwards.
func (u *user) erase(t *testing.T) {
	for id, content := range u.stored {
		_, _ = u.caller.call(u.front.listener.Addr().String(), "recall", map[string]any{"query": content}) // some server has it in memory
		u.forget(t, id)
		delete(u.stored, id)
		u.erased[content] = true
		for _, r := range u.replicas {
			text, err := u.caller.call(r.at(), "recall", map[string]any{"query": content})
			if err == nil && strings.Contains(text, content) {
				t.Errorf("a server tells %q, which was erased: %s", content, text)
			}
		}
		return
	}
}

// forget erases an object. One that is not found was erased by a call whose answer was lost.
func (u *user) forget(t *testing.T, id string) {
	var err error
	for range patienceOfUsers {
		if _, err = u.caller.call(u.front.listener.Addr().String(), "forget", map[string]any{"object_id": id, "mode": "hard_delete", "reason": "asked to"}); err == nil ||
			strings.Contains(err.Error(), "not_found") {
			u.acknowledged.Add(1)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("forget was not answered: %v", err)
}

// check compares the database with what the users know.
func (f *fleet) check(t *testing.T) {
	counts := map[string]int{}
	for _, content := range f.lines(t, "SELECT object::json ->> 'content' FROM versions") {
		counts[content]++
	}
	receipts := f.lines(t, `SELECT "user" || ' has ' || count(*) || ' receipts' FROM receipts WHERE session <> '' GROUP BY "user"`)
	memories, actions, erasures := 0, 0, 0
	for _, u := range f.users {
		for _, content := range u.stored {
			if memories++; counts[content] != 1 {
				t.Errorf("the memory %q is there %d times, want 1", content, counts[content])
			}
		}
		for content := range u.erased {
			if erasures++; counts[content] != 0 {
				t.Errorf("the memory %q is there %d times, and was erased", content, counts[content])
			}
		}
		actions += u.decided
		if want := fmt.Sprintf("user%d has %d receipts", u.number, u.decided); u.decided > 0 && !slices.Contains(receipts, want) {
			t.Errorf("%s; %q", want, receipts)
		}
	}
	for content, n := range counts {
		if n > 1 {
			t.Errorf("the memory %q is there %d times", content, n)
		}
	}
	gaps := f.lines(t, "SELECT count(*) - 1 - max(idx) FROM receipts")
	verify := binary(t, f.replicas[1].dir, "verify")
	verify.Env = append(verify.Env, "CTX_MCP_STORE="+f.replicas[1].store)
	verified, err := verify.Output()
	if err != nil || !slices.Equal(gaps, []string{"0"}) {
		t.Errorf("the log of receipts: gaps %v, %v\n%s", gaps, err, verified)
	}
	t.Logf("%d memories, %d erasures, %d decisions; %s", memories, erasures, actions, strings.SplitN(string(verified), "\n", 2)[0])
	if memories == 0 || actions == 0 || erasures == 0 {
		t.Error("something was never done")
	}
}

// lines asks the database.
func (f *fleet) lines(t *testing.T, question string) []string {
	t.Helper()
	text, err := f.database.SQL("SET search_path = " + f.schema + "; " + question)
	if err != nil {
		t.Fatal(err, text)
	}
	return strings.Split(strings.TrimSpace(text), "\n")
}
