package main

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"runtime"

	"github.com/ctx-mcp/ctx-mcp"
)

// guardDirectory refuses a data directory that everybody can write, because anybody could put another database in its place,
// or a key. It warns of one that its group can write, for some are shared on purpose. A directory that does not exist is
// made with tight permissions.
func guardDirectory(dir string, logger *slog.Logger) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) || runtime.GOOS == "windows": // which has no such permissions
		return nil
	case err != nil:
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the data directory %s cannot be looked at", dir).WithCause(err)
	case info.Mode().Perm()&0o002 != 0:
		return ctxmcp.Errorf(ctxmcp.CodeDenied, "everybody can write in the data directory %s", dir).WithHint("run: chmod go= %s", quoted(dir))
	case info.Mode().Perm()&0o020 != 0:
		logger.Warn("the group can write in the data directory", "dir", dir, "run", "chmod g-w "+quoted(dir))
	}
	return nil
}
