package entities_test

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// BenchmarkExtract finds the names in a text of two sentences.
func BenchmarkExtract(b *testing.B) {
	text := "Yesterday Samuel Ortiz (Sam) asked the payments team about Kafka, which runs in the Chicago office. " +
		"We agreed that the invoices go out on Mondays and that nobody changes the template before June."
	for b.Loop() {
		entities.Extract(text)
	}
}
