package reduce

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// A summary is prose that a model wrote about the part that was moved out. It stands above the lines of the digest, and only those
// sentences of it whose names and numbers, and most of whose words, can be found in the originals. Nobody has checked the rest of their
// content, and the title says so.
const (
	summaryOpen  = "[Summary by a model: its names and numbers stand in the originals, the rest is not checked]\n"
	summaryShare = 0.2    // of the room of a digest that a summary may take
	mostSummary  = 1200   // tokens
	leastSummary = 60     // tokens: below this none is asked for
	mostRecord   = 80_000 // bytes that a model is shown
)

// summaryOf returns checked prose about what was moved out, "" without a model or if it fails.
func (j *job) summaryOf(room int) string {
	most := min(int(float64(room)*summaryShare), mostSummary)
	if j.Summarizer == nil || j.req.DryRun || most < leastSummary {
		return ""
	}
	record := j.record()
	if record == "" {
		return ""
	}
	text, err := j.Summarizer.Summarize(j.ctx, record, most)
	if err != nil {
		j.log(summaryFailed, "error", err)
		j.warn("the model did not summarise: the digest stands alone")
		return ""
	}
	checked, dropped := checkSummary(j.clean(text), record)
	if dropped > 0 {
		j.warn("%d sentences of the summary are not borne out by the originals and were left out", dropped)
	}
	for checked != "" && j.model.Count(checked) > most {
		checked = checked[:max(strings.LastIndexByte(strings.TrimSuffix(checked, "\n"), '\n')+1, 0)]
	}
	if checked == "" {
		return ""
	}
	return summaryOpen + checked
}

// record returns what was moved out as a model may read it: the beginning of every part, as much of each as there is room for, without
// lines that would instruct it.
func (j *job) record() string {
	all := slices.Concat(j.past, j.gone)
	share := shareOf(all, mostRecord)
	var b strings.Builder
	for _, s := range all {
		who := s.label
		if who == "" {
			who = string(s.source)
		}
		b.WriteString("## " + containment.OneLine(who) + "\n")
		text := s.text[:boundary(s.text, share)]
		orders := containment.Orders(text)
		for row, line := range strings.Split(text, "\n") {
			if _, is := slices.BinarySearch(orders, row); !is {
				line, _ = containment.Neutralise(line)
				b.WriteString(line + "\n")
			}
		}
	}
	text := b.String()
	return text[:boundary(text, mostRecord)]
}

// shareOf returns how many bytes of each part can be shown so that all of them together have at most so many: short ones are shown whole, and
// long ones share the rest.
func shareOf(all []segment, most int) int {
	sizes := make([]int, len(all))
	for i := range all {
		sizes[i] = len(all[i].text) + recordHeading
	}
	slices.Sort(sizes)
	for i, size := range sizes {
		if each := most / (len(sizes) - i); size > each {
			return max(each-recordHeading, 0)
		}
		most -= size
	}
	return mostRecord
}

// recordHeading is about what the heading of a part takes.
const recordHeading = 20

// checkSummary returns the sentences of a summary that the record bears out, one a line, and how many it does not. A sentence goes
// if it names what the record does not have, if it gives a number that the record never has on a line with what the sentence is
// about, if most of its words are not of the record, and if it speaks to a model.
func checkSummary(summary, record string) (string, int) {
	known, spoken := namesOf(record), termsOf(record)
	var b strings.Builder
	dropped := 0
	for _, s := range sentences(summary) {
		if speaks(s) || strings.HasPrefix(s, "[") || imitates(s) || !borneOut(s, known) || !familiar(s, spoken) {
			dropped++
			continue
		}
		b.WriteString(s + "\n")
	}
	return b.String(), dropped
}

// leastFamiliar is how much of what a sentence is about the record must speak of: a summary says things in words of its own.
const leastFamiliar = 0.5

// familiar reports whether the record speaks of what a sentence is about, by the words of it that do not only tell how work goes on.
func familiar(sentence string, spoken map[string]bool) bool {
	all, known := 0, 0
	for _, w := range language.Words(sentence) {
		if len(w) < leastTerm || statementPhrases().cues[w] != 0 || speakers[w] {
			continue
		}
		for _, term := range strings.Fields(language.Term(w)) { // several of a script that is written without blanks
			all++
			known += int(is(spoken[term]))
		}
	}
	return float64(known) >= leastFamiliar*float64(all)
}

// termsOf returns the terms of a text.
func termsOf(text string) map[string]bool {
	terms := map[string]bool{}
	for _, term := range language.Terms(text) {
		terms[term] = true
	}
	return terms
}

// speakers are the words by which a summary calls those whose words it sums up.
var speakers = map[string]bool{string(fromAssistant): true, string(fromUser): true, "agent": true}

// speaks reports whether a text speaks to a model, in orders or by what it imitates.
func speaks(text string) bool {
	_, imitated := containment.Neutralise(text)
	return imitated > 0 || len(containment.Orders(text)) > 0
}

// sentences returns the sentences of a text, without the marks of lists.
func sentences(text string) []string {
	var all []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimLeft(strings.TrimSpace(line), "-*#> ")
		for line != "" {
			at := strings.Index(line, ". ")
			if at < 0 {
				at = len(line) - 1
			}
			if s := strings.TrimSpace(line[:at+1]); s != "" {
				all = append(all, s)
			}
			line = strings.TrimSpace(line[at+1:])
		}
	}
	return all
}

// namesOf returns the names of a text, each with the rows on which it stands.
func namesOf(text string) map[string]map[int]bool {
	rows := map[string]map[int]bool{}
	for row, line := range strings.Split(text, "\n") {
		scanNames(line, func(name string, _ shape) {
			if rows[name] == nil {
				rows[name] = map[int]bool{}
			}
			rows[name][row] = true
		})
		scanNumbers(line, func(number string) {
			if rows[number] == nil {
				rows[number] = map[int]bool{}
			}
			rows[number][row] = true
		})
	}
	return rows
}

// borneOut reports whether every name of a sentence is known, and every number known beside one of its names, if it has any.
func borneOut(sentence string, known map[string]map[int]bool) bool {
	var names []string
	ok := true
	scanNames(sentence, func(name string, s shape) {
		if s == plainWord || s == capitalWord || s == numberWord {
			return
		}
		names = append(names, name)
		ok = ok && known[name] != nil
	})
	scanNumbers(sentence, func(number string) {
		ok = ok && known[number] != nil && (len(names) == 0 || together(known, number, names))
	})
	return ok
}

func together(known map[string]map[int]bool, number string, names []string) bool {
	for _, name := range names {
		for row := range known[name] {
			if known[number][row] {
				return true
			}
		}
	}
	return false
}

// scanNumbers calls found for every number of a line that stands alone.
func scanNumbers(line string, found func(string)) {
	for i := 0; i < len(line); {
		start := i
		for i < len(line) && nameBytes[line[i]]&wordBytes != 0 {
			i++
		}
		word := line[start:i]
		if word != "" && strings.Trim(word, "0123456789") == "" {
			found(word)
		}
		if i == start {
			i++
		}
	}
}
