//go:build !linux && !darwin

package wire

import "path/filepath"

// Path returns the path of the socket in a data directory.
func Path(dir string) (path string, done func()) { return filepath.Join(dir, SocketName), func() {} }

// Relay reports that nobody answers: here every hook takes the ordinary way.
func Relay(string, ...[]byte) ([][]byte, bool) { return nil, false }
