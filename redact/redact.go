package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
)

// maxPasses bounds how often Text looks again at what it wrote. A replacement can uncover a secret beside it, as when
// a token ends where the next begins; one further pass settles all text that was not made to resist.
const maxPasses = 8

// Finding says how often Text wrote the placeholder of one label.
type Finding struct {
	Label string
	Count int
}

// Redactor replaces secrets by placeholders. It does not change after it was made, so many goroutines may share it.
type Redactor struct {
	key []byte          // of the fingerprints; empty: none are written
	off map[string]bool // labels that are left alone
}

// New returns a Redactor that looks for every kind of secret. The key is the installation's own secret: with it,
// equal secrets get equal fingerprints, and nobody without it can test a guess. Without a key no fingerprints are
// written.
func New(key []byte) *Redactor {
	return &Redactor{key: slices.Clone(key)}
}

// For returns a copy whose fingerprints are the tenant's own, so that tenants cannot recognise each other's secrets.
func (r *Redactor) For(tenant string) *Redactor {
	if len(r.key) == 0 {
		return r
	}
	return &Redactor{key: digest(r.key, "tenant\x00"+tenant), off: r.off}
}

// Without returns a copy that leaves secrets of the labels alone. A label that is unknown changes nothing.
func (r *Redactor) Without(labels ...string) *Redactor {
	off := make(map[string]bool, len(r.off)+len(labels))
	maps.Copy(off, r.off)
	for _, l := range labels {
		off[l] = true
	}
	return &Redactor{key: r.key, off: off}
}

// Text returns s with every secret that was found replaced by a placeholder, and what was replaced, sorted by label.
// Text that holds nothing comes back as it is, with no findings.
func (r *Redactor) Text(s string) (string, []Finding) {
	counts := make(map[string]int)
	for range maxPasses {
		spans := r.find(s)
		if len(spans) == 0 {
			break
		}
		s = r.replace(s, spans)
		for _, sp := range spans {
			counts[sp.label]++
		}
	}
	var findings []Finding
	for _, label := range slices.Sorted(maps.Keys(counts)) {
		findings = append(findings, Finding{Label: label, Count: counts[label]})
	}
	return s, findings
}

// find runs every detector over s and returns what to replace: sorted, apart from each other, fit for JSON.
func (r *Redactor) find(s string) []span {
	var spans []span
	for _, d := range detectors {
		d.find(s, func(sp span) {
			if sp.start < sp.end && !r.off[sp.label] {
				spans = append(spans, sp)
			}
		})
	}
	if len(spans) == 0 {
		return nil
	}
	return fitJSON(s, merge(spans, placeholders(s)))
}

// replace writes s with a placeholder for each span.
func (r *Redactor) replace(s string, spans []span) string {
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, sp := range spans {
		b.WriteString(s[at:sp.start])
		b.WriteString(sp.quote)
		b.WriteString(r.placeholder(sp.label, s[sp.start:sp.end]))
		b.WriteString(sp.quote)
		at = sp.end
	}
	b.WriteString(s[at:])
	return b.String()
}

// digest returns the HMAC-SHA-256 of text.
func digest(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}
