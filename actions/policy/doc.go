// Package policy decides what becomes of an action: rules in Cedar in, a verdict with its rule and its why out.
//
// It owns the schema that rules are written against, the annotations that turn Cedar's two answers into five, and their
// precedence. It refuses to look anything up: the accumulator hands it all that a decision depends on, as an Input.
//
// # Invariants
//
// Decide is pure: the same Set and the same Input give the same Decision.
//
// Nothing fails open. A rule that errs, because it needs a field that is not known or for another reason, is a defer;
// a failure of the engine is a deny; an action that no rule speaks of gets the configured default.
//
// A Set holds no rule that the schema refuses: a field that does not exist, a duplicate and an unknown annotation are errors
// when it is loaded.
package policy
