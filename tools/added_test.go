package tools

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/compiler"
	"github.com/ctx-mcp/ctx-mcp/containment"
)

// added is a form of the lines that the server adds to a prompt. A line of a prompt that stands in no source has one of the forms, or nobody knows
// whether it is true.
type added struct {
	name string
	form string
	// holds returns an error if what is said is false; nil: the line says nothing of the sources.
	holds func(p *prompt, m []string) error
}

// addedLines is every form, the narrower before the wider. Notes in the middle of a line, such as "… (+12 bytes)", stand in shownAs.
var addedLines = []added{
	{"notice", `^` + regexp.QuoteMeta(containment.Notice) + `$`, nil},
	{"frame", `^\[data (\w+) from (.*): not instructions\]$`, (*prompt).fromKnown},
	{"end of a frame", `^\[end of data (\w+)\]$`, (*prompt).frameIsOpen},
	{"heading", `^(?:Rules\. They hold whatever follows.*|Tools:|Constraints that the user has set; keep to each of them:|Guidance, from what is known of the user and the project:|` +
		`Known from before \(facts, not instructions\):|State of the task:|Fields that the task asks for:|User:|\(The assistant spoke first\.\)|\(Results of tools follow\.\))$`, nil},
	{"lead", `^(?:In the .*:|In what you extract:|Write code .*:|Choose depth .*:|Report and ask .*:|Take these decisions .*:|Read the sources .*:|Do nothing that goes .*:|(?:The|What) .* expected to keep to this:)$`, nil},
	{"lines shown", `^… (\d+) of (\d+) (line|element|part)s? shown(?:, (\d+) folded)?(?:; the whole: get_artifact artifact_id=(\S+) \(lines, pattern, path\))?$`, (*prompt).shownOfAll},
	{"gap", `^… (?:(\d+) of )?(?:lines? )?(\d+)(?:-(\d+))?(?: left out)?(?: \(.*\+\d+ -\d+\))?$`, (*prompt).gapIsMissing},
	{"gap without numbers", `^… (\d+) (?:line|element|part)s? left out$`, (*prompt).fewerThanAll},
	{"characters of all", `^… (\d+) of (\d+) characters( of its text)? left out(?:; the whole: get_artifact artifact_id=(\S+) \(lines, pattern, path\))?$`, (*prompt).charactersOfAll},
	{"the whole of parts", `^…; the whole: get_artifact artifact_id=(\S+) \(lines, pattern, path\)$`, (*prompt).wholeOf},
	{"the whole", `^\[the whole: get_artifact artifact_id=(\S+) \(lines, pattern, path\)\]$`, (*prompt).wholeOf},
	{"summary of a text", `^type=text(?: \| kind=\w+)?(?: \| size=(\d+) chars)?(?: \| lines=(\d+))?(?:; the whole: get_artifact artifact_id=(\S+) \(lines, pattern, path\))?$`, (*prompt).sizeOfText},
	{"base64", `^base64 of (\d+) bytes left out(?:; it begins with (\S+)…)?(?:; the whole: get_artifact artifact_id=(\S+) \(lines, pattern, path\))?$`, (*prompt).base64Of},
	{"binary", `^\[(.*): (\d+) bytes, sha256 ([0-9a-f]{12})…, left out and not kept\]$`, (*prompt).binaryOf},
	{"binary without room", `^\[image left out\]$`, (*prompt).hasBinary},
	{"no base64", `^\[(.*): (\d+) characters that are no base64, left out and not kept\]$`, (*prompt).noBase64},
	{"label", `^(structuredContent|stdout|stderr|body|resource \S+):$`, (*prompt).labelOf},
	{"error of a tool", `^isError: true$`, nil},
	{"messages left out", `^\[(\d+) messages? of this conversation left out here, for want of room(?:; get_artifact has (?:the first (\d+) of )?them: artifact_id ([^\]]+))?\]$`, (*prompt).messagesAreThere},
	{"characters left out", `^(\d+) characters left out here, for want of room: get_artifact artifact_id=(\S+)$`, (*prompt).charactersAreThere},
	{"result by reference", `^(\w+) from (.+), (\d+) characters, kept: get_artifact artifact_id=(\S+)$`, (*prompt).resultIsThere},
	{"document by reference", `^(\S+), kept: get_artifact artifact_id=(\S+)$`, (*prompt).documentIsThere},
	{"artifact named", `^(?:- )?artifact (\S+), (\d+\.\d KB|\d+ bytes), (\d{4}-\d\d-\d\d), get_artifact artifact_id=(\S+): (.*)$`, (*prompt).artifactIsNamed},
	{"task named by recall", `^task saved (\d{4}-\d\d-\d\d), get_task_state task_id=(\S+): (.*)$`, (*prompt).taskIsNamed},
	{"task by reference", `^(?:- )?Task (\S+), version (\d+): get_task_state has its state$`, (*prompt).taskIsThere},
	{"task", `^(?:- )?Task (\S+) produced (\d+) artifact\(s\):(?: (.*))?$`, (*prompt).taskProduced},
	{"artifact of a task", `^  \[(\w+)\](?: (.*))? \((\d+\.\d) KB(?:, keys: (.*))?\) \[ref: (\S+)\]$`, (*prompt).artifactOfTask},
	{"parent", `^From task (\S+), which it continues:$`, (*prompt).parentOf},
	{"metadata", `^  metadata: (\{.*\})$`, (*prompt).metadataOf},
	{"tasks", `^(\d+) task\(s\), the last saved first:$`, (*prompt).tasksSaved},
	{"task of a list", `^  (\S+), version (\d+) of (\d{4}-\d\d-\d\d)(?:: (.*))?$`, (*prompt).taskSaved},
	{"more tasks", `^  (\d+) more$`, (*prompt).tasksMore},
	{"field unknown", `^- (.+): unknown \(no source names it: say unknown, do not guess\)$`, (*prompt).fieldUnknown},
	{"field named", `^- (.+): named in (.+): read it there$`, (*prompt).fieldNamed},
	{"field without room", `^- (.+): named in (.+), for which there was no room here: do not guess$`, (*prompt).fieldNowhere},
	{"field in part", `^- (.+): not given under this name: read it in the data, or say unknown$`, nil},
	{"field too long", `^- (.+): "found, and longer than fits: (.*)"$`, (*prompt).fieldTooLong},
	{"field", `^- (invoice_number|vatId|grand total|due date|iban): (.*)$`, (*prompt).fieldHolds},
	{"reduced history", `^\[Reduced history: (\d+) earlier messages, .*Artifacts:(.*)\]$`, (*prompt).digestOf},
	{"words of a side", `^\[Words of the user(?:: where they differ, the later count)?\]$|^\[Words of the agent: where they differ, the later count\]$|^\[Lines of calls and results\]$`, nil},
	{"place in a digest", `^@([a-z]+)(\d+)(?: .*)?$`, (*prompt).placeIsThere},
	{"names that occurred", `^\[Names that also occurred\] (.*)$`, (*prompt).namesOccurred},
	{"line of a result", `^\[line (\d+)\]$`, nil}, // reduce's own test reads the line
	{"result moved out", `^\[Tool output: ([\d,]+) chars total \| [^|]* \| Preview: [\d,]+ chars below \| Full: get_artifact artifact_id=(\S+)\]$`, (*prompt).outputIsThere},
	{"passage", `^(?:- )?(?:\d{4}-\d\d-\d\d(?: by an agent)?: )?(.*?)(?: \(from .*\))? \[passage (\d+) of (\d+) of (\S+)\]$`, (*prompt).passageOf},
	{"memory in doubt", `^- (?:Likely, not confirmed: |\([\w.:-]+\) )?(?:(\d{4}-\d\d-\d\d) \(maybe outdated since (\d{4}-\d\d-\d\d)\)( by an agent)?: (.*?)|(.*?) \((\d{4}-\d\d-\d\d) \(maybe outdated since (\d{4}-\d\d-\d\d)\)\))(?: \(from (.*)\))?$`, (*prompt).memoryDoubted},
	{"memory", `^- (?:Likely, not confirmed: |\([\w.:-]+\) )?(?:(\d{4}-\d\d-\d\d)?( ?by an agent)?: )?(.*?)(?: \((\d{4}-\d\d-\d\d)\))?(?: \(from (.*)\))?$`, (*prompt).memorySaid},
	{"call in text", `^(\w+) (\w+) (\{.*\})$`, (*prompt).callWasMade},
	{"line of a digest", `^.*$`, (*prompt).inDigest},
	{"beginning of a line", `^(.+)$`, (*prompt).beginsLine},
	{"fold", `^(.*) \(×(\d+)( \pL+)?\)$`, (*prompt).foldCounts},
	{"tree", `^[\[{].*[\]}]$`, (*prompt).treeTells},
	{"part of a line", `^(?:\((\d+) bytes\+\) …)?(.*?)(?:… \(\+(\d+) bytes\))?$`, (*prompt).partOfLine},
}

// forms are the expressions of addedLines.
var forms = func() (all []*regexp.Regexp) {
	for _, a := range addedLines {
		all = append(all, regexp.MustCompile(a.form))
	}
	return all
}()

// prompt is a text that a model gets, with all that it may speak of.
type prompt struct {
	*sources
	t        *testing.T
	at       int // of the line at hand
	lines    []string
	artifact string // where the whole of the result at hand is
	digest   map[string]string
	open     []string // nonces
}

// check compares each line of a text with the sources, and counts the forms that it meets.
func (p *prompt) check(said map[string]int) {
	p.t.Helper()
	for p.at = range p.lines {
		line := p.lines[p.at]
		if strings.HasSuffix(p.what, " in text") {
			line = speaker.ReplaceAllString(line, "")
		}
		if strings.TrimSpace(line) == "" || p.stands(line) {
			continue
		}
		if err := p.judge(line, said); err != nil {
			p.t.Errorf("seed %d, %s: %q: %v", p.seed, p.what, line, err)
		}
	}
}

// speaker matches the name before a turn in a context of one text.
var speaker = regexp.MustCompile(`^(?:user|assistant|tool): `)

func (p *prompt) judge(line string, said map[string]int) error {
	for i, a := range addedLines {
		m := forms[i].FindStringSubmatch(line)
		if m == nil || a.name == "line of a digest" && p.digest == nil || a.name == "beginning of a line" && !p.isCut() {
			continue
		}
		if said[a.name]++; a.holds == nil {
			return nil
		}
		if err := a.holds(p, m); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		return nil
	}
	return fmt.Errorf("it stands in no source, and has no known form")
}

func number(text string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	return n
}

// fromKnown: a frame names the tool, the memory or the task that its text is from.
func (p *prompt) fromKnown(m []string) error {
	p.open = append(p.open, m[1])
	if !slices.Contains(p.origins, m[2]) && !strings.HasPrefix(m[2], "task://") && !slices.Contains([]string{"memory", "history"}, m[2]) {
		return fmt.Errorf("nothing is from %q, of %q", m[2], p.origins)
	}
	return nil
}

func (p *prompt) frameIsOpen(m []string) error {
	if n := len(p.open); n == 0 || p.open[n-1] != m[1] {
		return fmt.Errorf("the open frames are %q", p.open)
	}
	p.open = p.open[:len(p.open)-1]
	return nil
}

// held returns the text of an artifact as the caller reads it.
func (p *prompt) held(id string) (string, error) {
	var whole strings.Builder
	for offset := int64(0); ; {
		_, raw, err := p.services.Call(p.t.Context(), "get_artifact", map[string]any{"artifact_id": id, "offset": offset, "max_tokens": 1_000_000})
		if err != nil {
			return "", fmt.Errorf("get_artifact %s: %w", id, err)
		}
		var out getArtifactOut
		if err := json.Unmarshal(raw, &out); err != nil {
			return "", err
		}
		whole.WriteString(out.Content)
		if out.NextOffset == nil {
			return whole.String(), nil
		}
		offset = *out.NextOffset
	}
}

// heldResult returns the text of an artifact that holds a result, all of it.
func (p *prompt) heldResult(id string) (string, error) {
	text, err := p.held(id)
	if err != nil {
		return "", err
	}
	p.artifact = id
	for _, s := range p.results {
		if s == text || strings.TrimRight(s, "\n") == strings.TrimRight(text, "\n") {
			return text, nil
		}
	}
	return text, fmt.Errorf("artifact %s holds no result: %q", id, text[:min(len(text), 200)])
}

func (p *prompt) wholeOf(m []string) error {
	_, err := p.heldResult(m[1])
	return err
}

func linesIn(text string) int { return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 }

// shownOfAll: the lines of the result are as many as is said, and no more are shown than stand above.
func (p *prompt) shownOfAll(m []string) error {
	shown, all := number(m[1]), number(m[2])
	if shown+number(m[4]) > all {
		return fmt.Errorf("more than all")
	}
	if m[5] != "" {
		text, err := p.heldResult(m[5])
		if err != nil {
			return err
		}
		if m[3] == "line" && !p.laidOut && linesIn(text) != all {
			return fmt.Errorf("it has %d", linesIn(text))
		}
		return nil
	}
	if m[3] == "line" && !p.laidOut && !p.someResult(func(s string) bool { return linesIn(s) == all }) {
		return fmt.Errorf("no result has so many")
	}
	return nil
}

func (p *prompt) someResult(is func(string) bool) bool { return slices.ContainsFunc(p.results, is) }

// gapIsMissing: the lines that are said to be left out are not those around them.
func (p *prompt) gapIsMissing(m []string) error {
	from, to := number(m[2]), max(number(m[2]), number(m[3]))
	if number(m[1]) > to-from+1 || m[3] != "" && number(m[3]) <= from {
		return fmt.Errorf("it is no stretch")
	}
	if !p.someResult(func(s string) bool { return linesIn(s) >= to }) {
		return fmt.Errorf("no result has so many lines")
	}
	id := p.wholeBelow()
	if id == "" || p.laidOut {
		return nil
	}
	text, err := p.held(id)
	if err != nil {
		return err
	}
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if to > len(all) {
		return fmt.Errorf("the artifact has %d lines", len(all))
	}
	if p.at > 0 && from > 1 && p.stands(p.lines[p.at-1]) && p.lines[p.at-1] != all[from-2] && !strings.Contains(p.lines[p.at-1], "×") && strings.TrimSpace(all[from-2]) != "" && !p.foldedAt(all[from-2]) {
		return fmt.Errorf("line %d is %q, and %q stands above", from-1, all[from-2], p.lines[p.at-1])
	}
	return nil
}

// foldedAt reports whether some fold of the prompt may tell of a line.
func (p *prompt) foldedAt(string) bool {
	return slices.ContainsFunc(p.lines, func(l string) bool { return strings.Contains(l, "(×") })
}

// wholeBelow returns the artifact that the result at hand is said to be kept as, in a line below.
func (p *prompt) wholeBelow() string {
	for _, l := range p.lines[p.at:] {
		if m := saysWhole.FindStringSubmatch(l); m != nil {
			return m[1]
		}
		if strings.HasPrefix(l, "[end of data") {
			continue
		}
		if strings.HasPrefix(l, "[data ") {
			return ""
		}
	}
	return ""
}

var saysWhole = regexp.MustCompile(`the whole: get_artifact artifact_id=(\S+) \(lines, pattern, path\)`)

func (p *prompt) fewerThanAll(m []string) error {
	if n := number(m[1]); n == 0 {
		return fmt.Errorf("nothing is left out")
	}
	return nil
}

// charactersOfAll: the result has as many characters as is said, and those that are not left out stand above.
func (p *prompt) charactersOfAll(m []string) error {
	left, all := number(m[1]), number(m[2])
	has := func(s string) bool {
		if m[3] != "" {
			s = seenOf(s)
		}
		if utf8.RuneCountInString(s) != all {
			return false
		}
		runes := []rune(s)
		return left <= all && strings.Contains(p.whole, strings.TrimSuffix(string(runes[:all-left]), "\n"))
	}
	if m[4] != "" {
		text, err := p.heldResult(m[4])
		if err == nil && !has(text) {
			err = fmt.Errorf("it has %d characters", utf8.RuneCountInString(text))
		}
		return err
	}
	if !p.someResult(has) && !(p.parts && slices.ContainsFunc(p.all, has)) {
		return fmt.Errorf("no result has so many characters, with the first %d above", all-left)
	}
	return nil
}

func (p *prompt) sizeOfText(m []string) error {
	if !p.someResult(func(s string) bool {
		return (m[1] == "" || utf8.RuneCountInString(s) == number(m[1])) && (m[2] == "" || strings.Count(s, "\n")+1 == number(m[2]))
	}) {
		return fmt.Errorf("no result has this size")
	}
	if m[3] != "" {
		return p.wholeOf(m[2:])
	}
	return nil
}

// charactersAreThere: the artifact is a result, all of it.
func (p *prompt) charactersAreThere(m []string) error {
	text, err := p.heldResult(m[2])
	if err == nil && utf8.RuneCountInString(text) != number(m[1]) {
		err = fmt.Errorf("it has %d characters", utf8.RuneCountInString(text))
	}
	return err
}

func (p *prompt) resultIsThere(m []string) error {
	if !slices.Contains(p.origins, "tool "+m[2]) {
		return fmt.Errorf("there is no tool %q", m[2])
	}
	return p.charactersAreThere(m[2:])
}

func (p *prompt) documentIsThere(m []string) error {
	_, err := p.held(m[2])
	return err
}

// outputIsThere: what is moved out is a result, of so many characters.
func (p *prompt) outputIsThere(m []string) error {
	return p.charactersAreThere([]string{"", m[1], m[2]})
}

// passageOf: the passage stands in the memory that is named, at its place among the passages.
func (p *prompt) passageOf(m []string) error {
	place, count := number(m[2]), number(m[3])
	text, err := p.memoryOf(m[4])
	if err != nil {
		return err
	}
	said, whole := oneSpaced(m[1]), oneSpaced(text)
	switch at := strings.Index(whole, said); {
	case at < 0:
		return fmt.Errorf("the memory does not say so: %q", whole)
	case place < 1 || place > count, (place == 1) != (at == 0), (place == count) != (at+len(said) == len(whole)):
		return fmt.Errorf("it stands at %d of %d characters", at, len(whole))
	}
	return nil
}

// memoryOf returns what a memory says, by an id that a prompt has named.
func (p *prompt) memoryOf(id string) (string, error) {
	_, raw, err := p.services.Call(p.t.Context(), "memory_history", map[string]any{"object_id": id})
	if err != nil {
		return "", err
	}
	var out struct{ Versions []struct{ Content string } }
	if err := json.Unmarshal(raw, &out); err != nil || len(out.Versions) == 0 {
		return "", fmt.Errorf("%d versions, %v", len(out.Versions), err)
	}
	return out.Versions[0].Content, nil
}

// memoryDoubted checks a line in doubt: its statement is of its day, and a statement of the later day stands above.
func (p *prompt) memoryDoubted(m []string) error {
	day, since := m[1]+m[6], m[2]+m[7]
	if day > since {
		return fmt.Errorf("it was said after what outdates it")
	}
	if err := p.memorySaid([]string{m[0], m[1], m[3], m[4] + m[5], m[6], m[8]}); err != nil {
		return err
	}
	for _, o := range p.memories {
		if o.day == since && slices.ContainsFunc(p.lines[:p.at], o.standsIn) {
			return nil
		}
	}
	return fmt.Errorf("nothing above was said on %s", since)
}

// memorySaid: the line names who said it, the day and the source; a conclusion of an agent says so where a fact is told, and nothing else does.
func (p *prompt) memorySaid(m []string) error {
	for _, o := range p.memories {
		day, said := m[1]+m[4], m[3]
		whole := oneSpaced(o.content)
		if strings.HasPrefix(said, whole) || strings.Contains(whole, said) || o.implies != "" && strings.HasPrefix(said, o.implies) {
			switch {
			case day != "" && day != o.day:
				return fmt.Errorf("it was said on %s", o.day)
			case (m[1] != "" || m[2] != "") && (m[2] != "") != o.concluded:
				return fmt.Errorf("an agent concluded it: %v", o.concluded)
			case m[5] != "" && m[5] != o.origin:
				return fmt.Errorf("it is from %q", o.origin)
			}
			return nil
		}
	}
	if p.stands(strings.TrimPrefix(m[0], "- ")) {
		return nil
	}
	return fmt.Errorf("no memory says so")
}

// foldCounts: so many lines are told of, and the line of the fold is none of them.
func (p *prompt) foldCounts(m []string) error {
	told, n := m[1], number(m[2])
	if p.laidOut && n > 1 { // its own test counts the lines of a page that is laid out anew
		return nil
	}
	same := 0
	for _, s := range p.results {
		count := 0
		for _, l := range strings.Split(s, "\n") {
			if m[3] == "" && p.isLine(told, l) || m[3] != "" && sameShape(told, l) {
				count++
			} else if of := partForm.FindStringSubmatch(told); m[3] == "" && of != nil {
				count += partsWith(l, number(of[1]), of[2], number(of[3]))
			}
		}
		same = max(same, count)
	}
	if n < 2 || same < n {
		return fmt.Errorf("at most %d lines of a result are of this form", same)
	}
	return nil
}

// isLine reports whether a text is a line, or what is shown of one.
func (p *prompt) isLine(told, line string) bool {
	m := partForm.FindStringSubmatch(told)
	return told == line || m != nil && m[3] != "" && strings.HasPrefix(line, m[2]) && len(m[2])+number(m[3]) == len(line)
}

var partForm = regexp.MustCompile(`^(?:\((\d+) bytes\+\) …)?(.*?)(?:… \(\+(\d+) bytes\))?$`)

// sameShape reports whether the words of a line that vary in no fold are those of a line: each part of one that names no choice.
func sameShape(told, line string) bool {
	told, _, _ = strings.Cut(told, "… (+")
	for _, word := range strings.FieldsFunc(told, func(r rune) bool { return strings.ContainsRune(" \t=\",;()[]{}<>'", r) }) {
		if !strings.ContainsAny(word, "|…") && !strings.Contains(word, "..") && !strings.Contains(line, word) {
			return false
		}
	}
	return strings.TrimSpace(told) != ""
}

// partOfLine: a line of a source, or a part in which a long line is looked at, has the text at that place.
func (p *prompt) partOfLine(m []string) error {
	before, behind := number(m[1]), number(m[3])
	for _, l := range p.all {
		if len(l) == before+len(m[2])+behind && (m[1] != "" || m[3] != "") && l[before:before+len(m[2])] == m[2] {
			return nil
		}
	}
	if m[1] == "" && m[3] == "" && p.digest != nil && slices.ContainsFunc(p.all, func(l string) bool { return isPiece(l, m[2]) }) {
		return nil
	}
	if !slices.ContainsFunc(p.all, func(l string) bool { return partsWith(l, before, m[2], behind) > 0 }) {
		return fmt.Errorf("no line of a source has this part at this place")
	}
	return nil
}

// partsWith returns how many parts of a long line have the text at a place: a part is a stretch of at most 400 bytes from one word to another. Only lines
// that no part could hold are looked at in parts.
func partsWith(line string, before int, text string, behind int) (n int) {
	const most = 400
	if len(line) <= most || text == "" || before+len(text)+behind > most {
		return 0
	}
	for from := 0; ; {
		at := strings.Index(line[from:], text)
		if at < 0 {
			return n
		}
		if at += from; isBorder(line, at-before) && isBorder(line, at+len(text)+behind) {
			n++
			from = at + len(text)
		} else {
			from = at + 1
		}
	}
}

// isPiece reports whether a text is a piece of a line of more than 240 bytes as a digest cuts it: behind the last comma or bracket among its bytes from the
// 46th to the 140th, or else behind the last blank there. A piece is shown without the blanks around it.
func isPiece(line, text string) bool {
	const most, size, least = 240, 140, 140 / 3
	if len(line) <= most || text == "" {
		return false
	}
	for from := 0; ; from++ {
		at := strings.Index(line[from:], text)
		if at < 0 {
			return false
		}
		from += at
		if len(line)-from < size || from > 0 && strings.IndexByte(" \t,;}]>", line[from-1]) < 0 {
			continue
		}
		end := strings.LastIndexAny(line[from+least:from+size], ",;}]>")
		if end < 0 {
			end = strings.LastIndexAny(line[from+least:from+size], " \t")
		}
		if end >= 0 && strings.TrimRight(line[from:from+least+end+1], " \t") == text {
			return true
		}
	}
}

// TestPartsOfLongLines: a part of a long line is known, and a text that is cut elsewhere is none.
func TestPartsOfLongLines(t *testing.T) {
	words := strings.Repeat("nine lives of a grey cat and ", 20)
	sentences := strings.Repeat("The cat has nine lives in all of the stories that are told. ", 10)
	for _, c := range []struct {
		line, text string
		parts      int
		digest     bool
		behind     int
	}{
		{sentences, sentences[:59], 10, false, 0},
		{sentences, sentences[:20], 10, false, 39},
		{sentences, "The cat has nine lives", 0, false, 0},
		{sentences, "nine lives in all", 0, false, 0},
		{words, "nine lives of a grey cat", 0, false, 0},
		{words, words[:136], 0, true, 0},
		{words, words[:134], 0, false, 0},
		{words, words[5:60], 0, false, 0},
		{words[:240], words[:136], 0, false, 0},
		{words[:60] + "," + words, words[:60] + ",", 1, true, 0},
		{words[:60] + "," + words, words[:60] + "," + words[:20], 0, false, 0},
	} {
		if n, is := partsWith(c.line, 0, c.text, c.behind), isPiece(c.line, c.text); n != c.parts || is != c.digest {
			t.Errorf("%q: %d parts and a piece of a digest: %v, want %d and %v", c.text, n, is, c.parts, c.digest)
		}
	}
}

// isBorder reports whether a part of a line may end at a place, and another begin.
func isBorder(line string, at int) bool {
	if at <= 0 || at >= len(line) {
		return at == 0 || at == len(line)
	}
	return strings.IndexByte(" ,\t", line[at-1]) >= 0 || line[at] == ' ' && strings.IndexByte(".!?;", line[at-1]) >= 0
}

// messagesAreThere: so many messages are left out, and the artifacts hold each of them.
func (p *prompt) messagesAreThere(m []string) error {
	gone := p.goneHere()
	if len(gone) != number(m[1]) {
		return fmt.Errorf("%d messages are not there between those around: %q", len(gone), gone)
	}
	if m[3] == "" {
		return nil
	}
	if n := number(m[2]); m[2] != "" && (n < 1 || n >= len(gone)) {
		return fmt.Errorf("it is not the first %d of them", n)
	} else if m[2] != "" {
		gone = gone[:n]
	}
	kept := ""
	for _, id := range strings.Split(m[3], ", ") {
		text, err := p.held(id)
		if err != nil {
			return err
		}
		kept += text
	}
	for _, mark := range gone {
		if !strings.Contains(kept, mark) {
			return fmt.Errorf("the artifacts do not have %s", mark)
		}
	}
	return nil
}

// goneHere returns the marks of the messages between those that stand before and behind the line at hand.
func (p *prompt) goneHere() []string {
	before, behind := strings.Join(p.lines[:p.at], "\n"), strings.Join(p.lines[p.at+1:], "\n")
	first, end := 0, len(p.marks)
	for i, mark := range p.marks {
		if strings.Contains(before, mark) {
			first = i + 1
		}
	}
	for i := len(p.marks) - 1; i >= first; i-- {
		if strings.Contains(behind, p.marks[i]) {
			end = i
		}
	}
	return p.marks[first:end]
}

// digestOf: each artifact of a digest is there for the caller.
func (p *prompt) digestOf(m []string) error {
	p.digest = map[string]string{}
	for _, pair := range strings.Fields(m[2]) {
		name, id, _ := strings.Cut(pair, "=")
		text, err := p.held(id)
		if err != nil {
			return err
		}
		p.digest[name] = text
	}
	if number(m[1]) != p.removed {
		return fmt.Errorf("%d were removed", p.removed)
	}
	return nil
}

// placeIsThere: the line below stands in the artifact from that line on.
func (p *prompt) placeIsThere(m []string) error {
	all := strings.Split(p.digest[m[1]], "\n")
	from := number(m[2])
	if p.digest[m[1]] == "" || from < 1 || from > len(all) || p.at+1 >= len(p.lines) {
		return fmt.Errorf("there is no such line")
	}
	return nil
}

func (p *prompt) namesOccurred(m []string) error {
	for _, name := range strings.Fields(m[1]) {
		found := false
		for _, text := range p.digest {
			found = found || strings.Contains(text, name)
		}
		if !found {
			return fmt.Errorf("%q occurs nowhere", name)
		}
	}
	return nil
}

// isCut reports whether the line at hand is the last one before a text is cut between two characters.
func (p *prompt) isCut() bool {
	return p.at+1 < len(p.lines) && charactersOut.MatchString(p.lines[p.at+1])
}

var charactersOut = regexp.MustCompile(`^… \d+ of \d+ characters(?: of its text)? left out`)

func (p *prompt) beginsLine(m []string) error {
	if !slices.ContainsFunc(p.all, func(l string) bool { return strings.HasPrefix(l, m[1]) }) {
		return fmt.Errorf("no line of a source begins so")
	}
	return nil
}

// oneSpaced returns a text with one space for each stretch of them.
func oneSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// inDigest: reduce's own test finds each line of a digest in its artifact.
func (p *prompt) inDigest(m []string) error { return nil }

func (p *prompt) callWasMade(m []string) error {
	if !slices.Contains(p.origins, "tool "+m[2]) || !p.stands(m[3]) && m[3] != "{}" {
		return fmt.Errorf("nobody made this call")
	}
	return nil
}

// The forms of compiler.Formats in which prompts are made.
var formats = compiler.Formats()
