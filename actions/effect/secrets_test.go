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

// opensTool reports whether a tool gives out a secret, by its name and its arguments.
func opensTool(t *testing.T, sample string) bool {
	t.Helper()
	words := strings.Fields(sample)
	c := Call{Tool: words[0], Parameters: map[string]any{}}
	for _, w := range words[1:] {
		name, value, _ := strings.Cut(w, "=")
		c.Parameters[name] = value
	}
	all, err := Of(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return all[0].Secret && all[0].Class == Read
}

// TestSecretSamples: the sample of each row of secrets is classified by that row.
func TestSecretSamples(t *testing.T) {
	for name, rows := range secretTable() {
		for _, row := range rows {
			if !slices.Contains([]Class{secret, some, plain}, row.class) {
				t.Errorf("%s: %q is %q, which is none", name, row.sample, row.class)
			}
			if name == "tool" {
				if !opensTool(t, row.sample) {
					t.Errorf("%q gives out no secret", row.sample)
				}
				continue
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

// TestNamesOfSecrets: a tool that tells the names of secrets gives out none.
func TestNamesOfSecrets(t *testing.T) {
	for _, sample := range []string{"list-secrets projectId=a", "azmcp_keyvault_secret_list vault=a", "kubectl_get resourceType=secrets namespace=a", "bitwarden_list object=folders", "vault_list path=kv", "get_parameter Name=/app/db", "resources_get kind=Deployment name=web"} {
		if opensTool(t, sample) {
			t.Errorf("%q gives out a secret", sample)
		}
	}
}
