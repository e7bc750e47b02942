// Package fields selects parts of a JSON document: by the name of a field, or by a JSONPath of RFC 9535.
//
// It owns the walk through a document as a stream, so that a part of a large one is found without holding the rest. It
// refuses to hold more than its limits. JSONPath itself, its grammar and its selectors, is a library's.
package fields
