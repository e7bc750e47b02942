package redact

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
	"sync"
)

const (
	// maxPasses bounds how often Text looks again at its own result. A replacement can uncover a secret beside it, as when
	// a token ends where the next begins; one further pass settles all text that was not made to resist.
	maxPasses       = 8
	again           = 2048 // bytes around a placeholder that a further pass reads
	placeholderRoom = 32   // bytes by which a placeholder is longer than a secret, as a rule
	beside          = 512  // bytes from a placeholder within which it looks for an uncovered secret
)

// Finding says how often the placeholder of one label was written.
type Finding struct {
	Label        string
	Count        int
	Fingerprints []string // of the secrets that carry one, each once, sorted
}

// Redactor replaces secrets by placeholders. It does not change after it was made, so many goroutines may share it.
type Redactor struct {
	key    []byte          // of the fingerprints; empty: none are written
	tenant *string         // whose fingerprints they are, by a key that is derived when the first is written; nil: the key is that of the fingerprints
	off    map[string]bool // labels that are left alone
	hidden []string
	rules  func() []Rule
	engine func() *engine     // follows from hidden and rules; made when first needed
	clean  func() *cleanTexts // by engine and off
}

// New returns a Redactor that looks for every kind of secret. The key is the installation's own secret: with it,
// equal secrets get equal fingerprints, and nobody without it can test a guess. Without a key no fingerprints are
// written.
func New(key []byte) *Redactor {
	return &Redactor{key: slices.Clone(key), rules: func() []Rule { return nil }, engine: plain, clean: newClean()}
}

// For returns a copy whose fingerprints are the tenant's own, so that tenants cannot recognise each other's secrets.
func (r *Redactor) For(tenant string) *Redactor {
	if len(r.key) == 0 {
		return r
	}
	c := *r
	c.key, c.tenant = r.ownKey(), &tenant
	return &c
}

// TryFor is For(tenant).Try(ctx, s). A text that is known to hold nothing needs no copy.
func (r *Redactor) TryFor(ctx context.Context, tenant, s string) (redacted string, found []Finding, err error) {
	if len(s) <= longestKept && len(r.key) > 0 && r.tenant == nil {
		if place, sum := r.clean().find(tenant, s); place.Load() == sum {
			if err := ended(ctx); err != nil {
				return "", nil, err
			}
			return s, nil, nil
		}
	}
	return r.For(tenant).Try(ctx, s)
}

// ownKey returns the key of the fingerprints.
func (r *Redactor) ownKey() []byte {
	if r.tenant == nil {
		return r.key
	}
	return digest(r.key, "tenant\x00"+*r.tenant)
}

// Without returns a copy that leaves secrets of the labels alone. A label that is unknown changes nothing.
func (r *Redactor) Without(labels ...string) *Redactor {
	c := *r
	c.clean = newClean()
	c.off = make(map[string]bool, len(r.off)+len(labels))
	maps.Copy(c.off, r.off)
	for _, l := range labels {
		c.off[l] = true
	}
	return &c
}

// with returns a copy with its own values and rules.
func (r *Redactor) with(hidden []string, rules func() []Rule) *Redactor {
	c := *r
	c.hidden, c.rules, c.clean = hidden, rules, newClean()
	c.engine = sync.OnceValue(func() *engine { return newEngine(hidden, rules()) })
	return &c
}

// Text returns s with every secret that was found replaced by a placeholder, and the findings, sorted by label.
// Text that holds nothing comes back as it is, with no findings. Copy does the same for text that is too long to hold.
// If a detector fails, Text panics with the error that Try returns.
func (r *Redactor) Text(s string) (string, []Finding) {
	redacted, found, err := r.Try(context.Background(), s)
	if err != nil {
		panic(err)
	}
	return redacted, found
}

// text redacts s, whole or in pieces.
func (r *Redactor) text(ctx context.Context, s string) (string, []Finding) {
	if len(s) > maxWhole {
		return r.long(ctx, s)
	}
	if len(s) > longestKept {
		return r.once(ctx, s)
	}
	tenant := ""
	if r.tenant != nil {
		tenant = *r.tenant
	}
	place, sum := r.clean().find(tenant, s)
	if place.Load() == sum {
		return s, nil
	}
	redacted, found := r.once(ctx, s)
	if len(found) == 0 && ctx.Err() == nil { // an ended context finds nothing more
		place.Store(sum)
	}
	return redacted, found
}

// once redacts s in one piece, whether or not it was looked at lately.
func (r *Redactor) once(ctx context.Context, s string) (string, []Finding) {
	var t tally
	s = r.whole(ctx, s, &t)
	return s, t.findings()
}

// whole redacts s in one piece.
func (r *Redactor) whole(ctx context.Context, s string, t *tally) string {
	spans := fitJSON(s, r.find(ctx, s, []stretch{{0, len(s)}}, nil), nil)
	if len(spans) == 0 {
		return s
	}
	s, written := r.replace(s, spans, t)
	return r.settle(ctx, s, written, nil, t)
}

// settle looks again around the placeholders, until nothing more is found. doc is as for fitJSON.
func (r *Redactor) settle(ctx context.Context, s string, written []stretch, doc *walker, t *tally) string {
	for range maxPasses - 1 {
		spans := fitJSON(s, r.find(ctx, s, surroundings(s, written), written), doc)
		if len(spans) == 0 {
			break
		}
		s, written = r.replace(s, spans, t)
	}
	return s
}

// find runs every detector over the parts of s and returns the spans to replace, sorted and apart from each other. If near
// is not nil, only spans that begin or end beside one of these places count. Once ctx has ended it finds no more: the caller looks at ctx.
func (r *Redactor) find(ctx context.Context, s string, parts, near []stretch) []span {
	var spans []span
	for _, p := range parts {
		found := r.engine().spans(ctx, s[p.start:p.end], 0)
		if spans == nil {
			spans = found[:0] // writing never overtakes reading
		}
		for _, sp := range found {
			sp.start, sp.end = sp.start+p.start, sp.end+p.start
			if !r.off[sp.label] && (near == nil || besideAny(sp, near)) {
				spans = append(spans, sp)
			}
		}
	}
	if len(spans) == 0 {
		return nil
	}
	return merge(spans, placeholders(s))
}

// surroundings returns the parts that a further pass has to read: all of a short text, else the neighbourhoods of the places.
func surroundings(s string, places []stretch) []stretch {
	if len(s) <= 8*again {
		return []stretch{{0, len(s)}}
	}
	var parts []stretch
	for _, p := range places {
		start, end := wordEdge(s, max(0, p.start-again)), min(len(s), p.end+again)
		if n := len(parts); n > 0 && start <= parts[n-1].end {
			parts[n-1].end = end
			continue
		}
		parts = append(parts, stretch{start, end})
	}
	return parts
}

// besideAny reports whether the span lies close to one of the places, which are sorted.
func besideAny(sp span, places []stretch) bool {
	i, _ := slices.BinarySearchFunc(places, sp.start-beside, func(p stretch, at int) int { return cmp.Compare(p.end, at) })
	return i < len(places) && places[i].start <= sp.end+beside
}

// replace writes s with a placeholder for each span, and returns where the placeholders stand.
func (r *Redactor) replace(s string, spans []span, t *tally) (string, []stretch) {
	var b strings.Builder
	b.Grow(len(s) + len(spans)*placeholderRoom)
	written, marks := make([]stretch, 0, len(spans)), make([]string, 0, len(spans))
	at, fingerprints := 0, marker{key: r.ownKey()}
	for _, sp := range spans {
		b.WriteString(s[at:sp.start])
		b.WriteString(sp.quote)
		start := b.Len()
		mark := fingerprints.mark(sp.label, s[sp.start:sp.end])
		b.WriteString(widen(placeholder(sp.label, mark), sp.width))
		t.add(sp.label, mark)
		written, marks = append(written, stretch{start, b.Len()}), append(marks, mark)
		b.WriteString(sp.quote)
		at = sp.end
	}
	b.WriteString(s[at:])
	if t.places != nil {
		t.places.note(s, spans, written, marks)
	}
	return b.String(), written
}

// A tally counts replacements.
type tally struct {
	counts map[string]int
	marks  map[string]map[string]bool // by label
	places *places                    // nil: nobody asks for them
}

func (t *tally) add(label, mark string) {
	if t.counts == nil {
		t.counts, t.marks = make(map[string]int), make(map[string]map[string]bool)
	}
	t.counts[label]++
	if mark == "" {
		return
	}
	if t.marks[label] == nil {
		t.marks[label] = make(map[string]bool)
	}
	t.marks[label][mark] = true
}

func (t *tally) findings() []Finding {
	var list []Finding
	for _, label := range slices.Sorted(maps.Keys(t.counts)) {
		list = append(list, Finding{Label: label, Count: t.counts[label], Fingerprints: slices.Sorted(maps.Keys(t.marks[label]))})
	}
	return list
}

// digest returns the HMAC-SHA-256 of text.
func digest(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}
