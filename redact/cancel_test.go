package redact

import (
	"context"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

// costly are texts that keep a redactor busy, by the way in which they do.
func costly(size int) map[string]string {
	texts := map[string]string{}
	for name, unit := range map[string]string{
		"plain":     "The harbour was quiet, and nobody spoke of it. ",
		"secrets":   "password=hunter2-Xy9 AKIAZ5AZ3QKDTD4YW6OZ ",
		"false":     "password= token: eyJ -----BEGIN sk- ",
		"digits":    "4111-1111-1111-1112 ",
		"base64":    "cGFzc3dvcmQ9aHVudGVyMi1YeTkg",
		"escapes":   `\u0070\u0061ssword%3Dhunter2 `,
		"one run":   "a",
		"json":      `{"password":"hunter2-Xy9","n":1},`,
		"addresses": "ann@example.com ",
		"wide":      "ｐａｓｓｗｏｒｄ＝ｈｕｎｔｅｒ２ ",
		"unseen":    "pass\u200bword=hunter2\u00ad-Xy9 ",
		"utf-16":    "p\x00a\x00s\x00s\x00w\x00o\x00r\x00d\x00=\x00h\x00u\x00n\x00t\x00e\x00r\x002\x00 \x00",
		"tables":    "user,password,note\nann,hunter2-Xy9,a\n\n| user | password |\n|---|---|\n| ann | hunter2-Xy9 |\n",
		"seed":      "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about ",
		"spoken":    "the password is hunter2-Xy9, das Passwort lautet hunter2-Xy9, пароль: hunter2 ",
		"hashes":    "$apr1$abcdefgh$ABCDEFGHIJKLMNOPQRSTU. $2y$10$ ",
		"sources":   "u:PW@tcp(host)/db Server=a;Password=b; ",
		"below":     "password:\n  hunter2-Xy9\napi_key_used \\\n hunter2\n",
	} {
		texts[name] = strings.Repeat(unit, size/len(unit)+1)
	}
	return texts
}

// TestNobodyWaits: redaction of any text ends soon after its context, and gives no text then.
func TestNobodyWaits(t *testing.T) {
	r, err := New([]byte("key")).With(Rule{ID: "x", Keywords: []string{"harbour"}, Compile: harbours})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range costly(128 << 10) {
		t.Run(name, func(t *testing.T) {
			canceltest.Law{Bytes: len(text), Every: lookEvery, After: 60, Work: func(ctx context.Context) error {
				got, found, err := r.Try(ctx, text)
				if err != nil && (got != "" || found != nil) {
					t.Errorf("Try returned text with the error %v", err)
				}
				return err
			}}.Check(t)
		})
	}
	text := costly(1200 << 10)["plain"]
	canceltest.Law{Bytes: len(text), Every: lookEvery, After: 60, Work: func(ctx context.Context) error {
		_, err := r.Copy(ctx, io.Discard, strings.NewReader(text))
		return err
	}}.Check(t)
}

// TestPassKeepsTheFirstError: after an error a pass gives nothing, however often it is asked.
func TestPassKeepsTheFirstError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := New(nil).Func().Pass(ctx, "acme")
	if got, found := p.Text("password=hunter2"); got != "password=[PASSWORD:REDACTED]" || len(found) != 1 || p.Err() != nil {
		t.Errorf("Text = %q, %v, %v", got, found, p.Err())
	}
	cancel()
	for range 2 {
		if got, found := p.Text("password=hunter2"); got != "" || found != nil || p.Err() == nil {
			t.Errorf("after the end Text = %q, %v, %v; want nothing and an error", got, found, p.Err())
		}
	}
	if got, _, err := Nothing(ctx, "acme", "text"); got != "" || err == nil {
		t.Errorf("Nothing = %q, %v after the end, want an error", got, err)
	}
}

func harbours() Expression {
	return Expression{Regex: regexp.MustCompile(`harbour\s[a-z]+\squ[a-z]{3}`)}
}
