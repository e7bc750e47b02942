package attack

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf16"
)

// kind is the meaning of an argument by its name, beyond the type in its schema.
type kind struct {
	names *regexp.Regexp
	whole bool // the values stand for the whole argument, also where it is a list
	fair  func(*gen) string
	foul  func(*gen) string
}

// kinds is looked through in order. A value that no row names is attacked by its type alone.
var kinds = []kind{
	{names: named(`messages`), whole: true, fair: (*gen).talk, foul: (*gen).foulTalk},
	{names: named(`tools`), whole: true, fair: (*gen).toolList, foul: (*gen).foulToolList},
	{names: named(`scope`), whole: true, fair: func(*gen) string { return "{}" }, foul: (*gen).foulScope},
	{names: named(`state`), whole: true, fair: (*gen).state, foul: (*gen).foulState},
	{names: named(`path|fields?`), fair: (*gen).path, foul: (*gen).foulPath},
	{names: named(`pattern`), fair: func(*gen) string { return `"office|key"` }, foul: (*gen).foulPattern},
	{names: named(`lines`), fair: func(*gen) string { return `"1-10"` }, foul: (*gen).foulRange},
	{names: named(`directives?`), fair: (*gen).directive, foul: (*gen).foulDirective},
	{names: named(`prefix`), fair: func(*gen) string { return `"user_mallory:*"` }, foul: (*gen).foulPrefix},
	{names: named(`origin|update_path|uri|url`), fair: func(*gen) string { return `"https://example.com/a"` }, foul: (*gen).foulAddress},
	{names: named(`content_base64`), fair: func(*gen) string { return `"aGVsbG8="` }, foul: (*gen).foulBase64},
	{names: named(`.*_at|as_of|valid_.*|.*_time|since|until`), fair: func(*gen) string { return `"2026-01-01T00:00:00Z"` }, foul: (*gen).foulTime},
	{names: named(`(.*_)?ids?|.*_ref|supersedes|derived_from|depends_on|compare_with|idempotency_key`), foul: (*gen).foulID},
}

func named(names string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + names + `)$`) }

// kindOf returns the kind of an argument. The fair values of ids are by their name.
func (g *gen) kindOf(name string) (kind, bool) {
	for _, k := range g.kinds {
		if k.names.MatchString(name) {
			if k.fair == nil {
				k.fair = func(g *gen) string { return quoted(g.planted.one(g, name)) }
			}
			return k, true
		}
	}
	return kind{}, false
}

// foulID returns the id of another tenant, one of another kind, or none.
func (g *gen) foulID() string {
	switch p := g.r.Float64(); {
	case p < 0.30:
		return quoted(pick(g, g.planted.Neighbour))
	case p < 0.45:
		return quoted(pick(g, g.planted.all))
	case p < 0.60:
		return quoted(strings.Repeat(pick(g, []string{"a", "9", "-", ".", "_"}), 1+g.r.IntN(10<<10)))
	case p < 0.75:
		return quoted(pick(g, []string{
			".", "..", "../../etc/passwd", "a/b", "a b", "*", "%", "", "NUL", "con", "-", "--help", "id\x00id", "ïd", "𝕚𝕕", "null", "0", "sha256:" + strings.Repeat("0", 64),
			"sha256:" + strings.Repeat("f", 63), "00000000-0000-0000-0000-000000000000", "0190d3c5-0000-7000-8000-000000000000", "rcpt_0", "$id", "a:b", "user_mallory:project_p",
		}))
	default:
		return g.foulText()
	}
}

// foulScope names other people's places, and places that there cannot be.
func (g *gen) foulScope() string {
	part := func() string {
		if g.chance(0.5) {
			return quoted(pick(g, []string{"p", "q", "..", "a/b", "user_victim", "victim", "*", "a:b", strings.Repeat("s", 10<<10), "", "p:session_x"}))
		}
		return g.foulID()
	}
	return fmt.Sprintf(`{%s:%s,%s:%s}`, quoted(pick(g, []string{"user", "project", "tenant"})), part(), quoted(pick(g, []string{"session", "task", "project", "x"})), part())
}

// foulTime returns instants out of every range.
func (g *gen) foulTime() string {
	return quoted(pick(g, []string{
		"0000-00-00T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:60Z", "10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z",
		"+292277026596-12-04T15:30:08Z", "2026-01-01T00:00:00+99:99", "2026-01-01T00:00:00-23:59", "2026-02-30T00:00:00Z", "2026-01-01", "1e9", "now", "yesterday", "",
		"1677-09-21T00:12:43Z", "2262-04-11T23:47:17Z", "2026-01-01T00:00:00." + strings.Repeat("1", 9000) + "Z", "0001-01-01T00:00:00Z", "2026-01-01T24:00:00Z",
	}))
}

// foulRange returns ranges of lines.
func (g *gen) foulRange() string {
	return quoted(pick(g, []string{
		"0-0", "10-1", "-1", "1-", "-", "1-9223372036854775807", "9223372036854775807-9223372036854775808", "99999999999999999999-1", "1-2-3", "a-b", " 1 - 2 ", "1e3-2e3", "1-1000000000", "٣-٤",
	}))
}

// foulPrefix returns prefixes of namespaces.
func (g *gen) foulPrefix() string {
	return quoted(pick(g, []string{"*", "user_victim:*", "user_mallory:project_*", ":*", "**", "user_%", "user_mallory:project_p:session_:*", strings.Repeat("user_a:", 2000), "user_mallory*", "USER_VICTIM:*"}))
}

// foulAddress returns addresses inside of the machine and its network, and addresses that parsers disagree on.
func (g *gen) foulAddress() string {
	return quoted(pick(g, []string{
		"http://127.0.0.1/", "https://localhost:1/", "https://[::1]/", "https://0x7f000001/", "https://2130706433/", "http://169.254.169.254/latest/meta-data", "file:///etc/passwd", "javascript:alert(1)",
		"https://example.com@127.0.0.1/", "https://user:pw@example.com", "https://" + strings.Repeat("a.", 5000) + "com", "https://exa\u0000mple.com", "https://xn--", "//", ":", "https://%00", "gopher://x", "https://[fe80::1%25lo]/", "HTTPS://EXAMPLE.COM:99999/", "https://ｅｘａｍｐｌｅ.com",
	}))
}

// foulBase64 returns bytes that are text in another encoding, repeat themselves, are no text at all, or are no base64.
func (g *gen) foulBase64() string {
	n := g.size()
	var data []byte
	switch g.r.IntN(6) {
	case 0: // UTF-16 with its mark
		data = []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(strings.Repeat("password: hunter2hunter2\r\n", 1+n/64))) {
			data = append(data, byte(u), byte(u>>8))
		}
	case 1: // zeros, as of content that packs to nothing
		data = make([]byte, n)
	case 2: // the beginning of an archive, again and again
		data = []byte(strings.Repeat("PK\x03\x04\x14\x00\x00\x00\x08\x00", 1+n/10))
	case 3:
		data = []byte("\x1f\x8b\x08\x00" + strings.Repeat("\xff", n))
	case 4:
		return quoted(strings.Repeat("A", n) + pick(g, []string{"", "=", "===", "-", "_", "\n", " ", "é"}))
	default:
		data = []byte(strings.Repeat("\xef\xbb\xbf\xed\xa0\x80", 1+n/6))
	}
	return quoted(base64.StdEncoding.EncodeToString(data))
}
