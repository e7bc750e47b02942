package ctxmcp

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Claim is the assertion of an object in a form that can be compared: subject, predicate, value.
type Claim struct {
	Subject   string `json:"subject" jsonschema:"minLength=1"`
	Predicate string `json:"predicate" jsonschema:"minLength=1"`
	Value     string `json:"value" jsonschema:"minLength=1"`
}

// IsZero reports whether nothing is claimed.
func (c Claim) IsZero() bool { return c == Claim{} }

// Slot returns the name of the claim's subject and predicate, the same for "Deploy Day" and "deploy  day". Two claims
// in one slot either agree, coexist or conflict.
func (c Claim) Slot() string {
	if c.IsZero() {
		return ""
	}
	return Normalize(c.Subject) + "\x1f" + strings.ReplaceAll(Normalize(c.Predicate), " ", "_")
}

// String returns the claim as "subject | predicate | value": the normalized_claim of the Context Object schema.
func (c Claim) String() string {
	if c.IsZero() {
		return ""
	}
	return c.Subject + " | " + c.Predicate + " | " + c.Value
}

// Normalize returns text for comparison: lower case, runs of white space and control characters as one space,
// underscores as spaces, no surrounding punctuation. It never makes two texts equal that differ in a letter, a digit or
// an inner sign.
func Normalize(text string) string {
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '_' || r == utf8.RuneError
	})
	return strings.Trim(strings.Join(fields, " "), " .,;:!?\"'")
}
