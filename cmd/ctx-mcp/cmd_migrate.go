package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/bucket"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/postgres"
)

// move is what ctx-mcp migrate was asked for.
type move struct {
	from, to       string
	dryRun, asJSON bool
}

func migrateCommand(sys *system, c *config.Config) *cobra.Command {
	var m move
	cmd := &cobra.Command{
		Use:   "migrate --from PLACE --to PLACE",
		Short: "Move a store to another database, or the bytes of artifacts to another place",
		Long: `Move all rows of a store to an empty database: --from sqlite:DIR --to postgres://user@host/database, or the other way. DIR is the data directory. Its keys,
the head of its receipts and its blobs are no rows: they stay there and serve the new database too. Or copy the bytes of artifacts: --from files:FOLDER
--to s3://bucket/prefix?endpoint=…, or the other way; the blobs of a data directory are in its folder blobs.

Stop the servers first; a store that another ctx-mcp uses is refused. A run that was cut off, by Ctrl-C too, goes on where it was when the same command is
run again; until it is finished, no server opens the target. At the end the digests of every table are compared, and the log of receipts is verified anew. The source is only
read, but for the step of the schema that a server of this version would make as well.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case m.from == "" || m.to == "":
				return usage("name where to read and what to fill: --from PLACE --to PLACE")
			case isRows(m.from) && isRows(m.to):
				return m.rows(cmd.Context(), sys, c)
			case isBytes(m.from) && isBytes(m.to):
				return m.bytes(cmd.Context(), sys, c)
			}
			return usage("name two databases (sqlite:DIR, postgres://…) or two places of bytes (files:FOLDER, s3://…) with --from and --to")
		},
	}
	cmd.Flags().StringVar(&m.from, "from", "", "`place` that is read")
	cmd.Flags().StringVar(&m.to, "to", "", "`place` that is filled")
	cmd.Flags().BoolVar(&m.dryRun, "dry-run", false, "check both places and count, but move nothing")
	jsonFlag(cmd, &m.asJSON)
	return mayTakeLong(cmd, "the same command goes on where it was")
}

// The beginnings of places on this machine.
const (
	placeSQLite = "sqlite:"
	placeFiles  = "files:"
)

func isRows(place string) bool {
	return strings.HasPrefix(place, placeSQLite) || postgres.IsAddress(place)
}

func isBytes(place string) bool {
	return strings.HasPrefix(place, placeFiles) || bucket.IsAddress(place)
}

// folderOf returns the folder that a place on this machine names.
func folderOf(place, beginning string) (string, error) {
	dir := strings.TrimPrefix(strings.TrimPrefix(place, beginning), "//")
	if dir == "" {
		return "", usage("%q names no folder", place)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the folder %s: %w", dir, err)
	}
	return abs, nil
}

// nameOf returns a place without a password, for messages.
func nameOf(place string) string {
	switch {
	case postgres.IsAddress(place):
		return postgres.Name(place)
	case bucket.IsAddress(place):
		return bucket.Name(place)
	}
	return place
}
