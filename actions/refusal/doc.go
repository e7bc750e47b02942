// Package refusal tells whether a call of a tool goes against a refusal of the user, or further than the request.
//
// It owns the refusals in statements of a user (a kind of act, the objects that it is about, and its end by a later word), the degrees of deeds (a request
// for a review is none for a merge), and the acts of a call, by tables of commands and of verbs. It refuses nothing itself: it returns the sentence that a call goes against. A call that only reads, tests or builds
// has no act that a refusal of change is about.
//
// The glossary of package ctxmcp defines the words.
package refusal
