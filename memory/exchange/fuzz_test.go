package exchange

import (
	"bytes"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// The targets look for a breach of these laws. An import never panics. A refused import stores nothing. A second
// import changes nothing. An export comes back byte for byte, whether its secrets are looked for again or not.

func FuzzImport(f *testing.F) {
	f.Add([]byte(line("")))
	f.Add([]byte(byteOrderMark + line("") + "\r\n\r\n" + line(`"version":2,"archived":true`)))
	f.Fuzz(checkLaws)
}

// FuzzMember looks among lines that are good but for one member.
func FuzzMember(f *testing.F) {
	for _, seed := range []struct{ name, value string }{
		{"content", `"api_key=sk-proj-abcdefghijklmnop1234567890 \u2028 \ud83d\ude80"`}, {"aliases", `["a","b"]`},
		{"source_origin", `"https://u:pw123456@h/x"`}, {"update_path", `"postgres://app:winter-moose-8070!!@db/x"`},
		{"claim", `{"subject":"a","predicate":"b","value":"c"}`}, {"decay_rule", `{"half_life_days":1e-3,"minimum_threshold":1}`},
		{"valid_until", `"9999-12-31T23:59:59.9999999Z"`}, {"last_used", `"2026-05-01T10:11:12.5+23:59"`},
		{"source_authority", "0.1e-10"}, {"version", "1000"}, {"permission_scope", `{"allow_roles":[]}`},
		{"normalized_claim", `"db | password | hunter2xyzzy"`}, {"derived_from", `["x"]`}, {"layer", `"tenant"`},
	} {
		f.Add(seed.name, seed.value)
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		checkLaws(t, []byte(line(`"`+name+`":`+value)))
	})
}

func checkLaws(t *testing.T, data []byte) {
	s := &recorder{Store: &inmem.Store{}}
	r, err := Import(t.Context(), s, bytes.NewReader(data), plain)
	if err != nil {
		if len(s.changes) != 0 || r != (Report{}) {
			t.Fatalf("Import = %+v, %v, with %d changes", r, err, len(s.changes))
		}
		return
	}
	if again := doImport(t, s, string(data), plain); again.Unchanged != r.Read || r.Imported != r.Read {
		t.Errorf("Import = %+v, then %+v", r, again)
	}
	for _, tenant := range tenantsOf(s.changes) {
		want := export(t, s, tenant)
		for _, o := range []ImportOptions{plain, {Redact: redact.Nothing}} {
			target := &inmem.Store{}
			doImport(t, target, want, o)
			if got := export(t, target, tenant); got != want {
				t.Errorf("the export\n%scame back as\n%s", want, got)
			}
		}
	}
}

// tenantsOf lists the tenants of the stored versions.
func tenantsOf(changes []memory.Change) []string {
	var tenants []string
	for _, c := range changes {
		for _, e := range c.Audit {
			tenants = append(tenants, e.Tenant)
		}
	}
	return tenants
}
