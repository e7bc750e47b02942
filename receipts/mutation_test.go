package receipts_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	mutations = flag.Int("mutations", 1000, "how many random mutations of bundles both verifiers are shown")
	seed      = flag.Uint64("mutation-seed", 1, "of the mutations")
)

// specimen is a valid bundle, with the number of its keys and of the head that verify it.
type specimen struct {
	name string
	text []byte
	keys int // of the owner
	head int // that was kept; -1: none
}

// collection is specimens of two installations, one of which rotated its key.
type collection struct {
	all   []specimen
	keys  [][]ed25519.PublicKey
	pem   []string
	heads []string
}

func collect(t *testing.T) *collection {
	c := &collection{}
	for owner := range 2 {
		b := newBench(t, uint64(owner)+1)
		b.session(t, "one", 3)
		early := b.export(t)
		b.session(t, "two", 2)
		if owner == 0 {
			if _, err := b.Rotate(context.Background(), false); err != nil {
				t.Fatal(err)
			}
		}
		b.session(t, "three", 4)
		head, err := b.Head(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		c.heads = append(c.heads, string(head))
		c.keys = append(c.keys, b.keys(t))
		infos, err := b.ring.List()
		if err != nil {
			t.Fatal(err)
		}
		pem := ""
		for _, k := range infos {
			pem += string(k.PEM)
		}
		c.pem = append(c.pem, pem)
		c.all = append(c.all, specimen{fmt.Sprint("log ", owner), b.export(t), owner, owner}, specimen{fmt.Sprint("early ", owner), early, owner, -1})
		for _, session := range []string{"one", "two", "three"} {
			c.all = append(c.all, specimen{fmt.Sprintf("session %s %d", session, owner), b.exportSession(t, session), owner, owner})
		}
	}
	return c
}

// mutation changes a bundle. It may return it unchanged, and is then tried again.
type mutation struct {
	name string
	do   func(r *rand.Rand, text []byte, others []specimen) []byte
}

var mutationKinds = []mutation{
	{"flip a bit", func(r *rand.Rand, text []byte, _ []specimen) []byte {
		text[r.IntN(len(text))] ^= 1 << r.IntN(8)
		return text
	}},
	{"change a byte to another letter", func(r *rand.Rand, text []byte, _ []specimen) []byte {
		const letters = `ABab01+/="{},: ` + "\n"
		text[r.IntN(len(text))] = letters[r.IntN(len(letters))]
		return text
	}},
	{"insert a byte", func(r *rand.Rand, text []byte, _ []specimen) []byte {
		return slices.Insert(text, r.IntN(len(text)+1), byte(r.IntN(256)))
	}},
	{"remove some bytes", func(r *rand.Rand, text []byte, _ []specimen) []byte {
		i := r.IntN(len(text))
		return slices.Delete(text, i, min(len(text), i+1+r.IntN(40)))
	}},
	{"cut the end off", func(r *rand.Rand, text []byte, _ []specimen) []byte { return text[:r.IntN(len(text))] }},
	{"remove a line", onLines(func(r *rand.Rand, lines [][]byte, _ []specimen) [][]byte {
		i := r.IntN(len(lines))
		return slices.Delete(lines, i, i+1)
	})},
	{"cut the last lines", onLines(func(r *rand.Rand, lines [][]byte, _ []specimen) [][]byte { return lines[:1+r.IntN(len(lines)-1)] })},
	{"swap two lines", onLines(func(r *rand.Rand, lines [][]byte, _ []specimen) [][]byte {
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
		return lines
	})},
	{"replay a line", onLines(func(r *rand.Rand, lines [][]byte, _ []specimen) [][]byte {
		return slices.Insert(lines, 1+r.IntN(len(lines)), lines[r.IntN(len(lines))])
	})},
	{"a line of another bundle", onLines(func(r *rand.Rand, lines [][]byte, others []specimen) [][]byte {
		return slices.Insert(lines, 1+r.IntN(len(lines)), lineOf(r, others))
	})},
	{"a line of another bundle in place of one", onLines(func(r *rand.Rand, lines [][]byte, others []specimen) [][]byte {
		lines[r.IntN(len(lines))] = lineOf(r, others)
		return lines
	})},
	{"the header of another bundle", onLines(func(r *rand.Rand, lines [][]byte, others []specimen) [][]byte {
		lines[0] = linesOf(others[r.IntN(len(others))].text)[0]
		return lines
	})},
	{"the whole tail cut, with a head that was right once", func(_ *rand.Rand, text []byte, others []specimen) []byte {
		if lines := linesOf(text); len(lines) == len(linesOf(others[0].text)) { // the log
			return slices.Clone(others[1].text)
		}
		return text
	}},
}

func linesOf(text []byte) [][]byte {
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

func lineOf(r *rand.Rand, others []specimen) []byte {
	lines := linesOf(others[r.IntN(len(others))].text)
	return lines[r.IntN(len(lines))]
}

func onLines(do func(r *rand.Rand, lines [][]byte, others []specimen) [][]byte) func(*rand.Rand, []byte, []specimen) []byte {
	return func(r *rand.Rand, text []byte, others []specimen) []byte {
		lines := do(r, linesOf(text), others)
		if len(lines) == 0 {
			return nil
		}
		return append(bytes.Join(lines, []byte("\n")), '\n')
	}
}

// equivalent reports whether the changed text is a bundle that somebody could have been given all the same.
func (c *collection) equivalent(of specimen, text []byte) bool {
	return slices.ContainsFunc(c.all, func(s specimen) bool {
		return bytes.Equal(s.text, text) && s.keys == of.keys && (s.head == of.head || of.head < 0)
	})
}

// TestEveryMutationIsDetected shows both verifiers bundles that were changed at random, with whole ones in between: every
// change is found, by both, and no whole bundle is refused. -mutations says how many.
func TestEveryMutationIsDetected(t *testing.T) {
	c := collect(t)
	python := startPython(t, c, false)
	r := rand.New(rand.NewPCG(*seed, 2))
	counts, whole := map[string]int{}, 0
	for n := 0; n < *mutations; {
		s := c.all[r.IntN(len(c.all))]
		if n%10 == 0 {
			c.want(t, python, s, s.text, "", true)
			whole++
		}
		kind := mutationKinds[r.IntN(len(mutationKinds))]
		text := kind.do(r, bytes.Clone(s.text), c.all)
		if c.equivalent(s, text) {
			continue
		}
		c.want(t, python, s, text, kind.name, false)
		counts[kind.name]++
		n++
		if t.Failed() {
			return
		}
	}
	for _, kind := range mutationKinds {
		t.Logf("%6d  %s", counts[kind.name], kind.name)
		if counts[kind.name] == 0 {
			t.Errorf("no bundle was changed to %s", kind.name)
		}
	}
	t.Logf("%6d  whole bundles, all valid", whole)
}

// want compares the answers of the verifiers with the truth.
func (c *collection) want(t *testing.T, python *pythonVerifier, s specimen, text []byte, how string, valid bool) {
	t.Helper()
	var kept []byte
	if s.head >= 0 {
		kept = []byte(c.heads[s.head])
	}
	if _, err := verify(text, c.keys[s.keys], kept); (err == nil) != valid {
		t.Errorf("Go: %s, %s: %v\n%s", s.name, how, err, text)
	}
	if python == nil {
		return
	}
	if said := python.verify(t, s, text); (said == "valid") != valid {
		t.Errorf("Python: %s, %s: %s\n%s", s.name, how, said, text)
	}
}

// TestOpenSSL: the second verifier says the same without the package cryptography.
func TestOpenSSL(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("there is no openssl")
	}
	c := collect(t)
	python := startPython(t, c, true)
	if python == nil {
		t.Skip("there is no python3")
	}
	s := c.all[2]
	if said := python.verify(t, s, s.text); said != "valid" {
		t.Errorf("a whole bundle: %s", said)
	}
	s.keys = 1
	if said := python.verify(t, s, s.text); said == "valid" {
		t.Error("another key is taken")
	}
}

// TestPythonProgram: the second verifier is a program with exit codes that a script can go by.
func TestPythonProgram(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	c := collect(t)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	bundle, early, keys, head := file("log", string(c.all[0].text)), file("early", string(c.all[1].text)), file("pem", c.pem[0]), file("head", c.heads[0])
	for name, test := range map[string]struct {
		args []string
		want int
	}{
		"valid":          {[]string{bundle, "--key", keys}, 0},
		"with a head":    {[]string{bundle, "--key", keys, "--head", head}, 0},
		"older, alone":   {[]string{early, "--key", keys}, 0},
		"older, beside":  {[]string{early, "--key", keys, "--head", head}, 1},
		"changed":        {[]string{file("changed", strings.Replace(string(c.all[0].text), "A", "B", 1)), "--key", keys}, 1},
		"other key":      {[]string{bundle, "--key", file("other", c.pem[1])}, 1},
		"no such file":   {[]string{filepath.Join(dir, "none"), "--key", keys}, 2},
		"not a key file": {[]string{bundle, "--key", head}, 2},
	} {
		out, err := exec.Command(python, append([]string{"-B", "../docs/verify_receipts.py"}, test.args...)...).CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		got := 0
		if exit != nil {
			got = exit.ExitCode()
		}
		if got != test.want {
			t.Errorf("%s: exit %v, want %d\n%s", name, err, test.want, out)
		}
	}
}

// pythonVerifier is docs/verify_receipts.py in a process.
type pythonVerifier struct {
	in  io.Writer
	out *bufio.Reader
}

// startPython returns the second verifier, or nil where there is no Python.
func startPython(t *testing.T, c *collection, openssl bool) *pythonVerifier {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Log("there is no python3: only the verifier in Go is tried")
		return nil
	}
	cmd := exec.Command(path, "testdata/many.py")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, said.String())
		}
	})
	given, err := json.Marshal(map[string]any{"keys": c.pem, "heads": c.heads, "openssl": openssl})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(append(given, '\n')); err != nil {
		t.Fatal(err)
	}
	return &pythonVerifier{in, bufio.NewReader(out)}
}

func (p *pythonVerifier) verify(t *testing.T, s specimen, text []byte) string {
	t.Helper()
	if _, err := fmt.Fprintf(p.in, "%d %d %d\n%s", s.keys, s.head, len(text), text); err != nil {
		t.Fatal(err)
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("the verifier in Python ended: %v", err)
	}
	return strings.TrimSpace(line)
}

// FuzzVerify: Verify answers for any bytes, and says valid only of the bundle that was written.
func FuzzVerify(f *testing.F) {
	b := newBench(f, 1)
	b.session(f, "s", 2)
	whole := b.export(f)
	f.Add(whole)
	keys := b.keys(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := verify(text, keys, nil); err == nil && !bytes.Equal(text, whole) {
			t.Errorf("a bundle that nobody wrote is valid: %q", text)
		}
	})
}

func BenchmarkVerify10000(b *testing.B) {
	bench := newBench(b, 1)
	for i := range 9_999 {
		bench.append(b, decision(fmt.Sprint("s", i/20), i%20+1), nil)
	}
	bundle, keys := bench.export(b), bench.keys(b)
	for b.Loop() {
		if got, err := verify(bundle, keys, nil); err != nil || got.Receipts != 10_000 {
			b.Fatal(got, err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	bench := newBench(b, 1)
	n := 0
	for b.Loop() {
		n++
		bench.append(b, decision(fmt.Sprint("s", n/20), n%20+1), parameters(n))
	}
}
