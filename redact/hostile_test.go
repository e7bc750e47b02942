package redact

import (
	"runtime"
	"strings"
	"testing"
)

// hostile are pieces that look like the beginning of a secret and are none, or are one that never ends. A text made of
// one of them costs the most that a detector can be made to spend.
var hostile = []string{
	"sk-", "sk-a", "password=", "password='", "password=\"", `password=\"`, "password: ", "password is ", "token=", "token='",
	"token: a1,", "0", "1 ", "42-", "4242 ", "4242424242424242 ", "123-45-", "eyJ", "eyJ-", "eyJhbGciOiJub25lIn0.", "a://", "a://b:c",
	"a://b:c/d@", pemBegin, pemBegin + "RSA PRIVATE KEY-----\n", pemBegin + "RSA PRIVATE KEY-----\na b", "cookie:", "cookie: a=b; ",
	"cookie: sid=", "Authorization: ", "Authorization: Basic ", "bearer ", "basic YTpi", "curl -u ", "-u a:", "DE89", "DE89 3704 ", ":AA",
	"1234567890:AA", "Q~", "-us1", "\\", `\n`, `\"`, "\"", "'", "<password>", "<password>a", "password|", "[", "[PASSWORD:REDACTED",
	"[PASSWORD:REDACTED]", ":REDACTED", "{\"password\":", "{", "password=(", "password=,", "secret secret ", "a_", "aB", "$2b$",
	"ghp_", "hooks.slack.com/services/", "\x00", "\xff", "password", "password: a\n", "{\"a\": 4242424242424242}\n", "key key key=",
	"%41", "%", `\u0041`, `\\u0041`, `\x41`, `\/`, "&amp;", "@", "a@", "a@b.co", "a@b.", "%40", "+1", "+1 2", "+1-", "(415", "415-", "415-555-",
	"kty", `"kty":"d":"`, "data:", "kind: Secret\ndata:\n a: b\n", "data:\n  a: b\n", `"kind":"Secret","data":{"a":"b",`, ":5432:", "a:5432:b:c:", ":*:",
	"mysql -p", "mysql ", "Private-Lines: 1\n", "name: password\n", `"name":"password",`, `{"name":"password","value":"x"},`, "value ", "QUJD",
	"cGFzc3dvcmQ9", "70617373", "ghp_\\\n", "ghp_ab\\\n", "ghp_abcdef\n", "\" + \"", "ghp_abcd\" + \"", "eyJhbGciOiJub25lIn0.a\n ", "password: |\n",
	"password: >\n  a\n", "s.", "s.aaaaaaaaaaaaaaaaaaaaaaaa ", "://@", "https://", "a://b@", "jdbc:oracle:thin:a/b@", "password string = ",
	"password,a\n", "user,password\n", "|password|\n", "password\ta\n", `user,password\n`, `\"password\",\"a\"\n`, "\"password\",\"", "a,\"",
	"{\"secrets\":{", "secrets:\n ", "[secrets]\n", "<secrets>", "passwords: [", "password\n\n", "password:\n  a\n", "password = \\\n",
	"\u200b", "a\u200b", "ｐ", "ｐａｓｓｗｏｒｄ＝", `\u200b`, "%E2%80%8B", "&zwnj;", "\x00a", "\x00\xff", "a\x00", "p\x00a\x00s\x00s\x00w\x00o\x00r\x00d\x00=\x00",
	"the password is ", "password to ", "das passwort ", "密码", "密码是", "パスワードは", "пароль ", "mot de passe est “", "mot de passe ",
	"zoo ", "legal winner thank year wave sausage worth useful ", "abandon, ", "$1$", "$1$a$", "scrypt:a$b$", "$9$aaaaaaaaaaaaaa$",
	"snmp-server community ", "enable password ", "key 7 ", "radius-server host ", "createuser a SHA ", "@tcp(", "a:b@tcp(", "a:Bcdefgh1@c.de:1",
	"password=\"a${b}", "password=\"mot de {", "<password></b>", "a:b,password,", "password,password,",
	`{"kind":"Secret"`, `"kind":"Secret",`, "密码 ", "[PASSWORD:REDACTED ", "zip -P x ",
	"exp a/b@c ", "zip -P ", "7z -p", "net use /user:a b ", "backup codes\n", "backup codes\nabcd-1234\n", "recovery codes\nabcd-1234\nabcd-1234\n",
}

// TestHostileTextTakesLinearTime runs texts of a quarter of a megabyte; BenchmarkHostile has longer ones. One that were
// quadratic in any of them would not end before the test's own deadline.
func TestHostileTextTakesLinearTime(t *testing.T) {
	r := New([]byte("key"))
	for _, piece := range hostile {
		t.Run(piece, func(t *testing.T) {
			t.Parallel()
			r.Text(strings.Repeat(piece, (1<<18)/len(piece)))
			got, _ := r.Text(strings.Repeat(piece, 100))
			if again, _ := r.Text(got); again != got {
				t.Errorf("a second pass changed %q to %q", got, again)
			}
		})
	}
}

// maxWork is the most that a byte of a hostile text may cost.
var maxWork = work{looks: 2.5, scanned: 6.5, objects: 0.75, memory: 90}

// A work is the number of steps that a text costs, by byte of it.
type work struct {
	looks   float64 // of detectors at places
	scanned float64 // bytes, of the text and of its decoded forms
	objects float64 // in memory
	memory  float64 // bytes of them
}

// TestHostileTextCostsLittle counts the steps that texts cost, which no other load of the machine changes.
func TestHostileTextCostsLittle(t *testing.T) {
	r := New([]byte("key"))
	var spent work
	watched := engineOf(watch(families(nil, nil), &spent))
	r.engine = func() *engine { return watched }
	for _, piece := range hostile {
		text := strings.Repeat(piece, (1<<15)/len(piece))
		spent = work{}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r.Text(text)
		runtime.ReadMemStats(&after)
		size := float64(len(text))
		got := work{spent.looks / size, spent.scanned / size, float64(after.Mallocs-before.Mallocs) / size, float64(after.TotalAlloc-before.TotalAlloc) / size}
		if got.looks > maxWork.looks || got.scanned > maxWork.scanned || got.objects > maxWork.objects || got.memory > maxWork.memory {
			t.Errorf("%q costs %.2f a byte, want at most %.2f", piece, got, maxWork)
		}
	}
}

// watch returns the table of detectors that count their looks, with one more that counts the bytes that are scanned.
func watch(table []detector, spent *work) []detector {
	for d := range table {
		if at := table[d].at; at != nil {
			table[d].at = func(t *scan, i, k int) int {
				spent.looks++
				return at(t, i, k)
			}
		}
		if number := table[d].number; number != nil {
			table[d].number = func(t *scan, i, n int) int {
				spent.looks++
				return number(t, i, n)
			}
		}
	}
	return append(table, detector{finish: func(t *scan) { spent.scanned += float64(len(t.s)) }})
}
