// Package release makes what people install out of a built binary: archives, packages for npm and Debian, a bundle for desktop clients, an image,
// a formula, and the files that describe and vouch for them.
//
// It owns the table of platforms and the forms of the packages. It builds nothing and publishes nothing: make, below it, calls the compiler, and a
// workflow uploads the files.
//
// Its invariant: the same binaries, version and time make the same bytes. No file holds the clock, the account or the folder of the machine.
package release
