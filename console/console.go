package console

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/console/visits"
	"github.com/ctx-mcp/ctx-mcp/gateway"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/audit"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/tasks"
	"github.com/ctx-mcp/ctx-mcp/trail"
)

// Base is the path under which the pages stand.
const Base = "/ui/"

// Memory is memory.Service, as far as pages show and change it.
type Memory interface {
	Browse(ctx context.Context, by ctxmcp.Caller, b memory.Browsing) (memory.Page, error)
	Shown(ctx context.Context, by ctxmcp.Caller, list []ctxmcp.ContextObject) error
	Recall(ctx context.Context, by ctxmcp.Caller, ask memory.Ask) (memory.Recalled, error)
	History(ctx context.Context, by ctxmcp.Caller, ask memory.HistoryAsk) ([]ctxmcp.ContextObject, error)
	DisplacedBy(ctx context.Context, by ctxmcp.Caller, objectID string, limit int) ([]ctxmcp.ContextObject, error)
	DerivedFrom(ctx context.Context, by ctxmcp.Caller, objectID string, limit int) ([]ctxmcp.ContextObject, error)
	Remember(ctx context.Context, by ctxmcp.Caller, d memory.Draft) (memory.Remembered, error)
	ForgetAll(ctx context.Context, by ctxmcp.Caller, ids []string, mode memory.Mode, reason string) ([]memory.Forgotten, error)
	Restore(ctx context.Context, by ctxmcp.Caller, id string) (memory.Settled, error)
	Reviews(ctx context.Context, by ctxmcp.Caller, limit int) ([]memory.ReviewItem, error)
	SettleFor(ctx context.Context, by ctxmcp.Caller, id, decision, reason string) (memory.Settled, error)
}

// Actions is actions.Service, as far as pages show and decide.
type Actions interface {
	Sessions(ctx context.Context, by ctxmcp.Caller, behind *actions.Listed, limit int) ([]actions.Overview, error)
	Context(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, id string) (actions.Document, error)
	Pending(ctx context.Context, by ctxmcp.Caller, limit int) ([]actions.Pending, error)
	Resolve(ctx context.Context, by ctxmcp.Caller, id string, choice actions.Choice, reason string, attended bool) (actions.Resolved, error)
}

// Receipts reads the proof of what was decided.
type Receipts interface {
	OfSession(ctx context.Context, by ctxmcp.Caller, session string, check bool) (receipts.Session, error)
}

// Packets lists what was compiled and retrieved.
type Packets interface {
	List(ctx context.Context, by ctxmcp.Caller, behind *artifacts.Mark, limit int) ([]packets.Record, error)
	Holding(ctx context.Context, by ctxmcp.Caller, object string, limit int) ([]packets.Record, error)
}

// Compiles reads a compile.
type Compiles interface {
	Kept(ctx context.Context, by ctxmcp.Caller, named ctxmcp.Scope, name string) (compiler.Kept, error)
}

// Entities is the registry of memory.Service, as far as pages show and change it.
type Entities interface {
	ListEntities(ctx context.Context, by ctxmcp.Caller, named, behind string, limit int) ([]entities.Entity, error)
	PlaceOf(ctx context.Context, by ctxmcp.Caller, id string) (ctxmcp.Scope, error)
	FindEntities(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, named string) ([]memory.Entity, error)
	Relations(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id string) ([]memory.Relation, error)
	MergeEntities(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id, into, reason string) error
	SplitEntity(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id, reason string) error
	UndoEntity(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id, reason string) error
}

// Tasks lists tasks and reads them.
type Tasks interface {
	Browse(ctx context.Context, by ctxmcp.Caller, b tasks.Browsing) ([]tasks.State, error)
	Get(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id string) (tasks.View, error)
}

// Trail lists who did what.
type Trail interface {
	List(ctx context.Context, by ctxmcp.Caller, q trail.Query) ([]trail.Entry, error)
}

// Gateway is gateway.Book: the servers behind the gateway, and the tools that wait for a person.
type Gateway interface {
	Status(ctx context.Context) ([]gateway.Status, error)
	HeldBack(ctx context.Context) ([]gateway.Quarantined, error)
	Approve(q gateway.Quarantined) error
}

// Artifacts lists artifacts and reads them.
type Artifacts interface {
	List(ctx context.Context, by ctxmcp.Caller, behind *artifacts.Mark, limit int) ([]ctxmcp.Artifact, error)
	Owned(ctx context.Context, by ctxmcp.Caller, id string) (ctxmcp.Artifact, error)
	Read(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ask artifacts.Ask) (artifacts.Slice, error)
}

// Options configures a Console. The services, Admit and Random are required.
type Options struct {
	Memory    Memory
	Actions   Actions
	Receipts  Receipts
	Packets   Packets
	Compiles  Compiles
	Artifacts Artifacts
	Entities  Entities
	Tasks     Tasks
	Trail     Trail
	Gateway   Gateway // nil: its servers are neither shown nor decided on
	// Audit returns how memories are looked over for faults.
	Audit func() audit.Options

	// Admit returns who holds a secret: the one that the command printed, or a token. It returns CodeDenied for anything else. It is
	// asked again with every request, so that a token that was revoked opens nothing.
	Admit func(ctx context.Context, secret string) (ctxmcp.Caller, error)
	// Once says that Admit knows a secret once: the browser that showed it is let in as the caller from then on.
	Once bool
	// Visits keeps the browsers that are in; nil: the console does, in memory.
	Visits visits.Book
	// Secret names the thing that a person is asked for where the address alone does not let them in: "token", or "code".
	Secret string
	// SignIn lets people in besides who sign in elsewhere; nil: nobody does.
	SignIn *SignIn
	// Secure says that browsers reach the pages by https, though requests come without it from a proxy.
	Secure bool
	// Health describes the state of the store, a line each.
	Health func(ctx context.Context) ([]Line, error)

	ReadOnly   bool // nothing can be changed
	AllowErase bool // memories can be erased for good
	Version    string
	Now        func() time.Time
	Random     io.Reader
	Logger     *slog.Logger
}

// Line is one line of a report: its name and its text.
type Line struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Bad  bool   `json:"bad,omitempty"`

	Shown []piece `json:"shown,omitempty"` // the text of a line that a script shows
}

// Console serves the pages under Base.
type Console struct {
	o     Options
	gate  *gate
	pages http.Handler
}

// New returns the console.
func New(o Options) *Console {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	c := &Console{o: o, gate: newGate(o)}
	c.gate.fail = c.fail
	c.pages = c.routes()
	return c
}

// ServeHTTP answers one request.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) { c.pages.ServeHTTP(w, r) }

// reading is a page that is read: the pattern of its address behind Base, the name in the navigation, its template, and its data.
type reading struct {
	pattern, under, template string
	load                     func(*Console, visit) (any, error)
}

// readings are the pages. Each is JSON too, with .json behind its address.
var readings = []reading{
	{"{$}", "", "home", (*Console).home},
	{"memories", "memories", "memories", (*Console).memories},
	{"memories/{id}", "memories", "memory", (*Console).memory},
	{"findings", "memories", "findings", (*Console).findings},
	{"entities", "entities", "entities", (*Console).entities},
	{"entities/{id}", "entities", "entity", (*Console).entity},
	{"reviews", "reviews", "reviews", (*Console).reviews},
	{"waiting", "waiting", "waiting", (*Console).waiting},
	{"contexts", "contexts", "contexts", (*Console).contexts},
	{"contexts/{id}", "contexts", "context", (*Console).context},
	{"conversations", "conversations", "conversations", (*Console).conversations},
	{"conversations/{id}", "conversations", "conversation", (*Console).conversation},
	{"sessions", "sessions", "sessions", (*Console).sessions},
	{"sessions/{id}", "sessions", "session", (*Console).session},
	{"tasks", "tasks", "tasks", (*Console).tasks},
	{"tasks/{id}", "tasks", "task", (*Console).task},
	{"artifacts", "artifacts", "artifacts", (*Console).artifacts},
	{"artifacts/{id}", "artifacts", "artifact", (*Console).artifact},
	{"gateway", "gateway", "gateway", (*Console).gateway},
	{"audit", "audit", "trail", (*Console).trail},
	{"health", "health", "health", (*Console).health},
}

// writing is a form: the pattern of its address behind Base, and what it does. It returns the address to go on at, behind Base.
type writing struct {
	pattern string
	do      func(*Console, visit) (string, error)
}

var writings = []writing{
	{"memories/retire", (*Console).retire},
	{"memories/{id}/correct", (*Console).correct},
	{"memories/{id}/restore", (*Console).restore},
	{"waiting/{id}", (*Console).decide},
	{"gateway/approve", (*Console).approve},
	{"reviews/{id}", (*Console).settle},
	{"entities/{id}", (*Console).decideEntity},
}

// visit is a request of somebody who was let in.
type visit struct {
	*http.Request
	by ctxmcp.Caller
	id string // in the address
}

// routes returns the handler of everything under Base.
func (c *Console) routes() http.Handler {
	mux := http.NewServeMux()
	for name, kind := range assets {
		mux.Handle("GET "+Base+name, asset(name, kind))
	}
	mux.HandleFunc("GET "+Base+"enter", c.gate.ask)
	mux.HandleFunc("POST "+Base+"enter", c.gate.enter)
	mux.HandleFunc("POST "+Base+"leave", c.gate.leave)
	if c.o.SignIn != nil {
		mux.HandleFunc("GET "+Base+"signin", c.signIn)
		mux.HandleFunc("GET "+Base+SignInReturn, c.signedIn)
	}
	for _, page := range readings {
		mux.HandleFunc("GET "+Base+page.pattern, func(w http.ResponseWriter, r *http.Request) { c.read(w, r, page) })
		if page.pattern != "{$}" && page.pattern[len(page.pattern)-1] != '}' {
			mux.HandleFunc("GET "+Base+page.pattern+".json", func(w http.ResponseWriter, r *http.Request) { c.read(w, r, page) })
		}
	}
	for _, form := range writings {
		mux.HandleFunc("POST "+Base+form.pattern, func(w http.ResponseWriter, r *http.Request) { c.write(w, r, form) })
	}
	mux.HandleFunc(Base, func(w http.ResponseWriter, r *http.Request) { c.fail(w, r, errNoPage) })
	return guarded(http.NewCrossOriginProtection().Handler(mux))
}

var errNoPage = ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no such page").WithHint("the list on top has all of them")
