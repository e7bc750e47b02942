package compiler

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/packets"
)

// TestEarlierPackets: packets of earlier forms, which programs before this one made, are read under their references and compile to the bytes that they
// hold. That of the fourth form has a conclusion without a label, a rule and a place that it did not know, and a fault that it took for a change; that of the
// fifth has guidance in doubt before the statement that puts it in doubt, which is in doubt itself.
func TestEarlierPackets(t *testing.T) {
	for _, tt := range []struct {
		file, schema string
		version      int
	}{{"packet_compile1.json", firstInputsSchema, 1}, {"packet_compile4.json", fourthInputsSchema, 2}, {"packet_compile5.json", fifthInputsSchema, 2}} {
		raw, err := os.ReadFile("testdata/" + tt.file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := packets.Parse(t.Context(), raw)
		if err != nil || p.FormatVersion != tt.version {
			t.Fatalf("%s: Parse = version %d, %v", tt.file, p.FormatVersion, err)
		}
		in, err := ReadInputs(p.Inputs)
		if err != nil || in.Schema != tt.schema {
			t.Fatalf("%s: inputs of the schema %q, %v", tt.file, in.Schema, err)
		}
		created := p.Created
		if created.IsZero() {
			created = instant
		}
		again, err := replayer.Recompile(t.Context(), p.Inputs, created)
		if err != nil {
			t.Fatal(err)
		}
		if again, err = packets.Canonical(t.Context(), again); err != nil || !bytes.Equal(again, p.Output) {
			t.Errorf("%s: the output is another one, %v:\n%s\nwant\n%s", tt.file, err, again, p.Output)
		}
		if tt.schema != firstInputsSchema {
			differsNow(t, in, p.Output)
		}
	}
}

// differsNow fails unless the inputs compile to other bytes by the rules of today: a packet that does not tell them apart proves nothing.
func differsNow(t *testing.T, in Inputs, output []byte) {
	t.Helper()
	in.Schema = InputsSchema
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	now, err := replayer.Recompile(t.Context(), raw, instant)
	if err != nil {
		t.Fatal(err)
	}
	if now, err = packets.Canonical(t.Context(), now); err != nil || bytes.Equal(now, output) {
		t.Errorf("by the rules of today the output is the same, %v", err)
	}
}

// TestUndated: inputs without their instant are equal whenever they were gathered, and are given it back.
func TestUndated(t *testing.T) {
	k, _ := snapshotOf(t, 1)
	if got := k.Inputs.Undated(); !got.Instant.IsZero() {
		t.Errorf("undated inputs have the instant %v", got.Instant)
	}
	back := k.Inputs.Undated().Dated(k.Inputs.Instant)
	if !back.Instant.Equal(k.Inputs.Instant) || !back.Request.AsOf.Equal(k.Inputs.Request.AsOf) {
		t.Errorf("dated again: %v as of %v, want %v as of %v", back.Instant, back.Request.AsOf, k.Inputs.Instant, k.Inputs.Request.AsOf)
	}
}
