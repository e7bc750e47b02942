//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestGatewayKills kills the gateway, its server, or its client with the signal that nobody hears, or ends the client in peace, again and again
// while calls are under way: no process stays, and every call that the server carried out has a receipt that allows it, in a log that is valid.
// GATEWAY_KILLS says how often; default 8.
func TestGatewayKills(t *testing.T) {
	times := 8
	if n, err := strconv.Atoi(os.Getenv("GATEWAY_KILLS")); err == nil {
		times = n
	}
	dir := t.TempDir()
	done, file := filepath.Join(dir, "done"), filepath.Join(dir, "servers.json")
	server, err := exec.LookPath("reading-server")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"files": map[string]any{"command": server, "env": map[string]string{"DONE": done}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range times {
		killOnce(t, dir, file, done, []string{"gateway", "server", "client", "nobody"}[i%4], 1+r.IntN(5))
		if t.Failed() {
			t.Fatalf("after %d of %d", i+1, times)
		}
	}
	pids, calls := written(t, done)
	for _, pid := range pids {
		wantGone(t, pid)
	}
	wantNoneIn(t, dir)
	allowed := 0
	for _, verdict := range verdictsIn(t, dir) {
		if verdict == "allow" {
			allowed++
		}
	}
	if calls == 0 || calls > allowed {
		t.Errorf("the servers carried out %d calls, and %d receipts allow one", calls, allowed)
	}
}

// killOnce has a gateway make calls, and after so many answers ends one of those who take part.
func killOnce(t *testing.T, dir, file, done, whom string, after int) {
	t.Helper()
	cmd := binary(t, dir, "gateway", "stdio", "--servers", file)
	if whom == "client" {
		client, err := exec.LookPath("holding-client")
		if err != nil {
			t.Fatal(err)
		}
		cmd.Path, cmd.Args = client, append([]string{client}, cmd.Args...)
	}
	in, out := piped(t, cmd)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for n := range 8 {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":"c%d","method":"tools/call","params":{"name":"files__read_text","arguments":{"bytes":%d}}}`+"\n", n, 100+n)
	}
	for lines, got := bufio.NewReader(out), 0; got < after; {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the gateway ended after %d answers: %v", got, err)
		}
		if strings.Contains(line, `"id":"c`) {
			got++
		}
	}
	switch whom {
	case "gateway", "client":
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
	case "server":
		pids, _ := written(t, done)
		_ = syscall.Kill(pids[len(pids)-1], syscall.SIGKILL) // it may have ended
	}
	in.Close()     // as the end of the client does
	_ = cmd.Wait() // it may have been killed
}

// wantNoneIn waits until no process is left that was started for a folder, as its environment says: the gateway, its warden, its servers.
// Where there is no /proc, none is found.
func wantNoneIn(t *testing.T, dir string) {
	t.Helper()
	var left []string
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(10 * time.Millisecond) {
		left = nil
		all, err := filepath.Glob("/proc/[0-9]*/environ")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range all {
			if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), "="+dir) { // it may be another user's, or gone
				left = append(left, path)
			}
		}
		if len(left) == 0 {
			return
		}
	}
	t.Errorf("the processes %v are still there", left)
}

// written returns the processes of the servers, and how many calls they have carried out.
func written(t *testing.T, path string) (pids []int, calls int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(line); err == nil {
			pids = append(pids, pid)
		} else {
			calls++
		}
	}
	return pids, calls
}

// wantGone waits until a process is gone, or a zombie that its new parent will reap.
func wantGone(t *testing.T, pid int) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	t.Errorf("the process %d is still there", pid)
}
