package memory_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// TestScripts runs testdata/*.txt over every store. A script tells a history in plain text, one command a line:
//
//	at INSTANT                      sets the clock, which stands still otherwise
//	caller [tenant= user= roles= clearance= authority= projects=]   who calls from here on; ann of acme otherwise
//	scope [user= project= session= task=]                           where from
//	remember [as=NAME] [KIND] [option=value …] CONTENT
//	recall [option=value …] QUERY
//	history [fact= entity= as_of= believed_at=] [NAME]
//	forget [mode=] NAME REASON
//	review                          what waits for a decision
//	settle NAME DECISION            decides it; reviews are named r1, r2 in the order of being listed
//	restore NAME                    takes back that it was displaced
//	sweep                           retires what has had its time
//
// The lines after a command that begin with ">" are its answer. A remember without such a line is stored and is new; a
// forget without one succeeds. In a value or a text in double quotes, Go's escapes count. Names stand for ids: those
// given with as=, else #1, #2 in the order of remembering. With -update the answers are rewritten.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			overStores(t, func(t *testing.T, s memory.Store) { runScript(t, file, s) })
		})
	}
}

func runScript(t *testing.T, file string, store memory.Store) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	st := newStage(t, store)
	var out []string
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		out = append(out, line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var want []string
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], ">") {
			i++
			want = append(want, strings.TrimPrefix(strings.TrimPrefix(lines[i], ">"), " "))
		}
		got, quiet := st.run(parseCommand(t, line))
		if quiet && want == nil {
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" && !golden.Update() {
			t.Errorf("%s: %s\nanswers otherwise (-want +got):\n%s", file, line, diff)
		}
		for _, g := range got {
			out = append(out, "> "+g)
		}
	}
	if golden.Update() {
		golden.Rewrite(t, file, strings.Join(out, "\n"))
	}
}

// command is a line of a script: options, then the rest as it stands.
type command struct {
	t       *testing.T
	line    string
	verb    string
	options map[string]string
	rest    string
}

var optionForm = regexp.MustCompile(`^([a-z_]+)=("(?:[^"\\]|\\.)*"|\S*)\s*`)

func parseCommand(t *testing.T, line string) *command {
	c := &command{t: t, line: line, options: map[string]string{}}
	c.verb, c.rest, _ = strings.Cut(line, " ")
	for {
		if kind, after, _ := strings.Cut(c.rest, " "); c.verb == "remember" && slices.Contains(ctxmcp.SourceKinds(), ctxmcp.SourceKind(kind)) {
			c.options["kind"], c.rest = kind, after
			continue
		}
		m := optionForm.FindStringSubmatch(c.rest)
		if m == nil {
			break
		}
		c.options[m[1]], c.rest = unquote(t, m[2]), c.rest[len(m[0]):]
	}
	if c.verb == "remember" || c.verb == "recall" {
		c.rest = unquote(t, c.rest)
	}
	return c
}

// unquote returns what a Go string literal stands for, and any other text as it is.
func unquote(t *testing.T, text string) string {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return text
	}
	plain, err := strconv.Unquote(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return plain
}

// take returns an option and strikes it out, so that done can tell which ones nobody asked for.
func (c *command) take(name string) string {
	v := c.options[name]
	delete(c.options, name)
	return v
}

func (c *command) instant(name string) time.Time {
	text := c.take(name)
	if text == "" {
		return time.Time{}
	}
	at, err := ctxmcp.ParseInstant(text)
	c.must(err)
	return at
}

func (c *command) number(name string) int {
	text := c.take(name)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	c.must(err)
	return n
}

func (c *command) share(name string) *float64 {
	text := c.take(name)
	if text == "" {
		return nil
	}
	x, err := strconv.ParseFloat(text, 64)
	c.must(err)
	return &x
}

func (c *command) list(name string) []string {
	text := c.take(name)
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func (c *command) must(err error) {
	if err != nil {
		c.t.Fatalf("%s: %v", c.line, err)
	}
}

func (c *command) done() {
	for name := range c.options {
		c.t.Fatalf("%s: there is no option %q", c.line, name)
	}
}

// stage is where a script plays.
type stage struct {
	t       *testing.T
	service *memory.Service
	clock   *clock
	caller  ctxmcp.Caller
	scope   ctxmcp.Scope
	ids     map[string]string // by name
	names   map[string]string // by id
	reviews int               // named so far
}

func newStage(t *testing.T, store memory.Store) *stage {
	s, c := newService(store)
	return &stage{t: t, service: s, clock: c, caller: ann, ids: map[string]string{}, names: map[string]string{}}
}

// run carries out a command and returns its answer. quiet says that the answer is the one that goes without saying.
func (s *stage) run(c *command) (answer []string, quiet bool) {
	verbs := map[string]func(*command) ([]string, bool){
		"at": s.at, "caller": s.callAs, "scope": s.moveTo,
		"remember": s.remember, "recall": s.recall, "history": s.history, "forget": s.forget,
		"review": s.review, "settle": s.settle, "restore": s.restore, "sweep": s.sweep,
	}
	verb, known := verbs[c.verb]
	if !known {
		s.t.Fatalf("%s: there is no such command", c.line)
	}
	answer, quiet = verb(c)
	for id, name := range s.names {
		for i := range answer {
			answer[i] = strings.ReplaceAll(answer[i], id, name)
		}
	}
	return answer, quiet
}

func (s *stage) at(c *command) ([]string, bool) {
	at, err := ctxmcp.ParseInstant(c.rest)
	c.must(err)
	s.clock.set(at)
	return nil, true
}

func (s *stage) callAs(c *command) ([]string, bool) {
	by := ann
	set(&by.Tenant, c.take("tenant"))
	set(&by.User, c.take("user"))
	set(&by.Clearance, ctxmcp.Classification(c.take("clearance")))
	by.Roles, by.Projects = c.list("roles"), c.list("projects")
	if _, given := c.options["authority"]; given {
		by.Authority = ctxmcp.Authority(c.number("authority"))
	}
	c.done()
	s.caller, s.scope = by, ctxmcp.Scope{}
	return nil, true
}

func set[T ~string](field *T, value T) {
	if value != "" {
		*field = value
	}
}

func (s *stage) moveTo(c *command) ([]string, bool) {
	s.scope = ctxmcp.Scope{User: c.take("user"), Project: c.take("project"), Session: c.take("session"), Task: c.take("task")}
	c.done()
	return nil, true
}

func (s *stage) draft(c *command, at ctxmcp.Scope) memory.Draft {
	d := memory.Draft{
		Content: strings.Repeat(c.rest, max(1, c.number("times"))), Scope: at,
		Author: c.take("author"), ObservedAt: c.instant("observed_at"), ObjectType: ctxmcp.ObjectType(c.take("type")),
		WhyItMatters:   c.take("why"),
		Source:         memory.Source{Kind: ctxmcp.SourceKind(c.take("kind")), Origin: c.take("origin"), Confidence: c.share("confidence")},
		Level:          ctxmcp.Layer(c.take("level")),
		Classification: ctxmcp.Classification(c.take("class")),
		Permissions:    ctxmcp.PermissionScope{AllowRoles: c.list("allow"), DenyRoles: c.list("deny")},
		ValidFrom:      c.instant("valid_from"), ValidUntil: c.instant("valid_until"),
		Supersedes: s.id(c.take("supersedes")), IdempotencyKey: c.take("key"),
		RetirementRule: ctxmcp.RetirementRule(c.take("rule")), UpdatePath: c.take("update_path"),
	}
	if half := c.number("half_life"); half > 0 {
		d.Decay = &ctxmcp.DecayRule{HalfLifeDays: float64(half), MinimumThreshold: *c.share("threshold")}
	}
	for _, task := range c.list("tasks") {
		d.TaskTypes = append(d.TaskTypes, ctxmcp.TaskType(task))
	}
	for _, name := range c.list("derived_from") {
		d.DerivedFrom = append(d.DerivedFrom, s.id(name))
	}
	if parts := strings.SplitN(c.take("claim"), " | ", 3); len(parts) == 3 {
		d.Claim = ctxmcp.Claim{Subject: parts[0], Predicate: parts[1], Value: parts[2]}
	}
	return d
}

func (s *stage) remember(c *command) ([]string, bool) {
	name := c.take("as")
	at, err := s.caller.Resolve(s.scope, ctxmcp.Scope{})
	d := s.draft(c, at)
	c.done()
	if err != nil {
		return failure(err), false
	}
	r, err := s.service.Remember(s.t.Context(), s.caller, d)
	if err != nil {
		return failure(err), false
	}
	if r.Status == memory.Rejected {
		return []string{fmt.Sprintf("%s: %s", r.Status, r.Reason)}, false
	}
	s.name(r.ObjectID, name)
	answer := []string{fmt.Sprintf("%s %s v%d in %s: %s", r.Status, r.ObjectID, r.Version, r.Namespace, r.Reason)}
	for _, d := range r.Displaced {
		answer = append(answer, fmt.Sprintf("  %s is %s", d.ObjectID, d.Status))
	}
	for _, f := range r.Redactions {
		answer = append(answer, fmt.Sprintf("  redacted %s %d", f.Label, f.Count))
	}
	for _, w := range r.Warnings {
		answer = append(answer, "  warning: "+w)
	}
	return answer, r.Status == memory.Stored && r.Reason == "new" && len(answer) == 1
}

// name makes a name stand for an id that has none yet.
func (s *stage) name(id, name string) {
	if s.names[id] != "" {
		return
	}
	if name == "" {
		name = "#" + strconv.Itoa(len(s.names)+1)
	}
	s.names[id], s.ids[name] = name, id
}

// id returns the id that a name stands for. Any other text is an id.
func (s *stage) id(name string) string {
	if id := s.ids[name]; id != "" {
		return id
	}
	return name
}

func failure(err error) []string {
	e, ok := errors.AsType[*ctxmcp.Error](err)
	if !ok {
		return []string{"internal: " + err.Error()}
	}
	answer := []string{fmt.Sprintf("%s: %s", e.Code, e.Message)}
	if e.Hint != "" {
		answer = append(answer, "  "+e.Hint)
	}
	return answer
}

func (s *stage) recall(c *command) ([]string, bool) {
	at, err := s.caller.Resolve(s.scope, ctxmcp.Scope{})
	ask := memory.Ask{
		Query: c.rest, Scope: at, Limit: c.number("limit"), MaxTokens: c.number("max_tokens"),
		MinRelevance: c.share("min_relevance"), TaskType: ctxmcp.TaskType(c.take("task_type")), Prefix: c.take("prefix"),
		AsOf: c.instant("as_of"), BelievedAt: c.instant("believed_at"), Origin: c.take("origin"), Archived: c.take("archived") != "",
	}
	for _, word := range c.list("types") {
		ask.ObjectTypes = append(ask.ObjectTypes, ctxmcp.ObjectType(word))
	}
	c.done()
	if err != nil {
		return failure(err), false
	}
	r, err := s.service.Recall(s.t.Context(), s.caller, ask)
	if err != nil {
		return failure(err), false
	}
	answer := []string{}
	for _, m := range r.Memories {
		answer = append(answer, m.Object.ObjectID)
	}
	if len(answer) == 0 {
		answer = append(answer, "nothing")
	}
	for _, why := range []memory.Omission{memory.BelowRelevance, memory.OtherTask, memory.NotActive, memory.HasFaded, memory.Contradicted, memory.OverLimit, memory.OverBudget} {
		if n := r.Omitted[why]; n > 0 {
			answer = append(answer, fmt.Sprintf("  omitted %d %s", n, why))
		}
	}
	for _, w := range r.Warnings {
		answer = append(answer, "  warning: "+w)
	}
	return answer, false
}

func (s *stage) history(c *command) ([]string, bool) {
	at, err := s.caller.Resolve(s.scope, ctxmcp.Scope{})
	c.must(err)
	ask := memory.HistoryAsk{
		ObjectID: s.id(c.rest), FactID: s.id(c.take("fact")), Entity: c.take("entity"),
		AsOf: c.instant("as_of"), BelievedAt: c.instant("believed_at"), Scope: at,
	}
	c.done()
	versions, err := s.service.History(s.t.Context(), s.caller, ask)
	if err != nil {
		return failure(err), false
	}
	answer := []string{}
	for _, o := range versions {
		answer = append(answer, describe(o))
	}
	if len(answer) == 0 {
		answer = append(answer, "nothing")
	}
	return answer, false
}

// describe returns a version in one line.
func describe(o ctxmcp.ContextObject) string {
	line := fmt.Sprintf("%s v%d %s, true %s, held %s", o.ObjectID, o.Version, o.StatusNow(), span(o.Valid()), span(o.Tx()))
	if o.Archived {
		line += ", archived"
	}
	if o.Closing != nil {
		line += ", ended by: " + o.Closing.Reason
	}
	if link := o.LinkNow(); link != "" {
		line += " -> " + link
	}
	return line
}

func span(i ctxmcp.Interval) string { return moment(i.From) + ".." + moment(i.To) }

func moment(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case t.Equal(t.Truncate(24 * time.Hour)):
		return t.Format(time.DateOnly)
	default:
		return t.Format(time.RFC3339Nano)
	}
}

func (s *stage) forget(c *command) ([]string, bool) {
	mode := memory.Mode(c.take("mode"))
	name, reason, _ := strings.Cut(c.rest, " ")
	c.done()
	f, err := s.service.Forget(s.t.Context(), s.caller, s.id(name), mode, reason)
	if err != nil {
		return failure(err), false
	}
	return []string{fmt.Sprintf("%s %s at %s", f.ObjectID, f.Mode, moment(f.RetiredAt))}, true
}

func (s *stage) review(c *command) ([]string, bool) {
	c.done()
	items, err := s.service.Reviews(s.t.Context(), s.caller, 0)
	if err != nil {
		return failure(err), false
	}
	answer := []string{}
	for _, i := range items {
		if s.names[i.ID] == "" {
			s.reviews++
			s.name(i.ID, fmt.Sprintf("r%d", s.reviews))
		}
		answer = append(answer, fmt.Sprintf("%s %s: %s", i.ID, i.Kind, i.Question), "  "+strings.Join(i.Decisions, ", "))
	}
	if len(answer) == 0 {
		answer = append(answer, "nothing")
	}
	return answer, false
}

func (s *stage) settle(c *command) ([]string, bool) {
	name, decision, _ := strings.Cut(c.rest, " ")
	c.done()
	done, err := s.service.Settle(s.t.Context(), s.caller, s.id(name), s.id(decision))
	if err != nil {
		return failure(err), false
	}
	return []string{done.Effect}, false
}

func (s *stage) restore(c *command) ([]string, bool) {
	c.done()
	done, err := s.service.Restore(s.t.Context(), s.caller, s.id(c.rest))
	if err != nil {
		return failure(err), false
	}
	return []string{done.Effect}, false
}

func (s *stage) sweep(c *command) ([]string, bool) {
	c.done()
	swept, err := s.service.Sweep(s.t.Context(), 100)
	if err != nil {
		return failure(err), false
	}
	answer := []string{}
	for _, rule := range ctxmcp.RetirementRules() {
		if n := swept.ByRule[rule]; n > 0 {
			answer = append(answer, fmt.Sprintf("%s %d", rule, n))
		}
	}
	if len(answer) == 0 {
		answer = append(answer, "nothing")
	}
	return answer, false
}
