package ranking

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// manyTexts is the size of a collection in which every term is equally rare: of a few texts their own count says nothing.
const manyTexts = 1000

// Bearings returns how much of the question each of some texts speaks of, in [0, 1]: by its words, which weigh as much as they are rare in
// English, and by those of the same or a broader meaning. Nothing of the texts is kept. It returns the error of the context.
func (q Question) Bearings(ctx context.Context, texts []string) ([]float64, error) {
	bm25 := NewBM25(q.Terms, Found{Documents: manyTexts, Length: manyTexts})
	like := newLikeness(q, bm25)
	all := make([]float64, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		o := &ctxmcp.ContextObject{Content: text}
		c := Candidate{Object: o, Terms: language.Terms(text), said: read(o)}
		counts := make([]float64, len(q.Terms))
		bm25.tally(counts, c.Terms)
		all[i] = like.read(c, counts).fit()
	}
	return all, nil
}
