package visits

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// noted is the time after which a visit is written down as seen again.
const noted = time.Minute

// Row is a visit at rest.
type Row struct {
	Name   string // digest of the cookie, in hexadecimal digits
	Sealed []byte
	Seen   time.Time
}

// Store keeps rows for all servers of a database.
type Store interface {
	// AddVisit adds a row, and drops those that were seen before an instant, and the oldest where there are more than can be.
	AddVisit(ctx context.Context, r Row, before time.Time) error
	// FindVisit returns the row of a name. It returns CodeNotFound if there is none.
	FindVisit(ctx context.Context, name string) (Row, error)
	// SeeVisit sets when a row was seen.
	SeeVisit(ctx context.Context, name string, seen time.Time) error
	// EndVisit drops a row, if there is one.
	EndVisit(ctx context.Context, name string) error
}

// Shared is the Book of all servers of a database.
type Shared struct {
	Store Store
	Key   []byte // of the installation, for this use
}

var _ Book = Shared{}

// Begin implements Book.
func (s Shared) Begin(ctx context.Context, cookie string, v Visit, now time.Time) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write a visit: %w", err)
	}
	box, err := s.box(cookie)
	if err != nil {
		return err
	}
	name := nameOf(cookie)
	sealed := box.Seal(nil, nil, body, []byte(name))
	return unreachable(s.Store.AddVisit(ctx, Row{Name: name, Sealed: sealed, Seen: now}, now.Add(-idleAfter)))
}

// Find implements Book.
func (s Shared) Find(ctx context.Context, cookie string, now time.Time) (v Visit, ok bool, err error) {
	row, err := s.Store.FindVisit(ctx, nameOf(cookie))
	if ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound {
		return Visit{}, false, nil
	}
	if err != nil {
		return Visit{}, false, unreachable(err)
	}
	box, err := s.box(cookie)
	if err != nil {
		return Visit{}, false, err
	}
	body, err := box.Open(nil, nil, row.Sealed, []byte(row.Name))
	if err != nil || json.Unmarshal(body, &v) != nil {
		return Visit{}, false, nil // of another installation
	}
	if v.over(row.Seen, now) {
		return Visit{}, false, s.End(ctx, cookie)
	}
	if now.Sub(row.Seen) >= noted {
		err = unreachable(s.Store.SeeVisit(ctx, row.Name, now))
	}
	return v, err == nil, err
}

// End implements Book.
func (s Shared) End(ctx context.Context, cookie string) error {
	return unreachable(s.Store.EndVisit(ctx, nameOf(cookie)))
}

func nameOf(cookie string) string {
	digest := digestOf(cookie)
	return hex.EncodeToString(digest[:])
}

// box returns the seal of a visit. Its key comes of the cookie and of the installation's.
func (s Shared) box(cookie string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(cookie), s.Key, "visit of a browser", 32)
	if err != nil {
		return nil, fmt.Errorf("derive the key of a visit: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("derive the key of a visit: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func unreachable(err error) error {
	if err == nil {
		return nil
	}
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "who is signed in cannot be looked up at the moment").WithHint("try again in a moment").WithCause(err)
}
