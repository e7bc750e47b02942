package origin_test

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp/memory/origin"
)

func TestDomain(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"https://pay.shop.example/cart?x=1#y", "shop.example"},
		{"http://Shop.Example:8080/", "shop.example"},
		{"shop.example/page", "shop.example"},
		{"www.shop.co.uk", "shop.co.uk"},
		{"https://ann.github.io/notes", "ann.github.io"},
		{"https://bob.github.io/notes", "bob.github.io"},
		{"https://shop.example./", "shop.example"},
		{"https://192.168.0.1/admin", "192.168.0.1"},
		{"http://[2001:db8::1]/", "2001-db8--1"},
		{"http://localhost:3000/", "localhost"},
		{"https://user:password@shop.example@evil.example/", "evil.example"},
		{"https://www.münchen.example/", "xn--mnchen-3ya.example"},
		{"https://a_\u200b.example/", origin.Unknown},
		{"ann", ""},
		{"", ""},
		{"a page that somebody read", ""},
	} {
		if got := origin.Domain(c.source); got != c.want {
			t.Errorf("Domain(%q) = %q, want %q", c.source, got, c.want)
		}
	}
}
