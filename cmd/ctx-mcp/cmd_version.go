package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

func versionCommand(sys *system) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			report := versionReport{version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, sqlite.Library}
			return answer(sys, asJSON, report, "%s", fullVersion())
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// fullVersion returns the version, the compiler, the platform and SQLite's library, on one line.
func fullVersion() string {
	return fmt.Sprintf("ctx-mcp %s %s %s/%s, %s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH, sqlite.Library)
}
