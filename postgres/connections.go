package postgres

import (
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// farewell bounds the time that the connections of a closed store have to end.
const farewell = 2 * time.Second

// silence is the time after which a connection on which nothing is acknowledged is broken: a machine that has died, or a way that drops its packets, says no
// word. Without it a write waits for a quarter of an hour, as TCP does. PostgreSQL gives the locks of a client that hangs back after the same time.
const silence = 30 * time.Second

// dialer makes the connections.
var dialer = net.Dialer{
	KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 4},
	Control:         breakSilence,
}

// live are the connections of a pool that have not ended. A statement whose caller has gone is cancelled behind the pool's back, by a request on a connection
// of its own.
type live struct {
	mu  sync.Mutex // guards all
	all []*pgconn.PgConn
}

// add takes a new connection and drops those that have ended.
func (c *live) add(made *pgconn.PgConn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.all[:0]
	for _, one := range c.all {
		select {
		case <-one.CleanupDone():
		default:
			kept = append(kept, one)
		}
	}
	clear(c.all[len(kept):])
	c.all = append(kept, made)
}

// wait waits until all connections have ended, for a while. A process that ended sooner would leave statements running in the database; and PgBouncer
// 1.18.0 to 1.19.0 ends itself when a request to cancel is broken off.
func (c *live) wait() {
	c.mu.Lock()
	all := c.all
	c.mu.Unlock()
	late := time.NewTimer(farewell)
	defer late.Stop()
	for _, one := range all {
		select {
		case <-one.CleanupDone():
		case <-late.C:
			return
		}
	}
}
