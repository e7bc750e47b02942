// Package ctxmcp is the language of ctx-mcp: the values that every other package speaks.
//
// # Words
//
// A ContextObject is one managed piece of state. Its tenure is the set of fields that say where it counts
// (Scope, Layer), who said it (Source, Authority), how long it holds (valid time), when the system held it
// (transaction time), who may see it (Classification, PermissionScope) and how it ends (RetirementRule).
//
// A fact is a line of objects about one thing: an object that supersedes another joins its fact. A version is one
// immutable row of an object; an update closes a version and inserts the next.
//
// A Caller is who asks, resolved once at the edge from a token or from the configuration. A namespace is the written
// form of a Scope: "user_42:project_x:session_abc:task_1".
//
// # Glossary
//
// The words of the product and of the field that packages share.
//
//   - Act: the effect that a statement has on earlier ones: it ends, replaces or withdraws one of them.
//   - Authority: the standing of whoever said something, from a retrieved text up to the platform. It follows from the channel.
//   - Breakpoint: the end of a part of a prompt that a provider is asked to cache.
//   - Candidate: an object that may answer a question or enter a prompt, before the gates have looked at it.
//   - Claim: a subject, a predicate and a value that a statement asserts.
//   - Digest: the one turn that stands in a reduced conversation for all that was moved out of it.
//   - Echo: an action that carries out a sentence of a tool's result that the user did not ask for.
//   - Effect: the change that an action makes outside of the session.
//   - Epoch: one reduction of a conversation, between two watermarks. Messages that were returned are edited in an epoch only.
//   - Evidence: the observations that a judgement rests on: the features of a candidate, or the place where a value of an action was seen.
//   - Packet: the sealed record of what a model was shown, with its inputs and sources, under the digest of its canonical form.
//   - Passage: a stretch of a text that can be shown or judged by itself.
//   - Provenance: the record of where each value of an action was seen.
//   - Rung: a step of the ladder from an observation to a constraint; it says how binding a text is for a model.
//   - Scope: the tenant, user, project, session and task in which something counts.
//   - Slot: the subject and the predicate of a claim, in one normal form. Two claims in one slot contest the time that both claim.
//   - Supersession: the end of a version because another takes its place. Both stay, and are linked.
//   - Tenure: the fields of an object that say where, by whom, how long and for whom it holds.
//   - Transaction time: the interval in which the system held a version.
//   - Valid time: the interval in which a statement is true.
//   - Watermark: a share of a model's window at which an epoch begins, or down to which it goes.
//   - Zone: a part of a prompt, by how long it stays the same, or of a conversation, by whether it may be reduced.
//
// # What belongs here
//
// A type lives here if two packages speak it and it is a value: no I/O, no clock, no randomness, no goroutine. The
// package imports the standard library only.
package ctxmcp
