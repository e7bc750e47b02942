package network

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// Encode writes a notice that goes with every copy, the entries, and the forms that no rule brings to their base, in any order. It returns an error for a word
// that is empty, too long or given twice, a link to a word that has no entry, a weight or commonness out of range, more
// links of a channel than fit, and a form whose base has no entry.
func Encode(notice string, entries []Entry, forms []Form) ([]byte, error) {
	e := encoder{entries: slices.SortedFunc(slices.Values(entries), func(a, b Entry) int { return strings.Compare(a.Word, b.Word) })}
	if err := e.number(); err != nil {
		return nil, err
	}
	var names []string
	var records [][]byte
	var about []byte
	for _, entry := range e.entries {
		record, err := e.record(entry)
		if err != nil {
			return nil, fmt.Errorf("network: %q: %w", entry.Word, err)
		}
		names, records, about = append(names, entry.Word), append(records, record), append(about, e.about(entry)...)
	}
	formNames, formRecords, err := e.forms(forms)
	if err != nil {
		return nil, err
	}
	words, wordRecords := section(names, records)
	others, otherRecords := section(formNames, formRecords)
	return assemble(len(names), len(formNames), []byte(notice), about, words, wordRecords, others, otherRecords), nil
}

type encoder struct {
	entries  []Entry
	ids      map[string]int
	incoming []int // links that lead to a word
}

// number gives each word its number, and counts the links to it.
func (e *encoder) number() error {
	e.ids, e.incoming = make(map[string]int, len(e.entries)), make([]int, len(e.entries))
	for i, entry := range e.entries {
		if entry.Word == "" || len(entry.Word) > maxWord {
			return fmt.Errorf("network: %q is no word", entry.Word)
		}
		if _, twice := e.ids[entry.Word]; twice {
			return fmt.Errorf("network: %q is given twice", entry.Word)
		}
		e.ids[entry.Word] = i
	}
	for _, entry := range e.entries {
		for _, l := range entry.Links {
			id, known := e.ids[l.Word]
			if !known {
				return fmt.Errorf("network: %q is linked to %q, which has no entry", entry.Word, l.Word)
			}
			e.incoming[id]++
		}
	}
	return nil
}

// about writes the About of a word in two bytes: its parts of speech with its commonness, and the logarithm of the links
// that lead to it.
func (e *encoder) about(entry Entry) []byte {
	hub := min(bits.Len(uint(e.incoming[e.ids[entry.Word]])), MaxHub)
	return []byte{byte(entry.Parts) | byte(entry.Commonness)<<4, byte(hub)}
}

// record writes the links of a word by channel.
func (e *encoder) record(entry Entry) ([]byte, error) {
	if entry.Commonness < 0 || entry.Commonness > MaxCommonness || entry.Parts > 15 {
		return nil, fmt.Errorf("commonness %d or parts of speech %d out of range", entry.Commonness, entry.Parts)
	}
	var groups [channels][]Link
	for _, l := range entry.Links {
		if l.Channel == None || l.Channel >= channels || l.Weight <= 0 || l.Weight > 1 {
			return nil, fmt.Errorf("the link to %q has channel %d and weight %v", l.Word, l.Channel, l.Weight)
		}
		groups[l.Channel] = append(groups[l.Channel], l)
	}
	var body []byte
	for c, links := range groups {
		if len(links) > maxLinks {
			return nil, fmt.Errorf("%d links of channel %d", len(links), c)
		}
		if len(links) > 0 {
			body = append(body, byte(c<<5|len(links)))
			body = e.links(body, links)
		}
	}
	return body, nil
}

// links appends the numbers of the words as differences, and then the weights, two a byte.
func (e *encoder) links(to []byte, links []Link) []byte {
	links = slices.SortedFunc(slices.Values(links), func(a, b Link) int { return cmp.Compare(e.ids[a.Word], e.ids[b.Word]) })
	before := 0
	for _, l := range links {
		to = binary.AppendUvarint(to, uint64(e.ids[l.Word]-before))
		before = e.ids[l.Word]
	}
	for i := 0; i < len(links); i += 2 {
		b := step(links[i].Weight)
		if i+1 < len(links) {
			b |= step(links[i+1].Weight) << 4
		}
		to = append(to, b)
	}
	return to
}

// step returns the number of the kept weight that is nearest.
func step(weight float64) byte {
	return byte(min(max(math.Round(weight*steps)-1, 0), steps-1))
}

// forms returns the forms in order, each with the numbers of its bases.
func (e *encoder) forms(forms []Form) (names []string, records [][]byte, err error) {
	bases := map[string][]int{}
	for _, f := range forms {
		id, known := e.ids[f.Base]
		if !known || f.Form == "" || len(f.Form) > maxWord {
			return nil, nil, fmt.Errorf("network: the form %q of %q has no entry to lead to", f.Form, f.Base)
		}
		if bases[f.Form] == nil {
			names = append(names, f.Form)
		}
		bases[f.Form] = append(bases[f.Form], id)
	}
	slices.Sort(names)
	for _, name := range names {
		var record []byte
		slices.Sort(bases[name])
		for _, id := range slices.Compact(bases[name]) {
			record = binary.AppendUvarint(record, uint64(id))
		}
		records = append(records, record)
	}
	return names, records, nil
}
