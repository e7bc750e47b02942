package brief

import "testing"

// TestForget: after an erasure no text that was read is kept for the next brief.
func TestForget(t *testing.T) {
	held := func() (n int) {
		for i := range readings {
			if readings[i].Load() != nil {
				n++
			}
		}
		return n
	}
	if read("My locker opens with the marmalade key."); held() == 0 {
		t.Fatal("nothing is kept: the test shows nothing")
	}
	Forget()
	if n := held(); n > 0 {
		t.Errorf("%d texts are kept after Forget, want none", n)
	}
}
