package tokens

import (
	"math"
	"strings"
	"testing"
)

// TestApproximate holds the estimate against an exact count on texts of several kinds.
func TestApproximate(t *testing.T) {
	exact := O200k()
	tests := []struct {
		name, text string
		within     float64 // relative error
	}{
		{"prose", strings.Repeat("We decided to keep the billing service on PostgreSQL, because the team knows it well. ", 10), 0.25},
		{"code", strings.Repeat("func (s *Store) Close() error { return errors.Join(s.reads.Close(), s.writes.Close()) }\n", 10), 0.35},
		{"chinese", strings.Repeat("我们决定继续使用数据库，因为团队对它很熟悉。", 10), 0.35},
		{"russian", strings.Repeat("Мы решили оставить базу данных, потому что команда её хорошо знает. ", 10), 0.7},
	}
	for _, tt := range tests {
		want := exact.Count(tt.text)
		got := Approximate{}.Count(tt.text)
		if math.Abs(float64(got-want))/float64(want) > tt.within {
			t.Errorf("%s: Count = %d, want %d within %.0f %%", tt.name, got, want, tt.within*100)
		}
	}
	if got := (Approximate{}).Count(""); got != 0 {
		t.Errorf("Count of nothing = %d, want 0", got)
	}
}
