package gateway

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// keeper keeps what is known of one server up to date.
type keeper struct {
	unseen bool          // nothing was known of the server at the start
	tried  chan struct{} // closed once the server has answered, or failed, for the first time, and the view holds it
	once   sync.Once
	fine   bool          // it had answered; set before tried is closed
	wake   chan struct{} // holds one: a list has changed
}

func newKeeper(unseen bool) *keeper {
	return &keeper{unseen: unseen, tried: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// warm begins to keep all servers up to date, the first time.
func (g *Gateway) warm(peer serve.Peer) {
	g.warmed.Do(func() {
		for name, k := range g.keepers {
			g.working.Go(func() { g.keep(name, k, peer) })
		}
	})
}

// calm is how long a keeper rests between two looks at a server: one that says without end that its lists have changed is asked no oftener.
const calm = time.Second

// lull is how long the servers that are known wait at the beginning: the client's first questions are answered without them.
const lull = 300 * time.Millisecond

// keep looks at a server, and again whenever its lists have changed or it has ended. Where it fails the pause grows.
func (g *Gateway) keep(name string, k *keeper, peer serve.Peer) {
	wait := firstWait
	if known := g.catalogue.load(g.ids[name]); !known.Seen.IsZero() && !g.rest(lull) {
		return
	}
	for g.life.Err() == nil {
		c, err := g.look(name, peer)
		k.once.Do(func() { k.fine = err == nil; close(k.tried) })
		var gone <-chan struct{}
		pause := calm
		if err != nil {
			pause, wait = wait, min(2*wait, lastWait)
		} else {
			gone, wait = c.link.gone(), firstWait
		}
		if err != nil {
			if !g.restOr(pause, k.wake) {
				return
			}
			continue
		}
		if !g.rest(pause) {
			return
		}
		select {
		case <-g.life.Done():
		case <-k.wake:
		case <-gone:
			if !peer.Lasting { // it is started again when somebody needs it
				gone = nil
				select {
				case <-g.life.Done():
				case <-k.wake:
				}
			}
		}
	}
}

func (g *Gateway) rest(pause time.Duration) bool { return g.restOr(pause, nil) }

// restOr is rest that somebody may cut short.
func (g *Gateway) restOr(pause time.Duration, wake <-chan struct{}) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-wake:
		return true
	case <-g.life.Done():
		return false
	}
}

// look asks a server for its lists and keeps them.
func (g *Gateway) look(name string, peer serve.Peer) (*connection, error) {
	id := g.ids[name]
	before := g.catalogue.load(id)
	c, err := g.pool.take(g.life, name, peer)
	var o Offer
	if err == nil {
		ctx, cancel := context.WithTimeout(g.life, g.pool.limits.Startup)
		defer cancel()
		o, err = fetch(ctx, c, func(raw json.RawMessage) (json.RawMessage, error) {
			return hidden(ctx, g.Redact, peer.Caller.Tenant, raw)
		})
	}
	if g.life.Err() != nil {
		return nil, g.life.Err()
	}
	now := ctxmcp.Instant(g.Now())
	if err != nil {
		failed := before
		failed.Server, failed.Tried, failed.Error = name, now, g.pool.told(peer, err)
		if _, kept := g.catalogue.store(id, failed); kept != nil {
			g.Logger.Warn("the catalogue could not be kept", "error", kept)
		}
		return nil, err
	}
	o.Seen, o.Tried = now, now
	changed, err := g.catalogue.store(id, o)
	if err != nil {
		g.Logger.Warn("the catalogue could not be kept", "error", err)
	}
	if err := g.pins.firstSeen(g.life, id, o.Tools); err != nil {
		return nil, err
	}
	if before.Seen.IsZero() || len(changed) > 0 {
		g.renew(changed...)
	}
	if level := g.level.Load(); level != nil && peer.Lasting && o.has("logging") {
		_, _ = c.request(g.life, peer, "logging/setLevel", *level) // as with any client, the server's own default counts else
	}
	return c, nil
}

// told is what the catalogue keeps of a failure.
func (p *pool) told(peer serve.Peer, err error) string {
	clean, _, failed := p.redact(context.Background(), peer.Caller.Tenant, err.Error())
	if failed != nil {
		return "its error is not shown"
	}
	return ctxmcp.Clip(clean, 600)
}

// listChanged has a keeper look at its server again.
func (g *Gateway) listChanged(server, _ string) {
	select {
	case g.keepers[server].wake <- struct{}{}:
	default: // it will look anyway
	}
}

// The wait of the first list for servers that were never seen, which clients that ask once would miss otherwise: none longer than longest, and
// once some have answered, the others get as long again as the slowest of them.
const (
	longest  = 5 * time.Second
	leastLag = 150 * time.Millisecond
)

// awaitUnseen waits for the servers of which nothing is known yet, once. Those that take too long count as known from then on.
func (g *Gateway) awaitUnseen(ctx context.Context) {
	g.unseen.Do(func() {
		for _, name := range g.awaitFirst(ctx) {
			late := Offer{Server: name, Tried: ctxmcp.Instant(g.Now()), Error: "it has not answered yet"}
			if g.catalogue.load(g.ids[name]).Tried.IsZero() {
				_, _ = g.catalogue.store(g.ids[name], late) // where it cannot be kept, the next process waits too
			}
		}
	})
}

// awaitFirst waits, and returns the servers that have not answered.
func (g *Gateway) awaitFirst(ctx context.Context) (late []string) {
	began := time.Now()
	deadline := time.NewTimer(longest)
	defer deadline.Stop()
	answered := make(chan bool, len(g.keepers)) // those too that are known set the pace
	done := make(chan struct{})
	defer close(done)
	for _, k := range g.keepers {
		go func() {
			select {
			case <-k.tried:
				answered <- k.fine
			case <-done:
			}
		}()
	}
	for len(g.unanswered()) > 0 {
		select {
		case fine := <-answered:
			if took := time.Since(began); fine {
				deadline.Reset(max(0, min(took+leastLag, longest-took)))
			}
		case <-deadline.C:
			return g.unanswered()
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// unanswered returns the servers of which nothing was known at the start and nothing is in the view yet.
func (g *Gateway) unanswered() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(g.keepers)) {
		if k := g.keepers[name]; k.unseen && !isClosed(k.tried) {
			names = append(names, name)
		}
	}
	return names
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
