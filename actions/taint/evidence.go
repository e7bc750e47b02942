package taint

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Destinations returns evidence for the addresses of a call that the user did not say and that stand in sentences of results, in no
// field.
func (p *Provenance) Destinations(c Call) []ctxmcp.Evidence {
	var all []ctxmcp.Evidence
	seen := map[string]bool{}
	for _, o := range p.unstated(c) {
		if o.value.shape != addressShape || seen[o.value.argument+o.value.plain] || !p.passages[o.passage].prose {
			continue
		}
		seen[o.value.argument+o.value.plain] = true
		if !p.inField(o.value.plain) {
			all = append(all, p.evidence(o.value.argument, o.value.text, o.passage))
		}
	}
	return all
}

// Leak is a value of a sensitive result on its way to an address that the user did not name.
type Leak struct {
	Class    ctxmcp.DataClass // of the result
	To       string           // JSON pointer of the argument with the address
	Evidence ctxmcp.Evidence  // for the value
}

// Leak returns the leak that a call would be, or nil: one of its arguments is an address from a result that the user neither said
// nor pointed to, and another value is from a result of confidential data or worse.
func (p *Provenance) Leak(c Call) *Leak {
	to := p.unnamedAddress(c)
	if to == nil {
		return nil
	}
	from := p.sensitive(c, *to)
	if from == nil {
		return nil
	}
	return &Leak{
		Class: p.sources[p.passages[from.passage].source].class, To: to.argument,
		Evidence: p.evidence(from.value.argument, from.value.text, from.passage),
	}
}

// inField reports whether a short field of a result holds the value.
func (p *Provenance) inField(plain string) bool {
	for _, n := range p.seen(plain) {
		if pass := p.passages[n]; !pass.prose && p.sources[pass.source].instruction == nil {
			return true
		}
	}
	return false
}

// unnamedAddress returns the first address that is an argument of the call and from a result, and which the user neither said
// nor pointed to.
func (p *Provenance) unnamedAddress(c Call) *value {
	for _, v := range valuesOf(c) {
		if v.shape == addressShape && v.whole && !p.stated(v.plain) && len(p.seen(v.plain)) > 0 && !p.inLinkedRecord(v.plain) {
			return &v
		}
	}
	return nil
}

// inLinkedRecord reports whether the value stands in a record that the user pointed to, in a field or in a sentence.
func (p *Provenance) inLinkedRecord(plain string) bool {
	return slices.ContainsFunc(p.seen(plain), func(n int) bool {
		pass := p.passages[n]
		s := &p.sources[pass.source]
		return s.instruction == nil && s.modelMarks[pass.cell] == 0 && p.linked(s, pass.record) && !p.strangerIn(plain, n)
	})
}

// strangerIn reports whether a sentence of a record gives a mail address of another domain than the first one that the record has: whoever wrote the
// record is answered there.
func (p *Provenance) strangerIn(plain string, n int) bool {
	_, domain, is := strings.Cut(plain, "@")
	if !is || !p.passages[n].prose {
		return false
	}
	s := &p.sources[p.passages[n].source]
	for _, one := range p.passages[s.first : s.first+s.count] {
		if first := mailForm.FindString(one.plain); first != "" && one.record == p.passages[n].record {
			_, of, _ := strings.Cut(first, "@")
			return of != domain
		}
	}
	return false
}

// sensitive returns a value of the call that a result of high classification holds, and that is no address or number.
func (p *Provenance) sensitive(c Call, to value) *origin {
	for _, o := range p.unstated(c) {
		class := p.sources[p.passages[o.passage].source].class
		if o.value.plain != to.plain && o.value.shape != amountShape && o.value.shape != addressShape && class.Rank() >= ctxmcp.ConfidentialData.Rank() {
			return &o
		}
	}
	return nil
}

// maxQuote is the length of a quoted sentence, in bytes.
const maxQuote = 400

// Evidence returns where an echo is from: its values in the sentence, or the verb of the sentence where it has none, and how
// they came there if that was in two steps.
func (p *Provenance) Evidence(e *Echo) []ctxmcp.Evidence {
	var all []ctxmcp.Evidence
	for _, o := range e.values {
		all = append(all, p.evidence(o.value.argument, o.value.text, o.passage))
	}
	if t := e.through; t != nil {
		all = append(all, p.evidence("", t.Value, t.Passage))
	}
	if verb := p.verb(e); verb != "" && (len(all) == 0 || e.through != nil) {
		all = append(all, p.evidence("", verb, e.sentence))
	}
	return all
}

// verb returns the first word of a sentence that tells to do something, or the name of the tool where the sentence calls it, as
// it is written.
func (p *Provenance) verb(e *Echo) string {
	pass := p.passages[e.sentence]
	text := p.textOf(e.sentence)
	for w := range strings.FieldsSeq(text) {
		for _, part := range language.NameWords(w) {
			if at := strings.Index(strings.ToLower(w), part); at >= 0 && verbEffects()[language.LightStem(part)]&pass.commands != 0 {
				return w[at : at+len(part)]
			}
		}
	}
	return written(text, e.Call.Tool)
}

// evidence returns one value with the passage that holds it. The span holds the value as it is written there.
func (p *Provenance) evidence(argument, text string, n int) ctxmcp.Evidence {
	pass := p.passages[n]
	s := &p.sources[pass.source]
	quote := p.textOf(n)
	return ctxmcp.Evidence{
		Argument: argument, Value: written(quote, text), Source: s.action, Origin: s.tool,
		Span: ctxmcp.Span{Start: pass.start, End: pass.end}, Quote: Cut(quote, maxQuote),
	}
}

// asWritten returns the value as the passage has it.
func (p *Provenance) asWritten(value string, n int) string {
	return written(p.textOf(n), value)
}

// textOf returns the text of a passage as it is written, or as it was decoded.
func (p *Provenance) textOf(n int) string {
	one := p.passages[n]
	if one.decoded != "" {
		return one.decoded
	}
	return p.sources[one.source].text[one.start:one.end]
}

// written returns the value as the text has it: its case may differ, a scheme may be missing, and a hidden secret have another label.
func written(text, value string) string {
	for _, form := range []string{value, strings.Trim(value, " \t\"'`.,;:!?/"), plainValue(value)} {
		lower := strings.ToLower(text)
		if at := strings.Index(lower, strings.ToLower(form)); form != "" && at >= 0 && len(lower) == len(text) {
			return text[at : at+len(form)]
		}
	}
	for _, at := range placeholder.FindAllStringIndex(strings.ToLower(text), -1) {
		if hidden := text[at[0]:at[1]]; plainValue(hidden) == plainValue(value) {
			return hidden
		}
	}
	return ""
}
