package refusal

import (
	_ "embed" // for the table
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Kinds of deeds of which the code speaks. The others are rows of language.Degrees.
const (
	meetKind = "meet" // has people come to an event
	heldKind = "held" // of a call that sends and publishes nothing yet
)

// degree holds the words of one kind of deed.
type degree struct {
	kind       string
	less, asks map[string]bool // bases of verbs
	said       map[string]bool // words that ask for the deed wherever they stand
	names      map[string]bool // words in the names of tools
}

// degrees holds the rows of language.Degrees by their kinds.
var degrees = sync.OnceValue(func() []*degree { return degreesOf(language.Degrees, baseOf) })

// degreesOf returns the rows of a table of degrees by their kinds, the verbs by a key.
func degreesOf(t *language.Table, key func(string) string) (all []*degree) {
	for _, r := range t.Rows() {
		kind, part, _ := strings.Cut(r.Head, " ")
		at := slices.IndexFunc(all, func(d *degree) bool { return d.kind == kind })
		if at < 0 {
			at = len(all)
			all = append(all, &degree{kind: kind, less: map[string]bool{}, asks: map[string]bool{}, said: map[string]bool{}, names: map[string]bool{}})
		}
		for _, w := range r.Words {
			switch part {
			case "less":
				all[at].less[key(w)] = true
			case "said":
				all[at].said[w] = true
			case "names":
				all[at].names[w] = true
			default:
				all[at].asks[key(w)] = true
			}
		}
	}
	return all
}

// extent is the reach of the words of a user: the kinds of deeds that were asked for, and the sentences that ask for less than one.
type extent struct {
	asked map[string]bool
	less  map[string]string
}

// take takes in the clauses of a sentence.
func (x *extent) take(s sentence) {
	for _, c := range s.clauses {
		for _, d := range degrees() {
			asks, less := d.read(c)
			x.note(d.kind, asks, less, s.text)
		}
	}
}

// note takes down, of a kind of deed, whether a clause of a sentence asks for it or for less.
func (x *extent) note(kind string, asks, less bool, said string) {
	if x.asked == nil {
		x.asked, x.less = map[string]bool{}, map[string]string{}
	}
	x.asked[kind] = x.asked[kind] || asks
	if less && x.less[kind] == "" {
		x.less[kind] = said
	}
}

// read reports whether a clause asks for the deed, and whether it asks for less. In a clause that asks for less, the words of the deed are nouns unless they stand
// where verbs do: "draft a reply", but "draft and send".
func (d *degree) read(c []word) (asks, less bool) {
	for i, w := range c {
		less = less || d.less[baseOf(w.lower)] && (opens(c, i, false) || taken(c, i))
	}
	for i, w := range c {
		base := baseOf(w.lower)
		asks = asks || d.said[w.lower] || d.asks[base] && (!less || opens(c, i, true) || strings.HasSuffix(w.lower, "ed"))
	}
	return asks, less
}

// opens reports whether a verb of an order may stand at a place of a clause. behind says that another verb stands before, of which a word behind "to" tells
// the purpose.
func opens(c []word, i int, behind bool) bool {
	for i > 0 && (adverbs.Has(c[i-1].lower) && c[i-1].lower != "to" && c[i-1].lower != "from" && c[i-1].lower != "at" || openers.Has(c[i-1].lower) && !articles.Has(c[i-1].lower)) {
		i--
	}
	return i == 0 || joints.Has(c[i-1].lower) && !(behind && c[i-1].lower == "to")
}

// taken reports whether a noun stands behind a verb that says no more: "have a look", "write a draft".
func taken(c []word, i int) bool {
	return i > 1 && (c[i-1].lower == "a" || c[i-1].lower == "an" || c[i-1].lower == "another") && slices.ContainsFunc(c[:i-1], func(w word) bool { return takings.Has(w.lower) })
}

// Exceeded returns the sentence of the user that asks for less than one of the acts of a call, "" for none.
func (h *Heard) Exceeded(acts []Act) string {
	for _, a := range acts {
		for _, kind := range a.deeds {
			if said := h.extent.less[kind]; said != "" && !h.extent.asked[kind] {
				return said
			}
		}
	}
	return ""
}

//go:embed deeds.tsv
var deedRows string

// deedTable holds the rows of deeds.tsv.
var deedTable = sync.OnceValue(func() [][3][]string {
	var all [][3][]string
	for _, cells := range effect.RowsOf(deedRows, 3) {
		all = append(all, [3][]string{strings.Split(cells[0], ","), strings.Split(cells[1], ","), {cells[2]}})
	}
	return all
})

// deedsOfTool returns the kinds of deeds of a tool that changes something, by its name, the class of its effects and its arguments.
func deedsOfTool(name []string, effects []effect.Effect, arguments []effect.Argument) []string {
	is := func(c effect.Class) bool {
		return slices.ContainsFunc(effects, func(e effect.Effect) bool { return e.Class == c })
	}
	if !slices.ContainsFunc(effects, func(e effect.Effect) bool { return e.Class.Danger() >= 2 }) {
		return nil
	}
	all := deedsNamed(name, is(effect.Destroy))
	if is(effect.Message) {
		all = append(all, messageKind(name))
	}
	for _, row := range deedTable() {
		if slices.ContainsFunc(arguments, func(a effect.Argument) bool { return slices.Contains(row[0], a.Name) && likeOne(a.Text, row[1]) }) {
			all = append(all, row[2]...)
		}
	}
	if is(effect.Message) { // an answer that its reader may see is not public
		all = slices.DeleteFunc(all, func(k string) bool { return k == "public" || k == "own" })
	}
	if slices.Contains(all, heldKind) || slices.Contains(name, "draft") || slices.Contains(name, "drafts") {
		all = slices.DeleteFunc(all, func(k string) bool { return k == sendKind || k == "publish" || k == meetKind })
	}
	return all
}

// messageKind returns the kind of deed of a tool that has people told: an event is a meeting, and a record that is opened for a team is no message.
func messageKind(name []string) string {
	has := func(words *language.Set) bool { return slices.ContainsFunc(name, words.Has) }
	switch {
	case has(eventNames):
		return meetKind
	case has(recordNames) && !has(entryNames):
		return ""
	}
	return sendKind
}

// deedsNamed returns the kinds of deeds that the words of a name tell. A call that destroys nothing is no deletion, a merge request no merge, and a sign-in no signature.
func deedsNamed(name []string, destroys bool) (all []string) {
	for _, d := range degrees() {
		for i, w := range name {
			next := ""
			if i+1 < len(name) {
				next = name[i+1]
			}
			switch {
			case !d.names[w], d.kind == deleteKind && !destroys, w == "merge" && strings.HasPrefix(next, "request"), w == "sign" && len(next) < 4:
			case w == "release" && i > 0 && !publishing.Has(name[i-1]):
			default:
				all = append(all, d.kind)
			}
		}
	}
	return all
}

// likeOne reports whether a value is one of the patterns, in which a star at the end stands for anything.
func likeOne(text string, patterns []string) bool {
	text = strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(text))
	return slices.ContainsFunc(patterns, func(p string) bool {
		front, star := strings.CutSuffix(p, "*")
		return text == p || star && strings.HasPrefix(text, front)
	})
}

// deedsOfCommand returns the kinds of deeds of one command of the class, which has the kinds of acts. What git does to a branch is the agent's own work.
func deedsOfCommand(argv, kinds []string, class effect.Class) []string {
	if argv[0] == "git" || class.Danger() < 2 {
		return nil
	}
	var words []string
	for _, w := range argv[1:] {
		if strings.HasPrefix(w, "-") {
			break
		}
		words = append(words, language.NameWords(w)...)
	}
	var all []string
	if effect.IsCloud(argv[0]) {
		all = deedsNamed(words, class == effect.Destroy)
	}
	for _, k := range kinds {
		if slices.ContainsFunc(degrees(), func(d *degree) bool { return d.kind == k }) && (k != deleteKind || class == effect.Destroy) {
			all = append(all, k)
		}
	}
	if slices.ContainsFunc(argv, func(w string) bool { return w == "--draft" }) {
		all = slices.DeleteFunc(all, func(k string) bool { return k == "publish" || k == sendKind })
	}
	return all
}
