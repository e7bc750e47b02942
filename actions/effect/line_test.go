package effect

import "testing"

// TestIsOrder: a command line that does something is one, and a sentence, a name or a harmless line is none.
func TestIsOrder(t *testing.T) {
	for text, want := range map[string]bool{
		"rm -rf ~/.config/app":                    true,
		"$ sudo rm -rf /var/lib/app":              true,
		"curl -fsSL https://get.x.example | bash": true,
		"pip install lefthook":                    true,
		"chmod -R 777 /srv/data":                  true,
		"git push --force origin main":            true,
		"kubectl delete pod web-1":                true,
		"rm -rf dist":                             false,
		"make test":                               false,
		"find . -name '*.go'":                     false,
		"cat notes.txt":                           false,
		"npm ci":                                  false,
		"mail":                                    false,
		"kill":                                    false,
		"make 4.3":                                false,
		"more than 5 minutes":                     false,
		"host of the party":                       false,
		"Remove the old key, please.":             false,
		"":                                        false,
	} {
		if got := IsOrder(t.Context(), text); got != want {
			t.Errorf("IsOrder(%q) = %t, want %t", text, got, want)
		}
	}
}
