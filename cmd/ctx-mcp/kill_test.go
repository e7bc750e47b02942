package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// killed is a server that is killed in the middle of its work.
type killed struct {
	cmd *exec.Cmd
	in  io.Writer
	out *bufio.Scanner
}

func startKilled(t *testing.T, dir string) *killed {
	t.Helper()
	cmd := binary(t, dir, "stdio", "--log-level", "error")
	in, out := piped(t, cmd)
	k := &killed{cmd, in, bufio.NewScanner(out)}
	k.out.Buffer(nil, 1<<20)
	k.send(t, hello)
	return k
}

func (k *killed) send(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(k.in, text); err != nil {
		t.Fatal(err)
	}
}

// call sends a tool call under an id, which comes back with its answer.
func (k *killed) call(t *testing.T, id, tool, arguments string) {
	t.Helper()
	k.send(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", id, tool, arguments))
}

// answers reads answers until one has the id, or until there have been most of them or there are no more, and calls got with
// each that is a decision.
func (k *killed) answers(t *testing.T, until string, most int, got func(id, verdict string)) {
	t.Helper()
	for n := 0; n < most && k.out.Scan(); n++ {
		var m struct {
			ID     any
			Result struct {
				StructuredContent struct {
					Decision struct{ Verdict string }
				}
			}
		}
		if err := json.Unmarshal(k.out.Bytes(), &m); err != nil {
			return // cut off by the kill
		}
		if v := m.Result.StructuredContent.Decision.Verdict; v != "" {
			got(fmt.Sprint(m.ID), v)
		}
		if m.ID == until {
			return
		}
	}
}

func recordArguments(id string) string {
	return fmt.Sprintf(`{"session_id":"s","action_id":%q,"tool":"notes","operation":"write","parameters":{"text":"note %s"}}`, id, id)
}

// TestKillLeavesNoAllowWithoutReceipt kills a server again and again while it decides. Every answer has its receipt in a
// log that is valid, and the same call is answered the same afterwards.
func TestKillLeavesNoAllowWithoutReceipt(t *testing.T) {
	const rounds, each = 6, 40
	dir, answered, next := t.TempDir(), map[string]string{}, 0
	r := rand.New(rand.NewPCG(1, 2))
	keep := func(id, verdict string) { answered[id] = verdict }
	for range rounds {
		k := startKilled(t, dir)
		k.call(t, "start", "start_session", `{"session_id":"s","original_request":{"text":"Write my notes"}}`)
		k.answers(t, "start", each, keep)
		for range each {
			next++
			id := fmt.Sprint("act-", next)
			k.call(t, id, "record_action", recordArguments(id))
		}
		k.answers(t, "", 1+r.IntN(each/2), keep)
		if err := k.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		k.answers(t, "", each, keep) // answers on their way
		_ = k.cmd.Wait()             // it was killed
	}
	if len(answered) < rounds {
		t.Fatalf("only %d actions were answered", len(answered))
	}
	wantReceiptsFor(t, dir, answered)
	k := startKilled(t, dir)
	for id := range answered {
		k.call(t, id, "record_action", recordArguments(id))
	}
	again := map[string]string{}
	k.answers(t, "", len(answered)+1, func(id, verdict string) { again[id] = verdict })
	if err := k.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = k.cmd.Wait() // it was killed
	for id, verdict := range answered {
		if again[id] != verdict {
			t.Errorf("%s was answered %s, and is answered %q again", id, verdict, again[id])
		}
	}
}

// wantReceiptsFor verifies the log of a data directory and looks for the decision on each action in it.
func wantReceiptsFor(t *testing.T, dir string, answered map[string]string) {
	t.Helper()
	held := verdictsIn(t, dir)
	for id, verdict := range answered {
		if held[id] != verdict {
			t.Errorf("%s was answered %s, and its receipt says %q", id, verdict, held[id])
		}
	}
}

// verdictsIn verifies the log of a data directory, and returns the decision on each action in it.
func verdictsIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	if out, err := binary(t, dir, "verify").CombinedOutput(); err != nil {
		t.Errorf("verify: %v\n%s", err, out)
	}
	out, err := binary(t, dir, "receipts", "export").Output()
	if err != nil {
		t.Fatalf("export: %v", err)
	}
	held := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n")[1:] {
		var envelope struct{ Payload string }
		var body struct{ Action, Verdict string }
		if err := json.Unmarshal([]byte(line), &envelope); err != nil {
			t.Fatal(err)
		}
		payload, err := base64.StdEncoding.DecodeString(envelope.Payload)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(payload, &body); err != nil {
			t.Fatal(err)
		}
		held[body.Action] = body.Verdict
	}
	return held
}
