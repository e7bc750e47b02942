package attack

import (
	"fmt"
	"strings"
)

func (g *gen) path() string {
	return quoted(pick(g, []string{"$.name", "name", "$..id", "$.rows[0]", "$[0]", "$", "$.rows[?@.id > 1].name"}))
}

// foulPath returns JSONPath queries whose nodes multiply, whose filters do, or whose text is hard to read.
func (g *gen) foulPath() string {
	n := 1 + g.r.IntN(12)
	deep := 1 + g.size()/4
	switch g.r.IntN(18) {
	case 0:
		return quoted("$" + strings.Repeat("[*,*,*,*,*,*,*,*,*,*]", n))
	case 1:
		return quoted("$" + strings.Repeat("..*", n))
	case 2:
		return quoted("$" + strings.Repeat("..[*,*]", n))
	case 3:
		return quoted("$" + strings.Repeat("..[?@..*]", n))
	case 4:
		return quoted("$[" + strings.Repeat("0,", deep) + "0]")
	case 5:
		return quoted("$" + strings.Repeat("[0]", deep))
	case 6:
		return quoted("$[?" + strings.Repeat("(", deep) + "@.a" + strings.Repeat(")", deep) + "]")
	case 7:
		return quoted("$[?" + strings.Repeat("!(", min(deep, 5000)) + "@.a" + strings.Repeat(")", min(deep, 5000)) + "]")
	case 8:
		return quoted("$[?" + strings.Repeat("@[?", min(deep, 5000)) + "@.a" + strings.Repeat("]", min(deep, 5000)) + "]")
	case 9:
		return quoted("$..[?match(@.c, '" + pick(g, patterns) + "')]")
	case 10:
		return quoted("$..[?search(@, '" + pick(g, patterns) + "')]")
	case 11:
		return quoted("$..[?count($..*) > " + fmt.Sprint(n) + "]")
	case 12:
		return quoted("$..[?length(@) == value($..*)]")
	case 13:
		return quoted(pick(g, []string{
			"$[::-1]", "$[9007199254740991]", "$[-9007199254740991]", "$[9223372036854775808]", "$[0:9007199254740991:1]", "$[::0]", "$[-1:-9007199254740991:-9007199254740991]", "$[01]", "$[-0]", "$[1e3]", "$['\\ud800']", "$['\\u0000']", "$.☺", "$..", "$.", "$[", "$[?]", "$ ", "@", "", "$$", "$[?@==@]", "$[?$..*==$..*]", "$[?1==1]", "$['a','a']",
		}))
	case 14:
		return quoted("$" + strings.Repeat("[::-1,::-1,::1]", n))
	case 15:
		return quoted("$['" + strings.Repeat("a", deep*4) + "']")
	case 16:
		return quoted("$..[?" + strings.Repeat("@.a || ", deep) + "@.b]")
	default:
		return quoted("$..[?@..[?@..[?@..* > 1]]]")
	}
}

// patterns are expressions of RE2 whose program, or whose run, is long for their text.
var patterns = []string{
	"(a{0,500}){0,2}b", `[\p{L}\p{N}]{1,1000}z`, "(a*)*b", "(((a{0,30}){0,30}){0,30}){0,30}", "(x+x+)+y", "(a|aa)+$", "(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)z", `(?i)[^\x00-\x{10FFFF}]*`, `\pL{1000}`, "((a{100}){10}){10}", "a{1000}{1000}",
	"a{1001}", "(", ")", "[", "a**", "(?<n>a)(?<n>b)", `\C`, `\8`, "(?=a)", `(a)\1`, "", "^$", ".*", "(?s).*", ".", `\b`, "$", "(?m)^", "(|a)*", "(|a)+", "[[:word:]]{500}", `\x{110000}`, `(?i)ſ`, "[a-Z]", "(?:(?:a{2}){2}){2}",
}

// foulPattern returns patterns: known ones, long ones and deep ones.
func (g *gen) foulPattern() string {
	n := 1 + g.size()/4
	switch g.r.IntN(6) {
	case 0:
		return quoted(strings.Repeat("(", n) + "a" + strings.Repeat(")", n))
	case 1:
		return quoted(strings.Repeat("a|", n) + "b")
	case 2:
		return quoted("[" + strings.Repeat("a-z", n) + "]")
	case 3:
		return quoted(strings.Repeat(`\p{Greek}{1,20}`, min(n, 2000)))
	default:
		return quoted(pick(g, patterns))
	}
}

func (g *gen) directive() string {
	return quoted(pick(g, []string{
		"memory:where is the office", "artifact:" + g.planted.one(g, "artifact_id"), "task:" + g.planted.one(g, "task_id"),
	}))
}

// foulDirective returns directives to documents that must not be read, or are costly to read.
func (g *gen) foulDirective() string {
	artifact, path := g.planted.one(g, "artifact_id"), ""
	if g.chance(0.5) {
		path = strings.Trim(g.foulPath(), `"`)
	} else {
		path = strings.Trim(g.foulPattern(), `"`)
	}
	switch g.r.IntN(10) {
	case 0, 1:
		return quoted(clip("artifact:"+artifact+"?path="+path, 4100))
	case 2:
		return quoted(clip("artifact:"+artifact+"?pattern="+path, 4100))
	case 3:
		return quoted("artifact:" + artifact + "?lines=" + pick(g, []string{"0-0", "1-9223372036854775807", "-", "9-1"}))
	case 4:
		return quoted("artifact:" + pick(g, g.planted.Neighbour))
	case 5:
		return quoted("memory:" + strings.Repeat(pick(g, repeated), 1+g.r.IntN(2000)))
	case 6:
		return quoted(pick(g, []string{
			"filesystem:/etc/passwd", "filesystem:../../../etc/passwd", "filesystem:.", "filesystem:*", "filesystem:\x00", "https://127.0.0.1/", "https://169.254.169.254/latest", "https://localhost", "mcp:x/y", "mcp:", "task:..", "http://example.com",
			":", "a:", "x:y", "artifact:", "artifact:?path=$", "memory:", "memory:*?limit=99999999999", "memory:a?limit=-1&limit=2", "artifact:..%2f", "ARTIFACT:x", "artifact:x?%zz",
		}))
	default:
		return g.foulText()
	}
}

func clip(text string, n int) string { return text[:min(len(text), n)] }
