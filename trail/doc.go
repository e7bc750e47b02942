// Package trail shows a person the audit trail: who did which thing to what, and when.
//
// It refuses to show a person the lines of others. Services write the trail with their changes, in the same transaction; this package only
// reads it.
//
// The invariant: Query.Match is the specification of a store, and a line that it does not select is a fault, never an answer.
package trail
