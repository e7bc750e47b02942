package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRatios: each guarded call has a stored ratio, no other has, and what is written is read again.
func TestRatios(t *testing.T) {
	stored, err := readRatios("ratios.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range guardedCalls {
		if stored[g.name] == 0 {
			t.Errorf("%s has no stored ratio", g.name)
		}
	}
	if len(stored) != len(guardedCalls) {
		t.Errorf("%d ratios are stored, want %d", len(stored), len(guardedCalls))
	}
	file := filepath.Join(t.TempDir(), "ratios.tsv")
	if err := writeRatios(file, stored); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	want, _ := os.ReadFile("ratios.tsv")
	if err != nil || string(got) != string(want) {
		t.Errorf("written again they are\n%s, %v, want\n%s", got, err, want)
	}
	for _, bad := range []string{"recall\tx\n", "recall\t0\n", "recall\t-1\n", "recall\t+Inf\n"} {
		if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readRatios(file); err == nil {
			t.Errorf("readRatios(%q) succeeded", bad)
		}
	}
}

// TestVerdict: a call that takes more than the stored ratio allows is told, one that takes less is not.
func TestVerdict(t *testing.T) {
	for _, tt := range []struct {
		fresh, stored float64
		want          string
	}{
		{1, 1, ""}, {1.29, 1, ""}, {1.31, 1, "takes 31 % more"}, {0.6, 1, "takes 40 % less"}, {1, 0, "has no stored ratio"},
	} {
		slow, said := verdict("recall", tt.fresh, tt.stored)
		if got := slow + said; tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("verdict(%v, %v) = %q, want %q", tt.fresh, tt.stored, got, tt.want)
		}
	}
}
