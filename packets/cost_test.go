package packets

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

// large are the shapes that cost the most for their size: many names, which are sorted, and what is deep. Of both there are two that differ
// in every value.
func large() map[string][2]json.RawMessage {
	wide := func(value int) json.RawMessage {
		var b strings.Builder
		for i := range 12_000 {
			fmt.Fprintf(&b, `,"m%d":["v%d"]`, i*7919%12_007, value)
		}
		return json.RawMessage("{" + b.String()[1:] + "}")
	}
	deep := func(value int) json.RawMessage {
		chain := strings.Repeat(`{"a":[`, 2000) + fmt.Sprintf(`"v%d"`, value) + strings.Repeat(`]}`, 2000)
		return json.RawMessage("[" + strings.Repeat(chain+",", 12) + chain + "]")
	}
	return map[string][2]json.RawMessage{"wide": {wide(1), wide(2)}, "deep": {deep(1), deep(2)}}
}

// TestWorkOnPacketsEndsWithItsContext: whatever goes over the inputs of a packet comes back soon after nobody waits.
func TestWorkOnPacketsEndsWithItsContext(t *testing.T) {
	for name, texts := range large() {
		canonical, err := Canonical(t.Context(), texts[0])
		if err != nil {
			t.Fatal(err)
		}
		value, err := ijson.Decode(t.Context(), canonical)
		if err != nil {
			t.Fatal(err)
		}
		packet, err := Packet{Format: Format, FormatVersion: FormatVersion, Inputs: texts[0], Output: texts[1]}.canonical(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range []struct {
			name string
			work func(context.Context) error
		}{
			{"canonical", func(ctx context.Context) error { _, err := Canonical(ctx, texts[0]); return err }},
			{"different", func(ctx context.Context) error { _, err := different(ctx, canonical); return err }},
			{"parse", func(ctx context.Context) error { _, err := Parse(ctx, packet); return err }},
			{"leaves", func(ctx context.Context) error { _, err := leavesOf(ctx, value); return err }},
			{"map", func(ctx context.Context) error {
				_, err := mapLeaves(ctx, canonical, func(l leaf) string { return l.text + "!" })
				return err
			}},
			{"difference", func(ctx context.Context) error { _, err := diffJSON(ctx, "output", texts[0], texts[1]); return err }},
		} {
			t.Run(w.name+"/"+name, func(t *testing.T) {
				canceltest.Law{Bytes: len(canonical), Every: lookEvery, Work: w.work}.Check(t)
			})
		}
	}
}

// TestShow: a value is shown as its JSON, clipped, and no more of it is written.
func TestShow(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `-1.50`, `"a<b"`, `"` + strings.Repeat(`é\n`, 3000) + `"`, `[]`, `{}`, `[1,"a",{"b":[],"a<":null}]`,
		`[` + strings.Repeat(`[[],"x"],`, 5000) + `0]`, `{"z":` + strings.Repeat(`{"k":`, 500) + `1` + strings.Repeat(`}`, 500) + `,"` + strings.Repeat("n", 5000) + `":1}`,
		`["` + strings.Repeat("x", 195) + `",1]`, `["` + strings.Repeat("x", 196) + `"]`, `["` + strings.Repeat("x", 197) + `"]`,
	} {
		v, err := ijson.Decode(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		d := differ{looks: looks{ctx: t.Context()}}
		if got, want := d.show(v), ctxmcp.Clip(string(raw), maxShown); got != want {
			t.Errorf("show(%.60s) = %s, want %s", text, got, want)
		}
		if got := len(d.write(nil, v)); got > 20*maxShown {
			t.Errorf("of %.60s %d bytes are written", text, got)
		}
	}
}
