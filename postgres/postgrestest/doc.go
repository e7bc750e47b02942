// Package postgrestest starts a PostgreSQL server for the tests of one program, from the programs that are installed, and ends it with them.
//
// The server listens on a socket below a temporary folder only, runs as a user without rights, and does not wait for the disk.
package postgrestest
