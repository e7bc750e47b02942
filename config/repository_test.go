package config

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOneAddress: every way to write the address of a repository is one, and a folder of this machine is none.
func TestOneAddress(t *testing.T) {
	for remote, want := range map[string]string{
		"https://github.com/acme/Shop.git": "github.com/acme/shop", "https://ann:secret@github.com/acme/shop": "github.com/acme/shop",
		"git@github.com:acme/shop.git": "github.com/acme/shop", "ssh://git@github.com:22/acme/shop/": "github.com/acme/shop",
		"git://github.com/acme/shop.git": "github.com/acme/shop", "github.com:acme/shop": "github.com/acme/shop", "HTTPS://GitHub.com/acme/shop": "github.com/acme/shop",
		"https://git.example:8443/Acme/shop.git": "git.example:8443/Acme/shop", "https://git.example/acme/shop": "git.example/acme/shop",
		"/src/shop": "", "../shop": "", "file:///src/shop": "", `C:\src\shop`: "", "./a:b": "", "": "", "https://github.com/": "", "ext::sh -c true": "",
	} {
		if got := oneAddress(remote); got != want {
			t.Errorf("oneAddress(%q) = %q, want %q", remote, got, want)
		}
	}
}

// TestRepositoryOf: clones, work trees and folders within them are of one repository; a fork, a submodule and a folder without a remote are not of it.
func TestRepositoryOf(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	remote := func(name, url string) string {
		return "[core]\n\tbare = false\n[remote \"" + name + "\"]\n\turl = " + url + "\n\tfetch = +refs\n"
	}
	write("a/.git/config", remote("origin", "git@github.com:acme/shop.git"))
	write("a/pkg/x.go", "")
	write("b/.git/config", remote("upstream", "https://github.com/acme/shop"))
	write("fork/.git/config", remote("upstream", "https://github.com/acme/shop")+remote("origin", "https://github.com/bob/shop"))
	write("two/.git/config", remote("x", "https://github.com/acme/shop")+remote("y", "https://github.com/bob/shop"))
	write("none/.git/config", "[core]\n")
	write("a/.git/worktrees/w/commondir", "../..\n")
	write("w/.git", "gitdir: "+filepath.Join(dir, "a/.git/worktrees/w")+"\n")
	write("a/.git/modules/sub/config", remote("origin", "https://github.com/acme/lib.git"))
	write("a/sub/.git", "gitdir: ../.git/modules/sub\n")
	write("bare.git/config", remote("origin", "https://github.com/acme/shop.git"))
	write("bare.git/worktrees/v/commondir", "../..\n")
	write("v/.git", "gitdir: "+filepath.Join(dir, "bare.git/worktrees/v")+"\n")
	write("broken/.git", "nothing")

	shop := RepositoryOf(filepath.Join(dir, "a"))
	if len(shop) != len("shop-")+16 {
		t.Fatalf("RepositoryOf = %q", shop)
	}
	for name, want := range map[string]bool{"a/pkg": true, "b": true, "w": true, "v": true, "fork": false, "two": false, "none": false, "a/sub": false, "broken": false, ".": false} {
		if got := RepositoryOf(filepath.Join(dir, name)); (got == shop) != want {
			t.Errorf("%s is of %q, which is %q: %t, want %t", name, got, shop, got == shop, want)
		}
	}
	for _, name := range []string{"two", "none", "broken", "."} {
		if got := RepositoryOf(filepath.Join(dir, name)); got != "" {
			t.Errorf("%s is of %q, want of none", name, got)
		}
	}
}
