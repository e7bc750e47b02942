package reduce

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// A digest is one turn of the user that stands for all that was moved out: a heading that says which artifacts hold it, lines of the user,
// and between the delimiters of data lines of the agent, of calls and of results, and names that no line brings. Its form is read back: it
// is only added to.
const (
	digestOpen      = "[Reduced history: "
	digestHelp      = ` earlier messages, of which these are lines. "@a340 x": by x, from line 340 of artifact a on; get_artifact (lines, pattern) has the rest. Artifacts:`
	digestUser      = "[Words of the user]\n"
	digestUserLater = "[Words of the user: where they differ, the later count]\n" // where two of them may, and all are the user's
	digestOrigin    = "history"
	digestAgent     = "[Words of the agent: where they differ, the later count]\n"
	digestLines     = "[Lines of calls and results]\n"
	digestNames     = "[Names that also occurred] "
	digestEndV1     = "[End of reduced history]" // of state version 1, which had no delimiters
)

var digestForm = language.NewPattern(`^\[Reduced history: (\d+) earlier messages[^\n]* Artifacts:((?: [a-z]+=[A-Za-z0-9_.-]+)+)\]\n`)

// formLine is the beginning of a line that the form has a meaning for: one that ends the digest, or says who speaks.
var formLine = language.NewPattern(`^\[(?:Reduced history: |Words of the (?:user|agent)|Lines of calls and results|Names that also occurred\]|Summary by a model|End of reduced history\]|data |end of data )|^@[a-z]+[0-9]+(?: |$)`)

// imitates reports whether a line would pass for one that was written here.
func imitates(line string) bool {
	return (strings.HasPrefix(line, "[") || strings.HasPrefix(line, "@")) && formLine.MatchString(line)
}

// readDigest returns how many messages a text stands for and the artifacts that it names, if it is a digest that was made here, or one of
// state version 1.
func (j *job) readDigest(text string) (removed int, archives []string, is bool) {
	m := digestForm.FindStringSubmatch(text)
	if m == nil || !j.wrote(m[0], text[len(m[0]):]) && !strings.HasSuffix(text, digestEndV1) {
		return 0, nil, false
	}
	removed, err := strconv.Atoi(m[1])
	for _, pair := range strings.Fields(m[2]) {
		_, id, _ := strings.Cut(pair, "=")
		archives = append(archives, id)
	}
	return removed, archives, err == nil && removed > 0 && removed <= mostFigure
}

// wrote reports whether the nonce of a digest follows from what stands in front of its frame, and in it.
func (s *Service) wrote(heading, framed string) bool {
	if strings.HasPrefix(framed, digestUser) || strings.HasPrefix(framed, digestUserLater) {
		at := strings.Index(framed, "\n[data ") + 1 // no line of the user's says so: it is contained
		heading, framed = heading+framed[:at], framed[at:]
	}
	f, is := containment.Unframe(framed)
	return is && f.Rest == "" && s.enclosed(heading, f.Text) == heading+framed
}

// enclosed returns a digest: a heading, and lines between delimiters. Their nonce follows from both and the key of the installation: it stays as
// long as the digest does, and who writes a line cannot know it.
func (s *Service) enclosed(heading, lines string) string {
	return heading + containment.Frame(containment.Nonce(s.Key, digestOrigin, heading+lines), digestOrigin, lines)
}

// bodyOf returns the lines of a digest without those of its form, and the names that it lists.
func bodyOf(digest string) string {
	var b strings.Builder
	for line := range strings.Lines(digest) {
		if line = strings.TrimPrefix(line, digestNames); !imitates(line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// letter names the n-th archive: a to z, then ba, bb.
func letter(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return letter(n/26) + string(rune('a'+n%26))
}

// writing is a digest as it is put together.
type writing struct {
	*Service
	removed  int
	archives []string
	summary  string
	c        *corpus
	places   []place
	lines    []int32
	names    []name
}

func (w *writing) text() string {
	var heading, b strings.Builder
	heading.WriteString(digestOpen + strconv.Itoa(w.removed) + digestHelp)
	for i, id := range w.archives {
		heading.WriteString(" " + letter(i) + "=" + id)
	}
	heading.WriteString("]\n")
	user, agent, rest := w.sections()
	title := digestUser
	if w.c.differ(user) && !slices.ContainsFunc(user, w.c.byDeveloper) {
		title = digestUserLater
	}
	w.section(&heading, title, user)
	b.WriteString(w.summary)
	w.section(&b, digestAgent, agent)
	lines := ""
	if len(agent) > 0 {
		lines = digestLines
	}
	w.section(&b, lines, rest)
	if len(w.names) > 0 {
		b.WriteString(digestNames)
		for i, n := range w.names {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w.c.names[n].text)
		}
	}
	return w.enclosed(heading.String(), strings.TrimSuffix(b.String(), "\n"))
}

// sections returns the lines by who speaks.
func (w *writing) sections() (user, agent, rest []int32) {
	for _, id := range w.lines {
		switch s := w.c.segs[w.c.lines[id].seg].source; {
		case s.instructs():
			user = append(user, id)
		case s.said():
			agent = append(agent, id)
		default:
			rest = append(rest, id)
		}
	}
	return user, agent, rest
}

// section writes lines below their title, those of a segment below a heading of its own.
func (w *writing) section(b *strings.Builder, title string, lines []int32) {
	if len(lines) == 0 {
		return
	}
	b.WriteString(title)
	seg, row, said, who := -1, -1, -1, ""
	for _, id := range lines {
		l := &w.c.lines[id]
		if l.seg == seg && l.row == row && l.prose {
			b.WriteString(" " + l.contained())
			continue
		}
		if seg >= 0 {
			b.WriteByte('\n')
		}
		if l.seg != seg && !w.near(l.seg, said) {
			who, said = w.heading(b, l.seg, who), l.seg
		}
		seg, row = l.seg, l.row
		indent(b, l)
		b.WriteString(l.contained())
	}
	b.WriteByte('\n')
}

// near reports whether a segment needs no heading behind that of another: the same one spoke a little before.
func (w *writing) near(seg, last int) bool {
	if last < 0 || !w.c.segs[seg].source.said() || w.c.segs[seg].source != w.c.segs[last].source {
		return false
	}
	p, q := w.places[seg], w.places[last]
	return p.archive == q.archive && p.line-q.line < nearLines
}

// nearLines is how many lines of an archive a heading of what was said serves for.
const nearLines = 200

// changed returns how many places of the lines were changed, so that they cannot pass for anything else.
func (w *writing) changed() (n int) {
	for _, id := range w.lines {
		n += w.c.lines[id].changed
	}
	return n
}

// heading says where the lines of a segment are from, and who said them unless it was who spoke last, and returns who.
func (w *writing) heading(b *strings.Builder, seg int, last string) (who string) {
	s, p := &w.c.segs[seg], w.places[seg]
	if who = s.label; s.source.said() {
		who = string(s.source)
	}
	if s.source == fromCall {
		who += " called"
	}
	fmt.Fprintf(b, "@%s%d", letter(p.archive), p.line)
	if who != last {
		b.WriteString(" " + containment.Origin(who))
	}
	b.WriteByte('\n')
	return who
}

// indentStep is how many columns of indentation one blank stands for.
const indentStep = 4

func writeLine(b *strings.Builder, l *line) {
	indent(b, l)
	b.WriteString(l.contained())
	b.WriteByte('\n')
}

func indent(b *strings.Builder, l *line) {
	for range min((l.indent+indentStep-1)/indentStep, 12) {
		b.WriteByte(' ')
	}
}

// digestInto puts a digest of all that was moved out, of at most so many tokens, behind the first zone. It takes no more than what it
// stands for.
func (j *job) digestInto(most int) {
	head, start := j.head()
	if j.moved > 0 {
		most = min(most, j.moved-j.model.Frame.Message)
	}
	w := j.newWriting()
	fit := j.fit(w, most)
	j.all = slices.Concat(j.all[:head], []conversation.Message{conversation.Said(conversation.User, fit)}, j.all[start:])
	j.digest, j.pending = true, false
	j.state.Digest = fit
	j.changed += w.changed()
	if j.edited < 0 || head < j.edited {
		j.edited = head
	}
}

// newWriting returns an empty digest. The archive of this epoch is noted to be kept.
func (j *job) newWriting() *writing {
	segs, places, archives := slices.Concat(j.past, j.gone), slices.Clone(j.places), slices.Clone(j.alive)
	if len(j.gone) > 0 {
		text, begin := writeArchive(j.gone)
		delete(j.drafts, j.archive)
		j.archive = j.keep("history", "history", text)
		archives = append(archives, j.archive)
		for _, line := range begin {
			places = append(places, place{len(archives) - 1, line})
		}
	}
	head, start := j.head()
	same := func(text string) string { return text }
	c := newCorpus(j.nobodyWaits, segs, segments(j.all[:head], 1, nil, same), segments(j.all[start:], 1, nil, same))
	return &writing{Service: j.Service, removed: j.state.Removed, archives: archives, summary: j.summary, c: c, places: places}
}

// room returns the tokens that are left for a digest.
func (j *job) room() int {
	most := j.budget.low - j.besides() - j.model.Frame.Message
	if j.anchor != nil {
		most = int(float64(most) * reportedDigest)
	}
	return most
}

// reportedDigest is how much of its room a digest fills where the size of the rest follows from a report: counts differ a little from it.
const reportedDigest = 0.98

// besides returns the tokens of all but the digest.
func (j *job) besides() int {
	rest := j.tokens().Value
	if head, _ := j.head(); j.digest {
		rest -= j.size(&j.all[head]).Value
	}
	return rest
}

// stays returns the share of the whole conversation that an epoch leaves.
func (j *job) stays(c *corpus) float64 {
	return min(float64(j.budget.low)/float64(max(j.besides()+c.bytes()/charsPerToken, 1)), 1)
}

// fit chooses the items of the digest until it has at most so many tokens. The tokens of the form are guessed, and the last items
// chosen are taken back if they are too many.
func (j *job) fit(w *writing, most int) string {
	empty := j.model.Count(w.text())
	if most <= empty {
		return w.text()
	}
	ch := newChooser(w.c, room{size: (most - empty) * 5 / 4, of: j.model.Count, heading: headingTokens, stays: j.stays(w.c)})
	ch.choose()
	costs, best := j.costs(ch), w.text()
	for sum, tries := most-empty, 0; tries < mostTries; tries++ { // costs are those of each pick alone: their sum is a little off
		n := upTo(costs, sum)
		w.lines, w.names = ch.first(n)
		text := w.text()
		took := j.model.Count(text) - empty
		if took <= most-empty {
			best = text
		}
		if n == len(ch.picks) && took <= most-empty || took <= most-empty && took >= (most-empty)*closeEnough/1000 {
			break
		}
		sum = costs[n] * (most - empty) / max(took, 1)
		if took > most-empty {
			sum -= costs[n] / 500
		}
	}
	return best
}

const (
	mostTries   = 8
	closeEnough = 995 // per mille of the room that a digest fills
)

// upTo returns the number of picks that have costs of at most most together.
func upTo(costs []int, most int) int {
	n := sort.Search(len(costs), func(i int) bool { return costs[i] > most })
	return max(n-1, 0)
}

// costs returns the tokens of the first n picks, for each n.
func (j *job) costs(ch *chooser) []int {
	sums := make([]int, len(ch.picks)+1)
	headed := map[int]bool{}
	for i, p := range ch.picks {
		n := 1
		if p.line < 0 {
			n += j.model.Count(" " + ch.c.names[p.name].text)
		} else {
			l := &ch.c.lines[p.line]
			n += j.model.Count(l.text)
			if !headed[l.seg] {
				headed[l.seg] = true
				n += headingTokens
			}
		}
		sums[i+1] = sums[i] + n
	}
	return sums
}

const headingTokens = 5
