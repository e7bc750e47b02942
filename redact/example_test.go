package redact_test

import (
	"fmt"

	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Text replaces secrets, and returns a finding for each sort of them. Without a key no placeholder carries a fingerprint.
func ExampleRedactor_Text() {
	r := redact.New(nil).Without("EMAIL")
	text, found := r.Text("Pay to DE89370400440532013000, and write to ann@example.com.")
	fmt.Println(text)
	for _, f := range found {
		fmt.Println(f.Label, f.Count)
	}
	// Output:
	// Pay to [IBAN:REDACTED], and write to ann@example.com.
	// IBAN 1
}
