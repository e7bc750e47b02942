package audit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkAudit audits texts of 18 words, each of another: 10,000 records an operation.
func BenchmarkAudit(b *testing.B) {
	rnd := rand.New(rand.NewPCG(7, 8))
	records := make([]Record, 10_000)
	for i := range records {
		words := make([]string, 18)
		for j := range words {
			words[j] = fmt.Sprintf("word%d", rnd.IntN(5000))
		}
		records[i] = Record{ID: fmt.Sprint("id", i), Group: fmt.Sprint("u", i%7), Content: strings.Join(words, " ")}
	}
	for b.Loop() {
		report(b, plain(), records)
	}
}
