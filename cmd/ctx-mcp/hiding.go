package main

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ctx-mcp/ctx-mcp/redact"
)

// hiding has values hidden that the program learns while it runs, such as the token of a user, by all its redactors.
type hiding struct {
	mu     sync.Mutex
	base   *redact.Redactor
	values []string // the longest known first
	all    []*hider
}

// mostLearnt is the number of values that are held; tokens that are older have ended.
const mostLearnt = 500

// hider is a redactor that leaves secrets of some labels alone.
type hider struct {
	allow []string
	now   atomic.Pointer[redact.Redactor]
}

// without returns a redactor that leaves secrets of the labels alone.
func (h *hiding) without(labels ...string) *hider {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := &hider{allow: labels}
	one.now.Store(h.base.Without(labels...))
	h.all = append(h.all, one)
	return one
}

// hide has values hidden from now on. Those that are too short to be told from other text are not.
func (h *hiding) hide(values ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := len(h.values)
	for _, v := range values {
		if len(v) >= minLearnt && !slices.Contains(h.values, v) {
			h.values = append(h.values, v)
		}
	}
	if len(h.values) == known {
		return
	}
	h.values = slices.Delete(h.values, 0, max(0, len(h.values)-mostLearnt))
	r, err := h.base.Hide(h.values...)
	if err != nil {
		panic(err) // none is too short
	}
	for _, one := range h.all {
		one.now.Store(r.Without(one.allow...))
	}
}

// minLearnt is how long a value is that is hidden wherever it stands, as with those of the file of the servers.
const minLearnt = 12

// of returns the redactor for a tenant.
func (h *hider) of(tenant string) *redact.Redactor { return h.now.Load().For(tenant) }

// redact is a redact.Func.
func (h *hider) redact(ctx context.Context, tenant, text string) (string, []redact.Finding, error) {
	return h.now.Load().TryFor(ctx, tenant, text)
}
