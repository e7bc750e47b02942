package packets_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// token is a secret that no installation has.
var token = "ghp_" + strings.Repeat("aB3dE6gH9", 4)

// TestSealRefusesSecrets: a secret that slipped through everything before is refused here, wherever it stands, and is in
// no error.
func TestSealRefusesSecrets(t *testing.T) {
	plants := map[string]func(*packets.Draft){
		"inputs": func(d *packets.Draft) { d.Inputs = json.RawMessage(`{"text":"it is ` + token + `"}`) },
		"a name": func(d *packets.Draft) { d.Inputs = json.RawMessage(`{"text":"it","` + token + `":1}`) },
		"by its name": func(d *packets.Draft) {
			d.Output = json.RawMessage(`{"call":{"password":"kT9#mQ2$vX7!pL4w"}}`)
		},
		"metadata": func(d *packets.Draft) {
			d.Metadata = map[string]json.RawMessage{"note": json.RawMessage(`["` + token + `"]`)}
		},
		"a policy":  func(d *packets.Draft) { d.Policy = json.RawMessage(`{"key":"` + token + `"}`) },
		"an origin": func(d *packets.Draft) { d.Sources[0].Origin = "https://ann:kT9mQ2vX7pL4w@example.com/" },
	}
	for where, plant := range plants {
		b := newBench(t)
		d := b.draft(t, "tea")
		plant(&d)
		_, err := b.Seal(t.Context(), ann, desk, d)
		if ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid || strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "kT9") {
			t.Errorf("a secret in %s: Seal = %v, want invalid without the secret", where, err)
		}
		if found, err := b.store.FindPackets(t.Context(), packets.Query{Tenant: "acme", Everywhere: true, Unbounded: true}); len(found) != 0 || err != nil {
			t.Errorf("a secret in %s: a packet is kept, %v", where, err)
		}
	}
}

// TestAdmit: people are marked, hidden or refused, as the options say.
func TestAdmit(t *testing.T) {
	const named, hidden = `{"text":"write to ann@example.com"}`, `{"text":"write to [EMAIL:REDACTED]"}`
	for _, c := range []struct {
		way        packets.PII
		inputs     string
		metadata   string
		want, flag string
		code       ctxmcp.Code
	}{
		{packets.FlagPII, named, `{}`, named, "true", ""},
		{packets.FlagPII, `{"text":"tea"}`, `{"pii":true}`, `{"text":"tea"}`, "true", ""},
		{"", `{"text":"tea"}`, `{}`, `{"text":"tea"}`, "false", ""},
		{packets.RejectPII, `{"at":"2026-03-01T09:00:00.5555555555Z","card":4111111111111111,"list":["41111111","11111111"]}`, `{}`,
			`{"at":"2026-03-01T09:00:00.5555555555Z","card":4111111111111111,"list":["41111111","11111111"]}`, "false", ""},
		{packets.RejectPII, `{"text":"4111 1111 1111 1111"}`, `{}`, "", "", ctxmcp.CodeDenied},
		{packets.RedactPII, named, `{}`, hidden, "true", ""},
		{packets.RedactPII, `{"ann@example.com":[1]}`, `{}`, `{"[EMAIL:REDACTED]":[1]}`, "true", ""},
		{packets.RejectPII, named, `{}`, "", "", ctxmcp.CodeDenied},
		{packets.RejectPII, `{"text":"tea"}`, `{"pii":true}`, "", "", ctxmcp.CodeDenied},
		{packets.RejectPII, `{"text":"tea"}`, `{"pii":false}`, `{"text":"tea"}`, "false", ""},
		{packets.FlagPII, named, `{"pii":"yes"}`, "", "", ctxmcp.CodeInvalid},
		{packets.FlagPII, named, `{"vault":{"k":"somewhere"}}`, "", "", ctxmcp.CodeInvalid},
	} {
		b := newBench(t)
		b.Options.PII = c.way
		var metadata map[string]json.RawMessage
		if err := json.Unmarshal([]byte(c.metadata), &metadata); err != nil {
			t.Fatal(err)
		}
		got, err := b.Admit(t.Context(), ann, json.RawMessage(c.inputs), metadata)
		if c.code != "" {
			if ctxmcp.CodeOf(err) != c.code {
				t.Errorf("Admit(%s, %s) under %s = %v, want %s", c.inputs, c.metadata, c.way, err, c.code)
			}
			continue
		}
		if err != nil || string(got.Inputs) != c.want || string(got.Metadata["pii"]) != c.flag {
			t.Errorf("Admit(%s, %s) under %s = %s, %s, %v; want %s, %s", c.inputs, c.metadata, c.way, got.Inputs, got.Metadata["pii"], err, c.want, c.flag)
		}
	}
}

// TestAdmitVault: a hidden secret becomes the reference to where it is kept, and the packet passes.
func TestAdmitVault(t *testing.T) {
	b := newBench(t)
	text, found, err := b.Redact(t.Context(), "acme", "the token is "+token)
	if err != nil {
		t.Fatal(err)
	}
	metadata, err := json.Marshal(map[string]string{found[0].Fingerprints[0]: "vault:kv/ci#github_token"})
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := json.Marshal(map[string]any{"text": text, "connection": map[string]string{"password": "vault:kv/db#password"}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Admit(t.Context(), ann, inputs, map[string]json.RawMessage{"vault": metadata})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"connection":{"password":"vault:kv/db#password"},"text":"the token is vault:kv/ci#github_token"}`
	if string(got.Inputs) != want {
		t.Fatalf("Admit = %s, want %s", got.Inputs, want)
	}
	d := b.draft(t, "tea")
	d.Inputs, d.Metadata = got.Inputs, got.Metadata
	if d.Output, err = (loud{}).Recompile(t.Context(), d.Inputs, epoch); err != nil {
		t.Fatal(err)
	}
	b.seal(t, d)
}
