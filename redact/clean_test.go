package redact

import (
	"context"
	"strings"
	"testing"
)

// TestKnownTexts: a text in which nothing was found is known to the redactor that looked at it, and to none with other rules; a text with a secret never is.
func TestKnownTexts(t *testing.T) {
	const clean, secret = "the harbour gate opens with bluewhale-4711", "the key is AKIAZQ3DRSTUVWXY2345 of the harbour"
	base := New([]byte("key"))
	for _, tenant := range []string{"", "a", "b"} {
		r := base.For(tenant)
		for range 3 {
			if got, found := r.Text(clean); got != clean || len(found) > 0 {
				t.Errorf("Text(%q) = %q, %v", clean, got, found)
			}
			if got, found := r.Text(secret); strings.Contains(got, "AKIA") || len(found) != 1 {
				t.Errorf("Text(%q) = %q, %v", secret, got, found)
			}
		}
		if place, sum := r.clean().find(tenant, clean); place.Load() != sum {
			t.Errorf("tenant %q: a clean text is not known", tenant)
		}
		if place, sum := r.clean().find(tenant, secret); place.Load() == sum {
			t.Errorf("tenant %q: a text with a secret is known to be clean", tenant)
		}
	}
	if place, sum := base.clean().find("c", clean); place.Load() == sum {
		t.Error("a text of one tenant is known of another")
	}
	_, found := base.Text(secret)
	alone := base.Without(found[0].Label)
	if _, found := alone.Text(secret); len(found) > 0 {
		t.Errorf("without its label: %v", found)
	}
	if _, found := base.Text(secret); len(found) != 1 {
		t.Errorf("what a redactor leaves alone is clean for another: %v", found)
	}
	hides, err := base.Hide("bluewhale-4711")
	if err != nil {
		t.Fatal(err)
	}
	if got, found := hides.For("a").Text(clean); strings.Contains(got, "bluewhale") || len(found) != 1 {
		t.Errorf("with a value to hide: %q, %v", got, found)
	}
}

// TestEndedTextIsUnknown: a look that was given up finds nothing, and says nothing of the text.
func TestEndedTextIsUnknown(t *testing.T) {
	const text = "nothing is hidden in this one"
	r := New(nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := r.Try(ctx, text); err == nil {
		t.Fatal("an ended context gave no error")
	}
	if place, sum := r.clean().find("", text); place.Load() == sum {
		t.Error("the text is known to be clean")
	}
}
