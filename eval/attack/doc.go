// Package attack sends a running server calls that mean harm, and reports their effect.
//
// It owns hostile calls: a Maker reads the tools and resources that a server publishes, and makes of a seed, a target and a
// number the same call again, by the types and names of the published arguments. A tool that is added is attacked without a word
// here; a name that the table kinds knows is attacked in more ways. A Campaign runs such calls against a Server, which is the
// real binary in a process with a bounded heap, while a neighbour in another tenant goes on with its work.
//
// It refuses to know the inside of the server: it counts only effects that it sees through HTTP, the log, /metrics or
// the operating system. Its invariant: the call behind a problem can be sent again from the one line that reports it.
package attack
