package sqlite

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// Keys keeps the keys of versions and of artifacts, outside of the database: neither its log nor a backup of it has them.
type Keys interface {
	// Keep keeps keys by their ids; when it returns, they are durable. An id that is there keeps its key.
	Keep(ctx context.Context, keys map[string][]byte) error
	// Find returns the keys that are there.
	Find(ctx context.Context, ids []string) (map[string][]byte, error)
	// Destroy removes keys.
	Destroy(ctx context.Context, ids []string) error
}

// sealing seals versions, each under a key of its own, and tells words as digests.
type sealing struct {
	keys   Keys
	index  []byte // key of the digests
	writes bool   // new versions are sealed

	mu   sync.Mutex
	held map[string][]byte // keys that were asked for
}

const (
	// indexKey is the id of the key of the digests.
	indexKey = "index"
	// keySize is the size of a key in bytes.
	keySize = 32
	// mostKeys bounds the keys in memory: some 20 MB.
	mostKeys = 1 << 17
)

// isSealed reports whether the object of a version is sealed. That of another one begins with its id.
func isSealed(text string) bool {
	inner, _ := strings.CutPrefix(text, "{")
	return strings.HasPrefix(strings.TrimLeft(inner, " "), `"sealed"`) // PostgreSQL writes spaces where it sets a field
}

// sealedObject is the object of a sealed version in its column. The fields that statements look at stay legible.
type sealedObject struct {
	Sealed      []byte            `json:"sealed"` // the object, a line feed, and its terms
	Key         string            `json:"key"`    // id
	Author      string            `json:"author,omitempty"`
	SourceKind  ctxmcp.SourceKind `json:"source_kind"`
	DerivedFrom []string          `json:"derived_from,omitempty"`

	MaybeOutdatedBy *string `json:"maybe_outdated_by,omitempty"` // in place of that of the object, if it was written later
}

// versionKey is the key of one version, or of one artifact.
type versionKey struct {
	id  string
	key []byte
}

// newKeys makes keys and keeps them; none if new versions are not sealed. One that no version uses in the end opens nothing.
func (z *sealing) newKeys(ctx context.Context, n int) ([]versionKey, error) {
	if z == nil || !z.writes || n == 0 {
		return nil, nil
	}
	made, keep := make([]versionKey, n), make(map[string][]byte, n)
	for i := range made {
		bytes := make([]byte, 16+keySize)
		rand.Read(bytes) // which never fails
		made[i] = versionKey{hex.EncodeToString(bytes[:16]), bytes[16:]}
		keep[made[i].id] = made[i].key
	}
	return made, z.keys.Keep(ctx, keep)
}

// seal returns the column of an object.
func (k versionKey) seal(o ctxmcp.ContextObject, object, terms string) (string, error) {
	sealed, err := k.close(object + "\n" + terms)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(sealedObject{Sealed: sealed, Key: k.id, Author: o.Author, SourceKind: o.SourceKind, DerivedFrom: o.DerivedFrom})
	return string(text), err
}

// close returns a plain text sealed.
func (k versionKey) close(plain string) ([]byte, error) {
	aead, err := aeadOf(k.key)
	if err != nil {
		return nil, err
	}
	return aead.Seal(nil, nil, []byte(plain), []byte(k.id)), nil
}

// open returns the plain text of a sealed one.
func (k versionKey) open(sealed []byte) ([]byte, error) {
	aead, err := aeadOf(k.key)
	if err != nil {
		return nil, err
	}
	plain, err := aead.Open(nil, nil, sealed, []byte(k.id))
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInternal, "a sealed row cannot be opened with its key").WithCause(err).WithHint("run ctx-mcp doctor")
	}
	return plain, nil
}

// open returns the plain text of a sealed one.
func (s sealedObject) open(key []byte) (object, terms string, err error) {
	plain, err := versionKey{s.Key, key}.open(s.Sealed)
	object, terms, _ = strings.Cut(string(plain), "\n")
	return object, terms, err
}

// aeadOf returns AES-256-GCM, which puts a random nonce before the sealed bytes.
func aeadOf(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("use a key: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// find returns the keys that are there. It returns CodeUnavailable where no keys are configured and one is asked for.
func (z *sealing) find(ctx context.Context, ids []string) (map[string][]byte, error) {
	switch {
	case len(ids) == 0:
		return nil, nil
	case z == nil:
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "memories and artifacts are sealed, and no keys are configured").
			WithHint("set erasure.keys, as on the servers that sealed them")
	}
	found := make(map[string][]byte, len(ids))
	var missing []string
	z.mu.Lock()
	for _, id := range ids {
		if key := z.held[id]; key != nil {
			found[id] = key
		} else {
			missing = append(missing, id)
		}
	}
	z.mu.Unlock()
	if len(missing) == 0 {
		return found, nil
	}
	more, err := z.keys.Find(ctx, missing)
	if err != nil {
		return nil, err
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	if len(z.held)+len(more) > mostKeys || z.held == nil {
		z.held = map[string][]byte{}
	}
	for id, key := range more {
		z.held[id], found[id] = key, key
	}
	return found, nil
}

// drop lets go of the keys in memory.
func (z *sealing) drop() {
	if z == nil {
		return
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	z.held = nil
}

// digests returns the digest of a value of a kind in a tenant, by which it is found without being told: 80 bits of HMAC-SHA-256 in letters and
// digits, which the lexical index takes for one word.
func (z *sealing) digests(tenant, kind string) func(value string) string {
	key := mac(z.index, kind+"\x00"+tenant)
	return func(value string) string {
		return strings.ToLower(base32.HexEncoding.EncodeToString(mac(key, value)[:10]))
	}
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// The kinds of values that are told as digests.
const (
	kindTerm    = "term"
	kindSlot    = "slot"
	kindSubject = "subject"
	kindContent = "content"
	kindBlob    = "blob"
)

// digestTerms returns terms, which spaces separate, as their digests.
func (z *sealing) digestTerms(tenant, terms string) string {
	digest := z.digests(tenant, kindTerm)
	words := strings.Fields(terms)
	for i, w := range words {
		words[i] = digest(w)
	}
	return strings.Join(words, " ")
}

// both returns values, and the digests by which those of sealed versions are known.
func (z *sealing) both(tenant, kind string, values []string) []string {
	if z == nil || len(values) == 0 {
		return values
	}
	digest := z.digests(tenant, kind)
	all := make([]string, 0, 2*len(values))
	for _, v := range values {
		all = append(all, v, digest(v))
	}
	return all
}

// writing holds the columns of a version that have content.
type writing struct{ object, terms, slot, subject, content string }

// written returns the columns of an object, sealed if there is a key.
func (z *sealing) written(o ctxmcp.ContextObject, object, terms string, key *versionKey) (writing, error) {
	w := writing{object, terms, o.Claim.Slot(), ctxmcp.Normalize(o.Claim.Subject), memory.ContentKey(o.Content)}
	if key == nil {
		return w, nil
	}
	var err error
	if w.object, err = key.seal(o, object, terms); err != nil {
		return w, err
	}
	w.terms = z.digestTerms(o.TenantID, terms)
	for kind, value := range map[string]*string{kindSlot: &w.slot, kindSubject: &w.subject, kindContent: &w.content} {
		if *value != "" {
			*value = z.digests(o.TenantID, kind)(*value)
		}
	}
	return w, nil
}
