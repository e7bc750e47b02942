package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTest   = regexp.MustCompile("`((?:Test|Fuzz)[A-Z][A-Za-z0-9_]*)`")
	namedScript = regexp.MustCompile("`([a-z0-9_]+\\.txtar)`")
)

// TestSecurityPromisesAreTested fails when docs/security.md names a test or a script that there is not, or a promise or an attack
// that nothing stands behind.
func TestSecurityPromisesAreTested(t *testing.T) {
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	there, rows, heading := testsOfTheProduct(t), 0, ""
	for line := range strings.Lines(string(text)) {
		for _, m := range namedTest.FindAllStringSubmatch(line, -1) {
			if !there[m[1]] {
				t.Errorf("there is no test %s", m[1])
			}
		}
		for _, m := range namedScript.FindAllStringSubmatch(line, -1) {
			if _, err := os.Stat(filepath.Join("../../testdata/script", m[1])); err != nil {
				t.Errorf("there is no script %s", m[1])
			}
		}
		if name, is := strings.CutPrefix(line, "## "); is {
			heading = strings.TrimSpace(name)
		}
		if heading == "Who is trusted with what" || !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") {
			continue
		}
		rows++
		if header := strings.HasPrefix(line, "| Promise") || strings.HasPrefix(line, "| Attack"); !header && !namedTest.MatchString(line) && !namedScript.MatchString(line) {
			t.Errorf("no test stands behind %s", line)
		}
	}
	if rows < 20 {
		t.Errorf("the document has %d rows of promises and attacks", rows)
	}
}

var definedTest = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Z][A-Za-z0-9_]*)\(`)

// testsOfTheProduct returns the names of all tests.
func testsOfTheProduct(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, entry os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range definedTest.FindAllStringSubmatch(string(text), -1) {
			all[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
