package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
)

// unheard is the request of a session in which nobody hears the user, as guard has it.
const unheard = "(the words of the user are not known here)"

// front plays sessions as a client does that has ctx-mcp before its tools, and knows of no record.
type front struct {
	// begin returns the way to make the calls of one session.
	begin func(ctx context.Context, one labelled.Session) (caller, error)
	// as returns the tool and the operation under which a tool is recorded.
	as    func(tool string) (string, string)
	hears bool
	close func() error
}

// caller makes the calls of a session.
type caller interface {
	// hear tells what the user said; a front that does not hear the user does nothing.
	hear(ctx context.Context, words string) error
	// call makes a call whose result is known, and returns the decision and the rule.
	call(ctx context.Context, n int, a labelled.Action, result string) (verdict, rule string, err error)
	end(ctx context.Context) error
}

// fronts are the ways to play sessions without record_action and record_result.
var fronts = map[string]func(ctx context.Context, binary, dir string, sessions []labelled.Session) (front, error){
	"gateway": newGateway, "hooks": newHooks, "both": newBoth,
}

// play takes one session through a front.
func (f front) play(ctx context.Context, one labelled.Session, texts map[string]string) (run, error) {
	r := run{ID: one.ID, Flags: [][]string{}, Decisions: []string{}}
	c, err := f.begin(ctx, one)
	if err == nil {
		err = c.hear(ctx, one.Request)
	}
	for i, a := range one.Actions {
		for _, words := range one.Said(i) {
			if err == nil {
				err = c.hear(ctx, words)
			}
		}
		if err != nil {
			break
		}
		var verdict, rule string
		verdict, rule, err = c.call(ctx, i, a, texts[a.Result])
		flags := []string{}
		if verdict != "allow" {
			flags = append(flags, "rule_"+rule)
		}
		r.Flags, r.Decisions = append(r.Flags, flags), append(r.Decisions, verdict)
	}
	if err == nil {
		err = c.end(ctx)
	}
	if err != nil {
		return r, fmt.Errorf("session %s: %w", one.ID, err)
	}
	return r, nil
}

// hooks plays a session through the hooks of a client that has all events: a process for each.
type hooks struct{ binary, data, session, folder string }

// both plays a session through the gateway, of a client whose hooks tell what the user says and which call comes next.
type both struct {
	gatewayed
	hooks hooks
}

func newBoth(ctx context.Context, binary, dir string, sessions []labelled.Session) (front, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return front{}, err
	}
	f, err := newGateway(ctx, binary, dir, sessions)
	if err != nil {
		return front{}, err
	}
	behind, closeGateway := f.begin, f.close
	data := "--data-dir=" + filepath.Join(dir, "gateway")
	f.hears = true
	f.begin = func(ctx context.Context, one labelled.Session) (caller, error) {
		c, err := behind(ctx, one)
		if err != nil {
			return nil, err
		}
		return both{c.(gatewayed), hooks{binary, data, one.ID, ""}}, nil
	}
	f.close = func() error {
		return errors.Join(exec.CommandContext(ctx, binary, "hook", "stop", data).Run(), closeGateway())
	}
	return f, nil
}

func (b both) hear(ctx context.Context, words string) error { return b.hooks.hear(ctx, words) }

func (b both) call(ctx context.Context, n int, a labelled.Action, result string) (verdict, rule string, err error) {
	id := fmt.Sprintf("toolu_%s_%016d", b.hooks.session, n)
	event := map[string]any{"tool_name": "mcp__ctx-mcp__" + desk + "__" + a.Tool, "tool_input": a.Args, "tool_use_id": id}
	if _, err := b.hooks.tell(ctx, "PreToolUse", event); err != nil {
		return "", "", err
	}
	if verdict, rule, err = b.send(ctx, a, result, map[string]any{"claudecode/toolUseId": id}); err != nil {
		return "", "", err
	}
	event["tool_response"] = result
	_, err = b.hooks.tell(ctx, "PostToolUse", event)
	return verdict, rule, err
}

func (b both) end(ctx context.Context) error {
	return errors.Join(b.gatewayed.end(ctx), b.hooks.end(ctx))
}

func newHooks(ctx context.Context, binary, dir string, _ []labelled.Session) (front, error) {
	binary, err := filepath.Abs(binary)
	data := "--data-dir=" + filepath.Join(dir, "hooks")
	return front{
		begin: func(_ context.Context, one labelled.Session) (caller, error) {
			return hooks{binary, data, one.ID, ""}, nil // the recorded sessions do not say in which folder their agent works: none is told, as by record_action
		},
		as:    func(tool string) (string, string) { return tool, tool },
		hears: true,
		close: func() error { return exec.CommandContext(ctx, binary, "hook", "stop", data).Run() },
	}, err
}

// tell gives the hook an event, and returns its answer.
func (h hooks) tell(ctx context.Context, name string, event map[string]any) (map[string]any, error) {
	event["hook_event_name"], event["session_id"], event["cwd"] = name, h.session, h.folder
	text, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, h.binary, "hook", "claude-code", h.data)
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	if err != nil || len(bytes.TrimSpace(out)) == 0 {
		return nil, err
	}
	var answer struct {
		Specific map[string]any `json:"hookSpecificOutput"`
	}
	err = json.Unmarshal(out, &answer)
	return answer.Specific, err
}

func (h hooks) hear(ctx context.Context, words string) error {
	_, err := h.tell(ctx, "UserPromptSubmit", map[string]any{"prompt": words})
	return err
}

func (h hooks) call(ctx context.Context, n int, a labelled.Action, result string) (verdict, rule string, err error) {
	event := map[string]any{"tool_name": a.Tool, "tool_input": a.Args, "tool_use_id": fmt.Sprint("call_", n)}
	said, err := h.tell(ctx, "PreToolUse", event)
	if err != nil {
		return "", "", err
	}
	words, _ := said["permissionDecisionReason"].(string)
	verdict = "allow"
	switch decision, _ := said["permissionDecision"].(string); {
	case said["updatedInput"] != nil:
		verdict = "modify"
	case decision == "ask":
		return "step_up", ruleIn(words), nil
	case decision == "deny":
		return "deny", ruleIn(words), nil
	}
	name := "PostToolUse"
	event["tool_response"] = result
	if failed(a) {
		name, event["error"] = "PostToolUseFailure", result
	}
	_, err = h.tell(ctx, name, event)
	return verdict, ruleIn(words), err
}

func (h hooks) end(ctx context.Context) error {
	_, err := h.tell(ctx, "SessionEnd", map[string]any{"reason": "other"})
	return err
}

var ruleForm = regexp.MustCompile(`\(?rule ([\w.-]+)`)

// ruleIn returns the rule that the words of a decision name.
func ruleIn(words string) string {
	if m := ruleForm.FindStringSubmatch(words); m != nil {
		return strings.TrimRight(m[1], ".")
	}
	return "unknown"
}

// failed reports whether the action had an error in the recorded session.
func failed(a labelled.Action) bool { return a.Error != nil && a.Error != "" && a.Error != false }
