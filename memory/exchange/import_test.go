package exchange

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

const (
	anID    = "0190d3c5-7a1b-7cc0-9a3f-2b1c4d5e6f70"
	otherID = "0190d3c5-7a1b-7cc0-9a3f-2b1c4d5e6f71"
)

// line returns a good line with members of its own: `"version":2,"author":"Ann"`. A member without a value, as in
// `"version"`, is left out.
func line(members string) string {
	fields := []string{
		`"object_id":"` + anID + `"`, `"content":"We deploy on Thursday."`, `"normalized_claim":""`, `"object_type":"preference"`,
		`"canonical_entity_ids":[]`, `"source_origin":"user://ann"`, `"source_authority":0.9`, `"confidence_score":1`,
		`"security_classification":"restricted"`, `"permission_scope":{}`, `"tenant_id":"acme"`, `"user_id":"ann"`,
		`"valid_from":"2026-01-01T00:00:00Z"`, `"tx_start":"2026-01-01T00:00:00Z"`, `"why_it_matters":""`,
		`"applicable_task_types":[]`, `"contradiction_status":"clean"`, `"fact_id":"` + anID + `"`, `"version":1`,
		`"layer":"user"`, `"source_kind":"user_statement"`, `"authority_level":2`,
	}
	own := map[string]json.RawMessage{}
	if json.Unmarshal([]byte("{"+members+"}"), &own) != nil {
		own[strings.Trim(members, `"`)], members = nil, "" // a name alone
	}
	var kept []string
	for _, f := range fields {
		name, _, _ := strings.Cut(f, ":")
		if _, replaced := own[strings.Trim(name, `"`)]; !replaced {
			kept = append(kept, f)
		}
	}
	if members != "" {
		kept = append(kept, members)
	}
	return "{" + strings.Join(kept, ",") + "}"
}

func TestImportRefuses(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{`{"content":`, `line 2: not valid JSON`},
		{line("") + line(""), `line 2: not valid JSON`},
		{"[1]", `line 2: the set of fields must be an object`},
		{"\xff" + line(""), `line 2: invalid UTF-8 at byte 0`},
		{line("\"content\":\"a\xc3\""), `line 2: invalid UTF-8 at byte `},
		{line(`"content":"\ud83d!"`), `line 2: the escape \ud83d at byte `},
		{line(`"content":"\\\uDE80"`), `line 2: the escape \uDE80 at byte `},
		{line(`"content":"a\u0000b"`), `line 2: field "content" holds a NUL character`},
		{line(`"content"`), `line 2: missing required field "content"`},
		{line(`"content":7`), `line 2: field "content" must be a string`},
		{line(`"content":"a","content":"b"`), `line 2: field "content" stands twice`},
		{line(`"claim":{"subject":"a","predicate":"b","value":"c","value":"d"}`), `line 2: field "claim.value" stands twice`},
		{line(`"colour":"red"`), `line 2: unknown field "colour"`},
		{line(`"Content":"b"`), `line 2: unknown field "Content"`},
		{line(`"closing":{"reason":"x","contradiction_status":"clean","why":1}`), `line 2: unknown field "closing.why"`},
		{line(`"layer":"galaxy"`), `line 2: field "layer" is not a known word`},
		{line(`"object_type":"Preference"`), `line 2: field "object_type" is not a known word`},
		{line(`"applicable_task_types":["data_extraction","x"]`), `line 2: field "applicable_task_types[1]" is not a known word`},
		{line(`"canonical_entity_ids":null`), `line 2: field "canonical_entity_ids" must be an array`},
		{line(`"canonical_entity_ids":["x"]`), `line 2: field "canonical_entity_ids[0]" is not a well-formed uuid`},
		{line(`"object_id":"x"`), `line 2: field "object_id" is not a well-formed uuid`},
		{line(`"fact_id":"{` + anID + `}"`), `line 2: field "fact_id" is not a well-formed uuid`},
		{line(`"source_authority":1.01`), `line 2: field "source_authority" is above 1`},
		{line(`"source_authority":1e9999999`), `line 2: field "source_authority" has a number that is out of range`},
		{line(`"source_authority":1e-9999999`), `line 2: field "source_authority" has a number that is out of range`},
		{line(`"source_authority":0.` + strings.Repeat("0", 200)), `line 2: field "source_authority" has a number of over 100 characters`},
		{line(`"version":0`), `line 2: field "version" is below 1`},
		{line(`"version":1.5`), `line 2: field "version" must be an integer`},
		{line(`"version":1e2`), `line 2: field "version" is not written as an integer`},
		{line(`"version":99999999999999999999`), `line 2: field "version" is not written as an integer`},
		{line(`"tenant_id":"a b"`), `line 2: field "tenant_id" is not an id`},
		{line(`"tenant_id":""`), `line 2: field "tenant_id" is not an id`},
		{line(`"user_id":"a:b"`), `line 2: field "user_id" is not an id`},
		{line(`"project_id":"é"`), `line 2: field "project_id" is not an id`},
		{line(`"session_id":"` + strings.Repeat("x", 129) + `"`), `line 2: field "session_id" is not an id`},
		{line(`"task_id":"*"`), `line 2: field "task_id" is not an id`},
		{line(`"permission_scope":{"deny_roles":["a b"]}`), `line 2: field "permission_scope.deny_roles" is not an id`},
		{line(`"derived_from":["see my notes"]`), `line 2: field "derived_from" is not an id`},
		{line(`"user_id":""`), `line 2: field "layer" is "user" and needs user_id`},
		{line(`"layer":"project"`), `line 2: field "layer" is "project" and needs project_id`},
		{line(`"layer":"session"`), `line 2: field "layer" is "session" and needs session_id`},
		{line(`"layer":"task"`), `line 2: field "layer" is "task" and needs task_id`},
		{line(`"layer":"belief","user_id":""`), `line 2: field "layer" is "belief" and needs user_id`},
		{line(`"valid_from":"tomorrow"`), `line 2: field "valid_from" is not a well-formed date-time`},
		{line(`"valid_from":"0001-01-01T00:00:00.0000004Z"`), `line 2: field "valid_from" is not a well-formed date-time`},
		{line(`"valid_until":"9999-12-31T23:59:59-01:00"`), `line 2: field "valid_until" is not a well-formed date-time`},
		{line(`"valid_until":"2026-01-01T00:00:00.0000009Z"`), `line 2: field "valid_until" is not after valid_from`},
		{line(`"tx_start":"1970-01-01T00:00:00Z"`), `line 2: field "tx_start" is not after 1970`},
		{line(`"last_confirmed":"1970-01-01T01:00:00+01:00"`), `line 2: field "last_confirmed" is not after 1970`},
		{line(`"tx_end":"2025-01-01T00:00:00Z","closing":{"reason":"x","contradiction_status":"clean"}`), `line 2: field "tx_end" is not after tx_start`},
		{line(`"tx_end":"2027-01-01T00:00:00Z"`), `line 2: field "closing" is missing`},
		{line(`"closing":{"reason":"x","contradiction_status":"clean"}`), `line 2: field "closing" is set`},
		{line(`"source_origin":"ann"`), `line 2: field "source_origin" does not begin with a scheme`},
		{line(`"source_origin":""`), `line 2: field "source_origin" does not begin with a scheme`},
		{line(`"update_path":"//host/x"`), `line 2: field "update_path" does not begin with a scheme`},
		{line(`"decay_rule":{"half_life_days":0,"minimum_threshold":0.1}`), `line 2: field "decay_rule.half_life_days" is 0`},
		{line(`"aliases":` + strings.Repeat("[", 9) + strings.Repeat("]", 9)), `line 2: field "aliases[0][0]`},
		{strings.Repeat("[", 1<<20), `line 2: not valid JSON`},
		{line(`"content":"b"`), `line 2: version 1 of object ` + anID + ` stands on line 1 with other content`},
	} {
		wantRefused(t, &inmem.Store{}, line("")+"\n"+tt.line, plain, ctxmcp.CodeInvalid, tt.want)
	}
}

// TestRefusalsQuoteNoValue: the value of a refused field may be a secret.
func TestRefusalsQuoteNoValue(t *testing.T) {
	for name := range properties(t) {
		if strings.Contains(name, ".") {
			continue
		}
		_, err := Import(context.Background(), &inmem.Store{}, strings.NewReader(line(`"`+name+`":"hunter2 hunter2"`)), plain)
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the refusal of %s quotes its value: %v", name, err)
		}
	}
}

func TestLineLimit(t *testing.T) {
	fitting := line(`"content":"` + strings.Repeat("x", maxLine-len(line(`"content":""`))) + `"`)
	if r := doImport(t, &inmem.Store{}, byteOrderMark+fitting+"\r\n", plain); r.Imported != 1 {
		t.Errorf("Import of a line of 8 MiB = %+v", r)
	}
	longer := strings.Replace(fitting, "xx", "xxx", 1)
	for _, input := range []string{longer, longer + "\r\n", longer + strings.Repeat("x", 1000)} {
		wantRefused(t, &inmem.Store{}, "\n"+input, plain, ctxmcp.CodeTooLarge, "line 2: the object is over 8 MiB")
	}
	grows := strings.NewReplacer("xxx", "\u2028").Replace(fitting)
	wantRefused(t, &inmem.Store{}, grows, plain, ctxmcp.CodeTooLarge, "line 1: the object is over 8 MiB")
}

// TestTolerates: the changes of editors and other systems to a file of lines are no error, and leave no trace.
func TestTolerates(t *testing.T) {
	s := &inmem.Store{}
	written := byteOrderMark + "\r\n" + line(`"valid_from":"2026-01-01T01:00:00.123456789+01:00","valid_until":null,"tx_start":"2026-01-01"`) + " \r\n\n  \n" +
		strings.ReplaceAll(line(`"version":2,"tx_end":null,"supersession_link":null,"user_id":"ann","aliases":[]`), ",", " ,\t")
	if r := doImport(t, s, written, plain); r != (Report{Read: 2, Imported: 2}) {
		t.Errorf("Import = %+v, want 2 imported", r)
	}
	target := &inmem.Store{}
	doImport(t, target, line(`"valid_from":"2026-01-01T00:00:00.123456Z"`)+"\n"+line(`"version":2`), plain)
	if diff := cmp.Diff(export(t, target, "acme"), export(t, s, "acme")); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
	if r := doImport(t, &inmem.Store{}, "\n\n", plain); r != (Report{}) {
		t.Errorf("Import of nothing = %+v", r)
	}
}

// TestRepeatedLines: a version that stands twice counts once, however it is written.
func TestRepeatedLines(t *testing.T) {
	again := line(`"tx_end":null,"author":""`)
	if r := doImport(t, &inmem.Store{}, line("")+"\n"+again+"\n"+line(`"version":2`), plain); r != (Report{Read: 2, Imported: 2}) {
		t.Errorf("Import = %+v, want 2 imported", r)
	}
}

// TestHeld: a version that the store holds otherwise stops the import before anything is stored.
func TestHeld(t *testing.T) {
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			doImport(t, s, line(""), plain)
			for _, other := range []string{`"content":"b"`, `"last_confirmed":"2026-01-02T00:00:00Z"`, `"archived":true`} {
				text := line(`"version":2`) + "\n\n" + line(other)
				wantRefused(t, s, text, plain, ctxmcp.CodeConflict, "line 3: version 1 of object "+anID+" is held already with other content")
			}
			if r := doImport(t, s, line("")+"\n"+line(`"version":2`), plain); r != (Report{Read: 2, Imported: 1, Unchanged: 1}) {
				t.Errorf("Import = %+v, want 1 imported and 1 unchanged", r)
			}
		})
	}
}

func TestTenants(t *testing.T) {
	both := line("") + "\n" + line(`"tenant_id":"globex"`)
	s := &inmem.Store{}
	if r := doImport(t, s, both, plain); r.Imported != 2 || export(t, s, "globex") == "" {
		t.Errorf("Import as written = %+v", r)
	}
	acme := ImportOptions{Redact: redactor, Tenant: "acme"}
	wantRefused(t, &inmem.Store{}, both, acme, ctxmcp.CodeInvalid, `line 2: field "tenant_id" is another tenant than acme`)
	acme.Rewrite = true
	s = &inmem.Store{}
	if r := doImport(t, s, both, acme); r != (Report{Read: 1, Imported: 1}) || export(t, s, "globex") != "" {
		t.Errorf("Import with Rewrite = %+v, want one object of acme's", r)
	}
	wantRefused(t, &inmem.Store{}, both, ImportOptions{Redact: redactor, Rewrite: true}, ctxmcp.CodeInvalid, "no tenant is named")
	wantRefused(t, &inmem.Store{}, both, ImportOptions{Redact: redactor, Tenant: "a b"}, ctxmcp.CodeInvalid, "the tenant is not an id")
}

// recorder is a store that keeps the changes it was given.
type recorder struct {
	memory.Store
	changes []memory.Change
}

func (r *recorder) Apply(ctx context.Context, c memory.Change) error {
	r.changes = append(r.changes, c)
	return r.Store.Apply(ctx, c)
}

// TestOneChange: everything goes in one change, with a line in the audit trail of each tenant, which holds no content.
func TestOneChange(t *testing.T) {
	s := &recorder{Store: &inmem.Store{}}
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var progress []int
	o := ImportOptions{
		Redact: redactor, DryRun: true, Now: func() time.Time { return at },
		Progress: func(done int) { progress = append(progress, done) },
	}
	text := line(`"tenant_id":"globex"`) + "\n" + line("") + "\n" + line(`"version":2`)
	if r := doImport(t, s, text, o); r != (Report{Read: 3, Imported: 3}) || len(s.changes) != 0 {
		t.Errorf("the dry run = %+v with %d changes, want 3 to import and no change", r, len(s.changes))
	}
	o.DryRun = false
	doImport(t, s, text, o)
	doImport(t, s, text, o)
	if len(s.changes) != 1 {
		t.Fatalf("%d changes, want 1", len(s.changes))
	}
	want := []memory.Event{
		{At: at, Tenant: "acme", Action: "import", Detail: "versions: 2"},
		{At: at, Tenant: "globex", Action: "import", Detail: "versions: 1"},
	}
	if diff := cmp.Diff(want, s.changes[0].Audit); diff != "" {
		t.Errorf("the audit differs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{1, 2, 3}, progress[:3]); diff != "" {
		t.Errorf("the progress differs (-want +got):\n%s", diff)
	}
}

// TestEveryTextIsRedacted puts a secret into every place of a line that takes any text, and finds it in no export.
func TestEveryTextIsRedacted(t *testing.T) {
	hide := func(_ context.Context, tenant, text string) (string, []redact.Finding, error) {
		if tenant != "acme" {
			t.Errorf("Redact was asked for tenant %q", tenant)
		}
		hidden := strings.ReplaceAll(text, "hunter2", "[PASSWORD:REDACTED]")
		return hidden, make([]redact.Finding, min(1, len(text)-len(strings.ReplaceAll(text, "hunter2", "hunter")))), nil
	}
	object := map[string]any{}
	if err := json.Unmarshal([]byte(line("")), &object); err != nil {
		t.Fatal(err)
	}
	object["tx_end"] = "2027-01-01T00:00:00Z"
	object["closing"] = map[string]any{"contradiction_status": "clean", "reason": "x"}
	object["claim"] = map[string]any{"subject": "a", "predicate": "b", "value": "c"}
	tried := 0
	for path, p := range properties(t) {
		var secret any = "user:hunter2"
		if p.Type == "array" {
			secret = []any{"user:hunter2"}
		}
		text, err := json.Marshal(with(object, strings.Split(path, "."), secret))
		if err != nil {
			t.Fatal(err)
		}
		s := &inmem.Store{}
		r, err := Import(context.Background(), s, strings.NewReader(string(text)), ImportOptions{Redact: hide})
		if err != nil {
			continue // it takes no text
		}
		tried++
		if got := export(t, s, "acme"); r.Redacted != 1 || strings.Contains(got, "hunter2") {
			t.Errorf("%s is stored as it was, with %+v", path, r)
		}
		if again := doImport(t, s, string(text), ImportOptions{Redact: hide}); again.Unchanged != 1 {
			t.Errorf("importing %s again = %+v, want it unchanged", path, again)
		}
	}
	if tried != 12 {
		t.Errorf("%d places take any text, want 12", tried)
	}
}

// with returns the object with a value at the path.
func with(object map[string]any, path []string, value any) map[string]any {
	changed := map[string]any{}
	for k, v := range object {
		changed[k] = v
	}
	if len(path) == 1 {
		changed[path[0]] = value
		return changed
	}
	inner, _ := object[path[0]].(map[string]any)
	changed[path[0]] = with(inner, path[1:], value)
	return changed
}

// TestClaimIsRedactedAsAWhole: a value can be a secret because of its predicate.
func TestClaimIsRedactedAsAWhole(t *testing.T) {
	s := &inmem.Store{}
	text := line(`"normalized_claim":"db | password | hunter2xyzzy","claim":{"subject":"db","predicate":"password","value":"hunter2xyzzy"}`)
	for range 2 {
		doImport(t, s, text, plain)
	}
	if got := export(t, s, "acme"); strings.Contains(got, "xyzzy") {
		t.Errorf("a secret was stored: %s", got)
	}
	target := &inmem.Store{}
	doImport(t, target, export(t, s, "acme"), plain)
	if diff := cmp.Diff(export(t, s, "acme"), export(t, target, "acme")); diff != "" {
		t.Errorf("the round trip differs (-want +got):\n%s", diff)
	}
}

// TestEveryTimeIsSettled: a time that written does not read itself would be taken as the file has it.
func TestEveryTimeIsSettled(t *testing.T) {
	known := map[string]bool{}
	for _, w := range new(written).times() {
		known[w.name] = true
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[ctxmcp.ContextObject]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Type == reflect.TypeFor[time.Time]() && !known[name] {
			t.Errorf("%s is not among the times of a line", name)
		}
	}
}
