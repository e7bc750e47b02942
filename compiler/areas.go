package compiler

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
)

// longestPhrase is the most words of a phrase of an area.
const longestPhrase = 4

// phrases holds the phrases of language.Areas, as stems with spaces between.
type phrases struct {
	areas   map[string][]string // that a phrase is of
	longest map[string]int      // words of the longest phrase that is looked for, by the first of them
}

var areaPhrases = sync.OnceValue(func() phrases {
	p := phrases{phrasesOfAreas(), map[string]int{}}
	for phrase := range p.areas {
		words := strings.Split(phrase, " ")
		p.longest[words[0]] = max(p.longest[words[0]], min(len(words), longestPhrase))
	}
	return p
})

// phrasesOfAreas maps each phrase to its areas.
func phrasesOfAreas() map[string][]string {
	all := map[string][]string{}
	for _, row := range language.Areas.Rows() {
		for _, phrase := range row.Words {
			key := strings.Join(phraseOf(phrase), " ")
			all[key] = append(all[key], row.Head)
		}
	}
	for _, kind := range language.SoftwareKinds.Rows() {
		for _, area := range areasOfWork(all, kind.Head) {
			for _, tool := range kind.Words {
				key := strings.Join(phraseOf(tool), " ")
				if !slices.Contains(all[key], area) {
					all[key] = append(all[key], area)
				}
			}
		}
	}
	return all
}

// areasOfWork returns the areas that have a phrase for the work of a kind of tools: a test runner is of the area of tests.
func areasOfWork(phrases map[string][]string, kind string) (areas []string) {
	for _, work := range language.SoftwareWork.Row(kind).All() {
		for _, area := range phrases[strings.Join(phraseOf(work), " ")] {
			if !slices.Contains(areas, area) {
				areas = append(areas, area)
			}
		}
	}
	return areas
}

// phraseOf returns the words of a text in order, each as its stem.
func phraseOf(text string) []string {
	words := language.Words(text)
	for i, w := range words {
		if t := lexicon.Look(w).Term(); t != "" {
			words[i] = t
		}
	}
	return words
}

// request matches the first line of a request, by which an endpoint is named.
var request = language.NewPattern(`\b(GET|POST|PUT|PATCH|DELETE) /`)

// joint matches where two words of an identifier meet: createdAt, created_at.
var joint = language.NewPattern(`(\p{Ll})_?(\p{Lu})|(\pL)_(\pL)`)

// hasJoint reports whether words of an identifier may meet in a text: most texts have no such place.
func hasJoint(text string) bool {
	lower := false
	for _, r := range text {
		if r == '_' || lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}

// areasOf returns the areas of work and of life that a text speaks of. Of phrases that begin alike the longest counts.
func areasOf(text string) map[string]bool {
	found := map[string]bool{}
	text = request.ReplaceAllString(text, " endpoint ")
	if hasJoint(text) {
		text = joint.ReplaceAllString(text, "$1$3 $2$4")
	}
	words, known := phraseOf(text), areaPhrases()
	for i := 0; i < len(words); i++ {
		for n := min(known.longest[words[i]], len(words)-i); n > 0; n-- {
			areas := known.areas[strings.Join(words[i:i+n], " ")]
			for _, area := range areas {
				found[area] = true
			}
			if len(areas) > 0 { // a load test is no test of the code
				i += n - 1
				break
			}
		}
	}
	return found
}

// The need of an area: it brings candidates, and says nothing of how much they bear on the step.
const (
	areaFrom   = "area"
	areaWeight = 0.05
	mostAreas  = 4  // of one step: a text that is of more is of none
	areaWords  = 40 // of them together: each is looked up in all that is held
)

// areaNeed returns the words in which guidance speaks of the areas of a step; without text where it is of none, or of many.
func areaNeed(said string, r Request) Need {
	said = ctxmcp.Cut(said, mostNeed)
	texts := []string{said, r.Query}
	for _, n := range r.Need {
		texts = append(texts, n.Text)
	}
	areas := areasOf(strings.Join(texts, "\n"))
	if len(areas) > mostAreas {
		areas = areasOf(said + "\n" + r.Query)
	}
	var words []string
	for _, row := range language.Areas.Rows() {
		if areas[row.Head] {
			words = append(words, row.Words[:min(len(row.Words), areaWords/len(areas))]...)
		}
	}
	return Need{Text: strings.Join(words, " "), Weight: areaWeight, From: areaFrom}
}

// inArea reports whether a text speaks of an area that the question is in.
func (q *question) inArea(text string) bool {
	for area := range areasOf(ctxmcp.Cut(text, mostNeed)) {
		if q.areas[area] {
			return true
		}
	}
	return false
}

// mostOfArea is the number of statements that stand in a prompt for nothing but their area.
const mostOfArea = 4

// guidesArea reports whether an item is a preference, a decision or a convention of somebody with a say, about an area that the question is in.
func (s *state) guidesArea(it *item, asked *question) bool {
	o := it.Object
	return it.Kind == KindMemory && o.Authority <= ctxmcp.AuthorityUser && o.WhyItMatters == "" && len(o.ApplicableTaskTypes) == 0 && o.Author == "" &&
		(o.ObjectType == ctxmcp.Preference || o.ObjectType == ctxmcp.ProjectDecision || s.in.labelled() && isConvention(o)) && asked.inArea(o.Content)
}

// convention matches a statement of a general way of working, and event one of something that happened.
var (
	convention = language.NewPattern(`(?i)%s`, language.Standing.Row("convention"))
	event      = language.NewPattern(`(?i)\b%s\b`, language.Standing.Row("event"))
)

// isConvention reports whether an object is a plain statement of a user of a general way of working, which was stored without a type that says so.
func isConvention(o ctxmcp.ContextObject) bool {
	said := ctxmcp.Cut(o.Content, mostNeed)
	return o.ObjectType == ctxmcp.IdentityFact && o.SourceKind == ctxmcp.UserStatement && convention.MatchString(said) && !event.MatchString(said)
}

// ofArea puts guidance of the area of the question in the useful tier, the most relevant first and then the newest. Older forms of inputs know no areas.
func (s *state) ofArea(asked *question) {
	if s.in.Schema == firstInputsSchema {
		return
	}
	for _, it := range s.bestBeside(mostOfArea, func(it *item) bool { return s.guidesArea(it, asked) }) {
		it.drop, it.tier, it.activated, it.ofArea = nil, Important, true, true
		it.share = max(it.share, s.in.Policy.Useful)
	}
}

// bestBeside returns the items that rank has left out, or let in last, and that bear on the step for another reason: at most most, the most relevant
// first and then the newest.
func (s *state) bestBeside(most int, bears func(it *item) bool) []*item {
	var beside, found []*item
	for _, it := range s.items {
		if it.drop == nil && (it.tier == Minimal || it.tier == Irrelevant) ||
			it.drop != nil && it.drop.stage == s.stage && it.drop.reason == IrrelevantTask && it.drop.detail == "" {
			beside = append(beside, it)
		}
	}
	slices.SortStableFunc(beside, func(a, b *item) int {
		return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), b.Object.TxStart.Compare(a.Object.TxStart))
	})
	for _, it := range beside {
		if len(found) < most && bears(it) {
			found = append(found, it)
		}
	}
	return found
}
