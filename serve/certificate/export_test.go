package certificate

import (
	"log/slog"

	"golang.org/x/crypto/acme/autocert"
)

// ErrMissing says that nothing is kept under a name.
var ErrMissing = autocert.ErrCacheMiss

// Kept is the folder of certificates.
func Kept(dir string, s Sealer) autocert.Cache {
	return kept{autocert.DirCache(dir), s, slog.New(slog.DiscardHandler)}
}
