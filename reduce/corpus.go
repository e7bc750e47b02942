package reduce

import (
	"math"
	"strings"
)

// corpus is everything that is moved out, as lines and names, with what is known of each.
type corpus struct {
	segs  []segment
	infos []segInfo
	lines []line
	names []nameInfo
	byKey map[string]int32 // of lines
	vocab map[string]name
	kept  map[string]bool // lines that stay in the conversation
	turns []int           // of each segment: how many of the agent's came after it

	speech  speech
	refrain string // of the agent

	gone  func() bool // whether nobody waits for what is read any more
	ended bool        // gone said so once
	looks int
}

// linesOfALook is the number of lines that are read, weighed or chosen between two looks at whether somebody waits: far under a millisecond.
const linesOfALook = 64

// over reports whether nobody waits any more. The lines read by then are incomplete, and their caller throws them away.
func (c *corpus) over() bool {
	if c.looks++; !c.ended && c.looks%linesOfALook == 0 {
		c.ended = c.gone()
	}
	return c.ended
}

// segInfo holds the readings of a segment.
type segInfo struct {
	lines int
	code  int // of these, those that look like code
	deed  deed
	heat  float64 // of its lines together

	call        int     // the segment of the call that it is of, or answers; -1: none
	callHeat    float64 // heat of the hottest path that the call names
	viewedAgain bool    // a later call looks at a file that the call names
	editedLater bool    // a later call writes one
}

// nameInfo holds the readings of a name.
type nameInfo struct {
	text       string
	shape      shape
	lines      int // different lines that hold it
	segs       int // segments that hold it
	firstSeg   int
	lastSeg    int
	spoken     int     // segments of the agent's that hold it
	lastSpoken int     // the last of those; -1: none
	called     int     // segments of calls that hold it
	heat       float64 // how often the agent used it, later uses counting more; see cool
	defined    bool    // a line defines it
	setting    int32   // 1 more than the last line that gives it a value; 0: none
	task       bool    // the user or the system prompt names it
	kept       bool    // it stands in what stays
	mark       int     // last segment that was counted
}

// newCorpus reads what is moved out, and what stays: head before it and tail behind it. It reads no further once gone says that nobody
// waits.
func newCorpus(gone func() bool, segs []segment, head, tail []segment) *corpus {
	c := &corpus{segs: segs}
	size := c.bytes()
	*c = corpus{
		gone: gone, segs: segs, infos: make([]segInfo, len(segs)), kept: map[string]bool{},
		byKey: make(map[string]int32, size/100), vocab: make(map[string]name, size/100), lines: make([]line, 0, size/100),
	}
	c.turns, c.speech, c.refrain = agentTurns(segs), newSpeech(), refrainOf(segs)
	call := -1
	for i := range segs {
		if segs[i].source == fromCall {
			call = i
		}
		c.infos[i].call = -1
		if call >= 0 && (segs[i].source == fromCall || segs[i].source == fromResult) {
			c.infos[i].call, c.infos[i].deed = call, deedOf(segs[call].label+" "+segs[call].text)
		}
		c.read(i)
	}
	c.follow()
	for i := range c.lines {
		if c.over() {
			break
		}
		c.warm(&c.lines[i])
	}
	for _, s := range head {
		c.keep(s, true)
	}
	for i, s := range tail {
		c.keep(s, false)
		if s.source != fromResult {
			c.speech.hear(s.text, len(segs)+i)
		}
	}
	c.followSpeech()
	c.followWishes(tail)
	return c
}

// bytes returns how long all is that is moved out.
func (c *corpus) bytes() (n int) {
	for i := range c.segs {
		n += len(c.segs[i].text)
	}
	return n
}

// read takes in a segment.
func (c *corpus) read(seg int) {
	s := &c.segs[seg]
	if s.source.said() {
		c.readSpeech(seg)
		return
	}
	if s.source == fromCall {
		c.speech.hear(s.text, seg)
	}
	splitLines(s.text, func(row int, piece string) { c.take(seg, row, 0, piece, false) })
}

// take takes in a piece of a segment, and returns the number of its line; -1 if it says nothing.
func (c *corpus) take(seg, row, col int, piece string, prose bool) int32 {
	text, indent, signed := bare(piece)
	if worthless(text) || c.over() {
		return -1
	}
	c.infos[seg].lines++
	at := c.add(line{text: text, indent: indent, signed: signed, prose: prose, seg: seg, row: row, col: col, count: 1})
	if c.lines[at].code {
		c.infos[seg].code++
	}
	return at
}

// readSpeech takes in a segment that somebody said, sentence by sentence.
func (c *corpus) readSpeech(seg int) {
	s := &c.segs[seg]
	calls := seg+1 < len(c.segs) && c.segs[seg+1].at == s.at && c.segs[seg+1].source == fromCall
	var last *statement
	place, before := 0, 0
	splitProse(s.text, func(row, col int, piece string, prose bool) {
		if row+col == 0 && s.source == fromAssistant {
			piece = strings.TrimLeft(strings.TrimPrefix(piece, c.refrain), " ")
		}
		if id := c.take(seg, row, col, piece, prose); id >= 0 {
			last = c.speech.say(id, c.lines[id].text, seg)
			last.place, last.before, last.calls, last.last = place, before, calls, false
			place++
		}
		before += len(piece)
	})
	if last != nil {
		last.last = true
	}
}

// add takes in a line, or notes that one was said again, and returns its number.
func (c *corpus) add(l line) int32 {
	at, known := c.byKey[l.text]
	if !known {
		at = int32(len(c.lines))
		c.byKey[l.text] = at
		scanNames(l.text, func(text string, s shape) { l.names = append(l.names, c.intern(text, s)) })
		l.written = c.segs[l.seg].source == fromCall
		l.defines, l.code = defines(l.text), looksLikeCode(l.text)
		if l.defines {
			for _, n := range l.names {
				c.names[n].defined = true
			}
		}
		if setting(l.text) && len(l.names) > 0 {
			c.names[l.names[0]].setting = at + 1
		}
		c.lines = append(c.lines, l)
	} else {
		old := &c.lines[at]
		old.count++
		old.written = old.written || c.segs[l.seg].source == fromCall
		old.seg, old.row, old.col, old.indent, old.signed, old.prose = l.seg, l.row, l.col, l.indent, l.signed, l.prose
	}
	for _, n := range c.lines[at].names {
		c.names[n].see(&c.segs[l.seg], l.seg, c.turns[l.seg], !known)
	}
	return at
}

func (c *corpus) intern(text string, s shape) name {
	n, known := c.vocab[text]
	if !known {
		n = name(len(c.names))
		text = strings.Clone(text)
		c.vocab[text] = n
		c.names = append(c.names, nameInfo{text: text, shape: s, firstSeg: -1, lastSpoken: -1, mark: -1})
	}
	return n
}

// inside calls found for a name and for those that it is joined of.
func (c *corpus) inside(n name, found func(name)) {
	scanNames(c.names[n].text, func(text string, _ shape) {
		if part, known := c.vocab[text]; known {
			found(part)
		}
	})
}

// see notes that a name stands in a segment.
func (n *nameInfo) see(s *segment, seg, turns int, fresh bool) {
	if fresh {
		n.lines++
	}
	if n.mark == seg {
		return
	}
	if n.firstSeg < 0 {
		n.firstSeg = seg
	}
	n.mark, n.lastSeg = seg, seg
	n.segs++
	switch s.source {
	case fromAssistant:
		n.spoken++
		n.lastSpoken = seg
		n.heat += cool(turns)
	case fromCall:
		n.spoken++
		n.called++
		n.lastSpoken = seg
		n.heat += cool(turns)
	case fromUser, fromSystem:
		n.task = true
	}
}

// keep notes what stays in the conversation.
func (c *corpus) keep(s segment, head bool) {
	note := func(piece string) {
		text, _, _ := bare(piece)
		if _, known := c.byKey[text]; known {
			c.kept[text] = true
		}
		scanNames(text, func(text string, _ shape) {
			if n, known := c.vocab[text]; known {
				c.names[n].kept = true
				c.names[n].task = c.names[n].task || head
			}
		})
	}
	if s.source.said() {
		splitProse(s.text, func(_, _ int, piece string, _ bool) { note(piece) })
		return
	}
	splitLines(s.text, func(_ int, piece string) { note(piece) })
}

// looksLikeCode reports whether a line has the signs of a program's.
func looksLikeCode(s string) bool {
	signs := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', ')', '=', '{', '}', '[', ']', ';', '_':
			signs++
		}
	}
	return signs >= 2 && signs*12 >= len(s)
}

// cooling is after how many turns of the agent's a use counts half.
const cooling = 15

// cool returns what a use of a name counts for that lies so many turns back.
func cool(turns int) float64 { return math.Exp2(-float64(turns) / cooling) }

// agentTurns returns how many segments of the agent's follow each segment.
func agentTurns(segs []segment) []int {
	after, n := make([]int, len(segs)), 0
	for i := len(segs) - 1; i >= 0; i-- {
		after[i] = n
		if segs[i].source == fromAssistant || segs[i].source == fromCall {
			n++
		}
	}
	return after
}

// warm sets the heat of a line, which is the mean of its names that could be looked for, and adds it to its segment's.
func (c *corpus) warm(l *line) {
	n := 0
	for _, id := range l.names {
		info := &c.names[id]
		if info.shape == plainWord || info.shape == capitalWord {
			continue
		}
		h := math.Log1p(info.heat)
		l.heat += h
		l.hottest = max(l.hottest, h)
		n++
	}
	if n > 0 {
		l.heat /= float64(n)
	}
	c.infos[l.seg].heat += l.heat
}

// definitions are the words with which lines begin that define something.
var definitions = []string{"def ", "class ", "func ", "function ", "type ", "const ", "var ", "let ", "interface ", "struct ", "async def ", "export ", "public ", "private ", "fn ", "impl "}

// setting reports whether a line gives a name a value, as "retries = 3" and "port: 8080" do, and is short.
func setting(s string) bool {
	if len(s) > longSetting {
		return false
	}
	at := strings.IndexAny(s, "=:")
	if at <= 0 || at == len(s)-1 {
		return false
	}
	key := strings.TrimRight(s[:at], " ")
	for i := range len(key) {
		if nameBytes[key[i]] == 0 {
			return false
		}
	}
	return strings.Trim(s[at+1:], " =:\"'{[(,") != ""
}

// longSetting bounds a line that gives a value, in bytes.
const longSetting = 80

func defines(s string) bool {
	for _, d := range definitions {
		if strings.HasPrefix(s, d) {
			return true
		}
	}
	return false
}

// follow finds out, of the files that calls name, which later calls name again.
func (c *corpus) follow() {
	viewed, edited := map[name]bool{}, map[name]bool{}
	for i := len(c.segs) - 1; i >= 0; i-- {
		if c.segs[i].source != fromCall {
			continue
		}
		info := &c.infos[i]
		paths := c.pathsOf(i)
		for _, n := range paths {
			info.callHeat = max(info.callHeat, math.Log1p(c.names[n].heat))
			info.viewedAgain = info.viewedAgain || viewed[n]
			info.editedLater = info.editedLater || edited[n]
		}
		for _, n := range paths {
			viewed[n] = viewed[n] || info.deed == viewDeed
			edited[n] = edited[n] || info.deed == editDeed
		}
	}
}

// pathsOf returns the files that the first lines of a call name.
func (c *corpus) pathsOf(seg int) []name {
	const most = 400 // bytes of a call in which its file stands
	var paths []name
	text := c.segs[seg].text
	scanNames(text[:min(len(text), most)], func(text string, s shape) {
		if n, known := c.vocab[text]; known && (s == pathName || s == dottedName) {
			paths = append(paths, n)
		}
	})
	return paths
}

// callOf returns what is known of the call that a segment is of.
func (c *corpus) callOf(seg int) segInfo {
	if call := c.infos[seg].call; call >= 0 {
		return c.infos[call]
	}
	return segInfo{}
}
