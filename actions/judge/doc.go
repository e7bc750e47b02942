// Package judge collects the reasons for and against a call: the effects that it would have, on whose word the values stand that
// decide them, whether the user asked for such an effect, and the sensitivity of the data that leaves with it.
//
// It owns no table of effects and no provenance: package effect and package taint do. It gives no verdict: the rules of package policy
// decide by its answers. It does no I/O.
//
// Its invariant: the same call in the same provenance is judged the same.
//
// The glossary of package ctxmcp defines the words.
package judge
