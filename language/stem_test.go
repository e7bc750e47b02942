package language

import "testing"

// TestForget: after an erasure no word that was stemmed is kept for the next text.
func TestForget(t *testing.T) {
	held := func() (n int) {
		for i := range stems {
			if stems[i].Load() != nil {
				n++
			}
		}
		return n
	}
	if Term("marmalades"); held() == 0 {
		t.Fatal("nothing is kept: the test shows nothing")
	}
	Forget()
	if n := held(); n > 0 {
		t.Errorf("%d words are kept after Forget, want none", n)
	}
}
