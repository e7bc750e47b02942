package policy

import (
	_ "embed"
	"slices"

	"github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/x/exp/schema"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"
	"github.com/cedar-policy/cedar-go/x/exp/schema/validate"
)

// Schema holds the types that rules are checked against, in Cedar's own form, with comments.
//
//go:embed schema.cedarschema
var Schema string

var (
	resolvedSchema = mustResolve(Schema)
	validator      = validate.New(resolvedSchema, validate.WithStrict())
)

func mustResolve(text string) *resolved.Schema {
	var s schema.Schema
	s.SetFilename("schema.cedarschema")
	if err := s.UnmarshalCedar([]byte(text)); err != nil {
		panic(err) // the embedded file is tested
	}
	r, err := s.Resolve()
	if err != nil {
		panic(err)
	}
	return r
}

// Signals lists the names of the signals that a rule can speak of, sorted.
func Signals() []string {
	context := resolvedSchema.Actions[cedar.NewEntityUID("Action", "read")].AppliesTo.Context
	var names []string
	for name := range context["signals"].Type.(resolved.RecordType) {
		names = append(names, string(name))
	}
	slices.Sort(names)
	return names
}
