package change

import (
	"fmt"
	"testing"
)

// TestKeptPairs compares each pair twice under several weights, in turns: a verdict that was kept equals one that is found anew.
func TestKeptPairs(t *testing.T) {
	var all []*Reading
	for i, text := range []string{
		"The rent is 900, due on the 3rd.", "The rent is 950 now.", "My dentist is Dr Brown, on Mill Road.", "My dentist is Dr Green now.", "I drink tea.",
		"I no longer drink tea.", "We deploy with Ansible and test on Mondays.", "We moved to Terraform.", "Ben is my brother.", "Ben lives in Leeds now.", "",
	} {
		all = append(all, said(text, i))
	}
	for round := range 3 {
		for weights := range 4 {
			weigh := func(term string) float64 { return float64(1+(len(term)*7+weights*3)%5) / 5 }
			for i, older := range all {
				for j, newer := range all {
					where := fmt.Sprintf("round %d, weights %d: %q, %q", round, weights, older.Text, newer.Text)
					if got, want := Weigh(older, weigh).Changed(Weigh(newer, weigh)), Compare(older, newer, weigh); got != want {
						t.Errorf("%s: Changed = %v, want %v", where, got, want)
					}
					words, partly := Touched(older, newer)
					wantWords, wantPartly := "", false
					if older.legible && newer.legible {
						wantWords, wantPartly = older.touchedBy(newer)
					}
					if words != wantWords || partly != wantPartly {
						t.Errorf("%s: Touched = %q, %v, want %q, %v", where, words, partly, wantWords, wantPartly)
					}
					if i == len(all)-1 && j == i && round == 0 {
						Forget()
					}
				}
			}
		}
	}
	Forget()
	for i := range touches {
		if touches[i].Load() != nil {
			t.Fatal("words of statements are held after Forget")
		}
	}
}
