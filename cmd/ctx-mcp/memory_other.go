//go:build !linux

package main

import "github.com/ctx-mcp/ctx-mcp/serve/admission"

// resourceLimits returns none: how much of one is used is known on Linux only.
func resourceLimits() []admission.Gauge { return nil }
