// Package golden compares the output of tests with files, rewrites those files under -update, and reads files for tests, in all packages.
//
// It owns the flag -update. Its invariant: a file that differs fails the test, unless the flag is given.
package golden
