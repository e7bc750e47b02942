package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/console"
	"github.com/ctx-mcp/ctx-mcp/gateway"
)

// until waits for a condition of the page, looking with each frame that the browser draws. A page that gives way to another one is no failure.
func (w *window) until(condition string) {
	w.Helper()
	script := `new Promise(done => { const look = () => { let met = false; try { met = !!(` + condition + `); } catch {} met ? done(true) : requestAnimationFrame(look); }; look(); })`
	ctx, stop := context.WithTimeout(w.ctx, 30*time.Second)
	defer stop()
	for {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise))
		switch {
		case err == nil:
			return
		case ctx.Err() != nil:
			w.Fatalf("%s: %v\n%s", condition, err, evaluate[string](w, "document.body.innerText"))
		}
	}
}

// press reaches something by the tab key, and presses Enter on it; it returns once another page is there, which answers the condition.
func (w *window) press(reached, condition string) {
	w.Helper()
	w.tabTo(reached)
	evaluate[bool](w, `(document.body.dataset.before = "yes", true)`)
	w.do(chromedp.KeyEvent("\r"))
	w.until(`document.body && !document.body.dataset.before && document.readyState === "complete" && (` + condition + `)`)
}

// write reaches a field by the tab key, and writes into it.
func (w *window) write(reached, text string) {
	w.Helper()
	w.tabTo(reached)
	w.do(chromedp.KeyEvent(text))
}

// teams stores three versions of one fact, and returns the id of the first.
func (l *looker) teams() (first string) {
	l.Helper()
	for _, day := range []string{"Tuesday", "Wednesday", "Thursday"} {
		answer := l.call("remember", map[string]any{"content": "The deploy day of billing is " + day + ".", "source": map[string]any{"kind": "user_statement"},
			"claim": map[string]any{"subject": "billing", "predicate": "deploy_day", "value": day}})
		if first == "" {
			first = fmt.Sprint(answer["object_id"])
		}
	}
	return first
}

// fromMonday is the setup of a console whose clock begins on a Monday, for a caller whose word for the user counts.
func fromMonday(c *config.Config, o *console.Options) {
	c.CallerKind = ctxmcp.Harness
	o.Now = clockFrom(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
}

// TestConsolePlane: the three questions are points of a plane that are moved by arrow keys, by a pointer, and without script by their dates.
func TestConsolePlane(t *testing.T) {
	l := look(t, fromMonday)
	id := l.teams()
	w := l.open(1200).letIn()
	w.see("memories/" + id)
	answers := func(number int, text string) string {
		return fmt.Sprintf(`document.querySelector("#question-%d .answer").textContent.includes(%q)`, number, text)
	}
	w.until(answers(1, "Thursday"))
	w.until(answers(1, "What is true now?"))
	w.tabTo(`document.activeElement?.dataset?.number === "1"`)
	w.do(chromedp.KeyEvent(kb.ArrowDown))
	w.until(answers(1, "What was held then to be true now?"))
	w.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowLeft))
	w.until(answers(1, "Tuesday"))
	moved := evaluate[string](w, "location.search")
	w.tabTo(`document.activeElement?.dataset?.number === "3"`)
	w.drag(`.point[data-number="3"]`, `.cell[data-held="now"][data-true="now"]`)
	w.until(answers(3, "What is true now?"))
	w.until(answers(3, "Thursday"))
	if at := evaluate[string](w, `document.querySelector('.point[data-number="3"]').ariaValueText`); !strings.Contains(at, "what was held at") {
		t.Errorf("a reader of the screen hears %q", at)
	}
	for _, found := range violations(w) {
		t.Error(found)
	}

	still := look(t, fromMonday)
	id = still.teams()
	s := still.open(360)
	s.scriptless().see("memories/" + id)
	ask, err := url.ParseQuery(strings.TrimPrefix(moved, "?"))
	if err != nil {
		t.Fatal(err)
	}
	s.do(chromedp.SetValue("#as_of", ask.Get("as_of")), chromedp.SetValue("#believed_at", ask.Get("believed_at")), chromedp.Click(`#questions button`), chromedp.WaitReady(`#as_of[value="`+ask.Get("as_of")+`"]`))
	var answer string
	if answer, err = chromedp.Run(s.ctx, chromedp.Text("#question-1 .answer")); err != nil || !strings.Contains(answer, "Tuesday") {
		t.Errorf("without script, asked about %v: %q, %v", ask, answer, err)
	}
}

// drag moves the pointer, with its button down, from the middle of one thing to the middle of another.
func (w *window) drag(from, to string) {
	w.Helper()
	middle := func(what string) (x, y float64) {
		script := fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "nearest", inline: "nearest"}); const b = e.getBoundingClientRect(); return [b.left + b.width/2, b.top + b.height/2]; })()`, what)
		at := evaluate[[]float64](w, script)
		return at[0], at[1]
	}
	middle(from)
	toX, toY := middle(to)
	x, y := middle(from)
	left := chromedp.ButtonType(input.MouseButtonLeft)
	w.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, left), chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, (x+toX)/2, (y+toY)/2, left),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, toX, toY, left), chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, toX, toY, left))
}

// scriptless lets the browser in by typing the code, in a browser that runs no script.
func (w *window) scriptless() *window {
	w.Helper()
	if _, err := chromedp.Call(w.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		w.Fatal(err)
	}
	w.do(chromedp.Navigate(w.server.URL+console.Base), chromedp.WaitVisible("#secret"), chromedp.Focus("#secret"), chromedp.KeyEvent(w.code), chromedp.KeyEvent("\r"), chromedp.WaitVisible(".tiles"))
	return w
}

// keyed are the writes that a person makes with keys alone. Each begins on a page, and ends with what the page shows.
var keyed = []struct {
	name string
	do   func(w *window, book *held)
}{
	{"all that a filter shows is retired", func(w *window, _ *held) {
		w.looker.said("The gym opens at six.")
		w.looker.said("The gym closes at ten.")
		w.see("memories")
		w.tabTo(`document.activeElement?.id === "source"`)
		w.do(chromedp.KeyEvent("user"))
		w.press(`document.activeElement?.textContent === "Show"`, `document.querySelector('[name=all]')`)
		w.write(`document.activeElement?.id === "reason"`, "moved away")
		w.press(`document.activeElement?.name === "all"`, `!document.body.innerText.includes("The gym")`)
	}},
	{"ticked memories are retired", func(w *window, _ *held) {
		id := w.looker.said("The printer is on floor 2.")
		w.see("memories")
		w.tabTo(`document.activeElement?.value === "` + id + `"`)
		w.do(chromedp.KeyEvent(" "))
		w.write(`document.activeElement?.id === "reason"`, "it is gone")
		w.press(`document.activeElement?.textContent === "Retire the ticked ones"`, `document.querySelector('[data-state=ended]')`)
		w.press(`document.activeElement?.textContent === "Hold it again"`, `document.querySelector('[data-state=held]')`)
	}},
	{"a memory is superseded", func(w *window, _ *held) {
		w.see("memories/" + w.looker.said("The lift stops at floor 3."))
		w.write(`document.activeElement?.id === "content"`, "Since May, by hand: ")
		w.press(`document.activeElement?.textContent === "Store it instead"`, `document.querySelector("blockquote").textContent.startsWith("Since May")`)
	}},
	{"a memory is erased for good", func(w *window, _ *held) {
		w.see("memories/" + w.looker.said("The door code hangs behind the mirror."))
		w.write(`document.activeElement?.id === "reason"`, "asked for")
		w.press(`document.activeElement?.textContent === "Erase it for good"`, `!document.body.innerText.includes("door code")`)
	}},
	{"a contradiction is settled", func(w *window, _ *held) {
		id := w.contested()
		w.see("reviews")
		w.write(`document.activeElement?.closest("[id='`+id+`']") && document.activeElement.matches("input")`, "ops moved it")
		w.press(`document.activeElement?.closest("[id='`+id+`']") && document.activeElement.matches("button")`,
			`!document.getElementById("`+id+`") && document.body.innerText.includes("ops moved it")`)
	}},
	{"names are made one, split, and the split is taken back", func(w *window, _ *held) {
		w.claimed("Maya Chen", "manager", "Anna Berg")
		w.claimed("Orion", "lead", "Mayflower")
		id := w.entity("Mayflower")
		w.see("entities/" + id)
		w.write(`document.activeElement?.name === "into"`, "Maya Chen")
		w.press(`document.activeElement?.value === "merge"`, `document.body.innerText.includes("Maya Chen")`)
		w.see("entities/" + id)
		w.press(`document.activeElement?.value === "split"`, "true")
		w.see("entities/" + id)
		w.press(`document.activeElement?.value === "undo"`, `document.body.innerText.includes("Maya Chen")`)
	}},
	{"a tool is approved", func(w *window, book *held) {
		w.see("gateway")
		w.press(`document.activeElement?.textContent === "Approve"`, `!document.querySelector("[name=digest]")`)
		if len(book.tools) != 0 {
			w.Error("the tool is held back still")
		}
	}},
}

// TestConsoleWritesByKeyboard makes each write with keys alone, at the width of a phone.
func TestConsoleWritesByKeyboard(t *testing.T) {
	book := &held{[]gateway.Quarantined{{Server: "files", Tool: "read", Name: "files__read", Doubt: "changed", Was: "{\n  \"a\": 1\n}", Is: "{\n  \"a\": 2\n}"}}}
	l := look(t, func(c *config.Config, o *console.Options) {
		c.CallerKind, o.AllowErase, o.Gateway = ctxmcp.Harness, true, book
	})
	w := l.open(360).letIn()
	for _, k := range keyed {
		t.Log(k.name)
		k.do(w, book)
		for _, found := range violations(w) {
			t.Errorf("after %s: %s", k.name, found)
		}
	}
}

// TestConsoleBesideServer: a server of its own process asks; two windows of the page, which is another process, show it without reload; the approval
// in one frees the call that waits, and the other shows that it was decided.
func TestConsoleBesideServer(t *testing.T) {
	chromium(t)
	dir := t.TempDir()
	policy := []string{"CTX_MCP_POLICY_FILE=" + stepUpPolicy(t), "CTX_MCP_POLICY_DEFAULT=allow", "CTX_MCP_CALLER=harness"}
	serving := binary(t, dir, "stdio", "--log-level", "error")
	serving.Env = append(serving.Env, policy...)
	in, out := piped(t, serving)
	agent := &killed{serving, in, bufio.NewScanner(out)}
	agent.out.Buffer(nil, 1<<20)
	page := binary(t, dir, "ui", "--no-open", "--log-level", "error")
	page.Env = append(page.Env, policy...)
	_, said := piped(t, page)
	t.Cleanup(func() {
		for _, cmd := range []*killed{agent, {cmd: page}} {
			_ = cmd.cmd.Process.Kill() // it may have ended
			_ = cmd.cmd.Wait()
		}
	})
	address, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	base, code, _ := strings.Cut(strings.TrimSpace(address), console.Base+"enter#")
	l := &looker{T: t, server: &httptest.Server{URL: base}, code: code}
	first := l.open(1200).letIn()
	first.see("waiting")
	second := first.another()
	second.see("waiting")

	agent.send(t, hello)
	agent.call(t, "start", "start_session", `{"session_id":"s1","original_request":{"text":"Pay the invoice of Acme"}}`)
	const payment = `{"session_id":"s1","action_id":"a1","tool":"bank","operation":"pay","parameters":{"amount":250}}`
	verdict := func(id string) (got string) {
		agent.call(t, id, "record_action", payment)
		agent.answers(t, id, 100, func(_, v string) { got = v })
		return got
	}
	if got := verdict("asked"); got != string(ctxmcp.StepUp) {
		t.Fatalf("the payment is answered %q, want that it waits", got)
	}
	for _, w := range []*window{first, second} {
		w.do(chromedp.WaitVisible(`section.item button[value="approve"]`))
	}
	evaluate[bool](second, `(new MutationObserver(() => { if (!document.querySelector("section.item")) window.seen ??= Date.now(); }).observe(document.getElementById("waiting"), {childList: true}), true)`)
	clicked := evaluate[float64](first, "Date.now()")
	first.do(chromedp.Click(`section.item button[value="approve"]`))
	second.until("window.seen")
	t.Logf("the other window showed it after %.0f ms", evaluate[float64](second, "window.seen")-clicked)
	first.do(chromedp.WaitNotPresent("section.item"), chromedp.WaitVisible("#nothing"))
	if got := verdict("again"); got != string(ctxmcp.Allow) {
		t.Errorf("the payment that was approved is answered %q, want allow", got)
	}
}

// another opens another window of the same browser.
func (w *window) another() *window {
	w.Helper()
	ctx, stop := chromedp.NewContext(w.ctx)
	w.Cleanup(stop)
	ctx, stopWait := context.WithTimeout(ctx, 3*time.Minute)
	w.Cleanup(stopWait)
	other := &window{looker: w.looker, ctx: ctx}
	other.do(chromedp.Navigate("about:blank"))
	if err := chromedp.Listen(ctx, other.hear); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(other.wantQuiet)
	return other
}
