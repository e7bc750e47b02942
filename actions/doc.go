// Package actions keeps the running record of what an agent does in a session, and judges each next action in the light of
// all before it: the context accumulator of AARM (Autonomous Action Runtime Management).
//
// It owns the sessions and their logs, the risk signals with their evidence, the actions that wait for a decision, the
// classifications of the data that was read, and the summary of a long history. Package taint knows where values come from. It
// refuses to decide: a Decider does, from the signals. It reads nothing but what the caller gives it: the request, each action,
// each result.
//
// Its invariant: an action is on disk with its decision before the caller learns of the decision, and the state of a session
// is a fold over its log, so that a restart changes no byte of it.
//
// The glossary of package ctxmcp defines the words.
package actions
