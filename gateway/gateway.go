package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/guard"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// Guard decides calls and takes in results, as guard.Guard does.
type Guard interface {
	Before(ctx context.Context, by ctxmcp.Caller, c guard.Conversation, in guard.Call) (guard.Verdict, error)
	After(ctx context.Context, by ctxmcp.Caller, c guard.Conversation, in guard.Result) (guard.Shown, func(), error)
	End(ctx context.Context, by ctxmcp.Caller, c guard.Conversation) error
	TakeOver(ctx context.Context, by ctxmcp.Caller, c guard.Conversation, words []string) error
}

// Hooks knows the conversations that the hooks of a client hear.
type Hooks interface {
	// Claim returns the conversation in which a client has announced a call; false where that is not certain.
	Claim(ctx context.Context, in guard.Claim) (guard.Claimed, bool)
	// Recorded says that the result of a claimed call is recorded, or that there is none.
	Recorded(call string, c guard.Conversation)
}

// Reviews keeps the calls that wait for a person, as actions.Service does.
type Reviews interface {
	Pending(ctx context.Context, by ctxmcp.Caller, limit int) ([]actions.Pending, error)
	Resolve(ctx context.Context, by ctxmcp.Caller, id string, choice actions.Choice, reason string, attended bool) (actions.Resolved, error)
}

// Asker puts a question about a call to the user, as serve.Asker does.
type Asker interface {
	AskPeer(ctx context.Context, p serve.Peer, params json.RawMessage, q ctxmcp.Question, keep any) (ctxmcp.Answer, json.RawMessage, error)
	KeptByPeer(ctx context.Context, p serve.Peer, params json.RawMessage, into any) (bool, error)
}

// Options tunes a Gateway.
type Options struct {
	Servers  map[string]Server
	Dir      string   // of the catalogue and the pins
	Taken    []string // names of tools that are not the servers'
	Project  string   // of the conversations
	Lazy     bool     // find_tools, call_read and call_write stand for the servers' tools
	Allow    []string // patterns of tools; empty: all
	Deny     []string // patterns of tools that are not offered
	ReadOnly bool     // only tools that say that they change nothing
	Limits   Limits
	Warden   []string // the command of Warden; empty: none is started
	// Announce tells all clients that a list has changed.
	Announce func(method string)
}

// Gateway is the front of other servers. Its fields are set once, before Start.
type Gateway struct {
	Guard   Guard
	Reviews Reviews
	Asker   Asker
	Hooks   Hooks       // nil: nobody hears the user
	Opens   Credentials // nil: there are none but those of the file of the servers
	Redact  redact.Func
	Logger  *slog.Logger
	Now     func() time.Time
	NewID   func() string
	Options Options

	pool      *pool
	catalogue *Catalogue
	pins      *Pins
	ids       map[string]string // of the servers in catalogue and pins
	view      atomic.Pointer[view]
	building  sync.Mutex // of the view: one that was begun earlier does not take the place of a later one
	keepers   map[string]*keeper
	talks     talks
	waits     waits
	warmed    sync.Once
	unseen    sync.Once
	level     atomic.Pointer[json.RawMessage] // of the log, as the lasting client wants it

	life    context.Context
	giveUp  context.CancelFunc
	working sync.WaitGroup
}

// Start loads the catalogue. Servers are started when a client comes, or with Refresh.
func (g *Gateway) Start() error {
	g.life, g.giveUp = context.WithCancel(context.Background())
	g.catalogue = &Catalogue{Dir: filepath.Join(g.Options.Dir, "catalogue")}
	g.pins = &Pins{Dir: g.Options.Dir, Now: g.Now}
	g.ids, g.keepers = map[string]string{}, map[string]*keeper{}
	for name, s := range g.Options.Servers {
		g.ids[name] = s.ID(name)
		g.keepers[name] = newKeeper(g.catalogue.load(g.ids[name]).Tried.IsZero())
	}
	g.talks.process = g.NewID()
	g.pool = &pool{
		servers: g.Options.Servers, limits: g.Options.Limits.withDefaults(), logger: g.Logger, redact: g.Redact, warden: &warden{command: g.Options.Warden}, opens: g.Opens,
		changed: g.listChanged, notified: g.pass, open: map[key]*connection{}, failed: map[key]failure{},
	}
	if err := g.rebuild(context.Background()); err != nil {
		return err
	}
	g.working.Go(g.upkeep)
	return nil
}

// Refresh brings the lists up to date before any client has come, for a gateway that serves many.
func (g *Gateway) Refresh() { g.warm(serve.Peer{}) }

// Close ends the connections and the conversations, and returns once no process is left.
func (g *Gateway) Close(ctx context.Context) {
	g.giveUp()
	g.warmed.Do(func() {}) // from here on no keeper begins
	g.pool.close()
	g.working.Wait()
	for _, t := range g.talks.take(func(talk) bool { return true }) {
		g.end(ctx, t)
	}
}

func (g *Gateway) end(ctx context.Context, t talk) {
	if err := g.Guard.End(ctx, t.by, t.conversation); err != nil {
		g.Logger.Warn("a conversation could not be ended", "error", err)
	}
}

// upkeep ends what nobody uses any more, and notices tools that were approved.
func (g *Gateway) upkeep() {
	tick := time.NewTicker(upkeepEvery)
	defer tick.Stop()
	stamp := ""
	if g.Opens != nil {
		stamp = g.Opens.Stamp()
	}
	for {
		select {
		case <-tick.C:
		case <-g.life.Done():
			return
		}
		now := time.Now()
		g.pool.sweep(now)
		for _, t := range g.talks.take(func(t talk) bool { return !t.lasting && now.Sub(t.used) >= talkIdle }) {
			g.end(g.life, t)
		}
		if g.pins.refreshed() {
			g.renew("tools")
		}
		if g.Opens != nil && g.Opens.Stamp() != stamp {
			stamp = g.Opens.Stamp()
			g.openAgain()
		}
	}
}

const upkeepEvery = 2 * time.Second

// renew makes the lists anew and tells the clients.
func (g *Gateway) renew(changed ...string) {
	if err := g.rebuild(g.life); err != nil {
		g.Logger.Error("the lists of the servers", "error", err)
		return
	}
	for _, capability := range changed {
		if g.Options.Announce != nil {
			g.Options.Announce("notifications/" + capability + "/list_changed")
		}
	}
}

// pass hands a notification of a server to clients, redacted, with the URIs that the clients know.
func (g *Gateway) pass(c *connection, method string, params json.RawMessage, to []serve.Peer) {
	clean, err := hidden(g.life, g.Redact, c.key.tenant, orEmpty(params))
	if err != nil {
		return
	}
	if method == "notifications/resources/updated" {
		if clean, err = withText(clean, "uri", func(uri string) string { return wrapURI(c.key.server, uri) }); err != nil {
			return
		}
	}
	for _, p := range to {
		if p.Modern && method != "notifications/progress" { // it has not asked for it
			continue
		}
		p.Notify(method, clean)
	}
}

func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage(`{}`)
	}
	return raw
}

// talk is a conversation, as it is recorded.
type talk struct {
	by           ctxmcp.Caller
	conversation guard.Conversation
	used         time.Time
	lasting      bool
}

// talks are the conversations that were seen lately.
type talks struct {
	process string // names the one conversation of a process that serves one client

	mu    sync.Mutex
	byKey map[[3]string]talk
	made  int
}

// The bounds of conversations.
const (
	talkIdle = 30 * time.Minute // after which a conversation is over
	maxTalks = 4096
)

// of returns the conversation of a client: its process, the name that its configuration gives, its session, or, without any of them, what its
// user does without a long pause.
func (t *talks) of(p serve.Peer, project string) guard.Conversation {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := cmp.Or(p.Label, p.Session)
	if p.Lasting {
		name = t.process
	}
	key := [3]string{p.Caller.Tenant, p.Caller.User, name}
	now := time.Now()
	held, known := t.byKey[key]
	if !known || !held.lasting && now.Sub(held.used) >= talkIdle {
		id := name
		if name == "" || known {
			t.made++
			id = t.process + "." + name + "." + time.Duration(t.made).String()
		}
		held = talk{by: p.Caller, conversation: guard.Conversation{Front: "gateway", ID: id, Project: project}, lasting: p.Lasting}
	}
	held.used = now
	if t.byKey == nil {
		t.byKey = map[[3]string]talk{}
	}
	for len(t.byKey) >= maxTalks && !known {
		oldest := slices.MinFunc(slices.Collect(maps.Keys(t.byKey)), func(a, b [3]string) int { return t.byKey[a].used.Compare(t.byKey[b].used) })
		delete(t.byKey, oldest)
	}
	t.byKey[key] = held
	return held.conversation
}

// take removes the conversations that match, and returns them.
func (t *talks) take(match func(talk) bool) (all []talk) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, held := range t.byKey {
		if match(held) {
			all = append(all, held)
			delete(t.byKey, k)
		}
	}
	return all
}
