package main

import (
	"os/exec"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp/eval/attack"
	"github.com/ctx-mcp/ctx-mcp/eval/driver"
)

// TestHostileCalls is a short run of eval/hostile: hostile calls of every tool and resource of the binary, then abuses of the
// protocol, then clients that leave. Nothing here depends on time: the server must go on, give no internal error, show nothing of
// the other tenant, and end the work of every client that has left.
func TestHostileCalls(t *testing.T) {
	path, err := exec.LookPath("ctx-mcp")
	if err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	env := binary(t, data).Env
	var tokens [2]string
	for i, tenant := range []string{"mallory", "victim"} {
		if tokens[i], err = attack.Token(path, data, tenant, env); err != nil {
			t.Fatal(err)
		}
	}
	server, err := attack.Start(driver.Options{Binary: path, Data: data, Env: env, Args: []string{"--project", "p", "--log-level", "info"}})
	if err != nil {
		t.Fatal(err)
	}
	attacker, victim := attack.NewClient(server.URL, tokens[0]), &attack.Neighbour{Client: attack.NewClient(server.URL, tokens[1])}
	others, err := victim.MoveIn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	targets, err := attacker.Targets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := &attack.Campaign{
		Server: server, Attacker: attacker, Token: tokens[0], Maker: &attack.Maker{Targets: targets, Seed: 1, Max: 8 << 10},
		Count: 40, Workers: 4, Replant: 40, Canary: attack.Canary, Log: t.Logf,
	}
	if err := c.Prepare(t.Context(), others); err != nil {
		t.Fatal(err)
	}
	if err := c.Run(t.Context()); err != nil {
		t.Error(err)
	}
	c.Abuse(t.Context(), 2)
	c.Leave(t.Context(), 0, time.Minute)
	if err := server.Stop(); err != nil {
		t.Error(err)
	}
	for _, p := range c.Problems() {
		t.Errorf("%s", p)
	}
	for _, line := range server.Faults() {
		t.Errorf("the log has %s", line)
	}
}
