package memory

import (
	"encoding/json"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// rawKind is a kind of text that is no memory: the output of a tool, or the plan of an agent.
type rawKind struct {
	name   string
	remedy string
	is     func(text string, lines []string) bool
	yes    []string // samples
	no     []string
}

const (
	toArtifact = "pass it to wrap_tool_result or put_artifact, and remember in a sentence what follows from it"
	toTask     = "remember what holds by now; what is to be done goes to save_task_state"
)

var rawKinds = []rawKind{
	{"a stack trace", toArtifact, func(_ string, lines []string) bool { return count(lines, traceLine) >= 2 },
		[]string{"Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\nValueError: bad", "panic: nil\n\ngoroutine 1 [running]:\nmain.main()\n\tmain.go:7"},
		[]string{"The build fails at startup. File app.py is missing."}},
	{"a diff", toArtifact, func(_ string, lines []string) bool { return count(lines, diffLine) >= 2 },
		[]string{"--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n-a\n+b"}, []string{"--- the plan ---\nWe ship on Friday."}},
	{"a log", toArtifact, func(_ string, lines []string) bool { return 2*count(lines, logLine) > len(lines) },
		[]string{"2026-11-22T09:00:01Z INFO started\n2026-11-22T09:00:02Z WARN slow", "[2026-11-22 09:00:01] ERROR: no route to host db-1 after three attempts"},
		[]string{"2026-11-22 is the day of the release.", "ERROR messages go to Sentry."}},
	{"HTML", toArtifact, func(text string, _ []string) bool { return len(htmlTag.FindAllString(text, 4)) >= 3 },
		[]string{"<div class=\"a\"><p>Hello</p></div>"}, []string{"The <br> tag is not used in our templates."}},
	{"JSON", toArtifact, func(text string, _ []string) bool {
		return strings.ContainsAny(text[:1], "{[") && json.Valid([]byte(text))
	}, []string{`{"rows":[{"id":1,"name":"a"}],"next":null}`}, []string{"[draft] The API returns {} for no rows."}},
	{"a table", toArtifact, func(_ string, lines []string) bool {
		return len(lines) >= 3 && (10*count(lines, pipedLine) >= 8*len(lines) || 10*count(lines, tabbedLine) >= 8*len(lines))
	}, []string{"| a | b |\n|---|---|\n| 1 | 2 |", "name\tage\tcity\nann\t3\tRome\nben\t4\tBonn"}, []string{"First line.\nSecond line.\nThird | line."}},
	{"code", toArtifact, func(_ string, lines []string) bool {
		return len(lines) >= 3 && 10*count(lines, codeLine) >= 6*len(lines)
	},
		[]string{"func main() {\n\tx := 1\n\tfmt.Println(x)\n}", "import os\ndef f(x):\n    return x + 1\nclass A:\n    pass"},
		[]string{"The service has three parts:\na server, which listens;\na worker;\nand a store."}},
	{"thinking aloud", toTask, func(text string, _ []string) bool { return thinking.MatchString(text) },
		[]string{"Let me look at the config file first, then I will run the tests.", "Okay, now I need to fix the failing import in the parser module."},
		[]string{"The parser needs Go 1.26.", "I am told that the parser needs Go 1.26.", "Let's Encrypt issues the certificates of the shop."}},
}

var (
	traceLine  = language.NewPattern(`^\s*(?:at \S+\(|at .+:\d+|File ".+", line \d+|goroutine \d+ \[|Traceback \(|Caused by: |panic: |\S+\.(?:go|py|js|ts|java|rb|rs):\d+|[\w.$]+(?:Error|Exception)(?::|$))`)
	diffLine   = language.NewPattern(`^(?:diff --git |@@ .*@@|\+\+\+ \S|--- \S+/|index [0-9a-f]{6,}\.\.)`)
	logLine    = language.NewPattern(`^\W?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d).*|^\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\]?(?::| \[| +\d)`)
	htmlTag    = language.NewPattern(`(?i)</?(?:html|head|body|div|span|p|a|ul|li|table|tr|td|script|style|h[1-6])(?:\s[^>]*)?>`)
	pipedLine  = language.NewPattern(`^[^|]*\|[^|]*\|`)
	tabbedLine = language.NewPattern(`^[^\t]+\t[^\t]+`)
	codeLine   = language.NewPattern(`(?:[{};]|\):|\) \{)\s*$|^\s*(?:func|def|class|import|package|return|const|let|var|public|private|if \(|for \(|#include|use|fn|else|end|pass)\b|^\s*[\w.]+\(.*\)\s*;?$|^\s*[\w.]+ :?= \S`)
	thinking   = language.NewPattern(`(?i)^(?:(?:ok|okay|hmm+|well|so|now|wait|alright|first|next|right),?\s+)*%s\b`, language.Thinking)
)

func count(lines []string, form *language.Pattern) int {
	n := 0
	for _, l := range lines {
		if form.MatchString(l) {
			n++
		}
	}
	return n
}

// rawOf returns the kind of a text that is no memory, or nil.
func rawOf(text string) *rawKind {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	for i := range rawKinds {
		if len(lines) > 0 && rawKinds[i].is(text, lines) {
			return &rawKinds[i]
		}
	}
	return nil
}
