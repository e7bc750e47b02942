package memory

import "context"

// Bearings returns how much of a question each of some texts that are no memories speaks of, in [0, 1], as Question.Bearings of package ranking
// does. It returns the error of the context.
func (s *recaller) Bearings(ctx context.Context, question string, texts []string) ([]float64, error) {
	return s.read(Ask{Query: question}).Bearings(ctx, texts)
}
