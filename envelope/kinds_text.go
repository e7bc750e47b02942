package envelope

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// matcher is a regular expression or a lexicon.
type matcher interface{ MatchString(text string) bool }

// hinted is a regular expression that can match only where one of the hints stands: to look for those costs little.
type hinted struct {
	*language.Pattern
	hints []string
	fold  bool // the hints are in lower case, and stand for those in any
}

func hint(expression string, hints ...string) hinted {
	return hinted{language.NewPattern(expression), hints, false}
}

// hintFold is hint for an expression in any case.
func hintFold(expression string, hints ...string) hinted {
	return hinted{language.NewPattern(`(?i)` + expression), hints, true}
}

// MatchString reports whether the expression matches.
func (h hinted) MatchString(text string) bool {
	looked := text
	if h.fold {
		looked = strings.ToLower(text)
	}
	for _, hint := range h.hints {
		if strings.Contains(looked, hint) {
			return h.Pattern.MatchString(text)
		}
	}
	return false
}

// opening is a regular expression of the beginning of a line, which can match only where one of the bytes comes before any other letter or digit.
type opening struct {
	*language.Pattern
	first string
}

func beginning(expression, first string) opening {
	return opening{language.NewPattern(expression), first}
}

// MatchString reports whether the expression matches.
func (o opening) MatchString(text string) bool {
	for i := range len(text) {
		if strings.IndexByte(o.first, text[i]) >= 0 {
			return o.Pattern.MatchString(text)
		}
		if letterClass(text[i]) != noWord && text[i] < utf8.RuneSelf {
			return false
		}
	}
	return false
}

// ranks gives a line the rank of the first pattern that matches it.
func ranks(list ...any) func(string) int {
	return func(text string) int {
		text = first(text, 1000)
		for i := 0; i < len(list); i += 2 {
			if list[i].(matcher).MatchString(text) {
				return list[i+1].(int)
			}
		}
		return plain
	}
}

var (
	logPrefix = language.NewPattern(`^\W{0,2}(\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d|(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b|(time|ts|level)=\S)|^\S+ \S+ \S+ \[\d\d/[A-Z][a-z]{2}/\d{4}:`)

	httpStatus  = language.NewPattern(`" [1-5]\d\d `)
	serverFault = language.NewPattern(`" 5\d\d `)

	logLines = kind{
		Name: "log", Doc: "errors with the lines around them, warnings, both ends; lines that differ in numbers only once, with their count",
		is: func(c *content) bool { return len(c.lines) > 2 && c.share(logPrefix.MatchString) >= 0.6 },
		keep: func(w *wrapping) string {
			return w.keepLines(shape{rank: ranks(failureWord, vital, serverFault, vital, warningWord, useful), same: sameInLog, series: true, level: noHeading})
		},
		Yes: []string{
			"2026-01-02 03:04:05 INFO up\n2026-01-02 03:04:06 INFO ok\n2026-01-02 03:04:07 ERROR down\n",
			"INFO a\nWARN b\nINFO c\n", "level=info msg=a\nlevel=info msg=b\nlevel=info msg=c\n",
		},
		No: []string{"we met at 10:00:00\nand left\nsoon after\n", "one\ntwo\nthree\n"},
	}
)

var (
	frameLine = hint(`^\s+at .+\(.*\)|^\s+File ".+", line \d+|^goroutine \d+ \[|^\s+\S+\.go:\d+|^\s+from .+:\d+:in|^\s*\d+: +0x[0-9a-f]+|^#\d+ +0x`, "at ", "File ", "goroutine ", ".go:", "from ", " 0x")
	traceHead = language.NewPattern(`^Traceback |^(Caused by|panic|Exception in thread|Unhandled)|^[\w.$]+(Error|Exception|Panic)\b|^goroutine \d+ \[running`)

	stackTrace = kind{
		Name: "stack_trace", Doc: "what was thrown and caused, then the frames of own code, then those of libraries",
		is: func(c *content) bool {
			return c.count(frameLine.MatchString) >= 2 && c.count(traceHead.MatchString) > 0 && c.share(frameLine.MatchString) >= 0.25
		},
		keep: func(w *wrapping) string {
			rank := ranks(traceHead, vital, libraryFrame, useless, ownFrame, wanted, failureWord, wanted)
			return w.keepLines(shape{rank: rank, same: pattern, level: noHeading, alone: true, with: codeOfFrame})
		},
		Yes: []string{
			"Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\n  File \"a.py\", line 5, in g\nValueError: bad\n",
			"java.lang.IllegalStateException: no\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\n",
		},
		No: []string{"ValueError: bad\n", "we look at it (twice)\n"},
	}
)

var (
	testFailed = language.NewPattern(`^\s*(--- FAIL|FAIL\b|FAILED|E  |✗|✕|×|not ok|\d+\) |\S+_test\.go:\d+: )|^[>E] |\b(AssertionError|[Aa]ssertion|FAILED|FAIL)\b|panic:`)
	testEnd    = language.NewPattern(`(?i)\b\d+ (passed|failed|tests?|passing|failing|skipped|errors?)\b|^(ok|PASS|FAIL|Tests:|Ran \d+)`)
	testNamed  = hint(`--- FAIL|FAILED|^not ok|^\s*✗|^\s*● \S|^ ?FAIL +\S|^rspec \./`, "--- FAIL", "FAILED", "not ok", "✗", "● ", "FAIL ", "rspec ./")
	testReport = hint(`^=+ (test session starts|FAILURES|ERRORS|short test summary info|\d+ (passed|failed|errors?|skipped)\b.* in [\d.]+s.*) =+$|^Ran \d+ tests? in [\d.]+s$|^FAILED \((failures|errors)=\d+`, "====", "Ran ", "FAILED (")
	testPassed = hint(`^\s*(=== (RUN|PAUSE|CONT)|--- PASS|✓|✔|ok \d+|ok  ?\t\S+\t)|^ ?PASS +\S|\bPASSED\b|\.\.\. ok$`, "=== ", "--- PASS", "PASS ", "✓", "✔", "ok ", "ok\t", "... ok", "PASSED")
	testName   = beginning(`^(_{3,} \S.* _{3,}$|\s*--- FAIL|FAILED \S|not ok |\s*(●|✗|✕|❯) \S.*\S[ >›]|\s*\d+\) \S|test \S+ \.\.\. FAILED| ?FAIL +\S+ +>|rspec \./)`, "_-FfnotrR0123456789\xe2")

	// testLevel puts the name of a test above what it says.
	testLevel = func(text string) int {
		if testSection.MatchString(first(text, 200)) {
			return 1
		}
		return 0
	}
	testSection = language.NewPattern(`^(=== RUN|--- FAIL|not ok |_{3,} \S.* _{3,}$|={3,} \S.* ={3,}$|● |  \d+\) )`)

	testOutput = kind{
		Name: "test_output", Doc: "failures with what is said around them, and the count; what passed last",
		is: func(c *content) bool {
			return c.count(testPassed.MatchString)+c.count(func(l string) bool { return testNamed.MatchString(l) && !buildFailed.MatchString(l) }) >= 2 ||
				c.count(testReport.MatchString) >= 2
		},
		keep: func(w *wrapping) string {
			return w.keepLines(shape{rank: ranks(testPassed, useless, totals, naming, testName, naming, libraryFrame, useless, testFailed, vital, testEnd, vital, totals, vital, failureWord, wanted, reasonWord, wanted), level: testLevel, details: true})
		},
		Yes: []string{
			"===== test session starts =====\ncollected 2 items\n\na.py .. [100%]\n===== 2 passed in 0.10s =====\n", "..F\nRan 3 tests in 0.010s\n\nFAILED (failures=1)\n",
			"=== RUN TestA\n--- PASS: TestA (0.0s)\n=== RUN TestB\n--- FAIL: TestB (0.0s)\n", "a.py::test_a PASSED\na.py::test_b FAILED\n"},
		No: []string{"he passed the test\n"},
	}
)

var (
	buildError = hintFold(`^\S+:\d+(:\d+)?:? .*(error|undefined|cannot|expected|undeclared)|\berror(\[\w+\]|:| TS\d+)|^(npm ERR!|make(\[\d+\])?: \*\*\*|BUILD FAILED|FAILURE:|ld: )|undefined reference`,
		"error", "undefined", "cannot", "expected", "undeclared", "npm err!", "make", "build failed", "failure:", "ld: ")
	buildFailed  = hint(`^(\[\w+\] )?BUILD FAIL|^> Task .* FAILED|\bERROR\b`, "BUILD FAIL", "FAILED", "ERROR") // of a step, though it is one
	buildReport  = hint(`^\s+\d+:\d+\s+(error|warning)\b|^\s*(e|w): \S+`, "error", "warning", "e: ", "w: ")
	buildWarning = language.NewPattern(`(?i)\bwarning(\[\w+\]|:| )`)
	buildStep    = language.NewPattern(`(?i)^\s*(\[\s*\d+[%/]|CC |CXX |LD |Compiling |Building |Linking |Downloading |Downloaded |> Task |make\[?\d*\]?: |Step \d+/|#\d+ |npm |go: |\$ |gcc |g\+\+ |cc )`)

	buildOutput = kind{
		Name: "build_output", Doc: "errors with what is said around them, warnings once with their count, both ends",
		is: func(c *content) bool {
			return c.count(buildError.MatchString) > 0 && (c.share(buildStep.MatchString) > 0.2 || c.share(buildError.MatchString) > 0.2) ||
				c.share(buildStep.MatchString) > 0.5 || c.share(lintCode.MatchString) > 0.3
		},
		keep: func(w *wrapping) string {
			rank := ranks(totals, vital, buildError, vital, buildFailed, vital, buildReport, vital, buildWarning, useful, buildStep, useless, lintCode, vital, reasonWord, vital, failureWord, vital)
			return w.keepLines(shape{rank: spokenIn(strings.Split(w.text, "\n")).ranked(rank), same: sameReport, level: noHeading})
		},
		Yes: []string{"gcc -c a.c\na.c:3:5: error: expected ';'\nmake: *** [a.o] Error 1\n", "Compiling a v1\nCompiling b v1\nerror[E0308]: mismatched types\n"},
		No:  []string{"an error: of judgement, said in a long text\nwith many\nother\nlines\nthat say\nnothing\n"},
	}
)

var (
	pageHeading = language.NewPattern(`^# `)

	page = language.NewPattern(`(?i)^\s*<!doctype html|^\s*<html`)
	tags = language.NewPattern(`(?i)<(html|head|body|div|span|p|table|tr|td|a|ul|li|script|style|h[1-6])(\s[^<>]*)?>`)
)

var markup = kind{
	Name: "html", Doc: "the text without its tags, scripts and styles; headings first",
	is: func(c *content) bool {
		return page.MatchString(first(c.text, 1000)) || len(tags.FindAllStringIndex(first(c.text, 20_000), 10)) >= 6
	},
	keep: func(w *wrapping) string {
		return w.keepText(textOfHTML(watching(w.ctx), w.text), shape{rank: ranks(pageHeading, wanted), same: pattern, series: true, laid: true}, false)
	},
	Yes: []string{"<!DOCTYPE html><html><body><p>hi</p></body></html>", "<div><p>a</p></div>\n<div><p>b</p></div><div><a href=x>c</a></div>\n"},
	No:  []string{"a < b and c > d\n", "List<String> x;\n"},
}

// isBase64 reports whether a text is long, of the alphabet of base64 alone, and as mixed as bytes are.
func isBase64(text string) bool {
	var small, capital, digit bool
	for i := range len(text) {
		switch c := text[i]; {
		case lower(c):
			small = true
		case upper(c):
			capital = true
		case '0' <= c && c <= '9':
			digit = true
		case strings.IndexByte("+/_-=\r\n", c) < 0:
			return false
		}
	}
	return len(text) >= 200 && small && capital && digit
}

var encoded = kind{
	Name: "base64", Doc: "how many bytes it is, and its beginning",
	is: func(c *content) bool {
		return isBase64(c.text) && c.share(func(l string) bool { return len(l) >= 60 }) >= 0.5
	},
	keep: func(w *wrapping) string {
		joined := strings.Join(strings.Fields(w.text), "")
		head := fmt.Sprintf("base64 of %d bytes left out", base64.RawStdEncoding.DecodedLen(len(strings.TrimRight(joined, "="))))
		if whole := head + "; it begins with " + first(joined, 60) + "…" + w.recovery(); w.Counter.Count(whole) <= w.room() {
			return whole
		}
		return w.withNotice([]string{head})
	},
	Yes: []string{strings.Repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5\n", 4)},
	No:  []string{"a short text\n", strings.Repeat("plain words of a text ", 20)},
}

var (
	pathLine = language.NewPattern(`^[dl-][rwxsStT-]{9}[.+@]? |^(\./|/|~/|[A-Za-z]:\\)?[\w.@+-]+([/\\][\w.@+ -]+)+/?$|^[\w.@+-]+\.\w{1,5}$|^ *[│├└─][│├└─ ]*\S|^[\w.@-]+/$`)

	listing = kind{
		Name: "listing", Doc: "both ends, and how many entries there are of each extension",
		is: func(c *content) bool { return len(c.lines) > 3 && c.share(pathLine.MatchString) >= 0.8 },
		keep: func(w *wrapping) string {
			return w.keepLines(shape{rank: ranks(failureWord, useful), series: true, level: noHeading})
		},
		Yes: []string{"a/b.go\na/c.go\nREADME.md\ncmd/main.go\n", "drwxr-xr-x 2 a a 4096 Jan 1 x\n-rw-r--r-- 1 a a 1 Jan 1 y\n-rw-r--r-- 1 a a 1 Jan 1 z\n-rw-r--r-- 1 a a 1 Jan 1 w\n"},
		No:  []string{"one two\nthree four\nfive six\nseven\n"},
	}
)

var (
	definition = language.NewPattern(`^\s*(export |public |private |protected |static |async |pub |abstract |final )*(func|def|class|interface|struct|enum|trait|impl|type|fn|function|module|namespace|package|CREATE (TABLE|VIEW|FUNCTION))[\s<]+[\w$({<*&"']`)
	codeLine   = language.NewPattern(`[;{}]\s*$|^\s*(import|from|#include|using|return|if|for|while|const|let|var|else|try|package)\b.*|^\s*(//|#|/\*|\*)|:\s*$|^\s*[\w.]+\(.*\)\s*$|^\s*[\w.\[\]]+ (=|:=|\+=) `)

	code = kind{
		Name: "code", Doc: "definitions, then both ends",
		is: func(c *content) bool {
			return len(c.lines) > 3 && c.count(definition.MatchString) > 0 && c.share(func(l string) bool {
				return codeLine.MatchString(l) || definition.MatchString(l)
			}) >= 0.5
		},
		keep: func(w *wrapping) string {
			return w.keepLines(shape{rank: func(l string) int {
				if definition.MatchString(first(l, 1000)) {
					return wanted
				}
				return plain
			}})
		},
		Yes: []string{"package a\n\nimport \"b\"\n\nfunc C() {\n\treturn 1;\n}\n", "import os\n\ndef f(x):\n    return x\n\nclass A:\n"},
		No:  []string{"The class was full.\nWe left.\nIt rained.\nThen not.\n"},
	}
)

var plainText = kind{
	Name: "text", Doc: "both ends, what speaks of failures, and lines that say the same once",
	is:   func(*content) bool { return true },
	keep: (*wrapping).keepPlain,
	Yes:  []string{"anything\n", ""},
}

var (
	outcry       = beginning(`(?i)^\W{0,3}(error|fatal|exception|traceback|panic|failed)\b`, "eftpEFTP")
	documentMark = beginning(`^#{1,6} \S|^\s*# .+ (will|must) be |^(Plan|Total|Summary|Result)s?: `, "#PTSR") // of a document, of a plan of changes
)

func (w *wrapping) keepPlain() string {
	rank := ranks(totals, vital, outcry, vital, failureWord, vital, plannedGuard, vital, httpFault, vital, documentMark, wanted, plannedLine, useful)
	return w.keepLines(shape{rank: spokenIn(firstLines(w.text, lookedAt)).ranked(rank), runs: true, series: true, with: besideFailure})
}

// keyed matches a line of a description, and its key.
var keyed = language.NewPattern(`^\s*([A-Za-z][\w ./-]{0,40}):(\s|$)`)

// nearDetail is how many lines of a description are looked at behind one that tells a failure, and before it.
const nearDetail = 2

// besideFailure returns the lines of a description beside one that tells a failure which say more of it, such as the code of an exit.
func besideFailure(lines []string, i int) (all []int) {
	if !keyed.MatchString(lines[i]) || !failureWord.MatchString(lines[i]) {
		return nil
	}
	for _, step := range []int{-1, 1} {
		for j := i + step; j >= 0 && j < len(lines) && indentOf(lines[j]) == indentOf(lines[i]) && max(i-j, j-i) <= nearDetail; j += step {
			if m := keyed.FindStringSubmatch(lines[j]); m != nil && detailKeys.Has(strings.ToLower(m[1])) {
				all = append(all, j)
			}
		}
	}
	return all
}

// sameInLog is pattern, but for the status of a request.
func sameInLog(to []byte, text string) []byte {
	return append(pattern(to, text), httpStatus.FindString(text)...)
}

// codeOfFrame returns the line of code below a frame that a library has not.
func codeOfFrame(lines []string, i int) []int {
	if i+1 < len(lines) && ownFrame.MatchString(lines[i]) && !frameLine.MatchString(lines[i+1]) && indentOf(lines[i+1]) > indentOf(lines[i]) {
		return []int{i + 1}
	}
	return nil
}
