// Package golden compares what tests make with files, and rewrites those files under -update, for the tests of all packages.
//
// It owns the flag -update. Its invariant: a file that differs fails the test, unless the flag is given.
package golden
