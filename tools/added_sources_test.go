package tools

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// sources is all that a world has told the server: random results, memories, tasks, conversations.
type sources struct {
	*rand.Rand
	t        *testing.T
	services *Services
	seed     uint64
	what     string   // the call whose text is read
	whole    string   // that text
	all      []string // texts and their lines
	known    map[string]bool
	results  []string // as they are kept
	plain    []string // see plainResults
	origins  []string
	labels   []string
	binaries [][]byte
	memories []toldMemory
	marks    []string // of the messages, one in each
	messages []any
	puts     map[string][]string // by task: artifacts
	saved    int                 // tasks
	below    map[string]string   // the parent of a task
	byTask   map[string][]string // what was said of it
	taskID   string
	removed  int
	parts    bool // a result has several
	laidOut  bool // results are shown in other lines than those that they came in
}

// toldMemory is a memory as it was told.
type toldMemory struct {
	content, implies, day, origin string
	concluded                     bool // by an agent
}

// standsIn reports whether a line says the same as the memory, or something that follows from it.
func (m toldMemory) standsIn(line string) bool {
	return strings.Contains(line, m.content) || m.implies != "" && strings.Contains(line, m.implies)
}

// brokenBase64 is data that is no base64.
const brokenBase64 = "not&base64"

func newSources(t *testing.T, seed uint64) *sources {
	s := &sources{Rand: rand.New(rand.NewPCG(seed, 15)), t: t, services: services(t), seed: seed, known: map[string]bool{}, puts: map[string][]string{}, below: map[string]string{}, byTask: map[string][]string{}}
	s.services.provide(t)
	s.services.Compiler.Keeper = s.services.Artifacts
	ids := 0
	s.services.Memory.NewID = func() string { ids++; return fmt.Sprintf("00000000-0000-4000-8000-%012d", ids) }
	return s
}

// tell notes a text that the server gets.
func (s *sources) tell(text string) string {
	s.all = append(s.all, text)
	for _, l := range strings.Split(text, "\n") {
		s.all = append(s.all, l)
		s.known[strings.TrimSpace(l)] = true
	}
	return text
}

// stands reports whether a line is one of a source, with nothing added.
func (s *sources) stands(line string) bool {
	if line = strings.TrimSpace(line); s.known[line] {
		return true
	}
	line = strings.TrimLeft(line, "# *") // a page is shown with its headings and lists
	return s.laidOut && !strings.Contains(line, "…") && !strings.HasPrefix(line, "[") && !strings.HasSuffix(line, ":") && slices.ContainsFunc(s.plainResults(), func(r string) bool { return strings.Contains(r, oneSpaced(line)) })
}

// plainResults returns the results without tags, and with one space between their words.
func (s *sources) plainResults() []string {
	for _, r := range s.results[len(s.plain):] {
		s.plain = append(s.plain, plainOf(r))
	}
	return s.plain
}

// plainOf returns a page without its tags, and any text with one space between its words.
func plainOf(text string) string {
	return oneSpaced(tags.ReplaceAllString(text, " "))
}

var tags = regexp.MustCompile(`<[^>]*>`)

// seenOf returns the text of a page of kinds as its reader sees it: blocks on lines, headings behind a #.
func seenOf(page string) string {
	var b strings.Builder
	for line := range strings.Lines(tags.ReplaceAllString(strings.ReplaceAll(page, "<h2>", "\n# "), "\n")) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

func (s *sources) call(name string, arguments any) (string, json.RawMessage, error) {
	s.what = name
	return s.services.Call(s.t.Context(), name, arguments)
}

// must is call for what has to go well.
func (s *sources) must(name string, arguments any) json.RawMessage {
	s.t.Helper()
	text, raw, err := s.call(name, arguments)
	if err != nil {
		s.t.Fatalf("seed %d: %s: %v %s", s.seed, name, err, text)
	}
	return raw
}

// read checks a text that a model gets.
func (s *sources) read(text string, said map[string]int) {
	s.t.Helper()
	s.whole = text
	p := &prompt{sources: s, t: s.t, lines: strings.Split(text, "\n")}
	p.check(said)
}

var words = strings.Fields("queue ledger parcels glacier ovens bridges lantern factory coppers willows meadow signals turbine anchors Größe naïve 東京 été")

func (s *sources) word() string { return words[s.IntN(len(words))] }

func (s *sources) phrase(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = s.word()
	}
	return strings.Join(all, " ")
}

// kinds writes a result of each kind; JSON says that the result is a value of JSON, and no text.
var kinds = []struct {
	name  string
	write func(s *sources) (text string)
}{
	{"log", func(s *sources) string {
		return s.rows(20+s.IntN(300), func(i int) string {
			return fmt.Sprintf("2025-11-02T03:%02d:%02dZ %s %s took %d ms id=%d", i/60%60, i%60, []string{"INFO", "INFO", "INFO", "WARN", "ERROR"}[s.IntN(5)], s.word(), s.IntN(400), s.IntN(7))
		})
	}},
	{"same lines", func(s *sources) string {
		return s.rows(20+s.IntN(300), func(int) string { return []string{"connection refused by harbour", "idle", "retry"}[s.IntN(3)] })
	}},
	{"csv", func(s *sources) string {
		return "name,colour,sold,share\n" + s.rows(20+s.IntN(200), func(i int) string {
			return fmt.Sprintf("%s-%d,%s,%d,%.1f%%", s.word(), i, s.word(), s.IntN(500), s.Float64()*10)
		})
	}},
	{"json", func(s *sources) string { return string(s.tree(3)) }},
	{"json lines", func(s *sources) string {
		return s.rows(20+s.IntN(200), func(i int) string { return fmt.Sprintf(`{"id":%d,"who":%q,"ms":%d}`, i, s.word(), s.IntN(900)) })
	}},
	{"diff", func(s *sources) string {
		return s.rows(3+s.IntN(30), func(i int) string {
			return fmt.Sprintf("diff --git a/%[1]s%[2]d.go b/%[1]s%[2]d.go\n--- a/%[1]s%[2]d.go\n+++ b/%[1]s%[2]d.go\n@@ -1,3 +1,3 @@\n same %[3]s\n-old %[2]d\n+new %[2]d", "file", i, s.phrase(3))
		})
	}},
	{"code", func(s *sources) string {
		return "package a\n\n" + s.rows(5+s.IntN(60), func(i int) string {
			return fmt.Sprintf("// F%d returns %s.\nfunc F%d() int {\n\treturn %d\n}\n", i, s.phrase(3), i, i)
		})
	}},
	{"markdown", func(s *sources) string {
		return s.rows(3+s.IntN(30), func(i int) string {
			return fmt.Sprintf("## Part %d\n\n%s.\n\n* %s\n* %s\n", i, s.phrase(10+s.IntN(60)), s.phrase(3), s.phrase(4))
		})
	}},
	{"prose", func(s *sources) string {
		return strings.ReplaceAll(s.rows(1+s.IntN(60), func(int) string { return s.phrase(4+s.IntN(9)) + "." }), "\n", " ")
	}},
	{"html", func(s *sources) string {
		return "<!DOCTYPE html><html><body>" + s.rows(5+s.IntN(80), func(i int) string {
			return fmt.Sprintf("<h2>%s %d</h2><p>%s.</p>", s.word(), i, s.phrase(6))
		}) + "</body></html>"
	}},
	{"tiny", func(s *sources) string { return s.phrase(1 + s.IntN(3)) }},
	{"long line", func(s *sources) string { return s.phrase(900+s.IntN(900)) + "\nand " + s.phrase(4) }},
	{"base64", func(s *sources) string {
		raw := make([]byte, 3*(300+s.IntN(900)))
		for {
			for i := range raw {
				raw[i] = byte(s.IntN(256))
			}
			encoded := base64.StdEncoding.EncodeToString(raw)
			var lines []string
			for ; len(encoded) > 76; encoded = encoded[76:] {
				lines = append(lines, encoded[:76])
			}
			text := strings.Join(append(lines, encoded), "\n")
			if _, secrets := s.services.Redact.Pass(s.t.Context(), "acme").Text(text); len(secrets) == 0 { // few look like one
				return text
			}
		}
	}},
	{"blank lines", func(s *sources) string {
		return s.rows(20+s.IntN(200), func(i int) string { return []string{"", "", s.phrase(5), "== " + s.word()}[s.IntN(4)] })
	}},
}

func (s *sources) rows(n int, row func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(row(i) + "\n")
	}
	return b.String()
}

// tree returns a random value of JSON.
func (s *sources) tree(depth int) json.RawMessage {
	var v any
	switch n := s.IntN(10); {
	case depth == 3 || depth > 0 && n < 4:
		list := []any{}
		for range s.IntN(12) + depth*2 {
			list = append(list, s.tree(depth-1))
		}
		v = list
	case depth > 0 && n < 8:
		object := map[string]any{}
		for i := range s.IntN(9) {
			object[fmt.Sprintf("%s %d", s.word(), i)] = s.tree(depth - 1)
		}
		v = object
	case n < 9:
		v = strings.TrimSpace(strings.Repeat(s.word()+" ", s.IntN(120)))
	default:
		v = s.IntN(100_000)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		s.t.Fatal(err)
	}
	return raw
}

// result returns a random result as a tool returns it: a text, or in the form of MCP or of a shell.
func (s *sources) result() (value any, kind string) {
	k := kinds[s.IntN(len(kinds))]
	text := k.write(s)
	if s.laidOut = s.laidOut || k.name == "html" || k.name == "prose" || k.name == "long line"; s.IntN(4) > 0 {
		s.results = append(s.results, s.tell(text))
		return text, k.name
	}
	s.laidOut, s.parts = true, true // of its own lines there may be fewer
	s.tell(text)
	if s.IntN(2) == 0 {
		s.labels = append(s.labels, "stdout", "stderr")
		errors := s.rows(30, func(i int) string { return fmt.Sprintf("%d: %s", i, s.phrase(6)) })
		rest := `{"exit_code":1}`
		s.tell(rest)
		s.tell(errors)
		s.results = append(s.results, s.joined(fmt.Sprintf(`{"exit_code":1,"stdout":%s}`, quote(text)), "stderr:", errors), s.joined(rest, "stderr:", errors, "stdout:", text), s.joined(rest, "stdout:", text, "stderr:", errors))
		raw := fmt.Sprintf(`{"exit_code":1,"stdout":%s,"stderr":%s}`, quote(text), quote(errors))
		s.results = append(s.results, raw)
		return json.RawMessage(raw), k.name + " of a shell"
	}
	raw := []byte(s.phrase(20))
	s.binaries = append(s.binaries, raw)
	note := ""
	s.what = "mcp"
	blocks := []any{map[string]any{"type": "text", "text": text}, map[string]any{"type": "image", "mimeType": "image/png", "data": base64.StdEncoding.EncodeToString(raw)}}
	if s.IntN(2) == 0 {
		blocks[1] = map[string]any{"type": "image", "mimeType": "image/png", "data": brokenBase64}
		note = fmt.Sprintf("[image image/png: %d characters that are no base64, left out and not kept]", len(brokenBase64))
	} else {
		note = binaryNoteOf(raw)
	}
	s.all = append(s.all, note)
	failed := s.IntN(3) == 0
	if text = s.joined(text, note); failed {
		text = s.joined("isError: true", text)
	}
	s.results = append(s.results, text)
	return map[string]any{"content": blocks, "isError": failed}, k.name + " in MCP"
}

// joined writes parts as one text, as they are kept.
func (s *sources) joined(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(p)
	}
	return b.String()
}

func quote(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// remember tells random memories.
func (s *sources) remember() {
	for i := range 3 + s.IntN(12) {
		content := fmt.Sprintf("%s number %d: %s.", s.word(), i, s.phrase(3+s.IntN(20)))
		if s.IntN(5) == 0 {
			content = strings.TrimSpace(strings.ReplaceAll(s.rows(60, func(j int) string { return fmt.Sprintf("%s %d %s.", s.word(), j, s.phrase(8)) }), "\n", " "))
		}
		m := toldMemory{content: content, day: fmt.Sprintf("2025-%02d-%02d", 1+s.IntN(12), 1+s.IntN(28))}
		draft := map[string]any{"content": content, "observed_at": m.day + "T09:00:00Z", "source": map[string]any{"kind": "user_statement"}}
		switch s.IntN(5) {
		case 0:
			draft["object_type"] = "actionable_constraint"
		case 1:
			m.origin = "https://example.org/" + string([]rune(s.phrase(1))[:2])
			draft["source"] = map[string]any{"kind": "web", "origin": m.origin}
		case 2:
			draft["object_type"] = "preference"
			m.implies = "Always " + s.phrase(4)
			draft["behavioral_implication"] = m.implies
		case 3:
			draft["source"] = map[string]any{"kind": "inference"}
			m.concluded = true
		}
		if _, _, err := s.call("remember", draft); err == nil {
			s.memories = append(s.memories, m)
		}
	}
}

// talk makes a conversation with calls, in the form of OpenAI.
func (s *sources) talk() {
	for i := range 3 + s.IntN(25) {
		mark := fmt.Sprintf("mark%dx", i)
		text := s.tell(mark + " " + s.phrase(3+s.IntN(120)))
		s.marks = append(s.marks, mark)
		s.messages = append(s.messages, map[string]any{"role": []string{"user", "assistant"}[i%2], "content": text})
		if i%2 == 1 && s.IntN(3) == 0 {
			id := fmt.Sprintf("call%dx", i)
			value, _ := s.result()
			text, is := value.(string)
			if !is {
				raw, err := json.Marshal(value)
				if err != nil {
					s.t.Fatal(err)
				}
				text = s.tell(string(raw))
				s.results = append(s.results, text)
			}
			text = id + "r:\n" + text
			s.results = append(s.results, s.tell(text))
			s.marks = append(s.marks, `"`+id+`q"`, id+"r:")
			s.messages = append(s.messages, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function",
				"function": map[string]any{"name": "read", "arguments": s.tell(`{"of":"` + id + `q"}`)}}}},
				map[string]any{"role": "tool", "tool_call_id": id, "content": text})
			s.origins = append(s.origins, "tool read")
		}
	}
}

// work saves tasks with artifacts, one below the other.
func (s *sources) work() {
	parent := ""
	for i := range 1 + s.IntN(3) {
		id := fmt.Sprintf("task_%d", i)
		s.saved++
		s.taskID = id
		state := map[string]any{"task_id": id, "summary": s.tell(s.phrase(6))}
		if parent != "" && s.IntN(2) == 0 {
			state["parent_task_id"], s.below[id] = parent, parent
		}
		if s.IntN(2) == 0 {
			month, note := 1+s.IntN(12), s.phrase(3)
			raw := fmt.Sprintf(`{"due_date":"2025-%02d-01","note":%q}`, month, note)
			if month%2 == 0 { // the field is named, and has no value
				raw = fmt.Sprintf(`{"note":%q}`, "the due date is open, "+note)
			}
			s.byTask[id+" alone"] = append(s.byTask[id+" alone"], s.tell(raw))
			state["metadata"] = json.RawMessage(raw)
		}
		s.must("save_task_state", state)
		for range s.IntN(3) {
			content := s.tell(fmt.Sprintf(`{"vatId":"DE%d","iban":%q}`, s.IntN(90000), s.phrase(3+s.IntN(1500)*s.IntN(2))))
			s.byTask[id] = append(s.byTask[id], content)
			var out struct {
				ID string `json:"artifact_id"`
			}
			raw := s.must("put_artifact", map[string]any{"content": content, "artifact_type": "report", "summary": s.tell(s.phrase(4)), "task_id": id})
			if err := json.Unmarshal(raw, &out); err != nil {
				s.t.Fatal(err)
			}
			s.puts[id] = append(s.puts[id], out.ID)
		}
		parent = id
	}
}

// seeds is the number of random worlds.
const seeds = 10

// rare are the forms that only some more worlds meet.
var rare = []string{"field without room", "document by reference", "more tasks", "binary without room", "error of a tool"}

// otherTask reports whether a text was said of a task alone that is neither the one at hand nor one that it continues.
func (s *sources) otherTask(text string) bool {
	if slices.Contains(s.byTask[s.taskID+" alone"], text) {
		return false
	}
	for id := s.taskID; id != ""; id = s.below[id] {
		if slices.Contains(s.byTask[id], text) {
			return false
		}
	}
	for _, texts := range s.byTask {
		if slices.Contains(texts, text) {
			return true
		}
	}
	return false
}

// TestEveryAddedLineIsTrue writes random worlds, and checks each line of what models get that stands in no source: it has a known form, and is true.
func TestEveryAddedLineIsTrue(t *testing.T) {
	said := map[string]int{}
	for seed := range uint64(10 * seeds) {
		newSources(t, seed).wrapped(said)
	}
	for seed := range uint64(3 * seeds) {
		newSources(t, seed).reduced(said)
	}
	for seed := range uint64(10 * seeds) {
		if seed >= seeds && len(unsaid(said)) == 0 { // until each form was met
			break
		}
		newSources(t, seed).compiled(said)
		newSources(t, seed).recalled(said)
	}
	for seed := uint64(10 * seeds); said["part of a line"] == 0 && seed < 40*seeds; seed++ { // few results are cut in the middle of a line
		newSources(t, seed).wrapped(said)
	}
	if missing := unsaid(said); len(missing) > 0 {
		t.Errorf("no world says %q: the test proves too little", missing)
	}
}

// unsaid returns the forms that were not met, but for the rare ones.
func unsaid(said map[string]int) (names []string) {
	for _, a := range addedLines {
		if said[a.name] == 0 && !slices.Contains(rare, a.name) {
			names = append(names, a.name)
		}
	}
	return names
}

func (s *sources) question() string {
	if s.IntN(2) == 0 {
		return ""
	}
	return "Which " + s.word() + " took more than " + fmt.Sprint(s.IntN(400)) + " ms, and what of the " + s.word() + "?"
}

// wrapped reads results behind wrap_tool_result.
func (s *sources) wrapped(said map[string]int) {
	s.t.Helper()
	value, kind := s.result()
	s.origins = append(s.origins, "tool fetch")
	arguments := map[string]any{"tool_call_id": "c", "tool": "fetch", "result": value, "frame": s.IntN(2) == 0,
		"question": s.tell(s.question()), "max_tokens": 60 + s.IntN(900), "strategy": []string{"auto", "auto", "first_n", "summary"}[s.IntN(4)]}
	_, raw, err := s.call("wrap_tool_result", arguments)
	if err != nil {
		arguments["max_tokens"] = s.least(err)
		raw = s.must("wrap_tool_result", arguments)
	}
	var out wrapOut
	if err := json.Unmarshal(raw, &out); err != nil {
		s.t.Fatal(err)
	}
	s.what += " of " + kind + " as " + out.Kind
	s.read(out.Message.Content, said)
}

// least returns the budget that a refusal of one names.
func (s *sources) least(err error) int {
	var refused *ctxmcp.Error
	if !errors.As(err, &refused) || !atLeast.MatchString(refused.Hint) {
		s.t.Fatalf("seed %d: %v", s.seed, err)
	}
	return number(atLeast.FindStringSubmatch(refused.Hint)[1])
}

var atLeast = regexp.MustCompile(`at least (\d+)`)

// compiled reads contexts in each format, with tasks, memories, results and a conversation.
func (s *sources) compiled(said map[string]int) {
	s.t.Helper()
	s.remember()
	s.talk()
	s.work()
	results := []any{}
	for i := range s.IntN(3) {
		value, _ := s.result()
		tool := []string{"fetch", "search"}[s.IntN(2)]
		results = append(results, map[string]any{"tool_call_id": fmt.Sprintf("now%d", i), "tool": tool, "result": value})
		s.origins = append(s.origins, "tool "+tool)
	}
	topic := s.phrase(6)
	if s.IntN(2) == 0 { // what was put before in the words of the turn is named
		s.must("put_artifact", map[string]any{"content": s.tell("put " + s.phrase(40)), "artifact_type": "report", "summary": s.tell(topic)})
	}
	turn := s.tell("Settle the " + topic + "?")
	for i, budget := range []int{300 + s.IntN(400), 1000 + s.IntN(3000), 12000} {
		format := formats[(int(s.seed)+i)%len(formats)]
		text, raw, err := s.call("compile_context", map[string]any{
			"system_prompt": s.tell("You are careful."), "user_message": turn, "messages": s.messages, "tool_results": results, "task_id": s.taskID,
			"fields": []string{"invoice_number", "vatId", "grand total", "due date", "iban"}, "max_tokens": budget, "format": string(format),
			"task_type": ctxmcp.TaskTypes()[s.IntN(len(ctxmcp.TaskTypes()))],
		})
		if err != nil && ctxmcp.CodeOf(err) == ctxmcp.CodeTooLarge {
			continue
		}
		if err != nil {
			s.t.Fatalf("seed %d: %v %s", s.seed, err, text)
		}
		s.what = fmt.Sprintf("compile_context of %d in %s", budget, format)
		s.read(promptText(s.t, raw), said)
	}
	out, err := (&prompt{sources: s, t: s.t}).task(s.taskID)
	if err != nil {
		s.t.Fatal(err)
	}
	s.what = "get_task_state"
	s.read(out.Summaries, said)
	_, raw, err := s.call("get_task_state", map[string]any{})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		s.t.Fatal(err)
	}
	s.read(out.Summaries, said)
}

// reduced reads what reduce_messages makes of a conversation.
func (s *sources) reduced(said map[string]int) {
	s.t.Helper()
	s.talk()
	raw := s.must("reduce_messages", map[string]any{"messages": s.messages, "target_tokens": 300 + s.IntN(1500)})
	var out reduceOut
	if err := json.Unmarshal(raw, &out); err != nil {
		s.t.Fatal(err)
	}
	s.removed = out.Removed
	s.read(promptText(s.t, raw), said)
}

// promptText returns all texts of a prompt that a model reads: what a call has for arguments too.
func promptText(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var out struct {
		System   json.RawMessage
		Messages []struct {
			Content any
			Calls   []struct {
				Function struct{ Arguments string }
			} `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	var all []string
	var system any
	if out.System != nil && json.Unmarshal(out.System, &system) != nil {
		t.Fatal(string(out.System))
	}
	all = appendTexts(all, system)
	for _, m := range out.Messages {
		all = appendTexts(all, m.Content)
		for _, c := range m.Calls {
			all = append(all, c.Function.Arguments)
		}
	}
	return strings.Join(all, "\n")
}

func appendTexts(all []string, v any) []string {
	switch v := v.(type) {
	case string:
		return append(all, v)
	case []any:
		for _, one := range v {
			all = appendTexts(all, one)
		}
	case map[string]any:
		switch v["type"] {
		case "text":
			return appendTexts(all, v["text"])
		case "tool_result":
			return appendTexts(all, v["content"])
		case "tool_use":
			raw, err := json.Marshal(v["input"])
			if err != nil {
				panic(err)
			}
			return append(all, string(raw))
		}
	}
	return all
}

// binaryNoteOf says of bytes what is said in place of them; the check of the note itself is (*prompt).binaryOf.
func binaryNoteOf(raw []byte) string {
	return fmt.Sprintf("[image image/png: %d bytes, sha256 %s…, left out and not kept]", len(raw), digestOfBytes(raw))
}
