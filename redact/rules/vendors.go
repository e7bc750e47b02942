package rules

import (
	"regexp"

	"github.com/ctx-mcp/ctx-mcp/redact"
)

// gitleaks ends its expressions with the characters that may follow a token, and misses one before a comma, a bracket or a tag.
const (
	ending = "(?:[\\x60'\"\\s;]|\\\\[nr]|$)"
	wider  = "(?:[^0-9A-Za-z_+/=-]|$)"
)

// vendor is a rule of the table in vendor_table.go, which a test makes of vendors.toml, the part of gitleaks' table that is followed (MIT, see NOTICE): the
// program begins without reading any file.
type vendor struct {
	id       string
	regex    string
	group    int
	entropy  float64
	keywords []string
	stop     []string // words of which a secret holds none, in lower case
	allow    []string // expressions of texts that are no secret
}

// Vendors returns the table of gitleaks, some two hundred vendors. It compiles no expression before a text has one of
// the rule's keywords: all of them would cost every start of the server more than the rest of it. The tests check
// that they compile, since the table is part of the binary.
func Vendors() ([]redact.Rule, error) {
	list := make([]redact.Rule, len(vendors))
	for i := range vendors {
		v := &vendors[i]
		list[i] = redact.Rule{ID: v.id, Label: redact.VendorSecret, Keywords: v.keywords, Group: v.group, Entropy: v.entropy, Stop: v.stop, Compile: v.compile}
	}
	return list, nil
}

// compile compiles the expressions.
func (v *vendor) compile() redact.Expression {
	made := redact.Expression{Regex: regexp.MustCompile(v.regex)}
	for _, text := range v.allow {
		made.Allow = append(made.Allow, regexp.MustCompile(text))
	}
	return made
}
