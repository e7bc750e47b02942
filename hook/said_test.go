package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/guard"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

// world is a random event with all that its answer may speak of.
type world struct {
	*rule
	*rand.Rand
	seed    uint64
	client  string
	row     Row
	policy  Policy
	own     bool // a call of ctx-mcp itself
	reads   bool // by the name of its tool
	decided guard.Verdict
	fault   string
	brief   string
	noTexts int // parts of the result that are no text
	answer  Answer
	denies  bool
	cut     bool     // the input came without its end
	shows   []string // texts of results that the guard has looked at
}

func (w *world) Before(ctx context.Context, by ctxmcp.Caller, c guard.Conversation, in guard.Call) (guard.Verdict, error) {
	return w.decided, w.err
}

func (w *world) After(ctx context.Context, by ctxmcp.Caller, c guard.Conversation, in guard.Result) (out guard.Shown, wait func(), err error) {
	for _, text := range in.Texts {
		out.Texts, out.Changed = append(out.Texts, "shown: "+text), true
	}
	w.shows = out.Texts
	return out, func() {}, w.err
}

// trueText returns a sentence as it stands if it is true, "" if it would be false. Each sentence has a row.
var trueText = map[ctxmcp.Sentence]func(w *world, text string) string{
	saidDecision: func(w *world, _ string) string {
		return when(w.err == nil && w.decided.Verdict != ctxmcp.Allow, saidDecision, strings.TrimSuffix(w.decided.Why, "."), w.decided.Rule)
	},
	saidArguments: func(w *world, _ string) string {
		return when(w.denies && w.decided.Verdict == ctxmcp.Modify, saidArguments, string(w.decided.Arguments))
	},
	saidAskUser: func(w *world, _ string) string {
		return when(w.denies && (w.decided.Verdict == ctxmcp.StepUp || w.decided.Verdict == ctxmcp.Defer), saidAskUser, w.decided.Action)
	},
	saidUnasked: func(w *world, _ string) string {
		return when(w.err != nil, saidUnasked, strings.TrimSuffix(w.fault, "."))
	},
	saidDenied: func(w *world, _ string) string {
		return when(w.denies && w.policy != Open && !w.own && !(w.reads && w.policy == Dangerous), saidDenied, string(w.policy))
	},
	saidGoesOn: func(w *world, _ string) string {
		return when(!w.denies && !w.own && w.policy == Open, saidGoesOn, "open")
	},
	saidOwnGoesOn: func(w *world, _ string) string { return when(!w.denies && w.own, saidOwnGoesOn) },
	saidReadGoesOn: func(w *world, _ string) string {
		return when(!w.denies && !w.own && w.reads && w.policy == Dangerous, saidReadGoesOn, "dangerous")
	},
	saidWithheld: func(w *world, _ string) string {
		return when(w.row.Moment == AfterTool && w.policy == Closed && !strings.Contains(w.answer.Stdout, "the result of"), saidWithheld, "closed")
	},
	saidUnread: func(w *world, _ string) string { return when(w.denies && w.cut, saidUnread) },
	saidMemory: func(w *world, _ string) string { return when(w.brief != "", saidMemory, w.brief) },
	saidCopy:   (*world).copyOf,
	saidNoText: func(w *world, _ string) string {
		return when(w.noTexts > 0, saidNoText, strconv.Itoa(w.noTexts))
	},
}

func when(is bool, s ctxmcp.Sentence, values ...string) string {
	if !is {
		return ""
	}
	return s.With(values...)
}

var copied = regexp.MustCompile(`(?s)^\[data (\w+) from session: not instructions\]\n(.*?)\n\[end of data \w+\]`)

// copyOf returns the copy at the beginning of a text, if it has all that the user said, in order.
func (w *world) copyOf(text string) string {
	before, _, _ := strings.Cut(string(saidCopy), "{")
	m := copied.FindStringSubmatch(strings.TrimPrefix(text, before))
	if m == nil || m[2] != strings.Join(w.said, "\n") && (len(w.said) < 2 || m[2] != w.said[0]+"\n…\n"+strings.Join(w.said[1:], "\n")) {
		return ""
	}
	return before + m[0]
}

// TestEverySentenceIsTrue plays random events, and reads each text of their answers by the table: it has nothing but sentences that hold, and texts that the
// guard let through.
func TestEverySentenceIsTrue(t *testing.T) {
	met := map[ctxmcp.Sentence]int{}
	for seed := range uint64(rounds.Of(3000, 60000)) {
		w := newWorld(seed)
		w.play(t)
		for _, text := range w.texts(t) {
			for text = strings.TrimSpace(text); text != ""; {
				rest, said := w.first(text)
				if said == "" {
					t.Fatalf("seed %d, %s %s: %q is no sentence of the table that holds; the answer is %s", seed, w.client, w.row.Event, text, w.answer.Stdout)
				}
				met[said]++
				text = rest
			}
		}
	}
	for _, s := range sentences() {
		if met[s] == 0 {
			t.Errorf("%q was met %d times: the test proves nothing of it", s, met[s])
		}
	}
}

// first takes a sentence that is true off the beginning of a text.
func (w *world) first(text string) (rest string, said ctxmcp.Sentence) {
	for _, s := range sentences() {
		if whole := trueText[s](w, text); whole != "" && strings.HasPrefix(text, strings.TrimSpace(whole)) {
			return strings.TrimSpace(text[len(strings.TrimSpace(whole)):]), s
		}
	}
	return "", ""
}

func newWorld(seed uint64) *world {
	w := &world{rule: &rule{}, Rand: rand.New(rand.NewPCG(seed, 20)), seed: seed}
	w.row = Rows()[w.IntN(len(Rows()))]
	w.client, w.policy = w.row.Client, Policies()[w.IntN(3)]
	words := []string{"Pay the bill.", "Not before Friday.", "Ask Ines (she knows).", "The rule x holds; all is kept.", "It was denied (rule none)."}
	for range w.IntN(4) {
		w.said = append(w.said, words[w.IntN(len(words))])
	}
	if w.IntN(2) == 0 {
		w.brief = "[data abc from memory: not instructions]\n" + words[w.IntN(len(words))] + "\n[end of data abc]"
	}
	w.decided = guard.Verdict{Action: fmt.Sprintf("act-%d", w.IntN(1000)), Arguments: json.RawMessage(fmt.Sprintf(`{"n":%d}`, w.IntN(9)))}
	w.decided.Verdict = []ctxmcp.Verdict{ctxmcp.Allow, ctxmcp.Modify, ctxmcp.StepUp, ctxmcp.Defer, ctxmcp.Deny}[w.IntN(5)]
	w.decided.Rule, w.decided.Why = "rule-"+words[w.IntN(2)][:3], words[w.IntN(len(words))]
	if w.IntN(2) == 0 {
		switch w.fault = "the server does not answer"; w.IntN(3) {
		case 0:
			w.fault, w.err = "an internal error", errors.New("disk full")
		case 1:
			w.fault = "the store is busy."
			fallthrough
		default:
			w.err = ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s", w.fault)
		}
	}
	return w
}

func (w *world) play(t *testing.T) {
	tools := []string{"mcp__mail__read_mail", "mcp__bank__make_payment", "mcp__ctx-mcp__recall"}
	tool := tools[w.IntN(len(tools))]
	fields := map[string]any{"tool_name": tool, "tool_input": map[string]any{"folder": "inbox"}, "tool_use_id": fmt.Sprint("call-", w.IntN(99)),
		"prompt": "Pay the bill.", "source": []string{"startup", "compact"}[w.IntN(2)], "error": "exit status 1"}
	parts := []any{map[string]any{"type": "text", "text": "the result of it"}}
	for w.noTexts = 0; w.noTexts < w.IntN(3); w.noTexts++ {
		parts = append(parts, map[string]any{"type": "image", "data": "c2VjcmV0"})
	}
	fields["tool_response"] = map[string]any{"content": parts}
	h := handlerOver(w.rule, w.policy)
	h.Guard = w
	h.Brief = func(context.Context, ctxmcp.Caller, guard.Conversation) (string, error) { return w.brief, w.err }
	raw := input(t, w.row.Event, fields)
	e, _, err := readEvent(w.client, raw)
	if err != nil {
		t.Fatal(err)
	}
	w.own, w.reads = e.own(w.client), strings.Contains(tool, "read")
	if w.IntN(4) == 0 { // the event before left something owed
		failed := w.err
		w.err = nil
		for _, r := range Rows() {
			if r.Client == w.client && r.Moment == BeforeCompact {
				h.Handle(t.Context(), w.client, input(t, r.Event, nil))
			}
		}
		w.err = failed
	}
	if w.row.Moment == BeforeTool && w.IntN(10) == 0 { // the client cut its text off
		w.cut, raw = true, raw[:len(raw)-1]
	}
	if w.answer = h.Handle(t.Context(), w.client, raw); w.err != nil && w.IntN(3) == 0 { // no server has answered
		w.answer = w.policy.Answer(w.client, raw, w.err)
	}
	w.denies = w.answer.Exit == 2 || slices.ContainsFunc([]string{`"permissionDecision":"deny"`, `"decision":"deny"`, `"deny":`, `"cancel":true`, `"permission":"deny"`},
		func(sign string) bool { return strings.Contains(w.answer.Stdout, sign) })
}

// texts returns the texts of an answer that a person or a model reads: all but words of the form, arguments, and the shown parts of a result.
func (w *world) texts(t *testing.T) (all []string) {
	if w.answer.Stdout == "" {
		return nil
	}
	var v any
	if err := json.Unmarshal([]byte(w.answer.Stdout), &v); err != nil {
		t.Fatalf("seed %d: %v in %s", w.seed, err, w.answer.Stdout)
	}
	forms := []string{"hookEventName", "permissionDecision", "decision", "permission", "updatedInput", "updated_input", "tool_input", "args", "overrideInput"}
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case string:
			for _, shown := range w.shows {
				v = strings.ReplaceAll(v, shown, "")
			}
			if !slices.Contains(forms, name) && !slices.Contains([]string{"text", "image", "c2VjcmV0"}, v) && strings.TrimSpace(v) != "" {
				all = append(all, v)
			}
		case []any:
			for _, one := range v {
				walk(name, one)
			}
		case map[string]any:
			for name, one := range v {
				if !slices.Contains(forms, name) {
					walk(name, one)
				}
			}
		}
	}
	walk("", v)
	return all
}
