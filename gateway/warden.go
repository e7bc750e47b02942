package gateway

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

// Warden ends the groups of processes that a gateway has started, should the gateway die without having done so: it reads which there are
// until its input ends, and then tells them to end, and kills those that remain. It runs in a process of its own.
func Warden(in io.Reader) {
	groups := map[int]bool{}
	for s := bufio.NewScanner(in); s.Scan(); {
		text := s.Text()
		group, err := strconv.Atoi(text[min(1, len(text)):])
		switch {
		case err != nil || group <= 1:
		case text[0] == '+':
			groups[group] = true
		default:
			delete(groups, group)
		}
	}
	if len(groups) == 0 {
		return
	}
	for group := range groups {
		termGroup(group)
	}
	time.Sleep(patience)
	for group := range groups {
		killGroup(group)
	}
}

// warden keeps the process of Warden informed, and starts it again should it end.
type warden struct {
	command []string // empty: there is none

	mu     sync.Mutex
	groups map[int]bool
	in     io.WriteCloser // nil: it does not run
	closed bool
	brief  int // times that the process ended at once
	ended  sync.WaitGroup
}

// keep notes that a group has begun or ended.
func (w *warden) keep(group int, alive bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.groups == nil {
		w.groups = map[int]bool{}
	}
	if alive {
		w.groups[group] = true
	} else {
		delete(w.groups, group)
	}
	w.tell(group, alive)
}

func (w *warden) tell(group int, alive bool) {
	sign := map[bool]string{true: "+", false: "-"}[alive]
	if w.in == nil && alive {
		w.start()
		return
	}
	if w.in != nil {
		_, _ = fmt.Fprintf(w.in, "%s%d\n", sign, group) // if it has died, it is started again
	}
}

// start starts the process with all that is to be known. Without it the servers still end with their input.
func (w *warden) start() {
	if len(w.command) == 0 || w.closed {
		return
	}
	cmd := exec.Command(w.command[0], w.command[1:]...)
	apart(cmd)
	in, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return
	}
	w.in = in
	began := time.Now()
	for group := range w.groups {
		_, _ = fmt.Fprintf(in, "+%d\n", group)
	}
	w.ended.Go(func() {
		_ = cmd.Wait()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.in = nil
		if time.Since(began) < patience {
			w.brief++
		}
		if len(w.groups) > 0 && w.brief < 5 {
			w.start()
		}
	})
}

// close ends the process. The servers have ended before.
func (w *warden) close() {
	w.mu.Lock()
	w.closed = true
	if w.in != nil {
		_ = w.in.Close()
	}
	w.mu.Unlock()
	w.ended.Wait()
}
