package effect

import (
	"slices"
	"strings"
	"testing"
)

// opened returns the effect of a command line that gives out a secret, nil for none.
func opened(t *testing.T, line string) *Effect {
	t.Helper()
	all, err := Of(t.Context(), run(line))
	if err != nil {
		t.Fatal(err)
	}
	if at := slices.IndexFunc(all, func(e Effect) bool { return e.Secret }); at >= 0 {
		return &all[at]
	}
	return nil
}

// TestSecretSamples: the sample of each row of secrets is classified by that row.
func TestSecretSamples(t *testing.T) {
	for name, rows := range secretTable() {
		for _, row := range rows {
			if !slices.Contains([]Class{secret, some, plain}, row.class) {
				t.Errorf("%s: %q is %q, which is none", name, row.sample, row.class)
			}
			words := strings.Fields(row.sample)
			if name != "address" {
				if at := slices.IndexFunc(rows, func(r command) bool { return r.fits(words[1:]) }); baseName(words[0]) != name || at < 0 || rows[at].sample != row.sample {
					t.Errorf("%q is not of its row", row.sample)
				}
			}
			got := opened(t, row.sample)
			if (got != nil) != (row.class != plain) || got != nil && got.Mixed != (row.class == some) {
				t.Errorf("%q is %+v, want %s", row.sample, got, row.class)
			}
			if all := classes(t, run(row.sample)); row.class != plain && all[0] == Unknown {
				t.Errorf("%q is not known", row.sample)
			}
		}
	}
}
