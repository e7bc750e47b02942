package ranking

import (
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// feature is one reason to rank a candidate higher.
type feature struct {
	name  string // of its row in weights.tsv
	doc   string
	value func(*Evidence, int) float64 // of the candidate with the number
}

// features is the ranking: a sum weighted by the rows of weights.tsv. Scores of BM25 are divided by the best of the question, so
// that the weights mean the same in a small store and in a large one. Sums of normalised scores rank better than reciprocal rank
// fusion, which throws away how sure each score is; neighbours are added as scores, because as further text of a candidate they
// drown long turns. The weights are round: figures for them are in docs/evaluation.md.
var features = [...]feature{
	{"own", "BM25 of the memory itself", func(e *Evidence, i int) float64 { return e.own[i] }},
	{"previous", "BM25 of what was said just before in the session", func(e *Evidence, i int) float64 { return e.near(i, -1) }},
	{"next", "BM25 of what was said just after", func(e *Evidence, i int) float64 { return e.near(i, 1) }},
	{"before", "BM25 of what was said two before", func(e *Evidence, i int) float64 { return e.near(i, -2) }},
	{"session", "BM25 of the whole session", func(e *Evidence, i int) float64 { return e.of[e.session[i]].score }},
	{"peak", "best BM25 in the session", func(e *Evidence, i int) float64 { return e.of[e.session[i]].peak }},
	{"coverage", "share of the question's weight found here and two around", (*Evidence).coverage},
	{"author", "said by whom the question asks about", (*Evidence).author},
	{"date", "said when the question says", func(e *Evidence, i int) float64 { return e.q.dates.agreement(toldAt(e.found.Candidates[i].Object)) }},
	{"question", "a question itself, and no answer", (*Evidence).isQuestion},
	{"opening", "opens a session, where people say what they are about", (*Evidence).opens},
	{"later", "a later statement of the same thing, where the question asks how things stand", func(e *Evidence, i int) float64 { return e.later[i] }},
	{"ending", "tells only of an end, where the question asks for what is", (*Evidence).ending},
	{"length", "says more", (*Evidence).length},
	{"meaning", "similarity of the vector", func(e *Evidence, i int) float64 { return e.meant.share[ctxmcp.KeyOf(*e.found.Candidates[i].Object)] }},
	{"session's meaning", "best similarity in the session", func(e *Evidence, i int) float64 { return e.of[e.session[i]].gist }},
}

// toldFeatures are those of statements that were told by themselves. A turn of a conversation has none of them: its meaning
// lies in the turns around it, of which the features above speak.
var toldFeatures = [...]feature{
	{"all words", "BM25 once more: words of every day count in it as they do in a conversation", func(e *Evidence, i int) float64 { return e.own[i] }},
	{"lately told", "later told than others", (*Evidence).recent},
	{"held", "share of the question that its very words are here, by words that are rare in English too", func(e *Evidence, i int) float64 { return e.words[i].held }},
	{"synonyms", "share of the question that words of the same meaning stand for", func(e *Evidence, i int) float64 { return e.words[i].stands[bySame] }},
	{"broader words", "likewise words that are more general, or less", func(e *Evidence, i int) float64 { return e.words[i].stands[byBroader] }},
	{"loose words", "likewise words of one field", func(e *Evidence, i int) float64 { return e.words[i].stands[byLoose] }},
	{"sense", "likeness in meaning of the whole question and the whole statement, by vectors of words, where nothing holds all of its words", (*Evidence).sense},
	{"topic", "share of the question that words of the same topic stand for", func(e *Evidence, i int) float64 { return e.words[i].topic }},
	{"best stand-in", "share of the one word that another stands for best", func(e *Evidence, i int) float64 { return e.words[i].best }},
	{"missed", "square of the share that nothing here stands for", func(e *Evidence, i int) float64 { return e.words[i].missed() }},
	{"no answer", "without a value of the kind that the question asks for", (*Evidence).unanswered},
	{"mine", "about the one who asks, as the question is, or against that", (*Evidence).mine},
	{"names", "holds the names in the question, or none of them", (*Evidence).named},
	{"retrieved", "what a page, a document or a tool says", (*Evidence).retrieved},
	{"inferred", "what an agent concluded", (*Evidence).inferred},
	{"retold", "tells of a session, and states nothing", (*Evidence).retold},
	{"replaced", "a later statement has probably taken its place", func(e *Evidence, i int) float64 { return e.replaced[i] }},
	{"inherits", "what it has taken the place of answers better by its words", func(e *Evidence, i int) float64 { return e.inherited[i] }},
	{"replaces", "has taken the place of what answers", func(e *Evidence, i int) float64 { return e.replaces[i] }},
	{experienceRow, "what came of it before for the one who asks: see Candidate.Standing", (*Evidence).experience},
	{"relation", "tells of what the question asks about", func(e *Evidence, i int) float64 { return e.related[i] }},
	{"limit", "tells what somebody cannot eat, take or bear, where the question asks for that", (*Evidence).limits},
	{"no relation", "tells of nothing that the question surely asks about", (*Evidence).unrelated},
}

// recent returns the share of the candidates that were told before the candidate.
func (e *Evidence) recent(i int) float64 {
	if e.times == nil {
		for j := range e.own {
			e.times = append(e.times, e.told(j))
		}
		slices.SortFunc(e.times, time.Time.Compare)
	}
	older, _ := slices.BinarySearchFunc(e.times, e.told(i), time.Time.Compare)
	return float64(older) / float64(max(1, len(e.times)-1))
}

// experience returns the standing of the candidate. Frequent recall does not help one that another has replaced.
func (e *Evidence) experience(i int) float64 {
	standing := e.found.Candidates[i].Standing
	if e.replaced[i] > 0 || e.found.Candidates[i].Object.MaybeOutdatedBy != "" {
		return min(0, standing)
	}
	return standing
}
