//go:build !linux

package actions_test

import "time"

// processorTime is known on Linux alone.
func processorTime() time.Duration { return 0 }
