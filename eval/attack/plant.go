package attack

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Planted holds the objects in a server before it is attacked, so that hostile calls get further than "not found".
type Planted struct {
	ids       map[string][]string // of the attacker, by the kind of object
	all       []string            // the same in one list
	Neighbour []string            // of another tenant
	State     string              // JSON that reduce_messages returned
}

// idKinds tells by the name of an argument the kind of object that it is the id of.
var idKinds = []struct {
	names *regexp.Regexp
	kind  string
}{
	{regexp.MustCompile(`artifact`), "artifact"},
	{regexp.MustCompile(`call_id|idempotency_key`), "new"},
	{regexp.MustCompile(`task`), "task"},
	{regexp.MustCompile(`session`), "session"},
	{regexp.MustCompile(`action|depends_on`), "action"},
	{regexp.MustCompile(`fact`), "fact"},
	{regexp.MustCompile(`ref|compare_with`), "context"},
	{regexp.MustCompile(`trace`), "trace"},
	{regexp.MustCompile(``), "object"},
}

// one returns an id for an argument, a new one where the name calls for it.
func (p *Planted) one(g *gen, name string) string {
	for _, k := range idKinds {
		if !k.names.MatchString(name) {
			continue
		}
		if k.kind == "new" || len(p.ids[k.kind]) == 0 {
			g.made++
			return fmt.Sprintf("%s-%d", g.unique, g.made)
		}
		return pick(g, p.ids[k.kind])
	}
	panic("the last row matches all")
}

// object is arguments of a tool.
type object = map[string]any

// contents are the artifacts that are planted: small ones that blow up, and large ones of each form.
func contents(max int) []object {
	text := func(kind, content string) object { return object{"artifact_type": kind, "content": content} }
	var rows, keys strings.Builder
	for i := range min(max/64, 20_000) {
		fmt.Fprintf(&rows, `{"id":%d,"name":"row %d","c":%q},`, i, i, strings.Repeat("a", i%40))
		fmt.Fprintf(&keys, `"key%d":[%d,{"k":null}],`, i, i)
	}
	deep := min(max/2, 5000)
	return []object{
		text("json", "[[[[[[[1]]]]]]]"),
		text("json", `[{"c":"aaaa"},{"d":1},[],null,{"c":7}]`),
		text("json", "["+rows.String()+"0]"),
		text("json", "{"+keys.String()+`"name":"office"}`),
		text("json", strings.Repeat("[", deep)+strings.Repeat("]", deep)),
		text("json", "["+strings.Repeat("1,", max/4)+"1]"),
		text("text", strings.Repeat("a", max)),
		text("log", strings.Repeat("2026-01-01T00:00:00Z INFO the office is open, the key is with Ada\n", 1+max/70)),
		text("csv", "id,name\n"+strings.Repeat("1,\"Ada, of the office\"\n", 1+max/24)),
		{"artifact_type": "binary", "content_base64": base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00\x01\xff", max/8)))},
	}
}

// Plant writes the objects of hostile calls, through the server's own tools. Texts have at most max bytes. Everything gets new ids at
// each time, in the same order. It returns an error if the server refuses any of it.
func Plant(ctx context.Context, c *Client, max int) (*Planted, error) {
	p := &Planted{ids: map[string][]string{}}
	for _, a := range contents(max) {
		if err := p.keep(ctx, c, "put_artifact", a, "artifact", "artifact_id"); err != nil {
			return nil, err
		}
	}
	for _, do := range []func(context.Context, *Client) error{p.tasks, p.memories, p.contexts, p.sessions} {
		if err := do(ctx, c); err != nil {
			return nil, err
		}
	}
	for _, kind := range []string{"action", "artifact", "context", "fact", "object", "session", "task", "trace"} {
		p.all = append(p.all, p.ids[kind]...)
	}
	return p, nil
}

// keep calls a tool, and keeps ids of its answer: pairs of a kind and the member that has it.
func (p *Planted) keep(ctx context.Context, c *Client, tool string, arguments object, ids ...string) error {
	var out object
	if err := c.Call(ctx, tool, arguments, &out); err != nil {
		return fmt.Errorf("plant: %w", err)
	}
	for i := 0; i+1 < len(ids); i += 2 {
		id, ok := out[ids[i+1]].(string)
		if !ok {
			return fmt.Errorf("plant: %s answered without %s", tool, ids[i+1])
		}
		p.ids[ids[i]] = append(p.ids[ids[i]], id)
	}
	return nil
}

func (p *Planted) memories(ctx context.Context, c *Client) error {
	said := object{"kind": "user_statement"}
	for i, text := range []string{"The office of the project is in Lisbon.", "Ada has the key to the archive room.", "We deploy on Thursdays, never on Fridays."} {
		content := fmt.Sprintf("%s (%d)", text, len(p.ids["object"]))
		if err := p.keep(ctx, c, "remember", object{"content": content, "source": said}, "object", "object_id", "fact", "fact_id"); err != nil {
			return err
		}
		claim := object{"subject": "office", "predicate": "city", "value": fmt.Sprintf("Lisbon %d", i)}
		if err := p.keep(ctx, c, "remember", object{"content": content + " It is so.", "claim": claim, "source": said}, "object", "object_id"); err != nil {
			return err
		}
	}
	return nil
}

func (p *Planted) contexts(ctx context.Context, c *Client) error {
	for _, question := range []string{"Where is the office?", "Who has the key?"} {
		if err := p.keep(ctx, c, "compile_context", object{"user_message": question}, "context", "context_ref", "trace", "trace_id"); err != nil {
			return err
		}
	}
	var talk []object
	for i := range 40 {
		talk = append(talk, object{"role": "user", "content": fmt.Sprintf("step %d: %s", i, strings.Repeat("the office is in Lisbon. ", 20))}, object{"role": "assistant", "content": "noted"})
	}
	var reduced struct{ State json.RawMessage }
	if err := c.Call(ctx, "reduce_messages", object{"messages": talk, "target_tokens": 600}, &reduced); err != nil {
		return fmt.Errorf("plant: %w", err)
	}
	p.State = string(reduced.State)
	return nil
}

func (p *Planted) sessions(ctx context.Context, c *Client) error {
	for range 6 {
		wanted := object{"original_request": object{"text": "Read the letters and send a summary to ada@example.com."}}
		if err := p.keep(ctx, c, "start_session", wanted, "session", "session_id"); err != nil {
			return err
		}
		session := p.ids["session"][len(p.ids["session"])-1]
		act := object{"session_id": session, "tool": "mail", "operation": "read", "parameters": object{"box": "in"}}
		if err := p.keep(ctx, c, "record_action", act, "action", "action_id"); err != nil {
			return err
		}
	}
	return nil
}

// tasks hold the artifacts: one that a live task refers to is not swept.
func (p *Planted) tasks(ctx context.Context, c *Client) error {
	artifacts, parent := p.ids["artifact"], ""
	for i := range 4 {
		id := "task-" + slices.Max(artifacts) + fmt.Sprint(i) // new at each time
		task := object{"task_id": id, "summary": "a task", "artifact_ids": artifacts}
		if parent != "" {
			task["parent_task_id"] = parent
		}
		if err := p.keep(ctx, c, "save_task_state", task, "task", "task_id"); err != nil {
			return err
		}
		parent = id
	}
	return nil
}
