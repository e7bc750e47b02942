package compiler

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

var instant = time.Date(2026, 6, 6, 12, 0, 0, 0, time.UTC)

// TestScripts compiles the world of every script in testdata, with its candidates in several orders, and compares the text
// for the model and the row of every candidate. A script has the files request (JSON), candidates (JSON Lines; a field that
// an object leaves out is as in newCandidate), and, if need be, caller, policy, entities, fields and prefix. Its file
// variants has changes of these, a line each: it is compiled with each in turn.
func TestScripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no scripts: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			script, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, variant := range variants(script) {
				in := world(t, script)
				vary(t, &in, variant)
				text := compiled(in)
				for seed := range uint64(3) {
					if again := compiled(shuffled(in, seed)); again != text {
						t.Fatalf("the order of the candidates changes the output (-first +shuffled):\n%s", cmp.Diff(text, again))
					}
				}
				if variant != "" {
					got += "# " + variant + "\n"
				}
				got += text
			}
			want := wanted(script)
			want.Data = []byte(got)
			golden.Want(t, path, string(txtar.Format(script)))
		})
	}
}

func wanted(script *txtar.Archive) *txtar.File {
	for i, f := range script.Files {
		if f.Name == "want" {
			return &script.Files[i]
		}
	}
	script.Files = append(script.Files, txtar.File{Name: "want"})
	return &script.Files[len(script.Files)-1]
}

// variants returns the changes with which a script is compiled.
func variants(script *txtar.Archive) []string {
	for _, f := range script.Files {
		if f.Name == "variants" {
			return strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		}
	}
	return []string{""}
}

// vary makes the change, JSON of parts of the inputs, so.
func vary(t *testing.T, in *Inputs, change string) {
	t.Helper()
	if change != "" {
		if err := json.Unmarshal([]byte(change), in); err != nil {
			t.Fatalf("variant %s: %v", change, err)
		}
	}
}

// world reads the inputs of a script.
func world(t *testing.T, script *txtar.Archive) Inputs {
	t.Helper()
	in := Inputs{
		Schema: InputsSchema, Instant: instant, Policy: DefaultPolicy(), Counter: tokens.Approximate{}.Name(),
		Caller: Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Confidential},
		Request: Request{UserMessage: "question", Scope: ctxmcp.Scope{User: "ann"}, MaxTokens: 8000, Format: OpenAI,
			AsOf: instant},
	}
	into := map[string]any{"request": &in.Request, "caller": &in.Caller, "policy": &in.Policy, "entities": &in.Entities,
		"fields": &in.Fields, "prefix": &in.Prefix}
	for _, f := range script.Files {
		switch {
		case f.Name == "candidates":
			for line := range strings.Lines(string(f.Data)) {
				if strings.TrimSpace(line) != "" {
					in.Candidates = append(in.Candidates, newCandidate(t, line))
				}
			}
		case into[f.Name] != nil:
			if err := json.Unmarshal(f.Data, into[f.Name]); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		case f.Name != "want" && f.Name != "variants":
			t.Fatalf("a script has no file %q", f.Name)
		}
	}
	if in.Request.Query == "" {
		in.Request.Query = in.Request.UserMessage
	}
	return in
}

// newCandidate reads a candidate; it is what ann said at the beginning of the year, unless it says otherwise.
func newCandidate(t *testing.T, line string) Candidate {
	t.Helper()
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := Candidate{Kind: KindMemory, Relevance: 0.5, Object: ctxmcp.ContextObject{
		Version: 1, ObjectType: ctxmcp.IdentityFact, CanonicalEntityIDs: []string{}, SourceOrigin: "user://ann", SourceAuthority: 0.9,
		ConfidenceScore: 0.95, Classification: ctxmcp.Restricted, TenantID: "acme", UserID: "ann", ValidFrom: from, TxStart: from,
		LastConfirmed: from, ContradictionStatus: ctxmcp.Clean, Layer: ctxmcp.UserLayer, Authority: ctxmcp.AuthorityUser,
		SourceKind: ctxmcp.UserStatement,
	}}
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		t.Fatalf("candidate %s: %v", line, err)
	}
	c.Object.NormalizedClaim = c.Object.Claim.String()
	return c
}

func shuffled(in Inputs, seed uint64) Inputs {
	in.Candidates = slices.Clone(in.Candidates)
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(in.Candidates), func(i, j int) {
		in.Candidates[i], in.Candidates[j] = in.Candidates[j], in.Candidates[i]
	})
	return in
}

// compiled returns the result of a compile as text: the prompt, then the outcome of every candidate.
func compiled(in Inputs) string {
	out, err := Compiler{Counter: tokens.Approximate{}}.Compile(in)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	printMessages(&b, out)
	fmt.Fprintf(&b, "\n%d of %d tokens:", out.Tokens, out.Budget)
	for _, z := range out.Zones {
		fmt.Fprintf(&b, " %s %d", z.Name, z.Tokens)
	}
	b.WriteString("\n")
	for _, c := range out.Trace.Compiled {
		fmt.Fprintf(&b, "compiled %s: %s, %s, %s (%s)\n", c.ObjectID, c.Tier, c.CompiledAs, c.Form, c.Why)
	}
	for _, o := range out.Trace.Omitted {
		fmt.Fprintf(&b, "omitted %s: %s: %s%s%s\n", o.ObjectID, o.Stage, o.Reason, note(" by ", o.By), note(", ", o.Detail))
	}
	for _, q := range out.Trace.Quarantined {
		fmt.Fprintf(&b, "quarantined %s: %s: %s, %s%s\n", q.ObjectID, q.Stage, q.Reason, q.ContradictionStatus, note(" by ", q.By))
	}
	for _, c := range out.Trace.Conflicts {
		fmt.Fprintf(&b, "conflict %s: %s\n", c.Slot, strings.Join(c.Objects, ", "))
	}
	for _, w := range out.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return b.String()
}

func note(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + text
}

func printMessages(b *strings.Builder, out Output) {
	var system []struct {
		Text  string
		Cache any `json:"cache_control"`
	}
	_ = json.Unmarshal(out.System, &system)
	for _, s := range system {
		fmt.Fprintf(b, "== system block%s\n%s\n", marked4(s.Cache != nil), s.Text)
	}
	for _, raw := range out.Messages {
		read, err := conversation.DecodeEach([]json.RawMessage{raw})
		if err != nil {
			fmt.Fprintf(b, "== no message: %v\n", err)
			continue
		}
		m := &read[0]
		called := ""
		if m.Role == conversation.ToolRole {
			called = m.Answers()[0]
		}
		fmt.Fprintf(b, "== %s%s%s\n", m.Role, note(" ", called), marked4(strings.Contains(string(raw), "cache_control")))
		for i := range m.Parts {
			if p := &m.Parts[i]; !calledInOpenAI(m, p) {
				b.WriteString(partText(m, p) + "\n")
			}
		}
		for i := range m.Parts {
			if p := &m.Parts[i]; calledInOpenAI(m, p) {
				fmt.Fprintf(b, "calls %s as %s\n", p.Name, p.ID)
			}
		}
	}
}

func marked4(is bool) string {
	if is {
		return " (breakpoint)"
	}
	return ""
}

// TestPrecedence holds the table of stages against the table of what must stand before what.
func TestPrecedence(t *testing.T) {
	place := map[string]int{}
	for i, st := range stages {
		if st.doc == "" || st.run == nil {
			t.Errorf("stage %q does not say what it does, or does nothing", st.name)
		}
		place[st.name] = i + 1
	}
	if len(place) != 10 {
		t.Errorf("there are %d stages, want 10 of different names", len(place))
	}
	seen := map[string]bool{}
	for _, p := range precedence {
		seen[p.before], seen[p.after] = true, true
		switch before, after := place[p.before], place[p.after]; {
		case before == 0 || after == 0:
			t.Errorf("%q before %q names a stage that does not exist", p.before, p.after)
		case before >= after:
			t.Errorf("%q stands after %q: %s", p.before, p.after, p.why)
		case p.why == "":
			t.Errorf("%q before %q gives no reason", p.before, p.after)
		}
	}
	for name := range place {
		if !seen[name] {
			t.Errorf("nothing says why stage %q stands where it does", name)
		}
		if _, err := os.Stat(filepath.Join("testdata", "stage_"+name+".txtar")); err != nil {
			t.Errorf("stage %q has no script: %v", name, err)
		}
	}
}

// TestEveryReason: each reason for leaving something out is shown by a script.
func TestEveryReason(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var wants strings.Builder
	for _, path := range paths {
		script, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		wants.Write(wanted(script).Data)
	}
	for _, reason := range Reasons() {
		if !regexp.MustCompile(`(?m)^(omitted|quarantined) \S+: \w+: ` + string(reason) + `\b`).MatchString(wants.String()) {
			t.Errorf("no script shows the reason %q", reason)
		}
	}
}

// TestDocuments: the documents name the stages, the rungs, the tiers and the reasons of the code, and no others.
func TestDocuments(t *testing.T) {
	architecture, format := golden.Read(t, "../docs/ARCHITECTURE.md"), golden.Read(t, "../docs/format/compiled-context.md")
	at := 0
	for _, st := range Stages() {
		row := "| `" + st.Name + "` | " + st.Doc + " |"
		i := strings.Index(architecture, row)
		if i < at {
			t.Errorf("docs/ARCHITECTURE.md does not have the row %q in its place", row)
		}
		at = max(at, i)
	}
	for _, word := range Reasons() {
		wantWord(t, format, string(word))
	}
	for _, word := range Rungs() {
		wantWord(t, format, string(word))
	}
	for _, word := range Tiers() {
		wantWord(t, format, string(word))
	}
	for _, word := range []ZoneName{ZoneSystem, ZonePolicy, ZoneHistory, ZoneDynamic} {
		wantWord(t, format, string(word))
	}
}

func wantWord(t *testing.T, document, word string) {
	t.Helper()
	if !strings.Contains(document, "`"+word+"`") {
		t.Errorf("docs/format/compiled-context.md does not say what %q means", word)
	}
}
