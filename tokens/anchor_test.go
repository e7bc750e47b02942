package tokens

import "testing"

// TestCorrection: the reports of providers move the estimate, slowly at first, and never out of its bounds.
func TestCorrection(t *testing.T) {
	var c Correction
	if got := c.Apply(Size{Value: 100, Bound: 120}); got != (Size{Value: 100, Bound: 120}) {
		t.Errorf("Apply without a report = %v", got)
	}
	c = c.Observe(0, 100).Observe(-20, 100).Observe(50, 0)
	if c != (Correction{}) {
		t.Errorf("reports that make no sense were observed: %v", c)
	}
	c = c.Observe(260, 200)
	if r := c.Ratio(); r < 1.02 || r > 1.04 {
		t.Errorf("Ratio after one small report = %.3f, want little more than 1", r)
	}
	for range 100 {
		c = c.Observe(2600, 2000)
	}
	if r := c.Ratio(); r < 1.28 || r > 1.3 {
		t.Errorf("Ratio after many reports = %.3f, want nearly 1.3", r)
	}
	if got := c.Apply(Size{Value: 1000, Bound: 1100}); got.Value < 1280 || got.Bound < got.Value || got.Bound < 1400 {
		t.Errorf("Apply = %v", got)
	}
	for range 100 {
		c = c.Observe(10, 2000)
	}
	if r := c.Ratio(); r != leastRatio {
		t.Errorf("Ratio after absurd reports = %.3f, want %.1f", r, leastRatio)
	}
	if got := c.Apply(Size{Value: 1000, Bound: 1100}); got != (Size{Value: 500, Bound: 1100}) {
		t.Errorf("Apply = %v, want a lower value under the same bound", got)
	}
}

// TestAnchor: only the addition is estimated.
func TestAnchor(t *testing.T) {
	a := Anchor{Messages: 3, Digest: "sha256:x", Tokens: 50_000}
	if got, want := a.Plus(Size{Value: 1000, Bound: 1200}, Correction{}), (Size{Value: 51_000, Bound: 51_200}); got != want {
		t.Errorf("Plus = %v, want %v", got, want)
	}
}
