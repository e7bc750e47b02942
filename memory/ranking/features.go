package ranking

import "github.com/ctx-mcp/ctx-mcp"

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
	{"session", "BM25 of the whole session", func(e *Evidence, i int) float64 { return e.session[e.key[i]] }},
	{"peak", "best BM25 in the session", func(e *Evidence, i int) float64 { return e.peak[e.key[i]] }},
	{"coverage", "share of the question's weight found here and two around", (*Evidence).coverage},
	{"author", "said by whom the question asks about", (*Evidence).author},
	{"date", "said when the question says", func(e *Evidence, i int) float64 { return e.q.dates.agreement(toldAt(e.found.Candidates[i].Object)) }},
	{"kind", "is of the kind that the question asks for, as intents says", (*Evidence).kind},
	{"question", "a question itself, and no answer", (*Evidence).isQuestion},
	{"opening", "opens a session, where people say what they are about", (*Evidence).opens},
	{"later", "a later statement of the same thing, where the question asks how things stand", func(e *Evidence, i int) float64 { return e.later[i] }},
	{"ending", "tells only of an end, where the question asks for what is", (*Evidence).ending},
	{"length", "says more", (*Evidence).length},
	{"meaning", "similarity of the vector", func(e *Evidence, i int) float64 { return e.meant.share[ctxmcp.KeyOf(e.found.Candidates[i].Object)] }},
	{"session's meaning", "best similarity in the session", func(e *Evidence, i int) float64 { return e.gist[e.key[i]] }},
}
