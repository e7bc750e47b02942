package fieldname_test

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp/artifacts/fieldname"
)

// TestIn: a name meets its forms, one value is told with its place, several or none are not.
func TestIn(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		mention    fieldname.Mention
		value      string
		path       string
		line       int
	}{
		{"due_date", "Paid.\nDue date: 2026-12-01\n", fieldname.Valued, `"2026-12-01"`, "", 2},
		{"dueDate", `{"invoice":{"due-date":"2026-12-01"}}`, fieldname.Valued, `"2026-12-01"`, "$.invoice.due-date", 0},
		{"invoice total", `{"invoice":{"total":12}}`, fieldname.Valued, `12`, "$.invoice.total", 0},
		{"sku", `[{"sku":1},{"sku":2}]`, fieldname.Named, "", "", 0},
		{"order no", "Order No;City\n991;Delft", fieldname.Valued, `"991"`, "", 2},
		{"city", "Order No;City\n991;Delft\n992;Gouda", fieldname.Named, "", "", 0},
		{"item", "Item: a\nItem: b", fieldname.Named, "", "", 0},
		{"total", "The total is given below.", fieldname.Named, "", "", 0},
		{"shipping address", "The address follows.", fieldname.Partly, "", "", 0},
		{"iban", "Pay in cash.", fieldname.Unsaid, "", "", 0},
		{"iban", "Pay to [IBAN:REDACTED] please", fieldname.Named, "", "", 0},
		{"iban", "IBAN: [IBAN:REDACTED]", fieldname.Valued, `"[IBAN:REDACTED]"`, "", 1},
		{"--", "Pay -- in cash.", fieldname.Unsaid, "", "", 0},
	} {
		got := fieldname.Parse(tt.name).In(tt.text)
		if got.Mention != tt.mention || string(got.Value) != tt.value || got.Path != tt.path || got.Line != tt.line {
			t.Errorf("%q in %q: %+v", tt.name, tt.text, got)
		}
	}
}
