// Package schema derives JSON Schemas from Go types, and checks JSON against them in words that a model can act on.
//
// It owns the dialect: draft 2020-12, inlined, closed for input and open for output; bounded vocabularies become
// enums from the one list where their words are written. It refuses hand-written schemas: a field that is not in the
// Go type does not exist.
package schema
