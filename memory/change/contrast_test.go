package change

import (
	"strings"
	"testing"
)

// TestLikenessOfContrasts: what is set against something else says the same in whatever words, and another thing the other way round; what
// differs in a word that tells, or in time, is not the same.
func TestLikenessOfContrasts(t *testing.T) {
	for _, tt := range []struct {
		pair string
		want Likeness
	}{
		{"I prefer tabs over spaces. | My preference is tabs, not spaces.", Restated},
		{"I prefer tabs to spaces. | I prefer tabs over spaces.", Restated},
		{"I prefer tabs over spaces. | I prefer tabs rather than spaces.", Restated},
		{"We use tabs instead of spaces. | We use tabs, not spaces.", Restated},
		{"We deploy from the main branch. | We deploy from main branches.", Restated},
		{"The staging URL is https://staging.example. | Staging's URL is https://staging.example.", SaidAlready},
		{"The staging URL is https://staging.example. | The URL of staging is https://staging.example.", Rephrased},
		{"I prefer tea over coffee. | I prefer coffee over tea.", OneSubject},
		{"I prefer tea to coffee. | I prefer coffee to tea.", OneSubject},
		{"I eat meat. | I do not eat meat.", OneSubject},
		{"The keys are under the mat. | The keys are behind the mat.", OneSubject},
		{"I lived in Rome. | I live in Rome.", Rephrased},
		{"I work for Ann Lee. | I work with Ann Lee.", Rephrased},
		{"My brother likes tea. | My sister likes tea.", Different},
	} {
		a, b, _ := strings.Cut(tt.pair, " | ")
		if got := Compared(said(a, 0), said(b, 1), nil); got != tt.want {
			t.Errorf("Compared(%s) = %d, want %d", tt.pair, got, tt.want)
		}
	}
}
