package redact

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// chunks reads a text in pieces of n bytes.
type chunks struct {
	rest string
	n    int
}

func (c *chunks) Read(p []byte) (int, error) {
	if c.rest == "" {
		return 0, io.EOF
	}
	n := copy(p, c.rest[:min(c.n, len(c.rest))])
	c.rest = c.rest[n:]
	return n, nil
}

func copied(t testing.TB, r *Redactor, text string, n int) string {
	t.Helper()
	var out strings.Builder
	if _, err := r.Copy(context.Background(), &out, &chunks{text, n}); err != nil {
		t.Fatalf("Copy: %v", err)
	}
	return out.String()
}

// shuffled is a long text of all samples and prose, in an order that depends on nothing.
func shuffled(t testing.TB, size int) string {
	t.Helper()
	order := rand.New(rand.NewPCG(1, 2))
	var samples []string
	for _, d := range detectors {
		for _, k := range d.Kinds {
			for _, sample := range samplesOf(k) {
				text, _, _ := parseSample(t, k.Label, sample)
				samples = append(samples, text)
			}
			samples = append(samples, k.No...)
		}
	}
	var all strings.Builder
	for all.Len() < size {
		all.WriteString(samples[order.IntN(len(samples))] + "\n" + strings.Repeat("so they went on, and on. ", order.IntN(20)) + "\n")
	}
	return all.String()
}

func TestCopyDoesNotDependOnHowTextArrives(t *testing.T) {
	r := New([]byte("key"))
	for name, text := range map[string]string{
		"all samples": shuffled(t, 3<<20), "one line of JSON": escapedJSON()[:3<<20], "no break": strings.Repeat("ab12", 1<<20),
		"short": "password=hunter2", "empty": "",
	} {
		want, _ := r.Text(text)
		for _, n := range []int{4097, 1 << 20} {
			if got := copied(t, r, text, n); got != want {
				t.Errorf("%s in chunks of %d differs from the whole", name, n)
			}
		}
	}
}

func TestALongTextIsRedactedAsItsPartsAre(t *testing.T) {
	r := New([]byte("key"))
	text := shuffled(t, 3<<20)
	got, findings := r.Text(text)
	want := r.whole(context.Background(), text, new(tally))
	if got != want {
		at := 0
		for got[at] == want[at] {
			at++
		}
		t.Errorf("piece by piece it differs at %d: %q, want %q", at, got[max(0, at-60):at+60], want[max(0, at-60):at+60])
	}
	if len(findings) < 50 {
		t.Errorf("found %d labels, want most of them", len(findings))
	}
	if again, _ := r.Text(got); again != got {
		at := 0
		for again[at] == got[at] {
			at++
		}
		t.Errorf("a second pass changed the text at %d: %q, want %q", at, again[max(0, at-200):at+60], got[max(0, at-200):at+60])
	}
}

// TestNoSampleSurvivesAtTheEndOfAPiece puts a sample of each detector where one piece ends and the next begins.
func TestNoSampleSurvivesAtTheEndOfAPiece(t *testing.T) {
	r := New([]byte("key"))
	for _, filler := range []string{"and so on, ", "and so on\n"} {
		head := strings.Repeat(filler, pieceSize/len(filler)+1)[:pieceSize]
		tail := "\n" + strings.Repeat(filler, (lookAhead+pieceSize)/len(filler))
		var text strings.Builder
		for _, d := range detectors {
			for _, k := range d.Kinds[:min(1, len(d.Kinds))] {
				sample, _, secrets := parseSample(t, k.Label, samplesOf(k)[0])
				cut := len(sample) / 2
				text.Reset()
				text.WriteString(head[:pieceSize-cut-1] + "\n" + sample + tail)
				got, _ := r.Text(text.String())
				checkGone(t, k.Label+" at the end of a piece", got[pieceSize-2*len(sample)-80:min(len(got), pieceSize+2*len(sample))], secrets)
			}
		}
	}
}

func TestALongDocumentStaysJSON(t *testing.T) {
	r := New([]byte("key"))
	var doc strings.Builder
	doc.WriteString(`{"rows":[`)
	for i := 0; doc.Len() < 3<<20; i++ {
		if i > 0 {
			doc.WriteString(",")
		}
		doc.WriteString(`{"pan":4242424242424242,"password":12345678,"note":"say \"pan\": 4242424242424242"}`)
	}
	doc.WriteString(`]}`)
	got, _ := r.Text(doc.String())
	if !isJSON(got) || strings.Contains(got, "4242424242") || strings.Contains(got, "12345678") {
		t.Errorf("got %.300s…, want JSON without numbers", got)
	}
}

func TestCopyHoldsLittle(t *testing.T) {
	var before, after runtime.MemStats
	r := New([]byte("key"))
	src := io.LimitReader(&endless{text: []byte(strings.Repeat("a line of ordinary text, and what follows it\n", 100) + "password=hunter2\n")}, 24<<20)
	runtime.ReadMemStats(&before)
	peak := uint64(0)
	dst := writerFunc(func(p []byte) (int, error) {
		runtime.ReadMemStats(&after)
		peak = max(peak, after.HeapAlloc)
		return len(p), nil
	})
	if _, err := r.Copy(context.Background(), dst, src); err != nil {
		t.Fatalf("Copy: %v", err)
	}
	if grown := int64(peak) - int64(before.HeapAlloc); grown > 16<<20 {
		t.Errorf("24 MB were copied with %d MB of heap, want less than 16", grown>>20)
	}
}

type endless struct {
	text []byte
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[e.at%len(e.text)]
		e.at++
	}
	return len(p), nil
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestWhatFailsIsAnErrorAndNeverTheText(t *testing.T) {
	r := New([]byte("key"))
	broken := errors.New("broken")
	text := strings.Repeat("password=hunter2\n", 1<<17)
	var out bytes.Buffer
	if _, err := r.Copy(context.Background(), &out, io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: error %v, want %v", err, broken)
	}
	if bytes.Contains(out.Bytes(), []byte("hunter2")) {
		t.Errorf("a reader that fails: the raw text was written")
	}
	failing := writerFunc(func([]byte) (int, error) { return 0, broken })
	if _, err := r.Copy(context.Background(), failing, strings.NewReader(text)); !errors.Is(err, broken) {
		t.Errorf("a writer that fails: error %v, want %v", err, broken)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out.Reset()
	if _, err := r.Copy(ctx, &out, strings.NewReader(text)); !errors.Is(err, context.Canceled) || out.Len() > 0 {
		t.Errorf("a cancelled copy: error %v and %d bytes, want %v and none", err, out.Len(), context.Canceled)
	}
	w := r.Writer(context.Background(), &out)
	if err := w.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	if _, err := w.Write([]byte("x")); err == nil {
		t.Errorf("a closed writer took text")
	}
}
