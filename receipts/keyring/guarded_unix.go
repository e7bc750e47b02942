//go:build !windows

package keyring

import (
	"io/fs"
	"os"
	"syscall"
)

// Guarded reports whether nobody can read the file of a key but its owner. The process's group may read one that another account gave: a Kubernetes
// Secret is such a file for a process that is not root.
func Guarded(info fs.FileInfo) bool {
	others := fs.FileMode(0o077)
	if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) != os.Getuid() {
		others = 0o037
	}
	return info.Mode().Perm()&others == 0
}
