package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// The times of a key set.
const (
	refreshAfter = 10 * time.Minute // a set is loaded anew: a key that was withdrawn ends
	trustedFor   = time.Hour        // a set counts while it cannot be loaded anew
	loadPause    = 10 * time.Second // between two loads, whatever keys tokens name
)

// maxKeys bounds the keys of a set: a token that names none is tried with each.
const maxKeys = 64

// keySet holds the public keys of the issuer. Unknown keys in tokens cannot make it load more often than loadPause.
type keySet struct {
	load func(context.Context) ([]jose.JSONWebKey, error)
	now  func() time.Time

	mu      sync.Mutex
	set     []jose.JSONWebKey
	loaded  time.Time     // when set was loaded
	tried   time.Time     // when a load was begun last
	fault   error         // of the last load
	running chan struct{} // closed when the load under way has ended; nil: there is none
}

// find returns the keys that may have signed a token: those of the id, or all if it names none. It returns CodeDenied if
// the issuer has no such key, and CodeUnavailable if the issuer cannot be asked.
func (k *keySet) find(ctx context.Context, id, algorithm string) ([]jose.JSONWebKey, error) {
	k.mu.Lock()
	found := k.usable(id, algorithm)
	var ended <-chan struct{}
	if len(found) == 0 || k.now().Sub(k.loaded) >= refreshAfter {
		ended = k.refresh(ctx)
	}
	k.mu.Unlock()
	if len(found) > 0 {
		return found, nil
	}
	if ended != nil {
		select {
		case <-ended:
		case <-ctx.Done():
			return nil, unavailable(ctx.Err())
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	switch found = k.usable(id, algorithm); {
	case len(found) > 0:
		return found, nil
	case k.fault != nil:
		return nil, unavailable(k.fault)
	default:
		return nil, denied(errors.New("the issuer has no such key"))
	}
}

// usable returns the keys of the id and the algorithm in the set, none if it is too old. Its caller holds mu.
func (k *keySet) usable(id, algorithm string) (found []jose.JSONWebKey) {
	if k.now().Sub(k.loaded) >= trustedFor {
		return nil
	}
	for _, key := range k.set {
		if (id == "" || key.KeyID == id) && (key.Algorithm == "" || key.Algorithm == algorithm) {
			found = append(found, key)
		}
	}
	return found
}

// refresh begins a load, or joins the one under way. It returns nil if the last one was begun a moment ago. Its caller holds
// mu. The load outlives ctx: others wait for it too.
func (k *keySet) refresh(ctx context.Context) <-chan struct{} {
	if k.running != nil {
		return k.running
	}
	if now := k.now(); !k.tried.IsZero() && now.Sub(k.tried) < loadPause {
		return nil
	}
	k.tried, k.running = k.now(), make(chan struct{})
	go k.reload(context.WithoutCancel(ctx), k.running)
	return k.running
}

func (k *keySet) reload(ctx context.Context, ended chan struct{}) {
	set, err := k.load(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.fault = err; err == nil {
		k.set, k.loaded = set, k.now()
	}
	k.running = nil
	close(ended)
}

// loadKeys returns the keys of the issuer for signatures.
func (v *Verifier) loadKeys(ctx context.Context) ([]jose.JSONWebKey, error) {
	url := v.o.KeysURL
	if url == "" {
		found, err := v.discover(ctx)
		if err != nil {
			return nil, err
		}
		url = found.Keys
	}
	var set struct{ Keys []json.RawMessage }
	if err := v.http.get(ctx, url, &set); err != nil {
		return nil, err
	}
	return public(set.Keys), nil
}

// public returns the public keys for signatures among keys. Others are left out, as RFC 7517, section 5, has it: a secret
// that is listed by mistake must not become a key.
func public(keys []json.RawMessage) (set []jose.JSONWebKey) {
	for _, text := range keys[:min(len(keys), maxKeys)] {
		var key jose.JSONWebKey
		if json.Unmarshal(text, &key) != nil || !key.IsPublic() || !key.Valid() || key.Use != "" && key.Use != "sig" {
			continue
		}
		if key.Algorithm == "" || slices.Contains(algorithms, jose.SignatureAlgorithm(key.Algorithm)) {
			set = append(set, key)
		}
	}
	return set
}
