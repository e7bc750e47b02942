package tokens

import "strings"

// Model holds the limits and the counter of a model.
type Model struct {
	Name         string // as it was asked for
	Family       Family
	ContextLimit int  // the tokens that a prompt can have, before the answer of the model
	Known        bool // false if no table has the model: limit, and perhaps family, are a careful guess
	Counter      Bounded
	Ratio        CharRatio // the fallback that needs no vocabulary
	Frame        Frame
}

// Count returns the best value for the tokens of a text.
func (m Model) Count(text string) int { return m.Counter.Count(text) }

// Bound returns how many tokens a text can have at most; see [Bounded].
func (m Model) Bound(text string) int { return m.Counter.Bound(text) }

// Size returns both, for the price of one.
func (m Model) Size(text string) Size { return sizeOf(m.Counter, text) }

// Models finds models by name. The zero value, and nil, know the embedded table alone.
type Models struct {
	// Limits replaces the context limits of models by name, or by the beginning of their names; a name that the table does
	// not have is known by standing here.
	Limits map[string]int
	// ByRatio counts by characters alone, as [CharRatio] does.
	ByRatio bool
}

// For returns the Model of a name. It never fails: of "" and of a name that nobody knows it returns the conservative
// default, with Known false, of which the caller warns.
func For(model string) Model { return (*Models)(nil).For(model) }

// For is [For] with the limits of the configuration.
func (ms *Models) For(model string) Model {
	name := canonicalName(model)
	row := lookUp(name)
	m := Model{Name: model, Family: row.family, ContextLimit: row.tokens, Known: row.source != ""}
	if limit := ms.limit(name); limit > 0 {
		m.ContextLimit, m.Known = limit, true
	}
	f := families[m.Family]
	m.Counter, m.Ratio, m.Frame = f.counter, f.ratio, f.frame
	if ms != nil && ms.ByRatio {
		m.Counter = m.Ratio
	}
	return m
}

// limit returns the configured limit under the longest beginning of a name, the least if it is written twice, or 0.
func (ms *Models) limit(name string) int {
	if ms == nil {
		return 0
	}
	best, limit := "", 0
	for model, n := range ms.Limits {
		key := canonicalName(model)
		if !begins(name, key) || len(key) < len(best) || key == best && n > limit {
			continue
		}
		best, limit = key, n
	}
	return limit
}

// vendors are the marks under which clouds and gateways sell a model of someone else.
var vendors = []string{"anthropic.", "openai.", "moonshotai.", "moonshot.", "google."}

// canonicalName returns the name as the table has it: lower case, hyphens alone, without the path and the region in front.
// "us.anthropic.claude-opus-4-5-20251101-v1:0" and "anthropic/claude-opus-4.5" begin alike.
func canonicalName(model string) string {
	name := strings.ToLower(strings.TrimSpace(model))
	name = name[strings.LastIndexByte(name, '/')+1:]
	for _, v := range vendors {
		if _, after, found := strings.Cut(name, v); found {
			name = after
		}
	}
	return strings.NewReplacer(".", "-", "_", "-", "@", "-", ":", "-").Replace(name)
}

// lookUp returns the row whose name is the longest beginning of a model's name.
func lookUp(name string) modelRow {
	row := unknown
	for _, r := range modelTable {
		if begins(name, r.name) && len(r.name) > len(row.name) {
			row = r
		}
	}
	return row
}

// begins reports whether a name begins with another, which ends where a word of it ends.
func begins(name, with string) bool {
	rest, found := strings.CutPrefix(name, with)
	return found && with != "" && (rest == "" || rest[0] == '-')
}
