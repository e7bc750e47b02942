// Package fields selects parts of a JSON document: by the name of a field, or by a JSONPath of RFC 9535.
//
// It owns the walk through a document as a stream, so that a part of a large one is found without holding the rest. It
// refuses to hold, or to look at, more than its limits: the answer of a path is counted on the way, before it is built, so
// that no path and no document can cost more than a second or two and a few times the document's size, and the walk ends
// with its context. A library checks every path by the grammar of JSONPath; this package evaluates it.
package fields
