package taint

import (
	"context"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// passage is one sentence or short value of a result.
type passage struct {
	source int // index of the result
	span
	decoded            string // its text, where the span holds that in an encoding
	cell               int    // in the result: passages of one cell are neighbours
	record             int    // in the result
	plain              string
	prose              bool      // a sentence; else a value of a field
	order              bool      // a command line in no field, which a guide says to run
	commands, mentions effectSet // effects that it commands, and that it mentions
	words              []string
	anaphoric          bool // to something that was said beside it
	unreadable         bool // it is in a language whose verbs are not known
	aboutUser          bool
	hidden             bool // a reader of the page does not see it, or it was decoded
	toMachine          bool // it speaks to a machine
	toReader           bool // it tells those who read to do something by a word that is of programs and of people
	toStarter          bool // it says what is to be done before one starts
}

// source is one result, or what is known of it.
type source struct {
	index       int    // in the order of the results
	action      string // id
	tool        string
	text        string
	class       ctxmcp.DataClass
	records     []record
	modelMarks  map[int]int  // cell -> rows of the table of addresses that it matches
	instruction *Instruction // that told the agent to take the action which brought it
	given       []string     // the values of the action itself: that the result repeats them says nothing of where they are from
	by          pointing     // how the user pointed to the action which brought it
	byAttested  pointing     // the same by the attested words alone
	attested    bool         // a harness gave it
	described   bool         // it is no result, but the description of a tool
	reply       bool         // a few words that answer a change
	read        bool         // the action only looked
	web         bool         // it is public on the network
	searched    bool         // the action searched there
	reference   bool         // it is from the guides of a workplace
	first       int          // passage
	count       int          // of passages
	mixed       bool         // most of its text is in a language that is read, and some is not

	sorted []int32 // its passages by their records, from its first one
	begins []int32 // in sorted, of each record, and the end
}

// sort makes the index of passages by records.
func (s *source) sort(passages []passage) {
	s.begins = make([]int32, len(s.records)+1)
	for i := range passages {
		s.begins[passages[i].record+1]++
	}
	for i := range s.records {
		s.begins[i+1] += s.begins[i]
	}
	s.sorted = make([]int32, len(passages))
	next := slices.Clone(s.begins)
	for i := range passages {
		r := passages[i].record
		s.sorted[next[r]] = int32(i)
		next[r]++
	}
}

// ofRecord returns the passages of a record, from the first one of the source.
func (s *source) ofRecord(record int) []int32 { return s.sorted[s.begins[record]:s.begins[record+1]] }

const replyPassages = 4 // in what a tool answers to a change, at most

// gave reports whether the action itself gave the value, by itself or in a command line.
func (s *source) gave(plain string) bool {
	return slices.ContainsFunc(s.given, func(given string) bool {
		if given == plain {
			return true
		}
		_, part := holds(given, plain)
		return part && strings.Contains(given, " ")
	})
}

// record holds the stems of the short values of a record, which say whose it is.
type record struct {
	parent int // the record that it stands in, -1 for none
	words  map[string]bool
	plain  []string // the short values themselves
}

const sentenceWords = 7 // from which a text without a command is a sentence and no value

// Reading is the text of a result, taken apart. That takes a microsecond or two for each byte.
type Reading struct {
	marks      marks
	text       string
	calling    string    // text without what only warns of orders: see withoutCautions
	passages   []passage // of no source yet
	records    []record
	modelMarks map[int]int // as in source
	words      map[string]*posting
}

// Read takes the text of a result apart while ctx lasts.
func Read(ctx context.Context, text string) (*Reading, error) {
	cells, parents := cellsOf(text)
	calling := withoutCautions(text)
	r := &Reading{text: text, calling: calling, marks: marksIn(ctx, calling), records: make([]record, len(parents)), modelMarks: map[int]int{}}
	for i, parent := range parents {
		r.records[i].parent = parent
	}
	for c, cell := range cells {
		if err := r.readCell(ctx, c, cell); err != nil {
			return nil, err
		}
	}
	if err := r.readViews(ctx, cells); err != nil {
		return nil, err
	}
	r.words = postingsOf(r.passages)
	return r, nil
}

// readViews adds the passages of what the text says once it is decoded.
func (r *Reading) readViews(ctx context.Context, cells []cell) error {
	for i, v := range viewsOf(ctx, r.text) {
		at := passage{span: v.span, cell: len(cells) + i, hidden: true}
		for _, c := range cells {
			if c.start <= v.start && v.start < c.end {
				at.record = c.record
				break
			}
		}
		decoded := marksIn(ctx, v.text)
		for _, sentence := range sentencesOf(v.text, 0, len(v.text)) {
			p := at
			p.decoded = v.text[sentence.start:sentence.end]
			p, err := read(ctx, p, p.decoded)
			if err != nil {
				return err
			}
			p.prose = true
			p.toMachine = decoded.addressed(ctx, p.decoded) > 0 || decoded.namesMachine(p.decoded)
			r.passages = append(r.passages, p)
		}
	}
	return ctx.Err()
}

// readCell adds the passages of a cell.
func (r *Reading) readCell(ctx context.Context, c int, cell cell) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if n := r.marks.addressed(ctx, r.calling[cell.start:cell.end]); n > 0 {
		r.modelMarks[c] = n
	}
	label := labelStart(r.text, cell.start)
	marked := r.modelMarks[c] > 0 || r.marks.namesMachine(r.calling[label:cell.end]) || label < cell.start && r.marks.addressed(ctx, r.calling[label:cell.end]) > 0
	comments := commentsIn(r.text, cell)
	sentences := sentencesOf(r.text, cell.start, cell.end)
	for _, at := range sentences {
		p, err := r.understood(ctx, at, c, cell)
		if err != nil {
			return err
		}
		p.hidden = p.hidden || slices.ContainsFunc(comments, func(c span) bool { return at.start >= c.start && at.end <= c.end })
		from := at.start
		if at == sentences[0] {
			from = label
		}
		p.toMachine = marked && (r.marks.addressed(ctx, r.calling[from:at.end]) > 0 || r.marks.namesMachine(r.calling[from:at.end]))
		p.prose = p.prose || len(sentences) > 1 && len(p.words) > 1 && endsSentence(r.text, at.end, cell.end)
		if !p.prose {
			r.records[cell.record].add(p)
		}
		r.passages = append(r.passages, p)
	}
	seen := links(r.text, cell)
	for i, at := range slices.Concat(seen, spoken(r.text, cell)) {
		p, err := r.understood(ctx, at, c, cell)
		if err != nil {
			return err
		}
		p.hidden = p.hidden || i >= len(seen)
		r.passages = append(r.passages, p)
	}
	return nil
}

func (r *Reading) understood(ctx context.Context, at span, c int, cell cell) (passage, error) {
	text := r.text[at.start:at.end]
	p, err := read(ctx, passage{span: at, cell: c, record: cell.record}, text)
	if calling := r.calling[at.start:at.end]; p.toReader && calling != text {
		p.toReader = tellsReader(calling, plainText(calling))
	}
	if err == nil && !cell.field() && effect.IsOrder(ctx, text) {
		p.order, p.prose = true, true
		p.commands |= verbEffects()["run"]
	}
	return p, err
}

// read notes in a passage what its text says.
func read(ctx context.Context, p passage, text string) (passage, error) {
	var tokens []token
	for _, step := range []func(){ // each goes over the text, and a text can be one sentence
		func() { p.plain = plainText(text) },
		func() { tokens = tokensOf(folded(text)) },
		func() { p.understand(text, tokens) },
		func() { p.label(text) },
		func() { p.unreadable = unreadable(text, tokens) },
		func() { p.index(tokens) },
	} {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		step()
	}
	p.prose = p.prose || p.unreadable
	return p, nil
}

// understand notes what a passage says.
func (p *passage) understand(text string, tokens []token) {
	if isURL(strings.TrimSpace(text)) {
		return // its words tell nobody anything
	}
	p.commands, p.mentions = commanded(tokens)
	p.anaphoric = anaphoric(tokens)
	p.prose = len(tokens) >= sentenceWords || p.commands != 0 && len(tokens) > 2
	p.aboutUser = slices.ContainsFunc(userWords, func(w string) bool { return strings.Contains(p.plain, w) }) && speaksOfUser(text)
	p.hidden = p.hidden || hides(text)
	p.toReader = p.prose && tellsReader(text, p.plain)
	p.toStarter = strings.Contains(p.plain, "before you ") && starting.MatchString(p.plain)
}

// label holds a value with a label to what the value alone says.
func (p *passage) label(text string) {
	if value, ok := labelled(text); ok {
		commands, _ := commanded(tokensOf(value))
		p.prose = commands != 0 || len(strings.Fields(value)) >= sentenceWords
		if !p.prose {
			p.commands = 0
		}
	}
}

// index notes the words of a passage.
func (p *passage) index(tokens []token) {
	for _, t := range tokens {
		if !stopWords.Has(t.word) && len(t.word) > 2 {
			p.words = append(p.words, t.stem)
		}
	}
	if mayHoldInstant(p.plain) {
		p.words = append(p.words, instants.FindAllString(p.plain, -1)...)
	}
}

// instants matches times and dates, which are words of their own when records are told apart.
var instants = language.NewPattern(`\b\d{1,2}:\d{2}\b|\b\d{4}-\d{2}-\d{2}\b`)

// mayHoldInstant reports whether a text has a digit with a colon or a hyphen behind it, as whatever instants matches.
func mayHoldInstant(text string) bool {
	for i := 1; i < len(text); i++ {
		if (text[i] == ':' || text[i] == '-') && text[i-1] >= '0' && text[i-1] <= '9' {
			return true
		}
	}
	return false
}

// labelled returns the value of a text of the form "label: value".
func labelled(text string) (string, bool) {
	if !mayBeKeyed(text) {
		return "", false
	}
	m := keyed.FindStringSubmatchIndex(text)
	if m == nil || !isLabel(text[m[6]:m[7]]) {
		return "", false
	}
	if m[8] < 0 {
		return "", true
	}
	return text[m[8]:m[9]], true
}

// isLabel reports whether the text before a colon names a field, and is not the beginning of a sentence.
func isLabel(text string) bool {
	words := len(strings.Fields(text))
	if words <= 1 || words > maxKeyWords {
		return words <= 1
	}
	commands, _ := commanded(tokensOf(text))
	return commands == 0
}

// endsSentence reports whether the sign of the end of a sentence stands right before or at the end of one.
func endsSentence(text string, end, limit int) bool {
	return strings.IndexByte(".!?", text[end-1]) >= 0 || end < limit && strings.IndexByte(".!?", text[end]) >= 0
}

func (r *record) add(p passage) {
	if r.words == nil {
		r.words = map[string]bool{}
	}
	for _, w := range p.words {
		r.words[w] = true
	}
	r.plain = append(r.plain, p.plain)
}

// labelStart returns where the label of a cell begins: with its line, if that is short before it.
func labelStart(text string, start int) int {
	const longest = 80 // bytes of a label
	line := strings.LastIndexByte(text[:start], '\n') + 1
	if start-line > longest {
		return start
	}
	return line
}

// plainText returns text as values are looked for in it.
func plainText(text string) string {
	text = spaced(text)
	if strings.Contains(text, "''") {
		text = strings.ReplaceAll(text, "''", "'")
	}
	return unlabelled(text)
}

// placeholder is a hidden secret in lower case, as package redact writes it.
var placeholder = language.NewPattern(`\[[a-z0-9_]+:redacted(#[a-z2-9]+)?\]`)

// unmarked is a hidden secret that nothing tells from others.
const unmarked = "[redacted]"

// unlabelled returns text with hidden secrets as they are compared. A label says how a secret was found, by a name here and by its words
// there; the mark, where there is one, says which it is.
func unlabelled(text string) string {
	if !strings.Contains(text, ":redacted") {
		return text
	}
	return placeholder.ReplaceAllString(text, "[redacted$1]")
}
