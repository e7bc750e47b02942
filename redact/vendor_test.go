package redact

import (
	"slices"
	"strings"
	"testing"
)

// sample returns a token as the row describes it, marked as a Yes sample is. The bytes are drawn from the row's
// classes by a fixed rule, so no real token can be among them, and none stands in the source.
func (t *token) sample() string {
	head := t.Prefix
	if t.Lead.class != nil {
		head = fill(t.Lead.class, t.Lead.min) + head
	}
	if t.Public {
		return head + "«" + fill(t.Body, t.Min) + "»"
	}
	return "«" + head + fill(t.Body, t.Min) + "»"
}

// fill returns n letters and digits of the class.
func fill(c *class, n int) string {
	var set []byte
	for b := range 256 {
		if c[b] && alnum[b] {
			set = append(set, byte(b))
		}
	}
	var out strings.Builder
	for i, x := 0, 7; i < n; i++ {
		x = (x*1103515245 + 12345) & 0x7fffffff
		out.WriteByte(set[(x>>8)%len(set)])
	}
	return out.String()
}

func TestTokensBeginAndEndAsTheirRowSays(t *testing.T) {
	r := New(nil)
	for _, row := range tokens {
		text, _, secrets := parseSample(t, row.Label, row.sample())
		for _, around := range []string{"(%)", "<td>%</td>", "a=1&b=%&c=2", "`%`", "x,%,y", "path/%/y", `{\"k\": \"%\"}`, "a\t%."} {
			in := strings.Replace(around, "%", text, 1)
			got, _ := r.Text(in)
			checkGone(t, row.Prefix, got, secrets)
		}
		if row.Public || row.Lead.class != nil {
			continue
		}
		short := row.Prefix + fill(row.Body, min(row.Min, 12)-1)
		stand := row.Prefix + strings.Repeat("0", max(row.Min, 12))
		for _, in := range []string{short, stand, "z" + short} {
			if slices.ContainsFunc(tokens, func(other token) bool {
				return len(other.Prefix) < len(row.Prefix) && strings.HasPrefix(row.Prefix, other.Prefix)
			}) {
				break // the rest of the longer prefix is a body to the shorter
			}
			if got, _ := r.Text(in); got != in {
				t.Errorf("%s: Text(%q) = %q, want it unchanged", row.Label, in, got)
			}
		}
	}
}
