package envelope

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkWrap measures the whole way, redaction included, without the disk and the protocol. No two lines or records are
// the same.
func BenchmarkWrap(b *testing.B) {
	for _, size := range []int{1 << 10, 29 << 10, 5 << 20} {
		for _, c := range []struct{ name, open, separator, end, form string }{
			{"log", "", "\n", "", "2026-01-02 03:04:05 INFO request %d of %s served in %d ms"},
			{"json", "[", ",", "]", `{"id": %d, "user": "%s", "nested": {"took": %d, "url": "https://example.com/4711"}}`},
		} {
			text := filled(size, c.open, c.separator, c.end, c.form)
			b.Run(fmt.Sprintf("%s/%d", c.name, size), func(b *testing.B) {
				s, _ := service()
				in := Result{CallID: "c", Tool: "t", Value: quoted(text)}
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					wrap(b, s, in)
				}
			})
		}
	}
}

// BenchmarkQuestion measures a result whose reader asks something.
func BenchmarkQuestion(b *testing.B) {
	for _, size := range []int{29 << 10, 5 << 20} {
		text := filled(size, "", "\n", "", "2026-01-02 03:04:05 INFO request %d of %s served in %d ms")
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s, _ := service()
			in := Result{CallID: "c", Tool: "t", Value: quoted(text), Question: "Which request of the harbour took unusually long, and why?"}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				wrap(b, s, in)
			}
		})
	}
}

// filled returns records in a form, of about size bytes in all.
func filled(size int, open, separator, end, form string) string {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("amber birch cedar delta ember fjord grove haven inlet jetty kiosk lemon maple north olive pearl")
	var b strings.Builder
	b.WriteString(open)
	for b.Len() < size {
		if b.Len() > len(open) {
			b.WriteString(separator)
		}
		var name []string
		for range 5 {
			name = append(name, words[r.IntN(len(words))])
		}
		fmt.Fprintf(&b, form, r.IntN(1_000_000), strings.Join(name, " "), r.IntN(900))
	}
	return b.String() + end
}
