package compiler

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

var replayer = Recompiler{func(string) []Counter { return []Counter{tokens.Approximate{}} }}

// snapshotOf compiles the first random world from the seed on that can be compiled.
func snapshotOf(t *testing.T, seed uint64) (Kept, string) {
	t.Helper()
	for ; ; seed++ {
		raw, err := packets.Canonical(t.Context(), randomWorld(rand.New(rand.NewPCG(seed, 7))))
		if err != nil {
			t.Fatal(err)
		}
		in, err := ReadInputs(raw)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Compiler{Counter: tokens.Approximate{}}.Compile(in)
		if err != nil {
			continue // its critical part is over the budget
		}
		if err := throughCanonical(out, &out); err != nil {
			t.Fatal(err)
		}
		k := Kept{Ref: "sha256:" + strings.Repeat("0", 64), TraceID: "tr-0123456789abcdef", Inputs: in, Output: out}
		var text bytes.Buffer
		if err := WriteSnapshot(&text, k); err != nil {
			t.Fatalf("WriteSnapshot: %v", err)
		}
		return k, text.String()
	}
}

func TestASnapshotReplays(t *testing.T) {
	for seed := range uint64(50) {
		k, text := snapshotOf(t, seed*100)
		read, err := ReadSnapshot(strings.NewReader(text))
		if err != nil {
			t.Fatalf("ReadSnapshot: %v", err)
		}
		if diff := cmp.Diff(Texts(k.Output), Texts(read.Output)); diff != "" {
			t.Errorf("the snapshot says otherwise than the compile (-want +got):\n%s", diff)
		}
		if c := read.Compare(k); !c.Same || len(c.Changes) > 0 {
			t.Errorf("Compare = %+v, want no change", c)
		}
		if differ, err := replayer.Replay(read, nil); err != nil || len(differ) > 0 {
			t.Errorf("Replay = %v, %v, want no difference", differ, err)
		}
	}
}

func TestWhatIsChangedInASnapshotDiffers(t *testing.T) {
	k, _ := snapshotOf(t, 1)
	for member, change := range map[string]func(*Kept){
		"messages": func(k *Kept) { k.Output.Messages = k.Output.Messages[:len(k.Output.Messages)-1] },
		"tokens":   func(k *Kept) { k.Output.Tokens++ },
		"trace":    func(k *Kept) { k.Output.Trace.Retrieval.Neighbours++ },
	} {
		changed := k
		change(&changed)
		if differ, err := replayer.Replay(changed, nil); err != nil || !cmp.Equal(differ, []string{member}) {
			t.Errorf("with other %s, Replay = %v, %v, want it alone", member, differ, err)
		}
	}
	k.Inputs.Request.UserMessage += " Or else?"
	if differ, err := replayer.Replay(k, nil); err != nil || len(differ) == 0 {
		t.Errorf("with another question, Replay = %v, %v, want differences", differ, err)
	}
}

func TestReadSnapshotRefuses(t *testing.T) {
	_, text := snapshotOf(t, 1)
	for name, bad := range map[string]string{
		"nothing": "", "other JSON": `{"messages": []}`, "another form": strings.Replace(text, "snapshot/1", "snapshot/2", 1),
		"a part": text[:len(text)/2], "two": text + text,
	} {
		if _, err := ReadSnapshot(strings.NewReader(bad)); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
			t.Errorf("ReadSnapshot of %s = %v, want invalid", name, err)
		}
	}
}
