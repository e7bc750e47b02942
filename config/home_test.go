package config

import (
	"path/filepath"
	"testing"
)

// TestHome: a path that begins with the home directory's sign lies in it, and a name that begins with the sign does not.
func TestHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	c := Config{DataDir: "~/memories", Blobs: "~", Rules: "~other/rules.yaml", PolicyFile: "s~/p.cedar"}
	if err := c.atHome(); err != nil {
		t.Fatal(err)
	}
	if c.DataDir != filepath.Join(home, "memories") || c.Blobs != home || c.Rules != "~other/rules.yaml" || c.PolicyFile != "s~/p.cedar" || c.KeysDir != "" {
		t.Errorf("the paths are %q, %q, %q, %q, %q", c.DataDir, c.Blobs, c.Rules, c.PolicyFile, c.KeysDir)
	}
}
