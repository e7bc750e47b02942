package serve

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Dependency is something beside the server that it works with.
type Dependency struct {
	Name string // a word or two for the operator: database
	// Partial says that most calls are answered without it: a server that cannot reach it is ready.
	Partial bool
	Reach   func(context.Context) error // nil: it answers
}

// patienceToReach bounds the time in which a dependency answers: a probe waits no longer for all of them.
const patienceToReach = 3 * time.Second

// serveReady answers with 200 if every dependency that calls need can be reached, and with 503 otherwise. Below it stands a line for each; the log says why
// one cannot be reached, and the answer, which anybody can ask for, does not.
func (h *Handler) serveReady(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), patienceToReach)
	defer cancel()
	faults := make([]error, len(h.o.Needs))
	var asked sync.WaitGroup
	for i, d := range h.o.Needs {
		asked.Go(func() { faults[i] = d.Reach(ctx) })
	}
	asked.Wait()
	status, lines := http.StatusOK, []string{"ok"}
	for i, d := range h.o.Needs {
		if faults[i] == nil {
			lines = append(lines, d.Name+": ok")
			continue
		}
		h.o.Logger.WarnContext(r.Context(), "cannot be reached", "dependency", d.Name, "error", faults[i])
		lines = append(lines, d.Name+": cannot be reached")
		if !d.Partial {
			status, lines[0] = http.StatusServiceUnavailable, "not ready"
		}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, strings.Join(lines, "\n")+"\n")
}
