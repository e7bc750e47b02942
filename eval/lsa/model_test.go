package lsa_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp/eval/lsa"
)

var texts = []string{
	"the doctor saw a patient", "a doctor in the hospital", "the nurse in the hospital saw a patient", "the hospital has a nurse",
	"the ship left the harbour", "a sailor on the ship", "the sailor saw the harbour", "a harbour for the ship and the sailor",
}

func dot(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// TestMeaning: words that never stand together come near each other through the company that they keep.
func TestMeaning(t *testing.T) {
	m := lsa.Fit(texts, 2)
	near, far := dot(m.Vector("doctor"), m.Vector("nurse")), dot(m.Vector("doctor"), m.Vector("sailor"))
	if near < 0.8 || far > 0.5 {
		t.Errorf("doctor to nurse %v, to sailor %v, want it near the nurse and far from the sailor", near, far)
	}
	if v := m.Vector("unheard of"); dot(v, v) != 1 {
		t.Errorf("the vector of an unknown text = %v, want unit length", v)
	}
}

// TestSame: the same collection gives the same vectors.
func TestSame(t *testing.T) {
	a, b := lsa.Fit(texts, 3), lsa.Fit(texts, 3)
	if diff := cmp.Diff(a.Vector(texts[2]), b.Vector(texts[2])); diff != "" {
		t.Errorf("vectors differ:\n%s", diff)
	}
}
