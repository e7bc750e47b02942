// Package wire is the short way from the process of a hook to the server of its data directory: a socket, over which one event goes and one answer
// comes, as fields with their lengths in front.
//
// It is part of every start of the program, so it imports next to nothing and does its work before the other packages are initialised.
// It refuses to start a server, or to judge: where nobody answers, the ordinary way of the command is taken.
package wire
