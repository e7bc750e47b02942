package exchange

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/url"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/exchange/foreign"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// draft returns the draft of a foreign memory, and whether its claim was left out because its slot is disputed.
func (a Adoption) draft(hide *redact.Pass, m foreign.Memory, disputed map[slot]bool) (d memory.Draft, unclaimed bool) {
	d = memory.Draft{
		Content: m.Content, Author: m.Author, Claim: m.Claim, ObservedAt: m.ObservedAt, ValidUntil: m.ValidUntil,
		Source: memory.Source{Kind: a.As, Origin: a.origin(hide, m)}, Scope: a.Scope,
	}
	if disputed[slot{m.Owner, m.Claim.Slot()}] {
		d.Claim, unclaimed = ctxmcp.Claim{}, true
	}
	d.IdempotencyKey = a.key(hide, d)
	return d, unclaimed
}

// longestOrigin bounds an origin, in bytes: names and ids take less.
const longestOrigin = 1000

// origin returns a URI of where the memory was: the system, the place in it, and the rest of its provenance. Each part is
// redacted before it is escaped, because an escaped secret is not recognised.
func (a Adoption) origin(hide *redact.Pass, m foreign.Memory) string {
	u := url.URL{Scheme: a.System, Opaque: url.PathEscape(hidden(hide, m.Place))}
	q := url.Values{}
	for _, f := range m.Provenance {
		q.Set(f.Name, hidden(hide, f.Value))
	}
	u.RawQuery = q.Encode()
	text := u.String()
	if len(text) > longestOrigin {
		return a.System + ":"
	}
	return text
}

func hidden(hide *redact.Pass, text string) string {
	redacted, _ := hide.Text(text)
	return redacted
}

// key names the request to remember the draft: the same for the same memory in the same place. It is made of redacted
// text, so that nobody can use it to test a guess of a secret.
func (a Adoption) key(hide *redact.Pass, d memory.Draft) string {
	d.Content, d.Author = hidden(hide, d.Content), hidden(hide, d.Author)
	text, err := json.Marshal([]any{
		d.Content, d.Author, hidden(hide, d.Claim.String()), d.ObservedAt, d.ValidUntil, d.Source.Kind, d.Source.Origin, d.Scope,
	})
	if err != nil { // texts and times that JSON can write
		panic(err)
	}
	sum := sha256.Sum256(text)
	return "import:" + a.System + ":" + hex.EncodeToString(sum[:])
}

// unkept adds up the fields that have no place here, by name.
func unkept(hide *redact.Pass, memories []foreign.Memory) []Unkept {
	counts := map[string]int{}
	for _, m := range memories {
		for _, name := range m.Unkept {
			counts[ctxmcp.Clip(hidden(hide, name), maxPath)]++
		}
	}
	list := make([]Unkept, 0, len(counts))
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, Unkept{name, counts[name]})
	}
	slices.SortStableFunc(list, func(x, y Unkept) int { return cmp.Compare(y.Count, x.Count) })
	return list
}
