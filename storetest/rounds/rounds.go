// Package rounds tells the tests of random or of many cases how many to make: as many as find a mistake in a change, in every run of the suite, or
// several times as many where TEST_LONG is set, as make test-long sets it. The few are the first of the many.
package rounds

import "os"

// Of returns the usual number of cases, or the long one where TEST_LONG is set.
func Of(usual, long int) int {
	if os.Getenv("TEST_LONG") != "" {
		return long
	}
	return usual
}
