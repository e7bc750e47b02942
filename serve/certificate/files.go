package certificate

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// lookEvery is the least time between two looks at the files.
const lookEvery = time.Second

// Files is a certificate, with its chain, and its key in two PEM files. Get looks at the files at most once a second, and takes them up
// when they have changed. If they cannot be used, the pair before stays in force, and the log says why, once for each change.
type Files struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger

	mu     sync.Mutex
	pair   *tls.Certificate
	read   stamp     // of the files that were read last, whether they could be used or not
	looked time.Time // when the files were looked at last
}

// OpenFiles reads the pair. It returns CodeUnavailable if the files cannot be read or do not belong together, and CodeDenied if other
// accounts can read the key. A nil logger is none.
func OpenFiles(cert, key string, now func() time.Time, log *slog.Logger) (*Files, error) {
	f := &Files{cert: cert, key: key, now: now, log: cmp.Or(log, slog.New(slog.DiscardHandler))}
	at, err := f.stamp()
	if err != nil {
		return nil, err
	}
	if f.pair, err = load(cert, key); err != nil {
		return nil, err
	}
	f.read, f.looked = at, now()
	return f, nil
}

// Get returns the certificate in force. It has the form of tls.Config.GetCertificate, and never fails.
func (f *Files) Get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := f.now(); now.Sub(f.looked) >= lookEvery || now.Before(f.looked) {
		f.looked = now
		f.look()
	}
	return f.pair, nil
}

// Expires returns the instant at which the certificate in force ends.
func (f *Files) Expires() time.Time {
	pair, _ := f.Get(nil)
	return pair.Leaf.NotAfter
}

// look takes the files up if they have changed. The stamp is taken before they are read: a change in between is seen at the next look.
func (f *Files) look() {
	at, err := f.stamp()
	if err == nil && at.same(f.read) {
		return
	}
	var pair *tls.Certificate
	if err == nil {
		pair, err = load(f.cert, f.key)
	}
	if err != nil {
		if !at.same(f.read) {
			f.log.Error("the changed certificate is not taken up; the one before stays in force", "error", err, "ends", f.pair.Leaf.NotAfter)
		}
		f.read = at
		return
	}
	f.pair, f.read = pair, at
	f.log.Info("the changed certificate is in force", "names", pair.Leaf.DNSNames, "ends", pair.Leaf.NotAfter)
}

// load reads a pair.
func load(cert, key string) (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the certificate cannot be used").WithCause(err).
			WithHint("http.tls.cert and http.tls.key name PEM files: the certificate with its chain, and its key")
	}
	return &pair, nil
}

// stamp tells one state of the two files from another. The zero value is that of files that cannot be looked at.
type stamp struct{ cert, key fs.FileInfo }

// stamp looks at the files. A key that every account can read, or another group can write, is refused; a group may read it, as keys are shared
// with servers that do not run as root.
func (f *Files) stamp() (s stamp, err error) {
	if s.cert, err = os.Stat(f.cert); err == nil {
		s.key, err = os.Stat(f.key)
	}
	if err != nil {
		return stamp{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the certificate cannot be looked at").WithCause(err).
			WithHint("http.tls.cert and http.tls.key name PEM files")
	}
	if mode := s.key.Mode().Perm(); mode&0o027 != 0 && runtime.GOOS != "windows" { // which has no such permissions
		return s, ctxmcp.Errorf(ctxmcp.CodeDenied, "other accounts can use the key of the certificate").
			WithCause(fmt.Errorf("mode %04o", mode)).WithHint("chmod 600 %s", f.key)
	}
	return s, nil
}

// same reports whether nothing was written, replaced or permitted in between.
func (s stamp) same(as stamp) bool { return sameFile(s.cert, as.cert) && sameFile(s.key, as.key) }

func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode()
}
