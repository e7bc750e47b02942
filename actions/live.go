package actions

import (
	"slices"
	"sync"

	"github.com/ctx-mcp/ctx-mcp"
)

// maxLive bounds the sessions in memory that no call uses; the others are read again from their logs.
const maxLive = 256

// session is one session in memory: the fold over its log.
type session struct {
	key   Key
	users int // calls that run on it or wait for it; guarded by the mutex of live

	lock    ctxmcp.Lock // guards all below; held over a whole call
	seq     int         // of the last record in the fold
	told    int         // results of which the log says that they could not be read
	folding bool        // a record is being folded in: the fold stands between two records
	*accumulator
}

// fold takes the next record of the log in. When it fails, the fold is to be forgotten.
func (v *session) fold(r Record) error {
	v.folding = true
	if err := v.apply(r); err != nil {
		return err
	}
	v.seq, v.folding = r.Seq, false
	return nil
}

// forget empties the fold, so that the next call reads the log from its beginning.
func (v *session) forget(o Options) {
	v.seq, v.folding, v.accumulator = 0, false, newAccumulator(o)
}

// live holds the sessions in memory. The zero value is empty. There is one session at a time for a key: all who wait for it wait
// for the same lock.
type live struct {
	mu    sync.Mutex // guards all below
	byKey map[Key]*session
	use   []Key // the longest unused first
}

// take returns the session of the key as it is in memory, or one that nothing was read into. Its give must follow.
func (l *live) take(k Key, o Options) *session {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byKey == nil {
		l.byKey = map[Key]*session{}
	}
	v := l.byKey[k]
	if v == nil {
		v = &session{key: k, accumulator: newAccumulator(o)}
		l.byKey[k] = v
	}
	v.users++
	l.use = append(slices.DeleteFunc(l.use, func(other Key) bool { return other == k }), k)
	return v
}

// give says that a call is done with the session. One that nobody uses is let go of when nothing is in it, or when it is the
// longest unused of too many.
func (l *live) give(v *session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v.users--
	excess := len(l.use) - maxLive
	l.use = slices.DeleteFunc(l.use, func(k Key) bool {
		held := l.byKey[k]
		if held.users > 0 || held.seq > 0 && excess <= 0 {
			return false
		}
		excess--
		delete(l.byKey, k)
		return true
	})
}
