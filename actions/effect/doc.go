// Package effect tells what a call of a tool would do to the world, and which of its arguments decide that.
//
// It owns the classes of effects and the tables from which a call is classified: commands of shells with their subcommands and flags,
// commands and tools that give out a secret, names of tools by verb and object, operations of clouds, statements of SQL, paths and addresses. A row of a table carries a sample that
// a test holds it against. It knows no session and no user: whether somebody asked for an effect, and where its values are from, is for
// others. It does no I/O.
//
// Its invariant: the same call gives the same effects, in the same order, and a call has at least one.
package effect
