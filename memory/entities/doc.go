// Package entities resolves the names in a text: mention, candidates, score, and then one with a known entity, a
// question for review, or new.
//
// A name is a node of its own in the place where it was said; that two names are of one thing is an edge between their
// nodes, and the root of the edges is the canonical entity. A merge adds an edge, a split takes it away, and neither moves
// a name or touches a memory, so that each can be taken back without loss. A node is versioned like an object of memory:
// immutable but for its end.
//
// The package owns the rules, and does no I/O: a store implements Registry, and carries out a Change together with the
// write of the memory that it comes from. It refuses to guess: a false merge is worse than a missed one, and a likely one
// waits for review. Retrieved text changes nothing that is known on higher authority.
//
// The glossary of package ctxmcp defines the words.
package entities
