// Package program begins and ends the programs that measure and fit.
//
// It owns the flags' reading, the interrupt, and the line for an error. It refuses to know the purpose of a program. Its invariant: a
// program that fails has named itself and its error, and its exit code is 1.
package program
