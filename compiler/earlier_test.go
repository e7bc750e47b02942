package compiler

import (
	"bytes"
	"os"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/packets"
)

// TestEarlierPacket: a packet of the first form of packets and inputs, which a program before this one made, is read under its reference and
// compiles to the bytes that it holds.
func TestEarlierPacket(t *testing.T) {
	raw, err := os.ReadFile("testdata/packet_compile1.json")
	if err != nil {
		t.Fatal(err)
	}
	p, err := packets.Parse(t.Context(), raw)
	if err != nil || p.FormatVersion != 1 || p.Created.IsZero() {
		t.Fatalf("Parse = version %d of %v, %v", p.FormatVersion, p.Created, err)
	}
	in, err := ReadInputs(p.Inputs)
	if err != nil || in.Schema != firstInputsSchema {
		t.Fatalf("inputs of the schema %q, %v", in.Schema, err)
	}
	again, err := replayer.Recompile(t.Context(), p.Inputs, p.Created)
	if err != nil {
		t.Fatal(err)
	}
	if again, err = packets.Canonical(t.Context(), again); err != nil || !bytes.Equal(again, p.Output) {
		t.Errorf("the output is another one, %v:\n%s\nwant\n%s", err, again, p.Output)
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
