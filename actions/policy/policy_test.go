package policy

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cedar-policy/cedar-go"
	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
)

// load returns the rules, which must be right.
func load(t *testing.T, text string, fallback ctxmcp.Verdict) *Set {
	t.Helper()
	s, err := Load("test.cedar", text, fallback)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func send() Input {
	return Given{Tool: "mail", Operation: "send", Kind: ctxmcp.OutboundAction, Tenant: "t", User: "ada",
		Parameters: map[string]any{"to": "ben@example.com", "amount": 120.5, "cc": []any{map[string]any{"email": "eve@evil.example"}}}}.Input()
}

// TestPresetCases runs the cases that are kept beside the presets, of which every preset has some.
func TestPresetCases(t *testing.T) {
	for _, p := range Presets() {
		path := filepath.Join("testdata", p.Name+".cases.yaml")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := ParseCases(path, text)
		if err != nil {
			t.Fatal(err)
		}
		set, err := p.Load(cases.Default)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases.Cases {
			if _, wrong := c.Try(set); wrong != "" {
				t.Errorf("%s: %s: %s", p.Name, c.Name, wrong)
			}
		}
	}
}

// TestLoadRefuses: a text that could be meant otherwise, or means nothing, is an error with its line before anything is decided.
func TestLoadRefuses(t *testing.T) {
	const any = "forbid (principal, action, resource)"
	for text, want := range map[string]string{
		"forbid (principal, action":                                                "not a Cedar policy",
		any + ";":                                                                  "it has no @id",
		`@id("a b") ` + any + ";":                                                  "@id",
		`@id("error") ` + any + ";":                                                "reserved",
		`@id("a") @because("x") ` + any + ";":                                      "unknown annotation @because",
		`@id("a") @decision("stop") ` + any + ";":                                  "allow, modify, step_up, defer, deny",
		`@id("a") @decision("allow") ` + any + ";":                                 "does not go with",
		`@id("a") @decision("deny") permit (principal, action, resource);`:         "does not go with",
		`@id("a") @rank("0") ` + any + ";":                                         "@rank",
		`@id("a") @decision("modify") ` + any + ";":                                "needs @redact or @replace",
		`@id("a") @redact("to") ` + any + ";":                                      "go with",
		`@id("a") @decision("modify") @redact(" ") ` + any + ";":                   "names no argument",
		`@id("a") @decision("modify") @replace("[1]") ` + any + ";":                "not a JSON object",
		`@id("a") @id("b") ` + any + ";":                                           "duplicate annotation",
		`@id("a") ` + any + ";\n@id(\"a\") permit (principal, action, resource);":  "test.cedar:2: the id a is used twice",
		`@id("a") ` + any + ";\n@id(\"b\") " + any + ";":                           "test.cedar:2: b says what a says",
		`@id("a") ` + any + ` when { context.signals.telepathy };`:                 "telepathy",
		`@id("a") ` + any + ` when { context.state.action_count == "many" };`:      "types",
		`@id("a") ` + any + ` when { resource.getTag("to") == "x" };`:              "tag",
		`@id("a") forbid (principal, action == Action::"delete", resource);`:       "delete",
		`@id("a") forbid (principal == Group::"x", action, resource);`:             "Group",
		`@id("a") ` + any + ` when { principal.clearance == "public" };`:           "clearance",
		`@id("a") ` + any + ` when { context.state.confidence > decimal("0.5") };`: "long",
	} {
		_, err := Load("test.cedar", text, ctxmcp.Deny)
		if ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) {
			t.Errorf("Load(%s) = %v, want invalid with %q", text, err, want)
		}
	}
	if _, err := Load("test.cedar", "", ctxmcp.StepUp); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
		t.Errorf("Load with the default step_up = %v, want invalid", err)
	}
}

// TestPrecedence is the table of who wins.
func TestPrecedence(t *testing.T) {
	const (
		permit  = `@id("permit") permit (principal, action, resource);`
		deny    = `@id("deny") forbid (principal, action, resource);`
		ask     = `@id("ask") @decision("step_up") forbid (principal, action, resource) when { resource.tool == "mail" };`
		wait    = `@id("wait") @decision("defer") forbid (principal, action, resource) when { resource.operation == "send" };`
		hide    = `@id("hide") @decision("modify") @redact("to") forbid (principal, action, resource) when { context.kind == "outbound" };`
		swap    = `@id("swap") @decision("modify") @replace("{\"to\": \"x\"}") forbid (principal, action, resource) when { context.kind != "read" };`
		except  = `@id("except") @rank("2") permit (principal, action, resource) when { principal.name == "ada" };`
		against = `@id("against") @rank("2") forbid (principal, action, resource) when { principal.name != "ben" };`
		higher  = `@id("higher") @rank("3") @decision("step_up") forbid (principal, action, resource) when { principal.name like "a*" };`
		unknown = `@id("unknown") permit (principal, action, resource) when { context.state.semantic_distance.lessThan(decimal("0.5")) };`
	)
	for _, c := range []struct {
		rules    []string
		fallback ctxmcp.Verdict
		want     ctxmcp.Verdict
		rule     string
	}{
		{nil, ctxmcp.Deny, ctxmcp.Deny, "default"},
		{nil, ctxmcp.Allow, ctxmcp.Allow, "default"},
		{[]string{permit}, ctxmcp.Deny, ctxmcp.Allow, "permit"},
		{[]string{permit, deny}, ctxmcp.Allow, ctxmcp.Deny, "deny"},
		{[]string{permit, ask}, ctxmcp.Allow, ctxmcp.StepUp, "ask"},
		{[]string{ask, wait, permit}, ctxmcp.Allow, ctxmcp.Defer, "wait"},
		{[]string{hide, ask}, ctxmcp.Allow, ctxmcp.StepUp, "ask"},
		{[]string{hide, permit}, ctxmcp.Allow, ctxmcp.Modify, "hide"},
		{[]string{hide, swap}, ctxmcp.Allow, ctxmcp.Defer, "conflict"},
		{[]string{ask, except}, ctxmcp.Deny, ctxmcp.Allow, "except"},
		{[]string{deny, except}, ctxmcp.Allow, ctxmcp.Deny, "deny"},
		{[]string{except, against}, ctxmcp.Allow, ctxmcp.Defer, "conflict"},
		{[]string{except, against, higher}, ctxmcp.Allow, ctxmcp.StepUp, "higher"},
		{[]string{permit, unknown}, ctxmcp.Allow, ctxmcp.Defer, "error"},
		{[]string{deny, unknown}, ctxmcp.Allow, ctxmcp.Deny, "deny"},
		{[]string{ask, unknown}, ctxmcp.Allow, ctxmcp.Defer, "error"},
	} {
		for range 2 { // in both orders
			got := load(t, strings.Join(c.rules, "\n"), c.fallback).Decide(send())
			if got.Verdict != c.want || got.Rule != c.rule || got.Why == "" {
				t.Errorf("%v with default %s: %+v, want %s by %s", c.rules, c.fallback, got, c.want, c.rule)
			}
			slices.Reverse(c.rules)
		}
	}
}

// TestMissingFieldDefers: a rule that needs what is not known defers, whether it permits or forbids, and says what it is.
func TestMissingFieldDefers(t *testing.T) {
	for _, condition := range []string{
		`context.signals.exfiltration_path`, `context.state.confidence.lessThan(decimal("0.1"))`,
		`context.request.intent_classification == "refund"`, `context.request.expected_scope.contains("mail")`,
	} {
		for _, effect := range []string{"permit", "forbid"} {
			in := send()
			delete(in.Signals, "exfiltration_path")
			in.State.Confidence = nil
			s := load(t, fmt.Sprintf(`@id("a") %s (principal, action, resource) when { %s };`, effect, condition), ctxmcp.Allow)
			if got := s.Decide(in); got.Verdict != ctxmcp.Defer || got.Rule != "error" || !strings.Contains(got.Why, "not known: ") {
				t.Errorf("%s when %s: %+v, want a defer that names the field", effect, condition, got)
			}
		}
	}
}

// TestEngineFailureDenies: whatever goes wrong inside, the action does not happen.
func TestEngineFailureDenies(t *testing.T) {
	in := send()
	in.Action.Parameters = map[string]any{"f": func() {}}
	for name, s := range map[string]*Set{"none": nil, "default allow": load(t, `@id("a") permit (principal, action, resource);`, ctxmcp.Allow)} {
		if got := s.Decide(in); got.Verdict != ctxmcp.Deny || got.Rule != "engine" {
			t.Errorf("%s: %+v, want a deny of the engine", name, got)
		}
	}
}

// TestArguments: rules see the arguments by their paths, as texts and as numbers.
func TestArguments(t *testing.T) {
	for condition, want := range map[string]bool{
		`resource.hasTag("to") && resource.getTag("to") like "*@example.com"`:                  true,
		`resource.hasTag("cc") && resource.getTag("cc") like "*evil.example*"`:                 true,
		`resource.hasTag("cc/0/email") && resource.getTag("cc/0/email") == "eve@evil.example"`: true,
		`resource.hasTag("bcc")`: false,
		`resource.numbers.hasTag("amount") && resource.numbers.getTag("amount").greaterThan(decimal("120.4"))`: true,
		`resource.numbers.hasTag("amount") && resource.numbers.getTag("amount").greaterThan(decimal("120.5"))`: false,
		`resource in Tool::"mail" && resource == Call::"mail.send"`:                                            true,
		`principal in Role::"operator"`:                                                    false,
		`action in Action::"effect"`:                                                       true,
		`context.classification == "RESTRICTED" && context.sensitivity == 3`:               true,
		`principal.tenant == "t" && principal.name == "ada" && principal == User::"t/ada"`: true,
	} {
		s := load(t, `@id("a") permit (principal, action, resource) when { `+condition+` };`, ctxmcp.Deny)
		if got := s.Decide(send()); (got.Verdict == ctxmcp.Allow) != want {
			t.Errorf("%s: %+v, want %t", condition, got, want)
		}
	}
}

// TestLargeAmountIsNotSmall: a number that a decimal cannot hold is compared as the largest one, and digits that it cannot
// hold do not bring an amount below a limit.
func TestLargeAmountIsNotSmall(t *testing.T) {
	s := load(t, `@id("a") @decision("deny") forbid (principal, action, resource)
		when { resource.numbers.hasTag("amount") && resource.numbers.getTag("amount").greaterThan(decimal("100.0")) };`, ctxmcp.Allow)
	for amount, want := range map[any]ctxmcp.Verdict{
		1e30: ctxmcp.Deny, "1e400": ctxmcp.Deny, 100.00001: ctxmcp.Deny, " 250 ": ctxmcp.Deny, math.MaxFloat64: ctxmcp.Deny,
		100.0: ctxmcp.Allow, "100": ctxmcp.Allow, -1e30: ctxmcp.Allow, "NaN": ctxmcp.Allow, "many": ctxmcp.Allow, nil: ctxmcp.Allow,
	} {
		in := send()
		in.Action.Parameters["amount"] = amount
		if got := s.Decide(in); got.Verdict != want {
			t.Errorf("amount %v: %s, want %s", amount, got.Verdict, want)
		}
	}
}

func TestModify(t *testing.T) {
	s := load(t, `@id("a") @decision("modify") @redact("to, /cc/0/email, bcc") @replace("{\"dry_run\": true}")
		forbid (principal, action, resource);`, ctxmcp.Allow)
	in := send()
	d := s.Decide(in)
	if d.Verdict != ctxmcp.Modify || len(d.Modifications) != 3 {
		t.Fatalf("the decision is %+v, want modify without what is not there", d)
	}
	got, err := Apply(in.Action.Parameters, d.Modifications)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(got)
	if want := "map[amount:120.5 cc:[map[email:[REDACTED]]] dry_run:true to:[REDACTED]]"; text != want {
		t.Errorf("the parameters become %s, want %s", text, want)
	}
	if diff := cmp.Diff(send().Action.Parameters, in.Action.Parameters); diff != "" {
		t.Errorf("the original changed:\n%s", diff)
	}
	in.Action.Parameters = nil
	if got := load(t, `@id("a") @decision("modify") @redact("to") forbid (principal, action, resource);`, ctxmcp.Allow).Decide(in); got.Verdict != ctxmcp.Allow {
		t.Errorf("a redaction of nothing is %+v, want allow", got)
	}
	if got := load(t, `@id("a") @decision("modify") @replace("{\"/x/y\": 1}") forbid (principal, action, resource);`, ctxmcp.Allow).Decide(in); got.Verdict != ctxmcp.Deny {
		t.Errorf("a replacement without a place is %+v, want deny", got)
	}
}

// TestDigest: the digest names what the rules say, not how they are written, and the default.
func TestDigest(t *testing.T) {
	a, b := `@id("a") permit (principal, action, resource);`, `@id("b") forbid (principal, action == Action::"read", resource);`
	base := load(t, a+b, ctxmcp.Deny).Digest()
	if got := load(t, "// words\n"+b+"\n\n"+a, ctxmcp.Deny).Digest(); got != base {
		t.Errorf("the digest depends on order or comments: %s and %s", got, base)
	}
	for name, other := range map[string]*Set{
		"another default": load(t, a+b, ctxmcp.Allow), "one rule less": load(t, a, ctxmcp.Deny),
		"another why": load(t, `@why("x") `+a+b, ctxmcp.Deny),
	} {
		if other.Digest() == base {
			t.Errorf("%s does not change the digest", name)
		}
	}
}

// TestDecideIsDeterministic: the order of maps does not show.
func TestDecideIsDeterministic(t *testing.T) {
	p := Presets()[2]
	s, err := p.Load("")
	if err != nil {
		t.Fatal(err)
	}
	in := send()
	for _, name := range Signals() {
		in.Signals[name] = true
	}
	want := s.Decide(in)
	for range 100 {
		if diff := cmp.Diff(want, s.Decide(in)); diff != "" {
			t.Fatalf("the decision changed:\n%s", diff)
		}
	}
}

// TestInputFitsSchema: a rule gets the input against whose schema it was checked.
func TestInputFitsSchema(t *testing.T) {
	in := send()
	half := 0.5
	in.State.SemanticDistance, in.State.CumulativeDistance = &half, &half
	in.Request.Intent, in.Request.ExpectedScope, in.Roles = "x", []string{"mail"}, []string{"operator"}
	for _, kind := range append(ctxmcp.ActionKinds(), "of a newer version") {
		in.Action.Kind = kind
		entities, request := in.cedar()
		if err := validator.Request(request); err != nil {
			t.Errorf("the request for %s does not fit: %v", kind, err)
		}
		user, call := request.Principal, request.Resource
		for _, uid := range []cedar.EntityUID{user, call, cedar.NewEntityUID("Numbers", call.ID)} {
			if err := validator.Entity(entities[uid]); err != nil {
				t.Errorf("%s does not fit: %v", uid, err)
			}
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	s, err := Presets()[2].Load("")
	if err != nil {
		b.Fatal(err)
	}
	in := send()
	for b.Loop() {
		s.Decide(in)
	}
}

// TestAnswerable: a model may answer where every rule that asks lets it, and a rule that does not ask cannot let it.
func TestAnswerable(t *testing.T) {
	const open = `@id("a") @decision("step_up") @answerable("model") forbid (principal, action, resource);`
	const closed = `@id("b") @decision("step_up") forbid (principal, action, resource) when { context.kind == "outbound" };`
	const denies = `@id("c") forbid (principal, action, resource) when { context.kind == "outbound" };`
	for _, test := range []struct {
		text string
		want bool
	}{{open, true}, {closed, false}, {open + closed, false}, {closed + open, false}, {open + denies, false}} {
		if got := load(t, test.text, ctxmcp.Allow).Decide(send()); got.Answerable != test.want {
			t.Errorf("%s: Decide = %+v, want answerable %v", test.text, got, test.want)
		}
	}
	for _, text := range []string{strings.Replace(open, "step_up", "deny", 1), strings.Replace(open, `("model")`, `("yes")`, 1)} {
		if _, err := Load("test.cedar", text, ctxmcp.Allow); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
			t.Errorf("Load(%s) = %v, want invalid", text, err)
		}
	}
}
